import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { hasBrowser } from '../support/browser.ts';
import { ask, COMMENT, decideOn } from '../support/change-scenario.ts';
import {
  direct,
  enter,
  fill,
  openBy,
  openForm,
  shown,
  submit,
  unread,
  valuesOf,
} from '../support/changes-page.ts';
import { userOf } from '../support/user.ts';
import { bytesOf, choose as chooseItem, press, recordsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';
import { REASON } from '../support/changes.ts';

const ALERT = '/alert set';

describe.runIf(hasBrowser())('what became of requests, in a browser', () => {
  let world: World;
  let ada: Visitor;
  let ben: Visitor;
  let cleo: Visitor;

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
  /** Changes that have come to each of these ends, and one that waits, in this order; asked for without a browser. */
  async function history(): Promise<
    Record<'rejected' | 'withdrawn' | 'succeeded' | 'pending', string>
  > {
    const [viewer, approver] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
    const rejected = await request(world, viewer, { command: `${ALERT} 301` });
    await decide(world, approver, { id: rejected, decision: 'Reject', comment: COMMENT });
    const withdrawn = await request(world, viewer, { command: `${ALERT} 302` });
    await viewer.press(await cardOf(world, withdrawn), 'Withdraw');
    const succeeded = await request(world, viewer, { command: `${ALERT} 300` });
    await decide(world, approver, { id: succeeded, decision: 'Approve' });
    const pending = await request(world, viewer, {
      command: '/billing recipients add',
      entries: { 'E-mail': 'news@acme.example' },
    });
    const ids = { rejected, withdrawn, succeeded, pending };
    for (const [state, id] of Object.entries(ids)) await cardOf(world, id, state);
    return ids;
  }
  /** Chooses in a menu below the list, by the words in it. */
  async function choose(list: Locator, menu: number, words: string): Promise<void> {
    await list.getByRole('combobox').nth(menu).click();
    await list.page().getByRole('option', { name: words }).first().click();
  }

  it('a wrong field is named below it, keeps the entries, and can be corrected', async () => {
    const before = await world.messages('C0APPROVE');
    await enter(ada, 'billing');
    const form = await openForm(ada, '/billing recipients add');
    await fill(form, { 'E-mail': 'news', Enabled: false, Reason: REASON });
    const typed = await valuesOf(form);

    const errors = await submit(form);

    expect(Object.keys(errors)).toEqual(['E-mail']);
    expect(await valuesOf(form)).toEqual(typed);
    expect(await world.messages('C0APPROVE')).toEqual(before);
    await fill(form, { 'E-mail': 'corrected@acme.example' });
    const answer = await ada.newAnswer(() => submit(form));
    const [, id = ''] = / as ([a-z\d]{8})\b/.exec(await answer.innerText()) ?? [];
    await decide(world, userOf(world, 'U0BEN'), { id, decision: 'Reject' });
    await cardOf(world, id, 'rejected');
  });

  it('a rejected one: the reason is on the card and in the messages of who asked', async () => {
    const before = await writes(world);
    const { id } = await ask(ada, { command: `${ALERT} 100` });
    const known = await unread(ada);
    await enter(ben, 'approvals');
    const card = shown(ben, await cardOf(world, id, 'pending'));

    await decideOn(ben, card, 'Reject');

    await card.getByText('Rejected · by @Ben Billing').waitFor();
    expect(await card.innerText()).toContain(COMMENT);
    expect(await card.getByRole('button', { name: 'Review' }).count()).toBe(0);
    await until('Ada to be told', async () => (await unread(ada)) !== known);
    const told = await (await direct(ada, id)).innerText();
    expect(told).toContain(COMMENT);
    expect(told).toContain('nothing changed');
    expect(await writes(world)).toEqual(before);
  });

  it('a withdrawn one: who asked takes it back, and decides nothing', async () => {
    const before = await writes(world);
    const { id } = await ask(ada, { command: `${ALERT} 200` });
    await enter(ada, 'approvals');
    const card = shown(ada, await cardOf(world, id, 'pending'));
    const own = await openBy(ada, card, 'Review');
    expect(await own.innerText()).toContain('your own request');
    expect(await valuesOf(own)).toEqual({});
    await own.getByRole('button', { name: 'Close', exact: true }).last().click();
    await own.waitFor({ state: 'detached' });

    await chooseItem(card, 'Withdraw');

    await card.getByText('Withdrawn · by @Ada Admin').waitFor();
    expect(await card.getByRole('button', { name: 'Review' }).count()).toBe(0);
    expect(await writes(world)).toEqual(before);
  });

  it('a list by state and kind, with a review straight from it and the audit as NDJSON; for a viewer without all that', async () => {
    const before = (await writes(world)).length;
    const ids = await history();
    const { rejected, withdrawn, succeeded, pending } = ids;
    await enter(ben, 'approvals');
    const whole = await ben.ask('/changes');
    /** What the list has of these. */
    const ours = async () =>
      (await listed(whole)).filter((line) => Object.values(ids).some((id) => line.startsWith(id)));

    expect(await ours()).toEqual([`${pending} Waiting`]);
    await choose(whole, 0, 'All');
    await until('all of them', async () => (await ours()).length === 4);
    expect(await ours()).toEqual([
      `${pending} Waiting`,
      `${succeeded} Done`,
      `${withdrawn} Withdrawn`,
      `${rejected} Rejected`,
    ]);
    await choose(whole, 1, 'alert.create');
    await until('those of one kind', async () => (await ours()).length === 3);
    await choose(whole, 0, 'Rejected');
    await until('those in one state', async () => (await ours()).length === 1);
    expect(await ours()).toEqual([`${rejected} Rejected`]);
    const show = await ben.newAnswer(() => choose(whole, 2, rejected));
    expect(await show.innerText()).toContain(COMMENT);

    const empty = await cleo.ask('/changes');
    expect(await listed(empty)).toEqual([]);
    expect(await empty.getByRole('button', { name: 'Audit as a file' }).count()).toBe(0);
    const told = await cleo.ask(`/changes show ${succeeded}`);
    expect(await told.innerText()).not.toContain('$300.00');

    await decideOn(ben, await ben.ask(`/changes show ${pending}`), 'Approve');
    await cardOf(world, pending, 'succeeded');
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
    expect(storyOf(rejected)).toEqual([
      ['request', 'U0ADA'],
      ['reject', 'U0BEN'],
    ]);
    expect(storyOf(withdrawn)).toEqual([
      ['request', 'U0ADA'],
      ['withdraw', 'U0ADA'],
    ]);
    expect(storyOf(pending).map(([event]) => event)).toEqual([
      'request',
      'approve',
      'claim',
      'succeed',
    ]);
    expect((await writes(world)).slice(before).map(({ call }) => call)).toEqual([
      'POST /alert',
      'POST /invoice-delivery/recipients',
    ]);
  });
});
