import { describe, expect, it } from 'vitest';

import { createBillingFeature } from '../../../../src/features/billing/feature.ts';
import type { Config } from '../../../../src/config/config.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { buttonsOf, proseOf, tableOf, wordsIn } from '../../../support/answer.ts';
import { rememberInteractions } from '../../../support/reports.ts';
import { accessFor, account, ANN, forms, NOW, token } from './scenario.ts';
import { typeWords } from '../../../support/command.ts';

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
    listed(...Array.from({ length: 16 }, (_, at) => token({ name: `t-${at + 10}` }))),
  listUsers: () => listed({ email: 'ann@acme.example', roles: ['billing_admin'] }),
};

type Services = Parameters<typeof createBillingFeature>[0];

function billing(roles: readonly string[], changes: Partial<Services> = {}) {
  const services: Services = {
    access: accessFor(roles),
    billing: () => platform as BillingClient,
    clock: { now: () => NOW },
    config: { currency: 'USD' } as Config,
    interactions: rememberInteractions().interactions,
    orgs: { known: ['acme', 'zeta'], fallback: 'acme' },
    ...changes,
  };
  const feature = createBillingFeature(services, forms);
  const [command] = feature.commands ?? [];
  if (command === undefined) throw new Error('There is no command');
  return {
    parse: (text: string) => command.parse(wordsIn(text)),
    run: (text: string) => typeWords(command, wordsIn(text), { person: ANN, channelId: 'C1' }),
    click: async ({ controls = [] }: Answer, text: string) => {
      const pressed = controls
        .flat()
        .find((one) => one.type === 'button' && one.text.text === text);
      const { action_id: actionId, value } = pressed as { action_id: string; value: string };
      const action = feature.actions?.find((one) => one.actionId === actionId);
      const answer = await action?.run({ person: ANN, channelId: 'C1', value });
      if (answer === undefined) throw new Error(`${text} has no answer`);
      return answer;
    },
  };
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
    expect(tableOf(await billing([]).run('quotas'))[1]).toEqual(['gpus of acme']);
    expect(tableOf(await billing([]).run('quotas org zeta'))[1]).toEqual(['gpus of zeta']);
  });

  it('is asked for again when a page is turned', async () => {
    const roles = ['billing_admin'];
    const { run, click } = billing(roles);
    const first = await run('tokens');
    roles.length = 0;

    await expect(click(first, 'Next')).rejects.toThrow('This takes the role billing_admin.');
  });
});

describe('the buttons', () => {
  it('that ask for a change are those of the forms', async () => {
    const { buttons } = await billing(['billing_admin']).run('users');
    expect(buttons).toMatchObject([
      { action_id: 'ask.user.add', text: { text: 'Add a user' }, value: '{}' },
      { action_id: 'ask.user.roles', text: { text: 'Change roles' } },
      { action_id: 'ask.user.remove', text: { text: 'Remove a user' } },
    ]);
  });

  it('are not shown to those who may not', async () => {
    expect(buttonsOf(await billing(['billing_viewer']).run('users'))).toEqual([]);
    expect(buttonsOf(await billing(['billing_viewer']).run('orgs'))).toEqual([]);
    expect(buttonsOf(await billing(['org_creator']).run('orgs'))).toEqual(['Create an org']);
  });

  it('of quotas carry the org', async () => {
    const { buttons } = await billing([]).run('quotas org zeta');
    expect(buttons).toMatchObject([{ action_id: 'ask.quota.request', value: '{"org":"zeta"}' }]);
  });

  it('turn the pages to and fro, in place', async () => {
    const { run, click } = billing(['billing_admin']);
    const second = await click(await run('tokens'), 'Next');

    expect(tableOf(second).slice(1)).toHaveLength(1);
    expect(tableOf(await click(second, 'Previous')).slice(1)).toHaveLength(15);
  });

  it('that are too old say so', async () => {
    const first = await billing(['billing_admin']).run('tokens');
    await expect(billing(['billing_admin']).click(first, 'Next')).rejects.toThrow(
      'This answer is too old: run the command again.',
    );
  });
});

describe('with a user token', () => {
  const withUser = { billing: () => ({ ...platform, hasUser: true }) as BillingClient };

  it('each org has its payer, as far as the platform says', async () => {
    expect(tableOf(await billing(['billing_admin'], withUser).run('orgs')).slice(1)).toEqual([
      ['acme', 'not said', 'Acme pays'],
      ['zeta', 'not said', 'not known'],
    ]);
  });

  it('the account has its others', async () => {
    expect(proseOf(await billing(['org_creator'], withUser).run('account'))).toContain('this one');
  });
});

it('the account is shown also when nobody can say how many orgs there are', async () => {
  const silent = { ...platform, listOrgs: () => Promise.reject(down) } as BillingClient;
  const answer = await billing(['billing_viewer'], { billing: () => silent }).run('account');
  expect(proseOf(answer)).toContain('its orgs could not be read');
});

it('words that ask for a change open its form with what was typed', () => {
  const { parse } = billing([]);

  expect(parse('tokens delete ci')).toMatchObject({
    form: { actionId: 'ask.token.delete' },
    value: '{"name":"ci"}',
  });
  expect(parse('tokens')).toEqual({ command: { kind: 'tokens' } });
  expect(parse('')).toEqual({ command: { kind: 'usage' } });
});

it('without words it explains itself', async () => {
  expect((await billing([]).run('')).text).toBe(
    '*/billing* – The billing account, its people, tokens, orgs and quotas.',
  );
});
