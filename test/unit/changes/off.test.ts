import { describe, expect, it } from 'vitest';
import { CHANGES_OFF } from '../../../src/changes/context.ts';
import { createRequestService, createReviewService } from '../../../src/changes/request.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import { planHash } from '../../../src/changes/change.ts';
import { reviewForm } from '../../../src/changes/forms/review.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, approved, BEN, fakeContext, MINUTE, TOKEN } from './fake-context.ts';

const ID = 'k3m9x2ab';
const ORDER = { kind: 'alert.replace', amount: 500 } as never;
const off = () => fakeContext({ off: CHANGES_OFF });

describe('with CHANGES=off', () => {
  it('no change is requested, and no form for one is filled in', async () => {
    const fake = off();
    const requests = createRequestService(fake.context);

    for (const attempt of [
      requests.authorize(ADA, 'alert.replace'),
      requests.authorize(ADA, 'user.roles', [], true),
      requests.consider(ADA, ORDER),
    ]) {
      await expect(attempt).rejects.toThrow(CHANGES_OFF);
    }
    await expect(fake.changes.count()).resolves.toBe(0);
  });

  it('a review can only reject, and the requester can withdraw', async () => {
    const fake = off();
    const change = await fake.file();
    const reviews = createReviewService(fake.context);

    const view = await reviews.review(BEN, ID);
    const form = reviewForm(view, BEN.userId);
    expect(view.conflict).toBe(CHANGES_OFF);
    expect(form.submit).toBeUndefined();
    expect(JSON.stringify(form.blocks)).toContain('Reject...');
    await expect(reviews.approve(BEN, ID, planHash(change.plan))).rejects.toThrow(CHANGES_OFF);
    await expect(reviews.reject(BEN, ID, { comment: '' })).resolves.toMatchObject({
      state: 'rejected',
    });

    const other = off();
    await other.file();
    const withdrawn = createReviewService(other.context).withdraw(ADA, ID);
    await expect(withdrawn).resolves.toMatchObject({ state: 'withdrawn' });
  });

  it('an approved change waits, can be withdrawn, and is refused after 15 minutes', async () => {
    const fake = off();
    await fake.file(approved());

    const waiting = await fake.whileWorking(14 * MINUTE);
    expect(waiting).toMatchObject({ state: 'approved', waits: 'off' });
    const end = await fake.whileWorking(2 * MINUTE);
    expect(end).toMatchObject({ state: 'refused', outcome: { code: 'off' } });
    expect(end.outcome?.sentence).toContain('CHANGES=off');

    const other = off();
    await other.file(approved());
    await other.advance();
    const withdrawn = createReviewService(other.context).withdraw(ADA, ID);
    await expect(withdrawn).resolves.toMatchObject({ state: 'withdrawn' });
    expect([...fake.calls, ...other.calls]).toEqual([]);
  });

  it('an approved change is sent when changes are on again in time', async () => {
    const fake = off();
    await fake.file(approved());
    await fake.whileWorking(5 * MINUTE);

    Object.assign(fake.context, { off: undefined });
    await expect(fake.whileWorking(MINUTE)).resolves.toMatchObject({ state: 'succeeded' });
    expect(fake.calls).toEqual(['send']);
  });

  it('no secret is revealed, and the token of an unseen one is deleted', async () => {
    const fake = off();
    await fake.file({
      ...approved(),
      order: TOKEN,
      state: 'succeeded',
      marks: {},
      secret: {
        state: 'sealed',
        what: 'token',
        at: REQUESTED_AT,
        until: REQUESTED_AT + 15 * MINUTE,
        tokenId: 't1',
      },
    });

    await expect(createSecretReveal(fake.context).take(ADA, ID)).rejects.toThrow(CHANGES_OFF);
    await expect(fake.whileWorking(16 * MINUTE)).resolves.toMatchObject({
      secret: { state: 'lapsed' },
    });
    expect(fake.calls).toEqual(['remove t1']);
  });
});
