import { describe, expect, test } from 'vitest';
import { createCalls } from '../../../../src/platform/billing/calls.ts';
import { createReadCache } from '../../../../src/platform/concurrency.ts';
import type { Http } from '../../../../src/platform/http.ts';
import { answering, BASE, createRecords, failureOf, type Records } from './support.ts';

type Call = (records: Records) => Promise<unknown>;

const ADA = { email: 'Ada@acme.example', roles: ['billing_admin'] };

describe('a list in pages', () => {
  const linked = (href: unknown, ...names: string[]) =>
    JSON.stringify({
      items: names.map((name) => ({ name })),
      links: [{ rel: 'self', href: 'org' }, href === undefined ? {} : { rel: 'next', href }],
    });

  test('is read to its last page', async () => {
    const records = createRecords(({ path }) => ({
      text: path.endsWith('page=2') ? linked('', 'globex', '') : linked('?page=2', 'acme'),
    }));

    const { value } = await records.listOrgs();

    expect(value.items.map(({ name }) => name)).toEqual(['acme', 'globex']);
    expect(value.skipped).toBe(1);
    expect(records.sent.map(({ path }) => path)).toEqual([
      `${BASE}account/a1/org`,
      `${BASE}account/a1/org?page=2`,
    ]);
  });

  test.each([
    ['away from the platform', 'https://elsewhere.example/org?page=2', 'redirected', 1],
    ['nowhere', 7, 'malformed', 1],
    ['to itself', 'org?page=2', 'malformed', 2],
  ])('is no list when a page leads %s', async (_where, href, reason, calls) => {
    const records = createRecords(() => ({ text: linked(href, 'acme') }));

    expect((await failureOf(records.listOrgs())).reason).toBe(reason);
    expect(records.sent.length).toBe(calls);
  });
});

describe('reads', () => {
  test('are remembered until something is written, and not when they overlap a write', async () => {
    const records = answering({ items: [] });

    await records.listTokens();
    await records.listTokens();
    const removal = records.removeToken('t1');
    await records.listTokens();
    await removal;
    await records.listTokens();

    expect(records.sent.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'GET', 'GET']);
  });

  test('of one user are one question, however the address is written', async () => {
    const records = answering({ user: ADA });

    await records.getUser('Ada@acme.example');
    await records.getUser('ada@ACME.example');
    await records.setUserRoles({ email: 'ADA@acme.example', roles: ['org_creator'] });
    await records.getUser('ada@acme.example');

    expect(records.sent.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      'GET Ada%40acme.example',
      'PUT ADA%40acme.example',
      'GET ada%40acme.example',
    ]);
  });

  test('of a record and of a list of the same path are remembered apart', async () => {
    const http = { send: async () => ({ status: 200, body: [1, 2] }), resolve: () => BASE };
    const calls = createCalls({ cache: createReadCache() }, http as unknown as Http);
    const question = { path: 'thing', wrappers: [] };

    const record = await calls.read(question, () => 'a record');
    const list = await calls.readList(question, (row) => row);
    const maybe = await calls.readIfAny(question, () => 'or none');

    expect([record.value, list.value, maybe.value]).toEqual([
      'a record',
      { items: [1, 2], skipped: 0 },
      'or none',
    ]);
  });
});

const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
const invoices =
  (changes: object): Call =>
  (records) =>
    records.listInvoices({ ...SEPTEMBER, ...changes });
const ofPending = (read: (records: Records, id: string) => Promise<unknown>): Call => {
  return (records) => read(records, 'pending');
};

test.each<[what: string, call: Call, sentence: RegExp]>([
  ['an end that is no time', invoices({ end: 'now' }), /end.*RFC 3339/],
  ['another zone', invoices({ start: '2026-09-01T00:00:00+02:00' }), /start.*UTC/],
  ['an end at the start', invoices({ end: SEPTEMBER.start }), /start must be before end/],
  [
    'an amount that is no number',
    (records) => records.createAlert({ amount: Number.NaN, enabled: true }),
    /amount/,
  ],
  [
    'an endless amount',
    (records) => records.createAlert({ amount: Infinity, enabled: true }),
    /amount/,
  ],
  [
    'a token that ends now',
    (records) =>
      records.createToken({
        name: 'ci',
        roles: ['org_creator'],
        expiresAt: '2026-10-05T12:00:00Z',
      }),
    /future/,
  ],
  ['roles without a person', (records) => records.setUserRoles({ email: '', roles: [] }), /e-mail/],
  ['a path', (records) => records.getUser('../token'), /e-mail/],
  ['the removal without a person', (records) => records.removeUser('ada acme'), /e-mail/],
  [
    'an org with half an invitee',
    (records) =>
      records.createOrg({ org: { name: 'hooli' }, invitees: ['ada@acme.example', 'ben@'] }),
    /e-mail/,
  ],
  ['a recipient without an address', (records) => records.addRecipient({ email: 'x' }), /e-mail/],
  [
    'more of nothing',
    (records) => records.requestQuotaIncrease('acme', { quotaName: '', requestedMax: 5 }),
    /name/,
  ],
  [
    'less than one',
    (records) => records.requestQuotaIncrease('acme', { quotaName: 'cpu', requestedMax: 0 }),
    /requestedMax/,
  ],
  ['an invoice without an id', (records) => records.getInvoice(''), /not a name/],
  ['an invoice above its place', (records) => records.getInvoice('..'), /not a name/],
  ['the pending charges as one', ofPending((records, id) => records.getInvoice(id)), /"pending"/],
  ['a file of them', ofPending((records, id) => records.downloadInvoicePdf(id)), /"pending"/],
  ['payment pages of them', ofPending((records, id) => records.listPaymentLinks(id)), /"pending"/],
])('a call that the platform would refuse is not sent: %s', async (_what, call, sentence) => {
  const records = answering({});

  const failure = await failureOf(call(records));

  expect(failure.reason).toBe('bad-request');
  expect(failure.message).toMatch(sentence);
  expect(records.sent).toEqual([]);
});
