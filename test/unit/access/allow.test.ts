import { describe, expect, it } from 'vitest';
import { createAllow } from '../../../src/access/allow.ts';
import type { Gate } from '../../../src/access/gate.ts';
import { Refusal } from '../../../src/lib/refusal.ts';

const ada = { userId: 'U0ADA' };

/** A gate that lets nobody in, and says what was asked. */
const gate: Gate = {
  admit: () => Promise.reject(new Refusal('not asked')),
  requireOrgAccess: ({ userId }) => Promise.reject(new Refusal(`${userId} wants orgs`)),
  standing: () => Promise.reject(new Refusal('not asked')),
  roleRefusal: () => Promise.reject(new Refusal('not asked')),
  requireRole: ({ userId }, roles) =>
    Promise.reject(new Refusal(`${userId} wants ${roles.join(' or ')}`)),
};
const allow = createAllow(gate);

describe('the right that an answer names', () => {
  it.each([
    ['orgs', 'U0ADA wants orgs'],
    ['billing', 'U0ADA wants billing_admin or billing_viewer'],
    ['billing_admin', 'U0ADA wants billing_admin'],
  ])('%s is asked for at the gate', async (needs, asked) => {
    await expect(allow(ada, needs)).rejects.toThrow(new Refusal(asked));
  });

  it('org_charges is the one of the orgs, where charges of single orgs are open (ORG_CHARGES)', async () => {
    const open = createAllow(gate, { orgCharges: true });

    await expect(open(ada, 'org_charges')).rejects.toThrow(new Refusal('U0ADA wants orgs'));
    await expect(allow(ada, 'org_charges')).rejects.toThrow('run the command again');
  });

  it('is nothing to ask for where there is none', async () => {
    await expect(allow(ada, undefined)).resolves.toBeUndefined();
  });

  it.each(['', 'everything', 'constructor'])('is a no where nobody knows it: %j', async (needs) => {
    await expect(allow(ada, needs)).rejects.toThrow('run the command again');
  });
});
