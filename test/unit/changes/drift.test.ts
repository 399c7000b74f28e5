import { describe, expect, it } from 'vitest';
import { UNCLEAR } from '../../../src/changes/ends.ts';
import type { Change } from '../../../src/changes/change.ts';
import { conflict, type Facts, type Planned } from '../../../src/changes/kinds/kind.ts';
import { whatChanged } from '../../../src/changes/drift.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';
import { approved, fakeContext, MINUTE, planTo } from './fake-context.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

const at = (minutes: number): number => REQUESTED_AT + minutes * MINUTE;
const amount = (text: string): Facts => [{ name: 'Amount', text }];
const SEVEN = amount('$700.00');

/** The facts `now`, at execution, of a change that was approved with an alert at $400.00. */
function there(now: Facts, why?: string): Planned {
  const plan = { before: [...now], after: [...amount('$500.00')], consequences: [] };
  return { plan, now, baseline: {}, ...(why !== undefined && { conflict: conflict(why) }) };
}

/** A change of Ben's that was carried out. */
function done(over: Partial<Change>, now: Facts, minutes: number): Change {
  return changeOf({
    id: 'p7r4c8de',
    order: { kind: 'alert.replace', amount: 700, enabled: true },
    requester: { userId: 'U0BEN', teamId: 'T0ACME', email: 'ben@acme.example' },
    state: 'succeeded',
    sentAt: at(minutes),
    sendings: 1,
    outcome: { at: at(minutes), code: 'done' as const, sentence: '', now: [...now] },
    ...over,
  });
}

/** A change of Ben's that was sent, and whose outcome is not known yet. */
function sent(state: Change['state'], over: Partial<Change> = {}): Change {
  const { outcome: _, ...rest } = done({}, SEVEN, 0);
  const plan = { before: [], after: [...SEVEN], consequences: [] };
  return { ...rest, state, plan, sentAt: at(2), sendings: 1, ...over };
}

function unsent(change: Change): Change {
  const { sentAt: _, ...rest } = change;
  return rest;
}

const over = (minutes: number) => ({ at: at(minutes), ...UNCLEAR });

/** How a change ends that was approved after ten minutes, and is carried out five minutes later. */
async function endOf(
  planned: Planned,
  others: readonly Change[] = [],
  over: Partial<Change> = {},
  fake = fakeContext(),
): Promise<string> {
  await fake.file({ ...approved(at(10)), ...over });
  for (const other of others) await fake.changes.create(other);
  fake.planned = planned;
  fake.clock.at = at(15);
  const ended = await fake.advance();
  expect(fake.calls).toEqual([]);
  expect(ended.state).toBe('drifted');
  return ended.outcome?.sentence ?? '';
}

const WAS_IS = 'Amount: $400.00 when it was approved, now $700.00.';
const OUTSIDE = 'It was changed outside of Purser.';
const OWN = 'Request p7r4c8de of ben@acme.example changed it 2026-11-20 09:12 UTC.';

describe('a change that drifted', () => {
  it('names the old value, the new one, and the request that changed it', async () => {
    expect(await endOf(there(SEVEN), [done({}, SEVEN, 12)])).toBe(`${WAS_IS} ${OWN}`);
  });

  it('names the request that did it last', async () => {
    const before = done({ id: 'aaaa1111' }, amount('$600.00'), 11);

    expect(await endOf(there(SEVEN), [before, done({}, SEVEN, 12)])).toBe(`${WAS_IS} ${OWN}`);
  });

  it.each([
    ['it was not asked for here', []],
    ['the request was carried out before the approval', [done({}, SEVEN, 5)]],
    ['the request failed before it was sent', [unsent(done({ state: 'failed' }, SEVEN, 12))]],
    ['a request was sent and over long before', [sent('unknown', { outcome: over(5) })]],
    [
      'the request was about something else',
      [
        done(
          { order: { kind: 'user.add', email: 'cy@acme.example', roles: ['org_creator'] } },
          SEVEN,
          12,
        ),
      ],
    ],
  ])('says that it was done outside, when %s', async (_, others) => {
    expect(await endOf(there(SEVEN), others)).toBe(`${WAS_IS} ${OUTSIDE}`);
  });

  it.each([
    ['is unknown', sent('unknown', { sentAt: at(11), outcome: over(14) })],
    ['became unknown after the approval', sent('unknown', { outcome: over(11) })],
    ['was sent, and waits', sent('approved', { sentAt: at(11) })],
  ])('names the request that asked for just that, when its outcome %s', async (_, other) => {
    expect(await endOf(there(SEVEN), [other])).toBe(
      `${WAS_IS} Perhaps request p7r4c8de of ben@acme.example did it: it asked for exactly this, and its outcome is unknown.`,
    );
  });

  it.each([
    ['asked for something else', sent('unknown', { sentAt: at(11), plan: planTo('$600.00') })],
    ['failed after it was sent', sent('failed', { sentAt: at(11), outcome: over(12) })],
    ['was done, and changed again', done({}, amount('$600.00'), 12)],
  ])('blames no one outside where a request of Purser’s that was sent %s', async (_, other) => {
    expect(await endOf(there(SEVEN), [other])).toBe(WAS_IS);
  });

  it('blames no one outside where not all requests can be read', async () => {
    const fake = fakeContext();
    const list = fake.changes.list.bind(fake.changes);
    // A change that cannot be read is left out.
    fake.changes.list = async (...range) => (await list(...range)).slice(1);
    await fake.changes.create(changeOf({ id: 'zzzz9999', order: { kind: 'alert.delete' } }));

    expect(await endOf(there(SEVEN), [], {}, fake)).toBe(WAS_IS);
  });

  it('blames no one outside for a quota, which the platform raises itself', async () => {
    const order: ChangeInput = {
      kind: 'quota.request',
      org: 'acme',
      quotaName: 'cpu',
      requestedMax: 9,
    };

    expect(await endOf(there(SEVEN), [], { order })).toBe(WAS_IS);
  });

  it('names the request that deleted the target of the change', async () => {
    const gone = 'There is no spend alert any more: set one with /alert set AMOUNT.';
    const deleted = done({ order: { kind: 'alert.delete' } }, [], 12);

    expect(await endOf(there([], gone), [deleted])).toBe(`${gone} ${OWN}`);
    expect(await endOf(there([], gone))).toBe(gone);
  });

  it('matches the owner of the roles in any case of letters', async () => {
    const order: ChangeInput = {
      kind: 'user.roles',
      email: 'cy@acme.example',
      roles: ['org_creator'],
    };
    const roles = (text: string): Facts => [{ name: 'Roles', text }];
    const plan = { before: [...roles('billing_viewer')], after: [], consequences: [] };
    const planned = { ...there(roles('billing_admin')), baseline: {} };
    const by = (email: string) =>
      done({ order: { ...order, email, roles: ['billing_admin'] } }, roles('billing_admin'), 12);
    const said = 'Roles: billing_viewer when it was approved, now billing_admin.';

    expect(await endOf(planned, [by('CY@acme.example')], { order, plan })).toBe(`${said} ${OWN}`);
    expect(await endOf(planned, [by('di@acme.example')], { order, plan })).toBe(
      `${said} ${OUTSIDE}`,
    );
  });

  it('was confirmed, not approved, where no one has to (APPROVALS=off)', async () => {
    const decision = { verdict: 'approve', at: at(1), comment: '', self: false } as const;

    expect(await endOf(there(SEVEN), [], { state: 'approved', decision })).toContain(
      'Amount: $400.00 when it was asked for, now $700.00.',
    );
  });
});

describe('the list of changes', () => {
  const plan = (before: Facts, consequences: string[] = [], passing: string[] = []) => ({
    before: [...before],
    after: [],
    consequences,
    passing,
  });

  it('is every field, and one that came or went', () => {
    const was = plan([...SEVEN, { name: 'Enabled', text: 'yes' }, { name: 'Unit', text: 'GiB' }]);
    const is = plan([...amount('$1.00'), { name: 'Enabled', text: 'no' }]);

    expect(whatChanged(was, is, 'then')).toBe(
      'Amount: $700.00 then, now $1.00; Enabled: yes then, now no; Unit: GiB then, now not there.',
    );
  });

  it('is the consequences, where no other fact has changed', () => {
    const was = plan(SEVEN, ['Roles take 5 minutes.'], []);
    const last = 'Ada is the last billing_admin.';

    expect(whatChanged(was, plan(SEVEN, [last, 'Roles take 5 minutes.']), 'then')).toBe(
      `New, not there then: “${last.slice(0, -1)}”.`,
    );
    expect(
      whatChanged(
        was,
        plan(SEVEN, ['Roles take 5 minutes.', '$5 so far.'], ['$5 so far.']),
        'then',
      ),
    ).toBeUndefined();
    expect(whatChanged(was, was, 'then')).toBeUndefined();
  });

  it('includes consequences that no longer follow', () => {
    const [fired, last] = ['It fired, and is armed again.', 'Ada is the last billing_admin.'];
    const was = plan(SEVEN, [fired, '$5 so far.'], ['$5 so far.']);

    expect(whatChanged(was, plan(SEVEN), 'then')).toBe(
      'No longer true: “It fired, and is armed again”.',
    );
    expect(whatChanged(was, plan(SEVEN, [last]), 'then')).toBe(
      'New, not there then: “Ada is the last billing_admin”. No longer true: “It fired, and is armed again”.',
    );
  });

  it('shows two long values where they begin to differ', () => {
    const text = (end: string) => amount(`${'a'.repeat(100)} and then ${end}`);
    const lead = `…${'a'.repeat(10)} and then `;

    expect(whatChanged(plan(text('prod')), plan(text('test')), 'then')).toBe(
      `Amount: ${lead}prod then, now ${lead}test.`,
    );
    expect(whatChanged(plan(amount('b'.repeat(90))), plan(amount('b'.repeat(91))), 'then')).toBe(
      `Amount: …${'b'.repeat(20)} then, now …${'b'.repeat(21)}.`,
    );
  });

  it('says so where only the spaces of two values differ', () => {
    expect(whatChanged(plan(amount('a  b')), plan(amount('a\nb')), 'then')).toBe(
      'Amount: other spaces or line breaks now than then.',
    );
  });

  it('writes out invisible characters', () => {
    expect(whatChanged(plan(amount('ci')), plan(amount('ci\u200B')), 'then')).toBe(
      'Amount: ci then, now ci⟨U+200B⟩.',
    );
  });
});
