import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { hasBrowser } from '../support/browser.ts';
import { choose as chooseFrom, rowsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';

describe.runIf(hasBrowser())('a query as a form, in a browser', () => {
  let world: World;
  let cleo: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    cleo = await world.visit('U0CLEO');
  });

  afterAll(() => world?.close());

  const field = (label: string): Locator =>
    cleo.modal.getByRole('combobox', { name: new RegExp(`^${label}`) });
  const chip = (value: string): Locator =>
    cleo.modal.getByRole('button', { name: `Remove ${value}`, exact: true });
  const option = (value: string): Locator =>
    cleo.modal.getByRole('option', { name: value, exact: true });

  /** Chooses Customize; the values that have to be read first are there. */
  async function customize(answer: Locator): Promise<void> {
    await chooseFrom(answer, 'Customize');
    await field('Filter by workload').waitFor();
  }

  async function choose(label: string, ...values: string[]): Promise<void> {
    await field(label).click();
    for (const value of values) await option(value).click();
    await field(label).press('Tab');
  }

  async function show(): Promise<void> {
    await cleo.modal.getByRole('button', { name: 'Show', exact: true }).click();
    await cleo.modal.waitFor({ state: 'detached' });
  }

  /** The visible text of an answer, without its time. */
  async function contentOf(answer: Locator): Promise<string> {
    return (await answer.innerText()).replace(/\d+:\d\d [AP]M/, '');
  }

  it('shows the question of the answer, with the values that there are', async () => {
    const answer = await cleo.ask('/charges last month by gvc of cpu where workload=web step day');
    await customize(answer);

    expect(await field('Range').inputValue()).toBe('Last month');
    expect(await field('Step').inputValue()).toBe('day');
    for (const value of ['gvc', 'cpu', 'web']) expect(await chip(value).count()).toBe(1);
    await field('Filter by workload').click();
    await option('postgres').waitFor();
    const offered = await cleo.modal.getByRole('option').allInnerTexts();
    expect(offered).toEqual(expect.arrayContaining(['cart', 'postgres', 'wiki']));
    await cleo.modal.getByRole('button', { name: 'Cancel' }).click();
    await cleo.modal.waitFor({ state: 'detached' });
  });

  it('leads to the same answer as the command that says the same', async () => {
    const answer = await cleo.ask('/charges last 2 months');
    await customize(answer);
    await choose('Range', 'Last month');
    await chip('org').click();
    await choose('Group by', 'workload');
    await choose('Metrics', 'cpu', 'memory');
    await choose('Orgs', 'acme');
    await choose('Step', 'week');
    await choose('Filter by gvc', 'shop');
    await show();
    await answer.getByText('Charges by workload').waitFor();

    const typed = await cleo.ask(
      '/charges last month by workload of cpu,memory where gvc=shop org acme step week',
    );
    expect(await rowsOf(answer)).toEqual(await rowsOf(typed));
    expect(await contentOf(answer)).toBe(await contentOf(typed));
  });

  it('shows the tiers of each charge where that is ticked', async () => {
    const answer = await cleo.ask('/charges last month by metric');
    await customize(answer);
    await cleo.modal.getByText('Show the tiers that each charge was priced in').click();
    await show();
    await answer.getByText('Tiers of').waitFor();

    expect((await rowsOf(answer))[0]).toContain('Rate');
  });

  it('shows an error under an unreadable field, and keeps the other values', async () => {
    const answer = await cleo.ask('/usage last month by gvc of cpu');
    await customize(answer);
    const range = cleo.modal.getByLabel(/^Other range/);
    const more = cleo.modal.getByLabel(/^More filters/);
    await range.fill('last mnth');
    await more.fill('gvc');
    await cleo.modal.getByRole('button', { name: 'Show', exact: true }).click();
    await cleo.modal.getByRole('alert').first().waitFor();

    const faulty = cleo.modal.locator('.block-input').filter({ has: cleo.page.getByRole('alert') });
    const labels = await faulty.locator('.label').allInnerTexts();
    expect(labels.map((label) => label.replace(/ \(optional\)/, ''))).toEqual([
      'Other range',
      'More filters',
    ]);
    expect(await faulty.first().getByRole('alert').innerText()).toContain('After "last" comes');

    await range.fill('last 2 months');
    await more.fill('gvc=/^shop/');
    await show();
    await answer.getByText('where gvc=/^shop/').waitFor();
    const typed = await cleo.ask('/usage last 2 months by gvc of cpu where gvc=/^shop/');
    expect(await contentOf(answer)).toBe(await contentOf(typed));
  });
});
