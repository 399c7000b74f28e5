import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import type { ChangeStore } from '../../../src/changes/store.ts';
import { changeOf, createMemoryChanges, REQUESTED_AT } from '../../support/changes.ts';
import { BEA, EVENTS, MINUTE, NOW, UNTIL } from '../../unit/changes/stages.ts';
import { useRedis } from '../../support/redis.ts';
import { entriesOf, lineIn, openHarness } from './harness.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

const server = useRedis();

const alertOf = (amount: number): ChangeInput => ({ kind: 'alert.replace', amount, enabled: true });
/** A change that is like no other: it has its own order, and came as many minutes after the first. */
const nth = (index: number, more: Partial<Change> = {}): Change =>
  changeOf({
    id: `change${index}`,
    order: alertOf(index),
    requestedAt: REQUESTED_AT + index * MINUTE,
    ...more,
  });
const idsOf = (changes: readonly Change[]): string[] => changes.map(({ id }) => id);

async function kept(changes: ChangeStore, ...all: readonly Change[]): Promise<void> {
  for (const change of all) await changes.create(change);
}

describe.each([
  ['in Redis', async () => (await openHarness(server.url)).changes],
  ['in memory', async () => createMemoryChanges()],
])('changes %s', (_, open) => {
  it('are kept as they were requested', async () => {
    const changes = await open();

    expect(await changes.create(changeOf())).toEqual({ made: true });

    expect(await changes.get('k3m9x2ab')).toStrictEqual(changeOf());
    expect(await changes.get('absent')).toBeUndefined();
    expect(await changes.count()).toBe(1);
  });

  it('are requested once: the second person is shown the first request', async () => {
    const changes = await open();
    await changes.create(changeOf());

    const again = changeOf({ id: 'another1', requester: BEA });

    expect(await changes.create(again)).toEqual({ same: changeOf() });
    expect(await changes.get('another1')).toBeUndefined();
    expect(await changes.count()).toBe(1);
  });

  it('may be requested again when asking had no answer', async () => {
    const changes = await open();
    await changes.create(changeOf());

    expect(await changes.create(changeOf())).toEqual({ made: true });
    expect(await changes.count()).toBe(1);
  });

  it('do not take the place of each other', async () => {
    const changes = await open();
    await changes.create(changeOf());

    const other = changeOf({ order: alertOf(7) });

    await expect(changes.create(other)).rejects.toThrow('there is a change k3m9x2ab already');
    expect(await changes.get('k3m9x2ab')).toEqual(changeOf());
    expect(idsOf(await changes.open())).toEqual(['k3m9x2ab']);
  });

  it('are requested once by fifty people at the same moment', async () => {
    const changes = await open();
    const requests = Array.from({ length: 50 }, (_, index) => changeOf({ id: `change${index}` }));

    const answers = await Promise.all(requests.map((request) => changes.create(request)));

    const made = requests.filter((_, index) => 'made' in (answers[index] ?? {}));
    expect(made).toHaveLength(1);
    const reported = answers.flatMap((answer) => ('same' in answer ? [answer.same.id] : []));
    expect(reported).toEqual(Array.from({ length: 49 }, () => made[0]?.id));
    expect(await changes.count()).toBe(1);
    expect(await changes.open()).toEqual(made);
  });

  it.each(['approve', 'claim'] as const)('are still open after %s', async (last) => {
    const changes = await open();
    await changes.create(changeOf());
    let change = await changes.move(changeOf(), EVENTS.approve);
    if (last === 'claim' && change) change = await changes.move(change, EVENTS.claim);

    expect(await changes.create(changeOf({ id: 'another1' }))).toEqual({ same: change });
    expect(await changes.open()).toEqual([change]);
  });

  it('may be requested again when they are over', async () => {
    const changes = await open();
    await changes.create(changeOf());
    await changes.move(changeOf(), EVENTS.withdraw);

    expect(await changes.create(changeOf({ id: 'another1' }))).toEqual({ made: true });
    expect(idsOf(await changes.open())).toEqual(['another1']);
    expect(await changes.count()).toBe(2);
  });

  it('that are over leave alone who asks for the same after them', async () => {
    const changes = await open();
    await changes.create(changeOf());
    const secret = { state: 'sealed', what: 'token', until: UNTIL, tokenId: 't2' } as const;
    const beside = { secret: { sealed: 'c2VhbGVk', forMs: 9e5 } };
    const approved = await changes.move(changeOf(), EVENTS.approve);
    const executing = approved && (await changes.move(approved, EVENTS.claim));
    const done =
      executing && (await changes.move(executing, { ...EVENTS.succeed, secret }, beside));
    const next = changeOf({ id: 'another1' });
    await changes.create(next);

    expect(done && (await changes.move(done, EVENTS.open))).toMatchObject({
      secret: { state: 'opening' },
    });
    expect(await changes.open()).toEqual([next]);
    expect(await changes.create(changeOf({ id: 'another2' }))).toEqual({ same: next });
  });

  it('of one person are ten at once, however many are asked for at the same moment', async () => {
    const changes = await open();
    const asked = Array.from({ length: 25 }, (_, index) => nth(index));

    const answers = await Promise.all(asked.map((change) => changes.create(change)));

    expect(answers.filter((answer) => 'made' in answer)).toHaveLength(10);
    expect(answers.filter((answer) => 'full' in answer)).toEqual(
      Array.from({ length: 15 }, () => ({ full: 10 })),
    );
    expect(await changes.open()).toHaveLength(10);
    expect(await changes.count()).toBe(10);
    // Requests of other people do not count, and an identical open request is returned in any case.
    expect(await changes.create(nth(30, { requester: BEA }))).toEqual({ made: true });
    expect(await changes.create(nth(31, { order: alertOf(30) }))).toHaveProperty('same');
    // Another account of the same person is the same person.
    const { requester } = nth(32);
    const again = nth(32, { requester: { ...requester, userId: 'U0AGAIN' } });
    expect(await changes.create(again)).toEqual({ full: 10 });
  });

  it.each([
    ['withdrawn', [EVENTS.withdraw]],
    ['rejected', [EVENTS.reject]],
    ['expired', [{ ...EVENTS.expire, at: REQUESTED_AT + 9 * 3_600_000 }]],
    ['carried out', [EVENTS.approve, EVENTS.claim, EVENTS.succeed]],
    ['given up', [EVENTS.approve, EVENTS.claim, EVENTS.fail]],
  ])('make room for another one when they are %s, and for one only', async (_, events) => {
    const changes = await open();
    for (let index = 0; index < 10; index += 1) await changes.create(nth(index));

    let change: Change | undefined = nth(4);
    for (const [index, event] of events.entries()) {
      expect(await changes.create(nth(20 + index))).toEqual({ full: 10 });
      change = change && (await changes.move(change, event));
    }

    expect(change).toBeDefined();
    expect(await changes.create(nth(40))).toEqual({ made: true });
    expect(await changes.create(nth(41))).toEqual({ full: 10 });
    // Asking again after a lost answer is not another request.
    expect(await changes.create(nth(40))).toEqual({ made: true });
  });

  it('move on, and are read as they are then', async () => {
    const changes = await open();
    await changes.create(changeOf());

    const approved = await changes.move(changeOf(), EVENTS.approve);

    expect(approved).toMatchObject({ state: 'approved', version: 2, decision: { by: BEA } });
    expect(await changes.get('k3m9x2ab')).toEqual(approved);
  });

  it('are not moved by a person who has read an old one, or who comes too late', async () => {
    const changes = await open();
    await changes.create(changeOf());
    await changes.move(changeOf(), EVENTS.reject);
    const rejected = await changes.get('k3m9x2ab');

    expect(await changes.move(changeOf(), EVENTS.approve)).toBeUndefined();
    expect(await changes.move(rejected ?? changeOf(), EVENTS.approve)).toBeUndefined();

    expect(await changes.get('k3m9x2ab')).toEqual(rejected);
  });

  it('that were never requested cannot be moved', async () => {
    const changes = await open();

    expect(await changes.move(changeOf(), EVENTS.approve)).toBeUndefined();
    expect(await changes.get('k3m9x2ab')).toBeUndefined();
    expect(await changes.due(Infinity)).toEqual([]);
  });

  it('are decided on by one of many at the same moment', async () => {
    const changes = await open();
    await changes.create(changeOf());
    const events = [EVENTS.approve, EVENTS.reject, EVENTS.withdraw];
    const all = Array.from({ length: 8 }, () => events).flat();

    const moved = await Promise.all(all.map((event) => changes.move(changeOf(), event)));

    const [winner, ...others] = moved.filter((change) => change !== undefined);
    expect(others).toEqual([]);
    expect(await changes.get('k3m9x2ab')).toEqual(winner);
  });

  it('are listed the latest first, by pages', async () => {
    const changes = await open();
    await kept(changes, nth(2), nth(1), nth(4), nth(3), nth(5, { requestedAt: REQUESTED_AT }));

    expect(idsOf(await changes.list(0, 3))).toEqual(['change4', 'change3', 'change2']);
    expect(idsOf(await changes.list(3, 3))).toEqual(['change1', 'change5']);
    expect(await changes.list(6, 3)).toEqual([]);
    expect(await changes.list(0, 0)).toEqual([]);
    expect(idsOf(await changes.open())).toEqual([
      'change5',
      'change1',
      'change2',
      'change3',
      'change4',
    ]);
  });

  it('are found by kind as the one that was sent last, however early it was requested', async () => {
    const changes = await open();
    const sendAt = async (change: Change, at: number) => {
      await changes.create(change);
      const approved = await changes.move(change, EVENTS.approve);
      const sent = approved && (await changes.move(approved, { ...EVENTS.claim, at }));
      if (sent) await changes.move(sent, { ...EVENTS.succeed, at: at + MINUTE });
    };
    await sendAt(nth(2), NOW);
    await sendAt(nth(1), NOW + 5 * MINUTE);
    await kept(changes, nth(3), nth(4));
    await sendAt(nth(5, { order: { kind: 'alert.delete' } }), NOW);

    const sent = await changes.lastSent(['alert.create', 'alert.replace', 'alert.delete']);

    expect(idsOf(sent)).toEqual(['change1', 'change5']);
    expect(sent.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });

  it('of the same moment are listed in one order', async () => {
    const changes = await open();
    const at = { requestedAt: REQUESTED_AT };
    await kept(changes, nth(2, at), nth(1, at), nth(3, at));

    expect(idsOf(await changes.list(0, 9))).toEqual(['change3', 'change2', 'change1']);
    expect(idsOf(await changes.open())).toEqual(['change1', 'change2', 'change3']);
  });

  it('are due when something is to be done, and never again once they are over', async () => {
    const changes = await open();
    await kept(changes, nth(1), nth(2));
    const first = REQUESTED_AT + 16 * MINUTE;

    expect(await changes.due(first - 1)).toEqual([]);
    expect(await changes.due(first)).toEqual(['change1']);
    await changes.move(nth(1), { kind: 'remind', at: first });
    expect(await changes.due(first)).toEqual([]);
    await changes.move(nth(2), EVENTS.withdraw);
    expect(await changes.due(Infinity)).toEqual(['change1']);
  });

  it('hold a secret that is taken once', async () => {
    const changes = await open();
    await changes.create(changeOf());
    await changes.move(changeOf(), EVENTS.approve, { secret: { sealed: 'c2VhbGVk', forMs: 9e5 } });

    const takers = Array.from({ length: 10 }, () => changes.takeSecret('k3m9x2ab'));

    const taken = (await Promise.all(takers)).filter((secret) => secret !== undefined);
    expect(taken).toEqual(['c2VhbGVk']);
    expect(await changes.takeSecret('k3m9x2ab')).toBeUndefined();
  });

  it('drop a secret in the same step, and keep it when the step cannot be made', async () => {
    const changes = await open();
    await changes.create(changeOf());
    const approved = await changes.move(changeOf(), EVENTS.approve, {
      secret: { sealed: 'c2VhbGVk', forMs: 9e5 },
    });
    const executing = approved && (await changes.move(approved, EVENTS.claim));
    expect(await changes.move(changeOf(), EVENTS.withdraw, { secret: 'drop' })).toBeUndefined();
    expect(await changes.takeSecret('k3m9x2ab')).toBe('c2VhbGVk');

    const beside = { secret: { sealed: 'bW9yZQ==', forMs: 9e5 } };
    const waiting = executing && (await changes.move(executing, EVENTS.wait, beside));
    expect(waiting && (await changes.move(waiting, EVENTS.fail, { secret: 'drop' }))).toBeDefined();
    expect(await changes.takeSecret('k3m9x2ab')).toBeUndefined();
  });

  it('show in the audit who was refused, once for each reason, however often', async () => {
    const changes = await open();
    await changes.create(changeOf());
    const of = { at: NOW, by: 'U0EVE', what: 'changes.review' };
    const guest = { ...of, why: 'guest', about: changeOf() };

    await Promise.all(Array.from({ length: 1_000 }, () => changes.refused(guest)));
    await changes.refused({ ...guest, why: 'role' });
    await changes.refused({ ...guest, by: 'U0SAM' });

    const [, ...refused] = await entriesOf(changes.audit('k3m9x2ab'));
    expect(refused.map(lineIn)).toEqual(
      [
        { by: 'U0EVE', why: 'guest' },
        { by: 'U0EVE', why: 'role' },
        { by: 'U0SAM', why: 'guest' },
      ].map((who) => ({
        at: NOW,
        event: 'refused',
        what: 'changes.review',
        change: 'k3m9x2ab',
        state: 'pending',
        ...who,
      })),
    );
    expect(await entriesOf(changes.audit())).toHaveLength(4);
    expect(await changes.move(changeOf(), EVENTS.approve)).toMatchObject({ state: 'approved' });
  });

  it('show it once a day where there is no change', async () => {
    const changes = await open();
    const day = 24 * 60 * MINUTE;
    const of = { by: 'U0EVE', what: 'changes.ask.user.add', why: 'role' };

    for (let minute = 0; minute < 10; minute += 1) {
      await changes.refused({ ...of, at: REQUESTED_AT + minute * MINUTE, about: 'user.add' });
    }
    await changes.refused({ ...of, at: REQUESTED_AT + day, about: 'user.add' });
    await changes.refused({ ...of, at: REQUESTED_AT + day, about: 'user.remove' });

    const lines = await entriesOf(changes.audit());
    expect(lines.map((line) => [line['kind'], line.change])).toEqual([
      ['user.add', undefined],
      ['user.add', undefined],
      ['user.remove', undefined],
    ]);
  });

  it('have refusals of anything else beside them in the audit, each once a day', async () => {
    const changes = await open();
    const stop = { at: NOW, by: 'U0CLEO', what: 'notices.stop', why: 'role' };

    for (const by of ['U0CLEO', 'U0DANA', 'U0CLEO']) await changes.refused({ ...stop, by });
    await changes.refused({ ...stop, what: '/charges' });

    const lines = await entriesOf(changes.audit());
    expect(lines.map(lineIn)).toEqual(
      [stop, { ...stop, by: 'U0DANA' }, { ...stop, what: '/charges' }].map((one) => ({
        event: 'refused',
        ...one,
      })),
    );
  });

  it('show in the audit what happened, in order', async () => {
    const changes = await open();
    await kept(changes, nth(1), nth(2));
    const reminded = await changes.move(nth(1), { kind: 'remind', at: NOW });
    if (reminded) await changes.move(reminded, EVENTS.approve);
    await changes.move(nth(2), EVENTS.withdraw);

    const all = await entriesOf(changes.audit());

    expect(all.map(({ change, event, state }) => `${change} ${event}: ${state}`)).toEqual([
      'change1 request: pending',
      'change2 request: pending',
      'change1 approve: approved',
      'change2 withdraw: withdrawn',
    ]);
    const [first] = await entriesOf(changes.audit('change2'));
    expect({ ...first, entry: '' }).toEqual({ ...all[1], entry: '' });
    expect(await entriesOf(changes.audit('change2'))).toHaveLength(2);
    expect(await entriesOf(changes.audit('absent'))).toEqual([]);
  });
});
