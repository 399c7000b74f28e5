import { onTestFinished, expect, test } from 'vitest';

import { serve } from '../support.ts';
import { ALL_CALLS, NEW_ORG } from '../calls.ts';
import { startClients } from '../clients.ts';
import { createTexts, leakIn } from './texts.ts';

const reportedOf = createTexts();
const NEW_TOKEN = 'svc-bsat-canary-4d';
const NEW_KEY = 'canary-5e.secret';

/** A platform that puts new secrets into every answer, beside the usual members. */
async function callWith(answer: object | string) {
  const server = await serve((_request, reply) => {
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    reply.writeHead(201, { 'content-type': 'application/json' }).end(body);
  });
  const clients = startClients(server.url, { limits: { attempts: 1 } });
  onTestFinished(() => clients.close());
  return clients;
}

const SECRETS = { token: NEW_TOKEN, superuserServiceAccountToken: NEW_KEY };
const TOKEN = { id: 't1', name: 'ci', roles: ['billing_viewer'], ...SECRETS };

test('the secret of a new token is in the result alone', async () => {
  const { billing } = await callWith(TOKEN);

  const created = await billing.createToken({ name: 'ci', roles: ['billing_viewer'] });

  expect(created.secret.reveal()).toBe(NEW_TOKEN);
  expect(leakIn(reportedOf(created))).toBeUndefined();
  expect(`${String(created.secret)}${JSON.stringify(created)}`).not.toContain('svc-bsat-');
});

test.each([
  ['beside the org', { name: NEW_ORG, ...SECRETS }],
  ['inside the org', { org: { name: NEW_ORG, ...SECRETS } }],
])('the key of a new org is in the result alone: %s', async (_where, answer) => {
  const { billing } = await callWith(answer);

  const created = await billing.createOrg({
    org: { name: NEW_ORG },
    invitees: ['gavin@hooli.example'],
    createSuperuserServiceAccount: true,
  });

  expect(created.superuserServiceAccountToken?.reveal()).toBe(NEW_KEY);
  expect(leakIn(reportedOf(created))).toBeUndefined();
});

/** Methods that return all fields, because the specification does not list them. */
const SHOWS_ALL = new Set(['billing.listQuotas', 'billing.requestQuotaIncrease']);

test.each(Object.entries(ALL_CALLS).filter(([name]) => !SHOWS_ALL.has(name)))(
  'a secret at an unexpected place of an answer is in no result and no error: %s',
  async (_name, call) => {
    const row = { ...TOKEN, ...SECRETS, key: NEW_KEY, secret: NEW_KEY };
    const wrappers = ['items', 'invoices', 'users', 'deliveries', 'invoicePeriods', 'periods'];
    const lists = Object.fromEntries(wrappers.map((name) => [name, [row, SECRETS, NEW_KEY]]));
    const answers = [
      row,
      { ...row, ...lists },
      [row],
      { token: NEW_TOKEN, superuserServiceAccountToken: NEW_KEY, org: { name: 'other' } },
      `{"token":"${NEW_TOKEN}","superuserServiceAccountToken":"${NEW_KEY}"`,
    ];
    for (const answer of answers) {
      const clients = await callWith(answer);

      const reported = await call(clients).then(reportedOf, reportedOf);

      expect(leakIn(reported)).toBeUndefined();
    }
  },
);
