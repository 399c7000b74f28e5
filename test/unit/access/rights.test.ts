import { describe, expect, it } from 'vitest';
import type { Standing } from '../../../src/access/changes.ts';
import { rightsOf } from '../../../src/access/rights.ts';

const ADA: Standing = { userId: 'U0ADA', email: 'ada@acme.example', roles: [] };

function allowed(standing: Partial<Standing>): string[] {
  return rightsOf({ ...ADA, ...standing })
    .filter(({ refusal }) => refusal === undefined)
    .map(({ what }) => what);
}

const ORGS = ['see usage, deployments, workloads and quotas', 'request a higher quota'];
const ACCOUNT = 'see the account and its orgs';
const MONEY = 'see charges, tag values, invoices and billing users';
const NEW_ORGS = 'request and approve new orgs';
const ADMIN_ALONE = [
  'see tokens, invoice recipients and deliveries',
  'request and approve changes of the alert, users, tokens and recipients',
  'approve higher quotas',
];

describe('what a person may do', () => {
  it.each([
    [[], ORGS],
    [['billing_viewer'], [...ORGS, ACCOUNT, MONEY]],
    [['org_creator'], [...ORGS, ACCOUNT, NEW_ORGS]],
    [['billing_admin'], [...ORGS, ACCOUNT, MONEY, NEW_ORGS, ...ADMIN_ALONE]],
  ])('with the roles %j is what the table says', (roles, whats) => {
    expect(allowed({ roles }).toSorted()).toEqual(whats.toSorted());
  });

  it('is less without the right to read the orgs, and nothing for who may not use the bot', () => {
    expect(allowed({ roles: ['billing_viewer'], orgRefusal: 'no' })).toEqual([ACCOUNT, MONEY]);
    expect(allowed({ roles: ['billing_admin'], refusal: 'no' })).toEqual([]);
  });

  it('comes with the reason for everything else', () => {
    const right = rightsOf(ADA).find(({ what }) => what === NEW_ORGS);

    expect(right?.refusal).toContain('billing_admin or org_creator');
    expect(rightsOf({ ...ADA, refusal: 'No guests.' })[0]?.refusal).toBe('No guests.');
  });
});
