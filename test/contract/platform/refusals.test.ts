import { beforeEach, expect, test } from 'vitest';

import { Secret } from '../../../src/lib/secret.ts';
import { createBillingContext } from '../../../src/platform/billing/context.ts';
import type { Call } from '../../../src/platform/http.ts';
import {
  ADMIN,
  CREATOR,
  EXPIRED,
  MAIN,
  SEPTEMBER,
  startBilling,
  startBillingClient,
  type Standing,
} from './billing/support.ts';
import { startUsageClient } from './consumption/support.ts';
import { bearer, failureOf, sequence, startHttp } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const NONE = '00000000-0000-4000-8000-000000000000';
const ACCOUNT = `account/${MAIN}`;
const JSON_BODY = { 'content-type': 'application/json' };
const CLEO = { email: 'cleo@acme.example', roles: ['billing_viewer'] } as const;

test.each([
  ['no credential', { kind: 'workload', secret: new Secret('') }],
  ['a bad one', bearer('svc-bsat-unknown')],
  ['one that has expired', bearer(EXPIRED)],
  ['one too weak', bearer(CREATOR)],
] as const)(
  'no credential, a bad one or one too weak is a 401 that shows the likely cause: %s',
  async (_what, accountCredential) => {
    const client = standing.client({}, { accountCredential });

    const failure = await failureOf(client.listInvoices(SEPTEMBER));

    expect(failure).toMatchObject({ reason: 'unauthorized', status: 401, retryable: false });
    expect(failure.hint).toMatch(
      /token may be .*expired or deleted.*lack a role .*billing_viewer.*5 minutes/,
    );
  },
);

test('a refusal by billing is reported in its own sentence, with the status as its code', async () => {
  const path = `${ACCOUNT}/service-account-token/${NONE}`;
  const answer = await standing.raw('DELETE', path);

  const failure = await failureOf(standing.client().removeToken(NONE));

  expect(await answer.json()).toEqual({ code: 404, error: failure.message });
  expect(failure.status).toBe(404);
});

test.each([
  ['is not valid JSON', '{"alert":{"amount":5'],
  ['has an invalid value', '{"alert":{"amount":"much"}}'],
])('a body that %s is a 400', async (_what, text) => {
  const answer = await standing.raw('POST', `${ACCOUNT}/alert`, { headers: JSON_BODY, text });

  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ code: 400, error: expect.stringMatching(/./) });
});

test.each([
  ['neither', {}],
  ['no start', { end: SEPTEMBER.end }],
  ['no end', { start: SEPTEMBER.start }],
  ['an invalid end', { start: SEPTEMBER.start, end: 'later' }],
])(
  'start and end of the invoice list, missing or invalid, are a 400 in plain text: %s',
  async (_what, query) => {
    const path = `${ACCOUNT}/charges/invoices`;
    const answer = await standing.raw('GET', `${path}?${new URLSearchParams(query).toString()}`);
    const http = startHttp(standing.platform.billingUrl, {
      credential: bearer(ADMIN),
    });

    const failure = await failureOf(http.send({ method: 'GET', path, query }));

    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(failure).toMatchObject({ reason: 'bad-request', message: await answer.text() });
  },
);

test('billing says unauthorized, usage says Unauthorized, and both are read alike', async () => {
  const ofBilling = await standing.raw('GET', ACCOUNT, { token: 'unknown' });
  const usage = startUsageClient(standing.platform.usageUrl, {
    credentialOf: () => bearer('unknown'),
  });

  const billingFailure = await failureOf(standing.client({ token: 'unknown' }).getAccount());
  const usageFailure = await failureOf(
    usage.tagValues('acme', { startTime: SEPTEMBER.start, endTime: SEPTEMBER.end, tag: 'gvc' }),
  );

  expect(await ofBilling.json()).toEqual({ code: 401, error: 'unauthorized' });
  expect(billingFailure).toMatchObject({ reason: 'unauthorized', message: 'unauthorized' });
  expect(usageFailure).toMatchObject({ reason: 'unauthorized', message: 'Unauthorized' });
});

test.each([
  ['an invoice', () => standing.client().getInvoice(NONE)],
  ['the alert', () => standing.client().replaceAlert({ amount: 5, enabled: true })],
  ['a token', () => standing.client().removeToken(NONE)],
])('%s that does not exist is not found', async (_what, call: () => Promise<unknown>) => {
  expect(await failureOf(call())).toMatchObject({
    reason: 'not-found',
    status: 404,
    credential: undefined,
  });
});

test('an account that does not exist is reported from a name that a person got wrong', async () => {
  const server = await sequence({ status: 404, body: '{"code":404,"error":"not found"}' });
  const client = startBillingClient(server.url, { accountId: NONE });

  const failure = await failureOf(client.listInvoices(SEPTEMBER));

  expect(failure).toMatchObject({ reason: 'not-found', credential: 'account' });
  expect(failure.hint).toContain(NONE);
});

test.each([
  ['an alert', () => standing.client().createAlert({ amount: 1e9, enabled: false })],
  ['a user', () => standing.client().addUser(CLEO)],
  ['a recipient', () => standing.client().addRecipient({ email: 'finance@acme.example' })],
])('%s that exists already is a conflict', async (_what, call: () => Promise<unknown>) => {
  await standing.client().createAlert({ amount: 1e9, enabled: false });

  expect(await failureOf(call())).toMatchObject({ reason: 'conflict', status: 409 });
});

const CHARGES = {
  startTime: SEPTEMBER.start,
  endTime: SEPTEMBER.end,
  timeStep: 'day',
  groupBy: ['org'],
  consumptionQueries: [{ filterBy: {}, aggregateBy: ['org', 'metric', 'locationType'] }],
};
const chargesWith = (change: object): Call => ({
  method: 'POST',
  path: `${ACCOUNT}/charges/-query`,
  body: { ...CHARGES, ...change },
  repeatable: true,
});

test.each<[string, Call, RegExp]>([
  ['a time off the hour', chargesWith({ startTime: '2026-09-01T00:30:00Z' }), /hour/],
  ['an unknown step', chargesWith({ timeStep: 'minute' }), /timeStep/],
  ['a group that is not aggregated', chargesWith({ groupBy: ['gvc'] }), /gvc/],
  [
    'invoices off the hour',
    {
      method: 'GET',
      path: `${ACCOUNT}/charges/invoices`,
      query: { ...SEPTEMBER, end: '2026-09-30T12:30:00Z' },
    },
    /hour/,
  ],
  ['an alert that is not there', { method: 'DELETE', path: `${ACCOUNT}/alert` }, /alert/],
])(
  'a 500 that names a mistake is the caller’s, reported in its words and not tried again: %s',
  async (_what, call, sentence) => {
    // The client itself would not send any of these.
    const context = createBillingContext({
      baseUrl: standing.platform.billingUrl,
      accountId: MAIN,
      accountCredential: bearer(ADMIN),
      credentialOf: () => undefined,
    });

    const failure = await failureOf(context.account.send(call));
    await context.close();

    expect(failure).toMatchObject({ reason: 'bad-request', status: 500, retryable: false });
    expect(failure.message).toMatch(sentence);
    expect((await standing.calls()).length).toBe(1);
  },
);

test.each([
  ['in the shape of billing', 418, { code: 418, error: 'a teapot' }, 'bad-request', 'a teapot'],
  ['in the shape of the core API', 507, { message: 'no room' }, 'server-error', 'no room'],
  [
    'in no shape at all',
    451,
    '<html>451</html>',
    'bad-request',
    'the platform answered with status 451',
  ],
] as const)(
  'an error that no table foresees is reported by its status and its sentence: %s',
  async (_what, status, body, reason, message) => {
    await standing.fault({ status, body });

    const failure = await failureOf(standing.client().getAccount());

    expect(failure).toMatchObject({ reason, status, message });
  },
);
