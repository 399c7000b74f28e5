import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../../src/access/policy.ts';
import type { Change } from '../../../../src/changes/change.ts';
import { createKinds } from '../../../../src/changes/kinds/kinds.ts';
import { createChangesHome } from '../../../../src/features/changes/home.ts';
import { changeOf, createMemoryChanges, REQUESTED_AT } from '../../../support/changes.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { memoryIdentities } from '../../../support/identities.ts';

const HOUR_MS = 3_600_000;
const NOW = REQUESTED_AT + HOUR_MS;
const ROLES: Readonly<Record<string, readonly string[]>> = {
  U0ADA: ['billing_admin'],
  U0BEN: ['billing_admin'],
  U0CLEO: ['billing_viewer'],
};

const personOf = (userId: string) => ({ userId, teamId: 'T0ACME' });

const standingOf = (userId: string): Promise<Principal> =>
  Promise.resolve({
    userId,
    email: `${userId.slice(2).toLowerCase()}@acme.example`,
    roles: ROLES[userId] ?? [],
  });

async function homeWith(
  changes: readonly Change[],
  over: Partial<Parameters<typeof createChangesHome>[0]> = {},
  standing = standingOf,
) {
  const clock = { now: () => NOW };
  const store = createMemoryChanges(clock);
  for (const change of changes) await store.create(change);
  const parts = createChangesHome({
    changes: store,
    kindOf: createKinds('USD', memoryIdentities()),
    approvals: { required: true, allowSelf: false },
    clock,
    ...over,
  });
  return async (userId: string): Promise<{ waiting: string; own: string }> => {
    const filled = await Promise.all(
      parts.map((part) => part.fill(personOf(userId), () => standing(userId))),
    );
    const [waiting = '', own = ''] = filled.map((blocks) => JSON.stringify(blocks));
    return { waiting, own };
  };
}

/** Requests by Ada about different things, each an hour older than the one before. */
const several = (count: number): Change[] =>
  Array.from({ length: count }, (_, index) => {
    const requestedAt = REQUESTED_AT - index * HOUR_MS;
    return changeOf({
      id: `change${index}`,
      title: `Add user ${index}`,
      order: { kind: 'user.add', email: `new${index}@acme.example`, roles: ['billing_viewer'] },
      requestedAt,
      expiresAt: requestedAt + 8 * HOUR_MS,
    });
  });
const titles = (text: string): string[] => text.match(/Add user \d+/g) ?? [];

describe('requests on the home tab', () => {
  it('of one’s own that ended stay for a day, with Details alone', async () => {
    const DAY_MS = 24 * HOUR_MS;
    const home = await homeWith([
      changeOf({ id: 'lately', state: 'succeeded', title: 'Done lately' }),
      changeOf({
        id: 'longago',
        state: 'succeeded',
        title: 'Done long ago',
        requestedAt: NOW - DAY_MS,
      }),
    ]);

    const { own } = await home('U0ADA');

    expect(own).toContain('Done lately');
    expect(own).not.toContain('Done long ago');
    expect(own).toContain('"action_id":"changes.show"');
    expect(own).not.toContain('changes.withdraw');
  });

  it('an empty list needs no lookup of the person', async () => {
    const silent = () => Promise.reject(new Refusal('The platform does not answer.'));
    const none = await homeWith([], {}, silent);
    const one = await homeWith([changeOf()], {}, silent);

    expect((await none('U0BEN')).waiting).toBe('[]');
    await expect(one('U0BEN')).rejects.toThrow('The platform does not answer.');
  });

  it('do not wait for their requester, nor for who lacks the role', async () => {
    const home = await homeWith([changeOf()]);
    expect((await home('U0ADA')).waiting).toBe('[]');
    expect((await home('U0CLEO')).waiting).toBe('[]');
  });

  it('no longer wait when they are decided or too late', async () => {
    const home = await homeWith([
      changeOf({ id: 'approved', state: 'approved' }),
      changeOf({ id: 'toolate', order: { kind: 'alert.delete' }, expiresAt: NOW }),
    ]);
    expect((await home('U0BEN')).waiting).toBe('[]');
    expect((await home('U0ADA')).own).not.toContain('changes.withdraw');
    expect((await home('U0ADA')).own).toContain('Expired · requested 1 h ago');
  });

  it('are in the order of their deadlines, five at most', async () => {
    const home = await homeWith(several(7));

    const { waiting, own } = await home('U0BEN');

    expect(titles(waiting)).toEqual([6, 5, 4, 3, 2].map((index) => `Add user ${index}`));
    expect(waiting).toContain('"text":"2 more"');
    expect(own).toBe('[]');
  });
});
