import { describe, expect, it } from 'vitest';
import { createAllow } from '../../../src/access/allow.ts';
import { Refusal } from '../../../src/lib/refusal.ts';

const ada = { userId: 'U0ADA' };

/** A gate that lets nobody in, and says what was asked. */
const allow = createAllow({
  admit: () => Promise.reject(new Refusal('not asked')),
  requireOrgAccess: ({ userId }) => Promise.reject(new Refusal(`${userId} wants orgs`)),
  standing: () => Promise.reject(new Refusal('not asked')),
  requireRole: ({ userId }, roles) =>
    Promise.reject(new Refusal(`${userId} wants ${roles.join(' or ')}`)),
});

describe('the right that an answer names', () => {
  it.each([
    ['orgs', 'U0ADA wants orgs'],
    ['billing', 'U0ADA wants billing_admin or billing_viewer'],
    ['billing_admin', 'U0ADA wants billing_admin'],
  ])('%s is asked for at the gate', async (needs, asked) => {
    await expect(allow(ada, needs)).rejects.toThrow(new Refusal(asked));
  });

  it('is nothing to ask for where there is none', async () => {
    await expect(allow(ada, undefined)).resolves.toBeUndefined();
  });

  it.each(['', 'everything', 'constructor'])('is a no where nobody knows it: %j', async (needs) => {
    await expect(allow(ada, needs)).rejects.toThrow('run the command again');
  });
});
