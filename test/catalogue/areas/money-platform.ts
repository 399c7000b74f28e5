import { Readable } from 'node:stream';
import { DEFAULT_LIMITS, resolveOnOrigin } from '../../../src/platform/http.ts';
import { readDocument, readRefusal } from '../../../src/platform/answer.ts';
import { createBareHttp } from '../../../src/platform/bare-http.ts';
import {
  createBillingContext,
  createExplain,
  type Caller,
} from '../../../src/platform/billing/context.ts';
import {
  PlatformError,
  toPlatformError,
  type PlatformReason,
} from '../../../src/platform/errors.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { downContent } from '../../../src/rollouts/outages/outage-view.ts';
import { answering, type Records } from '../../unit/platform/billing/support.ts';
import { MINUTE, NOW, post, refusal, type Area, type Entry } from '../entry.ts';

const ACCOUNT_ID = '5f1c2a34-0000-4000-8000-000000000001';
const BASE = 'https://billing.example.com/';

const said = (statusCode: number, body: string | Buffer) => ({
  statusCode,
  headers: {},
  body: Readable.from([Buffer.from(body)]),
});

/** The error for an answer with this status and sentence, in the form of the billing API's refusals. */
const refused = (status: number, sentence: string, caller: Caller, path: string) =>
  readRefusal(
    said(status, sentence === '' ? '' : JSON.stringify({ code: status, error: sentence })),
    {
      scrub: (text) => text,
      nowMs: NOW,
      explain: createExplain(caller),
      path: `/${path}`,
    },
  );

const ACCOUNT: Caller = {
  kind: 'account',
  accountId: ACCOUNT_ID,
  roles: ['billing_admin', 'billing_viewer'],
  credential: 'bearer',
};
const USER: Caller = { kind: 'user', credential: 'bearer' };
const ORG: Caller = { kind: 'org', org: 'acme', credential: 'bearer' };
const alert = `account/${ACCOUNT_ID}/alert`;

type Answered = readonly [when: string, status: number, sentence: string, Caller, path: string];

/** Every meaning of a status, in the order of statuses. */
const STATUSES: Readonly<Record<string, Answered>> = {
  'redirected-302': ['The platform sends Purser to another address.', 302, '', ACCOUNT, alert],
  'bad-request-400': ['It does not take the question.', 400, 'amount is too large', ACCOUNT, alert],
  'silent-400': ['It does not take the question, and says no more.', 400, '', ACCOUNT, alert],
  'key-401': ['It refuses the billing token.', 401, 'unauthorized', ACCOUNT, alert],
  'key-401-silent': ['It refuses the billing token, and says no more.', 401, '', ACCOUNT, alert],
  'key-401-one-role': [
    'It refuses the billing token for an action of admins only.',
    401,
    'unauthorized',
    { ...ACCOUNT, roles: ['billing_admin'] },
    alert,
  ],
  'key-401-catalogue': [
    'It refuses the token for the list of prices.',
    401,
    'unauthorized',
    ACCOUNT,
    'chargeable_items',
  ],
  'key-401-customer-id': [
    'Purser is set to the customer id instead of the account id.',
    401,
    'unauthorized',
    { ...ACCOUNT, accountId: 'cus_Q1aXbYcZ' },
    'account/cus_Q1aXbYcZ',
  ],
  'key-401-strange-id': [
    'Purser is set to something that is no account id.',
    401,
    'unauthorized',
    { ...ACCOUNT, accountId: 'acme' },
    'account/acme',
  ],
  'key-401-user': ['It refuses the token of the user.', 401, 'unauthorized', USER, 'account'],
  'key-401-payer': [
    'It does not know the user who pays for an org.',
    401,
    'unauthorized',
    USER,
    'org/acme/account',
  ],
  'key-401-org': [
    'It refuses the key of an org for its charges.',
    401,
    'unauthorized',
    ORG,
    'org/acme/charges/-query',
  ],
  'key-401-quotas': [
    'It refuses the key of an org for its quotas.',
    401,
    'unauthorized',
    ORG,
    'org/acme/quotas',
  ],
  'key-403': ['The key of the org may not do this.', 403, 'forbidden', ORG, 'org/acme/quotas'],
  'key-403-workload': [
    'Purser uses a workload’s own token outside of that workload.',
    403,
    'forbidden',
    { ...ORG, credential: 'workload' },
    'org/acme/quotas',
  ],
  'account-404': [
    'There is no such billing account.',
    404,
    'not found',
    ACCOUNT,
    `account/${ACCOUNT_ID}`,
  ],
  'name-404': [
    'There is nothing of the name that was typed.',
    404,
    'not found',
    ORG,
    'org/acme/quotas',
  ],
  'conflict-409': [
    'The object to be created exists already.',
    409,
    'alert already exists',
    ACCOUNT,
    alert,
  ],
  'limited-429': ['There were too many calls.', 429, 'slow down', ACCOUNT, alert],
  'broken-500': ['The platform failed at it.', 500, 'the ledger is locked', ACCOUNT, alert],
  'mistake-500': [
    'It calls a mistake in the question an error of its own.',
    500,
    'no alert is set for this account',
    ACCOUNT,
    alert,
  ],
  'away-503': ['The platform is away.', 503, '', ACCOUNT, alert],
};

const REASONS: Readonly<Partial<Record<PlatformReason, string>>> = {
  unreachable: 'No connection to the platform can be made.',
  timeout: 'The platform does not answer in time.',
  'too-large': 'The answer is larger than Purser reads.',
  malformed: 'The answer does not have the expected form.',
};

const context = () =>
  createBillingContext({
    baseUrl: BASE,
    accountId: ACCOUNT_ID,
    accountCredential: { kind: 'bearer', secret: new Secret('svc-1') },
    credentialOf: () => undefined,
    now: () => NOW,
  });

export const platformRefusals: Area = {
  id: 'platform-refusals',
  title: 'Requests that the platform refuses or does not answer',
  entries: [
    ...Object.entries(STATUSES).map(([id, [when, ...answer]]) =>
      refusal(`platform-${id}`, when, () => refused(...answer)),
    ),
    ...Object.entries(REASONS).map(([reason, when]) =>
      refusal(`platform-${reason}`, when, () => new PlatformError(reason as PlatformReason, 'x')),
    ),
    refusal(
      'platform-unsent',
      'Other calls still wait for their answers, so it is not asked.',
      () => new PlatformError('timeout', 'x', { isUnsent: true }),
    ),
    refusal('platform-key-missing', 'Purser has no key for the org.', () => context().org('acme')),
    refusal(
      'platform-user-token-missing',
      'It takes the token of a user, and nothing is there.',
      () => context().user(),
    ),
    refusal('platform-key-unsendable', 'The key has a line break in it.', () =>
      toPlatformError(Object.assign(new Error(), { code: 'UND_ERR_INVALID_ARG' })),
    ),
  ],
};

type Ask = (records: Records) => unknown;
const ada = 'ada@acme.example';
const invoices =
  (start: string, end: string): Ask =>
  (records) =>
    records.listInvoices({ start, end });
const increase =
  (quotaName: string, requestedMax: number): Ask =>
  (records) =>
    records.requestQuotaIncrease('acme', { quotaName, requestedMax });
const token =
  (name: string, expiresAt: string): Ask =>
  (records) =>
    records.createToken({ name, roles: ['billing_viewer'], expiresAt });
const org =
  (name: string, ...invitees: string[]): Ask =>
  (records) =>
    records.createOrg({ org: { name }, invitees });

const UNASKED: Readonly<Record<string, [when: string, ask: Ask]>> = {
  'no-name': ['A name that no address can carry is typed.', (records) => records.getInvoice('..')],
  'pending-invoice': [
    'The pending invoice is asked for by id.',
    (records) => records.getInvoice('pending'),
  ],
  'no-time': ['A range has an end that is no time.', invoices('2026-10-01T00:00:00Z', 'soon')],
  'half-hour': [
    'A range begins within an hour.',
    invoices('2026-10-01T00:30:00Z', '2026-11-01T00:00:00Z'),
  ],
  backward: [
    'A range ends before it begins.',
    invoices('2026-11-01T00:00:00Z', '2026-10-01T00:00:00Z'),
  ],
  amount: [
    'An alert is to have an amount below 0.',
    (records) => records.createAlert({ amount: -1, enabled: true }),
  ],
  email: ['The address of a user is not one.', (records) => records.removeUser('ada')],
  roles: ['A user is to have no role.', (records) => records.addUser({ email: ada, roles: [] })],
  'token-name': ['A token is to have no name.', token(' ', '2027-01-01T00:00:00Z')],
  'token-end': ['A token is to end in the past.', token('ci', '2026-01-01T00:00:00Z')],
  'org-name': ['An org is to have no name.', org('', ada)],
  'org-invitees': ['No one is invited to a new org.', org('hooli')],
  'quota-name': ['An increase is requested without the name of a quota.', increase('', 5)],
  'quota-max': ['An increase to nothing is asked for.', increase('cpu', 0)],
};

export const platformUnasked: Area = {
  id: 'platform-unasked',
  title: 'Requests that Purser does not send to the platform',
  entries: [
    ...Object.entries(UNASKED).map(([id, [when, ask]]) =>
      refusal(`platform-unasked-${id}`, `${when} Forms and commands mostly say so before.`, () =>
        ask(answering({})),
      ),
    ),
    refusal('platform-unasked-web-address', 'An address to be probed is not one of the web.', () =>
      createBareHttp().get('ftp://cart.example'),
    ),
  ],
};

const { maxBytes } = DEFAULT_LIMITS;

/** The outage that an unusable answer leads to: of one GVC where it is that one’s, else of all. */
function unusable(id: string, when: string, attempt: () => unknown): Entry {
  return post(`outage-answer-${id}`, when, async () => {
    const { reason, message } = await failureOf(attempt);
    return downContent({
      kind: reason === 'too-large' ? 'gvc' : 'platform',
      org: 'acme',
      down: reason === 'too-large' ? ['acme/shop'] : ['acme/shop', 'acme/data'],
      since: NOW - 3 * MINUTE,
      reason,
      found: message,
    });
  });
}

async function failureOf(attempt: () => unknown): Promise<PlatformError> {
  try {
    await attempt();
  } catch (error) {
    return toPlatformError(error);
  }
  throw new Error('the answer is usable');
}

export const unusableAnswers: Area = {
  id: 'platform-unusable-answers',
  title: 'The platform answers with something that Purser cannot use',
  entries: [
    unusable('no-json', 'The answer is a web page of a proxy, say.', () =>
      readDocument(said(200, '<html>'), 1_000, (body) => JSON.parse(body.toString())),
    ),
    unusable('too-large', 'The answer is larger than Purser reads.', () =>
      readDocument(said(200, Buffer.alloc(maxBytes + 1)), maxBytes, (body) => body),
    ),
    unusable('broken-off', 'The answer breaks off.', () => {
      throw Object.assign(new Error(), { code: 'HPE_INVALID_CONSTANT' });
    }),
    unusable('link-away', 'The link to the next page of a list leads to another host.', () =>
      resolveOnOrigin(new URL('https://api.example.com/'), 'https://elsewhere.example/page/2'),
    ),
  ],
};
