import { describe, expect, it } from 'vitest';
import {
  orgRefusal as orgRefusalBy,
  rightsOf,
  type Principal,
} from '../../../src/access/policy.ts';

const ADA: Principal = { userId: 'U0ADA', email: 'ada@acme.example', roles: [] };

function allowed(standing: Partial<Principal>): string[] {
  return rightsOf({ ...ADA, ...standing })
    .filter(({ refusal }) => refusal === undefined)
    .map(({ what }) => what);
}

/** The reasons for closed rights, each once. */
function reasons(who: Principal): string[] {
  return [...new Set(rightsOf(who).flatMap(({ refusal }) => refusal ?? []))];
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

describe('the rights of a person', () => {
  it.each([
    [[], ORGS],
    [['billing_viewer'], [...ORGS, ACCOUNT, MONEY]],
    [['org_creator'], [...ORGS, ACCOUNT, NEW_ORGS]],
    [['billing_admin'], [...ORGS, ACCOUNT, MONEY, NEW_ORGS, ...ADMIN_ALONE]],
  ])('with the roles %j is as in the table', (roles, whats) => {
    expect(allowed({ roles }).toSorted()).toEqual(whats.toSorted());
  });

  it('is less without the right to read the orgs, and nothing without access to the bot', () => {
    expect(allowed({ roles: ['billing_viewer'], orgRefusal: 'no' })).toEqual([ACCOUNT, MONEY]);
    expect(allowed({ roles: ['billing_admin'], refusal: 'no' })).toEqual([]);
  });

  it('lists the missing roles of each other right, and one reason for the whole list', () => {
    const closed = rightsOf(ADA).filter(({ refusal }) => refusal !== undefined);

    expect(Object.fromEntries(closed.map(({ what, missing }) => [what, missing]))).toEqual({
      [ACCOUNT]: ['billing_admin', 'billing_viewer', 'org_creator'],
      [MONEY]: ['billing_admin', 'billing_viewer'],
      [NEW_ORGS]: ['billing_admin', 'org_creator'],
      ...Object.fromEntries(ADMIN_ALONE.map((what) => [what, ['billing_admin']])),
    });
    expect(reasons(ADA)).toEqual([
      'You need a role for this that ada@acme.example does not have. Ask a billing_admin of the account.',
    ]);
  });

  it.each<[Partial<Principal>, string]>([
    [
      { roles: undefined },
      'has no user ada@acme.example: ask a billing_admin of the account to add you.',
    ],
    [
      { roles: undefined, email: undefined },
      'Your Slack profile shows no e-mail address: add one.',
    ],
    [
      { roles: undefined, email: undefined, unconfirmed: 'ada@acme.example' },
      'ada@acme.example is not confirmed: confirm it',
    ],
  ])('has one reason also for %j', (standing, reason) => {
    const [said, ...others] = reasons({ ...ADA, ...standing });

    expect(said).toContain(reason);
    expect(others).toEqual([]);
  });

  it('has the same reason for the orgs, where they are open to people with a role', () => {
    const orgRefusal = orgRefusalBy({ kind: 'roles' }, { roles: { email: ADA.email, roles: [] } });
    const [orgs] = rightsOf({ ...ADA, orgRefusal });

    expect(orgs?.missing).toEqual(['billing_admin', 'billing_viewer', 'org_creator']);
    expect(reasons({ ...ADA, orgRefusal })).toHaveLength(1);
  });

  it('has another reason where no role is missing', () => {
    const [group] = rightsOf({ ...ADA, orgRefusal: 'One user group alone.' });
    const [shut] = rightsOf({ ...ADA, refusal: 'No guests.' });

    expect(group).toMatchObject({ refusal: 'One user group alone.' });
    expect(group?.missing).toBeUndefined();
    expect(shut).toMatchObject({ refusal: 'No guests.' });
    expect(reasons({ ...ADA, refusal: 'No guests.' })).toEqual(['No guests.']);
    expect(reasons({ ...ADA, rolesRefusal: 'Billing is off.' })).toEqual(['Billing is off.']);
  });

  it('has the charges of single orgs with the orgs, where ORG_CHARGES opens them', () => {
    const what = 'see the charges of single orgs';
    const ofOrgs = (who: Partial<Principal>) =>
      rightsOf({ ...ADA, ...who }).find((right) => right.what === what);

    expect(ofOrgs({})).toBeUndefined();
    expect(ofOrgs({ orgCharges: true })).toEqual({ what, refusal: undefined });
    expect(ofOrgs({ orgCharges: true, orgRefusal: 'One user group alone.' })?.refusal).toBe(
      'One user group alone.',
    );
  });
});
