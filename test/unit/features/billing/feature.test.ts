import { describe, expect, it } from 'vitest';

import { createBillingFeature } from '../../../../src/features/billing/feature.ts';
import type { Config } from '../../../../src/config/config.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import {
  buttonsOf,
  proseOf,
  stepOf,
  tableOf,
  visitorOf,
  wordsIn,
} from '../../../support/answer.ts';
import { accessFor, account, ANN, forms, NOW, token } from './scenario.ts';

const down = new PlatformError('unavailable', 'down');
const read = <T>(value: T) => Promise.resolve({ value, readAt: NOW });
const listed = <T>(...items: T[]) => read({ items, skipped: 0 });
const orgs = ['zeta', 'acme'].map((name) => ({ name, accountId: 'a', created: undefined }));

const platform: Partial<BillingClient> = {
  hasUser: false,
  getAccount: () => read(account()),
  getPayerOf: (org) =>
    org === 'zeta' ? Promise.reject(down) : read(account({ fullName: 'Acme pays' })),
  listAccounts: () => listed(account()),
  listOrgs: () => listed(...orgs),
  listQuotas: (org) => listed(new Map([['name', `gpus of ${org}`]])),
  listRecipients: () => listed({ id: 'r', email: 'a@b.example', enabled: true }),
  listTokens: () =>
    listed(...Array.from({ length: 201 }, (_, at) => token({ name: `t-${at + 100}` }))),
  listUsers: () => listed({ email: 'ann@acme.example', roles: ['billing_admin'] }),
};

type Services = Parameters<typeof createBillingFeature>[0];

function billing(roles: readonly string[], changes: Partial<Services> = {}) {
  const services: Services = {
    access: accessFor(roles),
    billing: () => platform as BillingClient,
    clock: { now: () => NOW },
    config: { currency: 'USD' } as Config,
    orgs: { known: ['acme', 'zeta'], fallback: 'acme' },
    ...changes,
  };
  const feature = createBillingFeature(services, forms);
  const [command] = feature.commands ?? [];
  if (command === undefined) throw new Error('There is no command');
  const { type, turn } = visitorOf(feature, ANN);
  return { parse: (text: string) => command.parse(wordsIn(text)), run: type, turn };
}

describe('access', () => {
  it.each([
    ['account', ['billing_admin', 'billing_viewer', 'org_creator']],
    ['orgs', ['billing_admin', 'billing_viewer', 'org_creator']],
    ['users', ['billing_admin', 'billing_viewer']],
    ['tokens', ['billing_admin']],
    ['recipients', ['billing_admin']],
  ])('%s is for %s alone', async (text, allowed) => {
    for (const role of ['billing_admin', 'billing_viewer', 'org_creator', 'another']) {
      const asked = billing([role]).run(text);
      const outcome = await asked.then(
        () => 'shown',
        (error: unknown) => (error instanceof Refusal ? 'refused' : error),
      );
      expect([role, outcome]).toEqual([role, allowed.includes(role) ? 'shown' : 'refused']);
    }
  });

  it('of quotas is that of the orgs, and comes before their names', async () => {
    const closed = billing(['billing_admin'], {
      access: {
        ...accessFor([]),
        requireOrgAccess: () => Promise.reject(new Refusal('No orgs for you.')),
      },
    });

    await expect(closed.run('quotas org nowhere')).rejects.toThrow('No orgs for you.');
    expect(tableOf(await billing([]).run('quotas'))[1]).toEqual(['gpus of acme', '[Request]']);
    expect(tableOf(await billing([]).run('quotas org zeta'))[1]).toEqual([
      'gpus of zeta',
      '[Request]',
    ]);
  });

  it('is asked for again when a page is turned', async () => {
    const roles = ['billing_admin'];
    const { run, turn } = billing(roles);
    const first = await run('tokens');
    roles.length = 0;

    await expect(turn(first, 2)).rejects.toThrow('This takes the role billing_admin.');
  });
});

describe('the buttons', () => {
  it('that ask for a change are those of the forms', async () => {
    const { buttons } = await billing(['billing_admin']).run('users');
    expect(buttons).toMatchObject([
      { action_id: 'ask.user.add', text: { text: 'Add a user' }, value: '{}' },
      { action_id: 'ask.user.remove', text: { text: 'Remove a user' } },
    ]);
  });

  it('are not shown to members without the role', async () => {
    expect(buttonsOf(await billing(['billing_viewer']).run('users'))).toEqual([]);
    expect(buttonsOf(await billing(['billing_viewer']).run('orgs'))).toEqual([]);
    expect(buttonsOf(await billing(['org_creator']).run('orgs'))).toEqual(['Create an org']);
  });

  it('of a row fill its form in', async () => {
    const { run } = billing(['billing_admin']);

    expect(stepOf(await run('quotas org zeta'), 'gpus of zeta')).toMatchObject({
      action_id: 'ask.quota.request',
      value: '{"name":"gpus of zeta","org":"zeta"}',
    });
    expect(stepOf(await run('users'), 'ann@acme.example')).toMatchObject({
      action_id: 'ask.user.roles',
      text: { text: 'Roles' },
      value: '{"email":"ann@acme.example"}',
    });
    expect(stepOf(await run('recipients'), 'a@b.example')).toMatchObject({
      action_id: 'ask.recipient.delete',
      text: { text: 'Delete' },
      value: '{"id":"r","email":"a@b.example"}',
    });
  });

  it('turn the pages where there are more rows than Slack shows', async () => {
    const { run, turn } = billing(['billing_admin']);
    const first = await run('tokens');
    const second = await turn(first, 2);

    expect(first).toMatchObject({ pages: 2, asked: { page: 1 } });
    expect(tableOf(first).slice(1)).toHaveLength(200);
    expect(second).toMatchObject({ pages: 2, asked: { page: 2 } });
    expect(tableOf(second).slice(1)).toHaveLength(1);
  });

  it('that are of another version say so', async () => {
    const { run, turn } = billing(['billing_admin']);
    const first = await run('tokens');
    const old = { ...first, asked: { route: 'billing.list', question: 'tokens', page: 1 } };

    await expect(turn(old, 2)).rejects.toThrow('This answer is too old: run the command again.');
  });
});

describe('with a user token', () => {
  const withUser = { billing: () => ({ ...platform, hasUser: true }) as BillingClient };

  it('each org has its payer, as far as the platform says', async () => {
    expect(tableOf(await billing(['billing_admin'], withUser).run('orgs')).slice(1)).toEqual([
      ['acme', 'not reported', 'Acme pays'],
      ['zeta', 'not reported', 'not reported'],
    ]);
  });

  it('leaves payers out for more than fifty orgs, each of which is a call', async () => {
    const many = Array.from({ length: 51 }, (_, at) => ({ ...orgs[0]!, name: `org-${at}` }));
    const client = { ...platform, hasUser: true, listOrgs: () => listed(...many) };
    const here = billing(['billing_admin'], { billing: () => client as BillingClient });
    const answer = await here.run('orgs');

    expect(tableOf(answer)[0]).toEqual(['Name', 'Created']);
    expect(proseOf(answer)).toContain('Who pays is shown for up to 50 orgs');
  });

  it('the account has its others', async () => {
    expect(proseOf(await billing(['org_creator'], withUser).run('account'))).toContain('this one');
  });
});

it('the account is shown also when no one can say how many orgs there are', async () => {
  const silent = { ...platform, listOrgs: () => Promise.reject(down) } as BillingClient;
  const answer = await billing(['billing_viewer'], { billing: () => silent }).run('account');
  expect(proseOf(answer)).toContain('its orgs could not be read');
});

it('words of a request open its form with the typed values', () => {
  const { parse } = billing([]);

  expect(parse('tokens delete ci')).toMatchObject({
    form: { actionId: 'ask.token.delete' },
    value: '{"name":"ci"}',
  });
  expect(parse('tokens')).toEqual({ command: { kind: 'tokens' } });
  expect(parse('')).toEqual({ command: { kind: 'usage' } });
});
