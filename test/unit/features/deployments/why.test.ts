import { describe, expect, it } from 'vitest';
import { placeIn } from '../../../../src/features/deployments/why.ts';
import { createDeploymentsFeature } from '../../../../src/features/deployments/feature.ts';
import { Refusal } from '../../../../src/lib/errors.ts';

const ORGS = { known: ['acme'], fallback: 'acme' };

it.each([
  ['acme/shop/cart/12/card', 'cart'],
  ['acme/shop/cart/12/failed/2', 'cart'],
  ['acme/shop/@gvc/4/card', undefined],
])('reads the place of a message from its key: %s', (key, workload) => {
  expect(placeIn(key, ORGS)).toEqual({ org: 'acme', target: { gvc: 'shop', workload } });
});

it.each(['acme/@location/oslo/failed/1', '@billing/digest/2026-11-01', '@joined/C1/1', 'beta/a/b'])(
  'knows no place of another message: %s',
  (key) => {
    expect(placeIn(key, ORGS)).toBeUndefined();
  },
);

describe('why', () => {
  it.each([
    [{ kind: 'unknown', error: 'missing_scope' }, 'Purser cannot read this thread'],
    [{ kind: 'read', whole: true, posts: [{ key: 'acme/shop/cart/1/card' }] }, 'one group only'],
  ])('is refused where the thread or the org is not open: %j', async (seen, words) => {
    const { why } = createDeploymentsFeature({
      orgs: ORGS,
      sender: { read: () => Promise.resolve(seen) },
      access: { requireOrgAccess: () => Promise.reject(new Refusal('Open to one group only.')) },
    } as never);
    const person = { userId: 'U0ADA', teamId: 'T1' };

    await expect(why?.({ person, channelId: 'C1', threadTs: '1.5' })).rejects.toThrow(words);
  });
});
