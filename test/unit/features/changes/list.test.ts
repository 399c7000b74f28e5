import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { REQUESTED_AT } from '../../../support/changes.ts';
import { rowsOf } from '../../../support/answer.ts';
import { controlsOf, createHarness } from './harness.ts';

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

const ids = (answer: Parameters<typeof rowsOf>[0]) => rowsOf(answer).map((row) => row.at(-1));

/** Twenty requests that ended, the newest `done0019`. */
const ended = Array.from({ length: 20 }, (_, index) => ({
  id: `done00${String(index).padStart(2, '0')}`,
  order: { kind: 'alert.replace', amount: index, enabled: true } as const,
  state: 'rejected' as const,
  requestedAt: REQUESTED_AT - (20 - index) * MINUTE,
}));

describe('/changes', () => {
  it('calls expired what waited too long, also where that is not written down yet', async () => {
    const late = { expiresAt: REQUESTED_AT + MINUTE };

    const answer = await (await createHarness([late, ORG])).type('U0BEN', '');

    expect(answer.text).toContain('*Open requests*: 2, 1 waiting for a decision');
    expect(rowsOf(answer).map((row) => row[1])).toEqual(['Waiting', 'Expired']);
  });

  it('shows people what they asked for and what they could approve, and admins everything', async () => {
    const harness = await createHarness([{}, ORG, QUOTA]);
    const listOf = async (userId: string) => {
      const open = await harness.type(userId, '');
      const all = controlsOf(open)
        .get('Which')
        ?.find((value) => value.endsWith(':all'));
      return ids(await harness.click(userId, 'changes.which', all));
    };

    expect(await listOf('U0BEN')).toEqual(['org00000', 'k3m9x2ab', 'quota000']);
    expect(await listOf('U0CY')).toEqual(['org00000', 'quota000']);
    expect(await listOf('U0DEE')).toEqual([]);
  });

  it('is filtered by whose, by state and by kind, one after the other', async () => {
    const harness = await createHarness([{}, ORG, QUOTA, ...ended]);
    const choose = async (
      answer: Awaited<ReturnType<typeof harness.type>>,
      menu: string,
      word: string,
    ) => {
      const value = controlsOf(answer)
        .get(menu)
        ?.find((one) => one.endsWith(`:${word}`));
      return harness.click('U0CY', menu === 'Which' ? 'changes.which' : 'changes.kind', value);
    };

    const mine = await choose(await harness.type('U0CY', ''), 'Which', 'mine');
    const all = await choose(mine, 'Which', 'all');
    const orgs = await choose(all, 'Kind', 'org.create');
    const failed = await choose(orgs, 'Which', 'failed');

    expect(ids(mine)).toEqual(['quota000']);
    expect(ids(all)).toEqual(['org00000', 'quota000']);
    expect(ids(orgs)).toEqual(['org00000']);
    expect(failed.text).toMatch(
      /^\*Requests in the state Failed\* of the kind `org.create`: none\./,
    );
  });

  it('goes without menus while nothing can be kept, and says so', async () => {
    const keep = { put: async () => undefined, get: async () => undefined };
    const answer = await (await createHarness([{}], { keep })).type('U0BEN', '');

    expect(controlsOf(answer).size).toBe(0);
    expect(JSON.stringify(answer.blocks)).toContain('The buttons are missing just now');
  });

  it('offers the audit to a billing_admin alone', async () => {
    const harness = await createHarness([{}, ORG]);
    const offeredTo = async (userId: string) =>
      controlsOf(await harness.type(userId, '')).has('Audit as a file');

    expect(await offeredTo('U0BEN')).toBe(true);
    expect(await offeredTo('U0CY')).toBe(false);
  });

  it('is turned page by page, newest first', async () => {
    const harness = await createHarness(ended);
    const open = await harness.type('U0BEN', '');
    const rejected = controlsOf(open)
      .get('Which')
      ?.find((value) => value.endsWith(':rejected'));

    const first = await harness.click('U0BEN', 'changes.which', rejected);
    const second = await harness.click('U0BEN', 'changes.next', controlsOf(first).get('Next')?.[0]);
    const back = await harness.click(
      'U0BEN',
      'changes.previous',
      controlsOf(second).get('Previous')?.[0],
    );

    expect(ids(first).slice(0, 2)).toEqual(['done0019', 'done0018']);
    expect(ids(second)).toEqual(['done0004', 'done0003', 'done0002', 'done0001', 'done0000']);
    expect(JSON.stringify(second.blocks)).toContain('Page 2 of 2');
    expect(controlsOf(second).has('Next')).toBe(false);
    expect(ids(back)).toEqual(ids(first));
  });

  it('says when a button is too old, or another person’s', async () => {
    const harness = await createHarness(ended);
    await harness.type('U0BEN', '');

    await expect(harness.click('U0ADA', 'changes.next', 'kept-0')).rejects.toThrow('too old');
    await expect(harness.click('U0BEN', 'changes.which', 'kept-0:nonsense')).rejects.toThrow(
      'too old',
    );
    await expect(harness.click('U0BEN', 'changes.which')).rejects.toThrow('too old');
  });

  it('is for nobody who may not use the bot, or of whom nobody says who they are', async () => {
    const refusal = 'Guests cannot use Purser.';
    const principal = () =>
      Promise.resolve({ userId: 'U0DEE', email: undefined, roles: undefined, refusal });
    const harness = await createHarness([{}], { access: { principal } });

    await expect(harness.type('U0DEE', '')).rejects.toThrow(refusal);
    await expect(harness.type('U0DEE', 'show k3m9x2ab')).rejects.toThrow(refusal);
    await expect(harness.click('U0DEE', 'changes.audit')).rejects.toThrow(refusal);
  });
});
