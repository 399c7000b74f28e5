import { describe, expect, it } from 'vitest';
import { planHash } from '../../../src/changes/change.ts';
import { createReviewService, type ReviewService } from '../../../src/changes/request.ts';
import { gone } from '../../../src/changes/kinds/kind.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, BEN, fakeContext, MINUTE, planTo, TOKEN } from './fake-context.ts';

const ID = 'k3m9x2ab';
const SHOWN = planHash(planTo('$500.00'));
const approve = (reviews: ReviewService, person = BEN) => reviews.approve(person, ID, SHOWN);

/** A request of Ada's, and the reviews that it comes before. */
async function before(overrides: Parameters<typeof fakeContext>[0] = {}) {
  const fake = fakeContext(overrides);
  await fake.file();
  return { fake, reviews: createReviewService(fake.context) };
}

describe('reviewing a change', () => {
  it('shows the consequences as of now, and whether they still match the request', async () => {
    const { fake, reviews } = await before();

    await expect(reviews.review(BEN, ID)).resolves.toEqual({
      change: await fake.now(),
      plan: planTo('$500.00'),
      isChanged: false,
    });

    const plan = planTo('$600.00');
    fake.planned = { ...fake.planned, plan, conflict: gone('It is gone', 'see /alert.') };

    await expect(reviews.review(BEN, ID)).resolves.toMatchObject({
      plan,
      isChanged: true,
      conflict: 'It is gone: reject it, and its requester can ask again.',
    });
    await expect(reviews.review(ADA, ID)).resolves.toMatchObject({
      conflict: 'It is gone: see /alert.',
    });
    await expect(approve(reviews)).rejects.toThrow(
      'Nothing was approved. It is gone: reject it, and its requester can ask again.',
    );
  });

  it('is for the approvers, and without a decision for the requester', async () => {
    const { fake, reviews } = await before();

    await expect(reviews.review(ADA, ID)).resolves.toMatchObject({
      noDecision: expect.stringContaining('your own request'),
    });

    fake.people.set(ADA.userId, { email: 'ada@acme.example', roles: [] });
    fake.people.set(BEN.userId, { email: 'ben@acme.example', roles: ['billing_viewer'] });

    await expect(reviews.review(ADA, ID)).rejects.toThrow('You need the role');
    await expect(reviews.review(BEN, ID)).rejects.toThrow('You need the role');
  });

  it('is over once it is decided, too late, or nothing that there is', async () => {
    const { fake, reviews } = await before();

    await expect(reviews.review(BEN, 'nothing1')).rejects.toThrow('no longer exists');

    fake.clock.at += 8 * 60 * MINUTE;

    await expect(reviews.review(BEN, ID)).rejects.toThrow('has expired');
    await expect(approve(reviews)).rejects.toThrow('has expired');
    await expect(reviews.withdraw(ADA, ID)).rejects.toThrow('has expired');
  });
});

describe('approving a change', () => {
  it('keeps the approver and the plan that was shown, and wakes a worker', async () => {
    const { fake, reviews } = await before();
    fake.clock.at += MINUTE;
    const change = await approve(reviews);

    expect(change).toEqual(await fake.now());
    expect(change).toMatchObject({
      state: 'approved',
      plan: planTo('$500.00'),
      decision: {
        verdict: 'approve',
        by: { ...BEN, email: 'ben@acme.example' },
        at: REQUESTED_AT + MINUTE,
        comment: '',
        self: false,
      },
    });
    expect(fake.advanced).toEqual([ID]);
  });

  it('is refused when the plan that was shown is out of date', async () => {
    const { fake, reviews } = await before();
    fake.planned = { ...fake.planned, plan: planTo('$600.00') };

    await expect(approve(reviews)).rejects.toThrow('open Review again');

    fake.planned = { ...fake.planned, plan: planTo('$500.00'), conflict: gone('It is gone.') };

    await expect(approve(reviews)).rejects.toThrow('It is gone:');
    await expect(fake.now()).resolves.toMatchObject({ state: 'pending' });
  });

  it('takes the role now, and another person than who asked or is changed', async () => {
    const { fake, reviews } = await before();

    await expect(approve(reviews, ADA)).rejects.toThrow('your own request');

    fake.subjects = ['ben@acme.example'];

    await expect(approve(reviews)).rejects.toThrow('your own billing user');
    await expect(reviews.reject(BEN, ID, { comment: '' })).rejects.toThrow('your own billing user');

    fake.subjects = [];
    fake.people.set(BEN.userId, new Refusal('The platform is silent.'));

    await expect(approve(reviews)).rejects.toThrow('is silent');
    await expect(fake.now()).resolves.toMatchObject({ state: 'pending' });
  });

  it('is for the requester too with ALLOW_SELF_APPROVAL, and marked', async () => {
    const { reviews } = await before({ approvals: { required: true, allowSelf: true } });

    expect((await reviews.review(ADA, ID)).noDecision).toBeUndefined();
    await expect(approve(reviews, ADA)).resolves.toMatchObject({ decision: { self: true } });
  });

  it('is off for a secret that can no longer be sealed', async () => {
    const fake = fakeContext({ cipher: undefined });
    await fake.file({ order: TOKEN });

    const reviews = createReviewService(fake.context);

    await expect(reviews.review(BEN, ID)).resolves.toMatchObject({
      conflict: expect.stringContaining('SECRET_KEY'),
    });
    await expect(approve(reviews)).rejects.toThrow('SECRET_KEY');
  });

  it('survives a reminder in between, and no other decision', async () => {
    const { fake, reviews } = await before();
    fake.clock.at += 15 * MINUTE;
    const look = fake.look;
    fake.look = async () => {
      fake.look = look;
      await fake.advance();
      return look();
    };

    await expect(approve(reviews)).resolves.toMatchObject({ state: 'approved', reminders: 1 });
  });
});

describe('rejecting and withdrawing', () => {
  it('rejects with a comment, even a request that can no longer be approved', async () => {
    const { fake, reviews } = await before();
    fake.planned = { ...fake.planned, conflict: gone('It is gone.') };

    await expect(reviews.reject(BEN, ID, { comment: 'no' })).resolves.toMatchObject({
      state: 'rejected',
      decision: { verdict: 'reject', comment: 'no', by: { email: 'ben@acme.example' } },
    });
    expect(fake.advanced).toEqual([]);
  });

  it('lets the requester alone withdraw, whatever has become of their roles', async () => {
    const { fake, reviews } = await before();
    fake.people.set(ADA.userId, new Refusal('Slack is silent.'));

    await expect(reviews.withdraw(BEN, ID)).rejects.toThrow('Only the requester');
    // The same person: whether from this workspace is not for the reviews to know.
    await expect(reviews.withdraw({ ...ADA, teamId: 'E0ACME' }, ID)).resolves.toMatchObject({
      state: 'withdrawn',
      withdrawnAt: REQUESTED_AT,
    });
  });

  it('lets an approver withdraw an approved one, and reports that to those who come later', async () => {
    const { fake, reviews } = await before();
    await approve(reviews);
    fake.people.set('U0GUS', { email: 'gus@acme.example', roles: ['billing_admin'] });

    await expect(reviews.withdraw(BEN, ID)).resolves.toMatchObject({ withdrawnBy: BEN.userId });
    for (const userId of [ADA.userId, 'U0GUS']) {
      await expect(reviews.withdraw({ ...ADA, userId }, ID)).rejects.toThrow(
        'This request was withdrawn: see Details on its card.',
      );
    }
  });
});
