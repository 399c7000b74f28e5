import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, writes } from '../support/approvals.ts';
import { hasBrowser } from '../support/browser.ts';
import { ask, COMMENT, decideOn, playOut } from '../support/change-story.ts';
import { direct, enter, openBy, shown, unread, valuesOf } from '../support/changes-page.ts';
import { bytesOf, press, recordsOf } from '../support/page.ts';
import type { Visitor } from '../support/page.ts';
import { openWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';
import { until } from '../support/until.ts';

const ALERT = '/alert set';

describe.runIf(hasBrowser())('what became of requests, in a browser', () => {
  let world: World;
  let ada: Visitor;
  let ben: Visitor;
  let cleo: Visitor;
  const ids: Record<'rejected' | 'withdrawn' | 'succeeded' | 'pending', string> = {
    rejected: '',
    withdrawn: '',
    succeeded: '',
    pending: '',
  };

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    [ada, ben, cleo] = await Promise.all([
      world.visit('U0ADA'),
      world.visit('U0BEN', 'C0APPROVE'),
      world.visit('U0CLEO', 'C0APPROVE'),
    ]);
  });

  afterAll(() => world?.close());

  const listed = async (list: Locator): Promise<string[]> =>
    (await recordsOf(list)).map(({ State: state = '', ID: id = '' }) => `${id} ${state}`);
  /** Chooses in a menu below the list, by the words in it. */
  async function choose(list: Locator, menu: number, words: string): Promise<void> {
    await list.getByRole('combobox').nth(menu).click();
    await list.page().getByRole('option', { name: words }).first().click();
  }

  it('a rejected one: the reason is on the card and in the messages of who asked', async () => {
    const { id } = await ask(ada, { command: `${ALERT} 100` });
    ids.rejected = id;
    const card = shown(ben, await cardOf(world, id, 'pending'));

    await decideOn(ben, card, 'Reject');

    await card.getByText('Rejected by @Ben Billing').waitFor();
    expect(await card.innerText()).toContain(COMMENT);
    expect(await card.getByRole('button', { name: 'Review' }).count()).toBe(0);
    await until('Ada to be told', async () => (await unread(ada)) !== '');
    const told = await (await direct(ada, id)).innerText();
    expect(told).toContain(COMMENT);
    expect(told).toContain('Nothing was changed');
    expect(await writes(world)).toEqual([]);
  });

  it('a withdrawn one: who asked takes it back, and decides nothing', async () => {
    const { id } = await ask(ada, { command: `${ALERT} 200` });
    ids.withdrawn = id;
    await enter(ada, 'approvals');
    const card = shown(ada, await cardOf(world, id, 'pending'));
    const own = await openBy(ada, card, 'Review');
    expect(await own.innerText()).toContain('your own request');
    expect(await valuesOf(own)).toEqual({});
    await own.getByRole('button', { name: 'OK' }).click();
    await own.waitFor({ state: 'detached' });

    await press(card, 'Withdraw');

    await card.getByText('Withdrawn by @Ada Admin').waitFor();
    expect(await card.getByRole('button', { name: 'Review' }).count()).toBe(0);
    expect(await writes(world)).toEqual([]);
  });

  it('a list by state and kind, whole for a billing_admin', async () => {
    const done = await playOut(world, [ada, ben], { command: `${ALERT} 300` });
    ids.succeeded = done.id;
    const { id } = await ask(ada, {
      command: '/billing recipients add',
      entries: { 'E-mail': 'news@acme.example' },
    });
    ids.pending = id;

    const list = await ben.ask('/changes');
    expect(await listed(list)).toEqual([`${id} pending`]);
    await choose(list, 0, 'All');
    await until('all of them', async () => (await listed(list)).length === 4);
    expect(await listed(list)).toEqual(
      (['pending', 'succeeded', 'withdrawn', 'rejected'] as const).map(
        (state) => `${ids[state]} ${state}`,
      ),
    );
    await choose(list, 1, 'alert.create');
    await until('those of one kind', async () => (await listed(list)).length === 3);
    await choose(list, 0, 'State: rejected');
    await until('those in one state', async () => (await listed(list)).length === 1);
    expect(await listed(list)).toEqual([`${ids.rejected} rejected`]);
    const show = await ben.newAnswer(() => choose(list, 2, ids.rejected));
    expect(await show.innerText()).toContain(COMMENT);
  });

  it('a list without what is none of one’s business, and no audit as a file', async () => {
    const list = await cleo.ask('/changes');

    expect(await listed(list)).toEqual([]);
    expect(await list.getByRole('button', { name: 'Audit as a file' }).count()).toBe(0);
    const told = await cleo.ask(`/changes show ${ids.succeeded}`);
    expect(await told.innerText()).not.toContain('300.00 USD');
  });

  it('a review straight from the list, and the audit of everything as NDJSON', async () => {
    const show = await ben.ask(`/changes show ${ids.pending}`);
    await decideOn(ben, show, 'Approve');
    await cardOf(world, ids.pending, 'succeeded');

    const list = await ben.ask('/changes');
    await ben.newAnswer(() => press(list, 'Audit as a file'));
    const message = await direct(ben, 'Who asked for which change');
    const file = (await bytesOf(message, '.ndjson')).toString();

    const lines = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { change: string; event: string; by?: string });
    const storyOf = (id: string) =>
      lines.filter(({ change }) => change === id).map(({ event, by }) => [event, by]);
    expect(storyOf(ids.rejected)).toEqual([
      ['request', 'U0ADA'],
      ['reject', 'U0BEN'],
    ]);
    expect(storyOf(ids.withdrawn)).toEqual([
      ['request', 'U0ADA'],
      ['withdraw', 'U0ADA'],
    ]);
    expect(storyOf(ids.pending).map(([event]) => event)).toEqual([
      'request',
      'approve',
      'claim',
      'succeed',
    ]);
    expect((await writes(world)).map(({ call }) => call)).toEqual([
      'POST /alert',
      'POST /invoice-delivery/recipients',
    ]);
  });
});
