import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { REQUESTED_AT } from '../../../support/changes.ts';
import { rowsOf, spoken } from '../../../support/answer.ts';
import { createHarness } from './harness.ts';

const MINUTE = 60_000;
const CY = { userId: 'U0CY', teamId: 'T0ACME', email: 'cy@acme.example' };
const ORG: Partial<Change> = {
  id: 'org00000',
  order: {
    kind: 'org.create',
    name: 'nova',
    description: '',
    invitees: ['a@b.c'],
    superuser: false,
  },
  title: 'Create the org nova',
  approvers: ['billing_admin', 'org_creator'],
  requestedAt: REQUESTED_AT + MINUTE,
};
const QUOTA: Partial<Change> = {
  id: 'quota000',
  order: { kind: 'quota.request', org: 'acme', quotaName: 'cpu', requestedMax: 9 },
  title: 'Ask for 9 cpu in acme',
  requester: CY,
  state: 'succeeded',
  requestedAt: REQUESTED_AT + 2 * MINUTE,
};

const ids = (answer: Parameters<typeof rowsOf>[0]) => rowsOf(answer).map((row) => row[3]);

/** Requests that ended. */
const ended = Array.from({ length: 230 }, (_, at) => ({
  id: `done${String(at).padStart(4, '0')}`,
  order: { kind: 'alert.replace', amount: at, enabled: true } as const,
  state: 'rejected' as const,
  requestedAt: REQUESTED_AT - (230 - at) * MINUTE,
}));

describe('/changes', () => {
  it('has the word of the card: an end says more than its state', async () => {
    const outcome = { at: REQUESTED_AT, code: 'later', sentence: '' } as const;
    const harness = await createHarness([{ ...QUOTA, outcome }]);
    const all = await harness.as('U0BEN').choose(await harness.type('U0BEN', ''), 'Which', 'all');

    expect(rowsOf(all).map((row) => row[1])).toEqual(['Sent']);
  });

  it('counts a request that waited too long as expired, also where that is not stored yet', async () => {
    const harness = await createHarness([{ expiresAt: REQUESTED_AT + MINUTE }, ORG]);
    const open = await harness.type('U0BEN', '');
    const expired = await harness.as('U0BEN').choose(open, 'Which', 'expired');

    expect(spoken(open)).toContain('Open requests: 1, waiting for a decision');
    expect(ids(open)).toEqual(['org00000']);
    expect(rowsOf(expired).map((row) => row[1])).toEqual(['Expired']);
  });

  it('shows people their own requests and those that they could approve, and admins everything', async () => {
    const harness = await createHarness([{}, ORG, QUOTA]);
    const listOf = async (userId: string) => {
      const open = await harness.type(userId, '');
      return ids(await harness.as(userId).choose(open, 'Which', 'all'));
    };

    expect(await listOf('U0BEN')).toEqual(['org00000', 'k3m9x2ab', 'quota000']);
    expect(await listOf('U0CY')).toEqual(['org00000', 'quota000']);
    expect(await listOf('U0DEE')).toEqual([]);
  });

  it('is filtered by whose, by state and by kind, one after the other', async () => {
    const harness = await createHarness([{}, ORG, QUOTA]);
    const { choose } = harness.as('U0CY');

    const mine = await choose(await harness.type('U0CY', ''), 'Which', 'mine');
    const all = await choose(mine, 'Which', 'all');
    const orgs = await choose(all, 'Kind', 'org.create');
    const failed = await choose(orgs, 'Which', 'failed');

    expect(ids(mine)).toEqual(['quota000']);
    expect(ids(all)).toEqual(['org00000', 'quota000']);
    expect(ids(orgs)).toEqual(['org00000']);
    expect(spoken(failed)).toMatch(
      /^Requests in the state Failed of the kind `org.create`: none\./,
    );
  });

  it('has Review in the rows that the person may decide on, and Details in the others', async () => {
    const harness = await createHarness([{}, ORG, QUOTA]);
    const stepsOf = async (userId: string) => {
      const all = await harness.as(userId).choose(await harness.type(userId, ''), 'Which', 'all');
      return rowsOf(all).map((row) => `${row[3]} ${row[4]}`);
    };

    expect(await stepsOf('U0BEN')).toEqual([
      'org00000 [Review]',
      'k3m9x2ab [Review]',
      'quota000 [Details]',
    ]);
    expect(await stepsOf('U0ADA')).toContain('k3m9x2ab [Details]');
    const shown = await harness.as('U0BEN').act('changes.show', 'org00000');
    expect(spoken(shown)).toContain('Create the org nova');
  });

  it('shows up to 200 requests at once, and turns to the others', async () => {
    const harness = await createHarness(ended);
    const { choose, turn } = harness.as('U0BEN');
    const first = await choose(await harness.type('U0BEN', ''), 'Which', 'all');
    const last = await turn(first, 2);

    expect(ids(first).length).toBe(200);
    expect(ids(last).length).toBe(30);
    expect(JSON.stringify(last.blocks)).toContain('Rows 201 to 230 of 230');
  });

  it('says when a menu is too old, or another person’s', async () => {
    const harness = await createHarness([{}]);
    const open = await harness.type('U0BEN', '');

    await expect(harness.click('U0BEN', 'changes.which', 'mine')).rejects.toThrow('too old');
    await expect(harness.as('U0BEN').choose(open, 'Which', 'nonsense')).rejects.toThrow('too old');
  });

  it('is refused to a guest, and to a person who cannot be identified', async () => {
    const refusal = 'Guests cannot use Purser.';
    const principal = () =>
      Promise.resolve({ userId: 'U0DEE', email: undefined, roles: undefined, refusal });
    const harness = await createHarness([{}], { access: { principal } });

    await expect(harness.type('U0DEE', '')).rejects.toThrow(refusal);
    await expect(harness.type('U0DEE', 'show k3m9x2ab')).rejects.toThrow(refusal);
    await expect(harness.click('U0DEE', 'changes.audit')).rejects.toThrow(refusal);
  });
});
