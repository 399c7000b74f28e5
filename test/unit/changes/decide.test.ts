import { describe, expect, it } from 'vitest';
import { planHash } from '../../../src/changes/change.ts';
import { createBench } from '../../../src/changes/decide.ts';
import type { Bench } from '../../../src/changes/decide.ts';
import { Refusal } from '../../../src/lib/refusal.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, approved, BEN, fakeOffice, MINUTE, planTo, TOKEN } from './fake-office.ts';

const ID = 'k3m9x2ab';
const SHOWN = planHash(planTo('500.00 USD'));
const approve = (bench: Bench, person = BEN) =>
  bench.approve(person, ID, { comment: 'fine', shown: SHOWN });

/** A request of Ada's, and the bench that it comes before. */
async function before(overrides: Parameters<typeof fakeOffice>[0] = {}) {
  const office = fakeOffice(overrides);
  await office.file();
  return { office, bench: createBench(office.deps) };
}

describe('reviewing a change', () => {
  it('shows what it would do now, and whether that is what was requested', async () => {
    const { office, bench } = await before();

    await expect(bench.review(BEN, ID)).resolves.toEqual({
      change: await office.now(),
      plan: planTo('500.00 USD'),
      isChanged: false,
    });

    const plan = planTo('600.00 USD');
    office.sight = { ...office.sight, plan, conflict: 'It is gone: see /alert.' };

    await expect(bench.review(BEN, ID)).resolves.toMatchObject({
      plan,
      isChanged: true,
      conflict: 'It is gone: see /alert.',
    });
  });

  it('is for those who may decide, and without a decision for the requester', async () => {
    const { office, bench } = await before();

    await expect(bench.review(ADA, ID)).resolves.toMatchObject({
      noDecision: expect.stringContaining('your own request'),
    });

    office.people.set(ADA.userId, { email: 'ada@acme.example', roles: [] });
    office.people.set(BEN.userId, { email: 'ben@acme.example', roles: ['billing_viewer'] });

    await expect(bench.review(ADA, ID)).rejects.toThrow('has no role');
    await expect(bench.review(BEN, ID)).rejects.toThrow('has billing_viewer');
  });

  it('is over once it is decided, too late, or nothing that there is', async () => {
    const { office, bench } = await before();

    await expect(bench.review(BEN, 'nothing1')).rejects.toThrow('There is no such change');

    office.clock.at += 8 * 60 * MINUTE;

    await expect(bench.review(BEN, ID)).rejects.toThrow('has expired');
    await expect(approve(bench)).rejects.toThrow('has expired');
    await expect(bench.withdraw(ADA, ID)).rejects.toThrow('has expired');
  });
});

describe('approving a change', () => {
  it('keeps who approved what they saw, and gets a worker going', async () => {
    const { office, bench } = await before();
    office.clock.at += MINUTE;
    const change = await approve(bench);

    expect(change).toEqual(await office.now());
    expect(change).toMatchObject({
      state: 'approved',
      plan: planTo('500.00 USD'),
      decision: {
        verdict: 'approve',
        by: { ...BEN, email: 'ben@acme.example' },
        at: REQUESTED_AT + MINUTE,
        comment: 'fine',
        self: false,
      },
    });
    expect(office.advanced).toEqual([ID]);
  });

  it('is refused when what was shown is not what is there now', async () => {
    const { office, bench } = await before();
    office.sight = { ...office.sight, plan: planTo('600.00 USD') };

    await expect(approve(bench)).rejects.toThrow('open Review again');

    office.sight = { ...office.sight, plan: planTo('500.00 USD'), conflict: 'It is gone.' };

    await expect(approve(bench)).rejects.toThrow('It is gone.');
    await expect(office.now()).resolves.toMatchObject({ state: 'pending' });
  });

  it('takes the role now, and somebody else than who asked or is changed', async () => {
    const { office, bench } = await before();

    await expect(approve(bench, ADA)).rejects.toThrow('your own request');

    office.subjects = ['ben@acme.example'];

    await expect(approve(bench)).rejects.toThrow('your own billing user');
    await expect(bench.reject(BEN, ID, { comment: '' })).rejects.toThrow('your own billing user');

    office.subjects = [];
    office.people.set(BEN.userId, new Refusal('The platform does not say.'));

    await expect(approve(bench)).rejects.toThrow('does not say');
    await expect(office.now()).resolves.toMatchObject({ state: 'pending' });
  });

  it('is for the requester too with ALLOW_SELF_APPROVAL, and marked', async () => {
    const { bench } = await before({ approvals: { required: true, allowSelf: true } });

    await expect(bench.review(ADA, ID)).resolves.not.toHaveProperty('noDecision');
    await expect(approve(bench, ADA)).resolves.toMatchObject({ decision: { self: true } });
  });

  it('is off for a secret that nothing could seal any more', async () => {
    const office = fakeOffice({ vault: undefined });
    await office.file({ order: TOKEN });

    await expect(approve(createBench(office.deps))).rejects.toThrow('SECRET_KEY');
  });

  it('survives a reminder in between, and no other decision', async () => {
    const { office, bench } = await before();
    office.clock.at += 15 * MINUTE;
    const look = office.look;
    office.look = async () => {
      office.look = look;
      await office.advance();
      return look();
    };

    await expect(approve(bench)).resolves.toMatchObject({ state: 'approved', reminders: 1 });
  });

  it('by two people at once is done by one, and the other is told by whom', async () => {
    const { office, bench } = await before();
    const cem = { userId: 'U0CEM', teamId: 'T0ACME' };
    office.people.set(cem.userId, { email: 'cem@acme.example', roles: ['billing_admin'] });
    const ends = await Promise.allSettled([
      approve(bench),
      bench.reject(cem, ID, { comment: '' }),
      bench.withdraw(ADA, ID),
      approve(bench),
    ]);
    const { decision, state } = await office.now();
    const told = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));

    expect(told).toHaveLength(3);
    expect(new Set(told)).toHaveLength(1);
    expect(told[0]).toContain(decision?.by?.email ?? state);
    expect(told[0]).toContain(`/changes show ${ID}`);
  });
});

describe('rejecting and withdrawing', () => {
  it('rejects with a comment, also what could not be approved any more', async () => {
    const { office, bench } = await before();
    office.sight = { ...office.sight, conflict: 'It is gone.' };

    await expect(bench.reject(BEN, ID, { comment: 'no' })).resolves.toMatchObject({
      state: 'rejected',
      decision: { verdict: 'reject', comment: 'no', by: { email: 'ben@acme.example' } },
    });
    expect(office.advanced).toEqual([]);
  });

  it('lets the requester alone withdraw, whatever has become of their roles', async () => {
    const { office, bench } = await before();
    office.people.set(ADA.userId, new Refusal('Slack does not say.'));

    await expect(bench.withdraw(BEN, ID)).rejects.toThrow('Only the requester');
    // The same person: whether from this workspace is not for the bench to know.
    await expect(bench.withdraw({ ...ADA, teamId: 'E0ACME' }, ID)).resolves.toMatchObject({
      state: 'withdrawn',
      withdrawnAt: REQUESTED_AT,
    });
  });

  it.each([
    [{ state: 'withdrawn' }, 'was withdrawn by the requester'],
    [{ state: 'expired' }, 'has expired'],
    [
      { ...approved(), state: 'rejected' },
      'was rejected already by ben@acme.example: /changes show k3m9x2ab tells the rest.',
    ],
    [approved(), 'was approved already by ben@acme.example and is about to be carried out'],
    [{ ...approved(), state: 'executing' }, 'and is being carried out'],
    [{ ...approved(), state: 'succeeded' }, 'and was carried out'],
    [{ ...approved(), state: 'failed' }, 'and has failed'],
    [{ ...approved(), state: 'unknown' }, 'and nobody knows whether it was carried out'],
    [{ ...approved(), state: 'drifted' }, 'because things had changed'],
    [{ state: 'approved' }, 'was approved already and is about'],
  ] as const)('a click on an old card is told what became of it: %j', async (became, words) => {
    const office = fakeOffice();
    await office.file(became);

    await expect(createBench(office.deps).review(BEN, ID)).rejects.toThrow(words);
  });
});
