import { describe, expect, it, test } from 'vitest';
import type { BillingRole } from '../../../../src/platform/billing/roles.ts';
import { user } from '../forms/harness.ts';
import { planOn } from './planned.ts';

const EMAIL = 'cleo@acme.example';
const ADMIN = 'change everything of the account and approve changes';
const LOST = 'change anything of the account or approve changes';
const VIEWER = 'see the charges, invoices and users of the account';
const CREATOR = 'create orgs';

/** Consequences of what the roles allow. */
async function rightsLines(held: BillingRole[], roles: BillingRole[]): Promise<string[]> {
  const users = [user(EMAIL, ...held), user('ada@acme.example', 'billing_admin')];
  const { plan } = await planOn({ users }, { kind: 'user.roles', email: EMAIL, roles });
  return plan.consequences.filter((one) => / can /.test(one) && one.includes(EMAIL));
}

describe('The consequences of new roles', () => {
  test.each<[BillingRole[], BillingRole[], string[]]>([
    [['billing_viewer'], ['billing_admin'], [`⚠ ${EMAIL} can then ${ADMIN}.`]],
    [
      ['billing_viewer'],
      ['billing_admin', 'billing_viewer', 'org_creator'],
      [`⚠ ${EMAIL} can then ${ADMIN}.`],
    ],
    [['billing_admin'], ['billing_admin', 'org_creator'], []],
    [
      ['billing_viewer'],
      ['org_creator'],
      [`${EMAIL} can no longer ${VIEWER}.`, `${EMAIL} can then ${CREATOR}.`],
    ],
    [
      ['billing_admin'],
      ['billing_viewer'],
      [`${EMAIL} can no longer ${LOST}.`, `${EMAIL} can still ${VIEWER}.`],
    ],
    [['billing_admin', 'billing_viewer'], ['billing_viewer'], [`${EMAIL} can no longer ${LOST}.`]],
    [
      ['billing_admin'],
      ['org_creator'],
      [
        `${EMAIL} can no longer ${LOST}.`,
        `${EMAIL} can no longer ${VIEWER}.`,
        `${EMAIL} can still ${CREATOR}.`,
      ],
    ],
  ])('%j → %j', async (held, roles, lines) => {
    expect(await rightsLines(held, roles)).toEqual(lines);
  });

  it('is the first warning about a new billing_admin', async () => {
    const order = { kind: 'user.add', email: 'eve@evil.example' } as const;
    const users = [user('ada@acme.example', 'billing_admin')];

    const { plan } = await planOn({ users }, { ...order, roles: ['billing_admin'] });

    expect(plan.consequences.filter((one) => one.startsWith('⚠'))).toEqual([
      `⚠ eve@evil.example can then ${ADMIN}.`,
      '⚠ evil.example is outside your domains (acme.example).',
    ]);
  });
});

describe('The rights of a token', () => {
  const expiresAt = '2027-12-31T23:59:59Z';
  test.each<[BillingRole[], string | undefined, string]>([
    [['billing_viewer'], expiresAt, `Anyone with this token can ${VIEWER}.`],
    [
      ['billing_viewer', 'org_creator'],
      undefined,
      `Anyone with this token can ${VIEWER} and ${CREATOR}, and it never expires.`,
    ],
    [
      ['billing_admin', 'org_creator'],
      expiresAt,
      '⚠ Anyone with this token can change everything of the account.',
    ],
    [
      ['billing_admin'],
      undefined,
      '⚠ Anyone with this token can change everything of the account, and it never expires.',
    ],
  ])('%j until %s', async (roles, end, line) => {
    const order = { kind: 'token.create', name: 'ci', description: '', roles } as const;

    const { plan } = await planOn({}, { ...order, ...(end !== undefined && { expiresAt: end }) });

    expect(plan.consequences[0]).toBe(line);
  });
});
