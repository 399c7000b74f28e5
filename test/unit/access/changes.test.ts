import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  decisionRefusal as denyDecision,
  requestRefusal as denyRequest,
  soloRefusal as denySolo,
  type ChangeRules,
  type Principal,
} from '../../../src/access/policy.ts';

const ADA: Principal = { userId: 'U0ADA', email: 'ada@acme.example', roles: ['billing_admin'] };
const BEN: Principal = { userId: 'U0BEN', email: 'ben@acme.example', roles: ['billing_admin'] };
const ADMINS = { roles: ['billing_admin'] } as const;
const RULES: ChangeRules = { request: ADMINS, approve: ADMINS, subjects: [] };
const QUOTA: ChangeRules = { ...RULES, request: 'orgs' };
const requestRefusal = (...asked: Parameters<typeof denyRequest>) =>
  denyRequest(...asked)?.sentence;
const soloRefusal = (...asked: Parameters<typeof denySolo>) => denySolo(...asked)?.sentence;
const decisionRefusal = (...asked: Parameters<typeof denyDecision>) =>
  denyDecision(...asked)?.sentence;
const of = (...subjects: string[]): ChangeRules => ({ ...RULES, subjects });

describe('the right to request a change', () => {
  it('anyone with the role; others read which role is missing, how to get it and how long it takes', () => {
    expect(requestRefusal(RULES, ADA)).toBeUndefined();
    expect(requestRefusal(RULES, { ...ADA, roles: ['org_creator'] })).toBe(
      'You need the role billing_admin for this. Ask a billing_admin of the account; a new role can take 5 minutes to work.',
    );
    expect(requestRefusal(RULES, { ...ADA, roles: undefined })).toContain('has no user ada@');
    expect(requestRefusal(RULES, { ...ADA, email: undefined })).toContain('Slack profile');
  });

  it('no one while roles cannot be looked up at all', () => {
    const who = { ...ADA, roles: undefined, rolesRefusal: 'Billing is off here.' };

    expect(requestRefusal(RULES, who)).toBe('Billing is off here.');
    expect(requestRefusal(QUOTA, who)).toBeUndefined();
  });

  it('anyone with access to the orgs, where the kind needs only that', () => {
    const reader = { ...ADA, roles: undefined };

    expect(requestRefusal(QUOTA, reader)).toBeUndefined();
    expect(requestRefusal(QUOTA, { ...ADA, orgRefusal: 'Not in the group.' })).toBe(
      'Not in the group.',
    );
    expect(requestRefusal(RULES, { ...ADA, orgRefusal: 'Not in the group.' })).toBeUndefined();
  });

  it('no one without access to the bot', () => {
    const guest = { ...ADA, refusal: 'No guests.' };

    expect(requestRefusal(RULES, guest)).toBe('No guests.');
    expect(decisionRefusal(RULES, ADA, { ...BEN, refusal: 'No guests.' }, true)).toBe('No guests.');
  });

  it('no one for their own billing user, in whatever letters', () => {
    const own = 'You cannot request a change of your own billing user: ask another billing_admin.';

    expect(requestRefusal(of('cem@acme.example', 'ADA@Acme.example'), ADA)).toBe(own);
    expect(requestRefusal(of('cem@acme.example'), ADA)).toBeUndefined();
  });

  it('no one by an address that no one confirmed', () => {
    const who = { ...ADA, email: undefined, unconfirmed: 'ada@acme.example', roles: undefined };

    expect(requestRefusal(RULES, who)).toContain('ada@acme.example is not confirmed');
    expect(requestRefusal({ ...QUOTA, subjects: ['cem@acme.example'] }, who)).toContain('confirm');
  });

  it('no one without an e-mail for any billing user, which might be their own', () => {
    const nameless = { ...ADA, email: undefined };

    expect(requestRefusal({ ...QUOTA, subjects: ['cem@acme.example'] }, nameless)).toContain(
      'add an e-mail address to your Slack profile',
    );
    expect(requestRefusal(QUOTA, nameless)).toBeUndefined();
  });

  it('with no other person to look at it, only who could approve it too', () => {
    expect(soloRefusal(QUOTA, ADA)).toBeUndefined();
    expect(soloRefusal(QUOTA, { ...ADA, roles: ['org_creator'] })).toContain('billing_admin');
    expect(soloRefusal(QUOTA, { ...ADA, orgRefusal: 'Not in the group.' })).toContain('group');
    expect(soloRefusal(of('ada@acme.example'), ADA)).toContain('your own billing user');
  });
});

describe('the right to decide on a change', () => {
  it('another person with the role', () => {
    expect(decisionRefusal(RULES, ADA, BEN, false)).toBeUndefined();
    expect(decisionRefusal(RULES, ADA, { ...BEN, roles: [] }, false)).toBe(
      'You need the role billing_admin for this. Ask a billing_admin of the account; a new role can take 5 minutes to work.',
    );
  });

  it('not who asked for it, under another account either', () => {
    const own = 'This is your own request. Someone else with billing_admin has to approve it';

    expect(decisionRefusal(RULES, ADA, ADA, false)).toContain(own);
    expect(decisionRefusal(RULES, ADA, { ...ADA, email: 'new@acme.example' }, false)).toContain(
      own,
    );
    expect(
      decisionRefusal(RULES, { userId: 'U0OLD', email: 'ADA@acme.example' }, ADA, false),
    ).toContain(own);
  });

  it('not who asked for it under an account whose address no one confirmed', () => {
    const rules = { ...RULES, approve: 'orgs' } as const;
    const second = { userId: 'U0NEW', unconfirmed: 'ADA@acme.example' };

    expect(decisionRefusal(RULES, second, ADA, false)).toContain('This is your own request');
    expect(
      decisionRefusal(rules, ADA, { ...second, email: undefined, roles: undefined }, false),
    ).toContain('This is your own request');
    expect(decisionRefusal(RULES, { ...second, unconfirmed: 'eva@' }, ADA, false)).toBeUndefined();
  });

  it('people without an e-mail are not taken for one another', () => {
    const rules = { ...RULES, approve: 'orgs' } as const;
    const nameless = { ...BEN, email: undefined };

    expect(decisionRefusal(rules, { userId: 'U0ADA' }, nameless, false)).toBeUndefined();
  });

  it('who asked for it, where one alone may (ALLOW_SELF_APPROVAL), with the role', () => {
    expect(decisionRefusal(RULES, ADA, ADA, true)).toBeUndefined();
    expect(decisionRefusal(RULES, ADA, { ...ADA, roles: [] }, true)).toContain('You need');
  });

  it('never the person who is changed', () => {
    const own =
      'You cannot decide on a change of your own billing user: ask another billing_admin.';

    expect(decisionRefusal(of('Ben@acme.example'), ADA, BEN, false)).toBe(own);
    expect(decisionRefusal(of('ada@acme.example'), ADA, ADA, true)).toBe(own);
  });
});

it.each([
  ['guest', denyRequest(RULES, { ...ADA, refusal: 'No guests.', why: 'guest' })],
  ['stranger', denyDecision(RULES, ADA, { ...BEN, refusal: 'No.', why: 'stranger' }, true)],
  ['role', denyRequest(RULES, { ...ADA, roles: [] })],
  ['role', denyDecision(RULES, ADA, { ...BEN, roles: [] }, false)],
  ['role', denySolo(QUOTA, { ...ADA, roles: [] })],
  ['orgs', denyRequest(QUOTA, { ...ADA, orgRefusal: 'Not in the group.' })],
  ['own-user', denyRequest(of('ada@acme.example'), ADA)],
  ['self-review', denyDecision(RULES, ADA, ADA, false)],
])('the reason of a refusal is %s, without an address', (why, denial) => {
  expect(denial?.why).toBe(why);
});

describe('whatever people are', () => {
  const email = fc.constantFrom('a@x.example', 'b@x.example', 'A@X.example', undefined);
  const roles = fc.option(fc.subarray(['billing_admin', 'billing_viewer', 'org_creator']), {
    nil: undefined,
  });
  const someone = fc.record({ userId: fc.constantFrom('U1', 'U2', 'U3'), email, roles });
  const subjects = fc.subarray(['a@x.example', 'B@x.example']);

  it('no one has a part in a change of themselves, and no one alone has both', () => {
    const lower = (address: string | undefined) => address?.toLowerCase();
    fc.assert(
      fc.property(someone, someone, subjects, (one, other, about) => {
        const rules = of(...about);
        if (requestRefusal(rules, one) !== undefined) return;
        if (decisionRefusal(rules, one, other, false) !== undefined) return;
        const [first, second] = [lower(one.email), lower(other.email)];

        expect(one.userId).not.toBe(other.userId);
        expect(first).not.toBe(second);
        expect(about.map(lower)).not.toContain(first);
        expect(about.map(lower)).not.toContain(second);
        expect([one.roles, other.roles].every((held) => held?.includes('billing_admin'))).toBe(
          true,
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
