import { describe, expect, it } from 'vitest';
import { isDefiniteRefusal } from '../../../src/changes/execute.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { PlatformError, reasonOfStatus } from '../../../src/platform/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, approved, BEN, fakeContext } from './fake-context.ts';

describe('a definite no', () => {
  const answered = (status: number) => new PlatformError(reasonOfStatus(status), 'no', { status });

  it.each([400, 401, 403, 404, 409, 422, 499])('is %i', (status) => {
    expect(isDefiniteRefusal(answered(status))).toBe(true);
  });

  it.each([201, 302, 408, 429, 500, 502, 503, 504])('is not %i', (status) => {
    expect(isDefiniteRefusal(answered(status))).toBe(false);
  });

  it.each(['bad-request', 'unauthorized', 'forbidden'] as const)('is %s, unsent', (reason) => {
    expect(isDefiniteRefusal(new PlatformError(reason, 'no'))).toBe(true);
  });

  it.each(['timeout', 'unreachable', 'malformed', 'not-found'] as const)(
    'is not %s without a status',
    (reason) => {
      expect(isDefiniteRefusal(new PlatformError(reason, 'no'))).toBe(false);
    },
  );

  it('is our own refusal, and not a defect', () => {
    expect(isDefiniteRefusal(new Refusal('Billing is off here.'))).toBe(true);
    expect(isDefiniteRefusal(new Error('a defect'))).toBe(false);
  });
});

describe('who may still have it carried out', () => {
  const NEEDS = { request: 'orgs', approve: { roles: ['billing_admin'] } } as const;

  it('a requester who could not approve it, because somebody else did', async () => {
    const fake = fakeContext();
    fake.kind = { ...fake.kind, needs: NEEDS };
    fake.people.set(ADA.userId, { email: 'ada@acme.example' });
    await fake.file(approved());

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('a requester who could approve it, where nobody did (APPROVALS=off)', async () => {
    const fake = fakeContext();
    fake.kind = { ...fake.kind, needs: NEEDS };
    fake.people.delete(BEN.userId);
    const decision = { verdict: 'approve', at: REQUESTED_AT, comment: '', self: false } as const;
    await fake.file({ state: 'approved', decision });

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('the requester alone, only as long as one alone may (ALLOW_SELF_APPROVAL)', async () => {
    const by = { ...ADA, email: 'ada@acme.example' };
    const decision = { verdict: 'approve', by, at: REQUESTED_AT, comment: '', self: true } as const;
    const allowed = fakeContext({ approvals: { required: true, allowSelf: true } });
    await allowed.file({ state: 'approved', decision });
    const revoked = fakeContext();
    await revoked.file({ state: 'approved', decision });

    await expect(allowed.advance()).resolves.toMatchObject({ state: 'succeeded' });
    expect((await revoked.advance()).outcome?.sentence).toContain(
      'The approver, ada@acme.example, may not approve it',
    );
  });
});

describe('a defect', () => {
  it('on the way to the call sends nothing, and is looked at again', async () => {
    const fake = fakeContext();
    fake.look = () => Promise.reject(new Error('a defect'));
    await fake.file(approved());

    await expect(fake.advance()).resolves.toMatchObject({ state: 'approved' });
    expect(fake.calls).toEqual([]);
  });

  it('in the call is settled by reading', async () => {
    const fake = fakeContext();
    fake.send = () => Promise.reject(new Error('a defect'));
    fake.settle = () => ({ kind: 'done' });
    await fake.file(approved());

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });
});
