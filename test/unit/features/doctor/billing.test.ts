import { describe, expect, test } from 'vitest';
import {
  isElsewhere,
  accountProbes,
  tokenProbes,
  userTokenProbe,
  type AccountAnswers,
  type BillingFacts,
} from '../../../../src/features/doctor/billing.ts';
import {
  formatOf,
  addressProbe,
  resultOf,
  unanswered,
} from '../../../../src/features/doctor/calls.ts';
import { load } from '../../config/environment.ts';
import { failed, found, judged } from './support.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { BareError, type BareCause } from '../../../../src/platform/bare-http.ts';
import type { Account } from '../../../../src/platform/billing/account.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';

const judgeToken = judged(tokenProbes);
const judgeUserToken = judged(userTokenProbe);
const judgeAccount = judged(accountProbes);
const judgeAddress = (...seen: Parameters<typeof addressProbe>) => {
  const [finding] = judged(addressProbe)(...seen);
  if (finding === undefined) throw new Error('nothing is reported');
  return finding;
};

const listOf = <T>(...items: T[]) => found({ items, skipped: 0 });

const ACCOUNT: Account = {
  id: 'the-account',
  accountId: 'cus_1',
  fullName: '',
  email: '',
  address: [],
  orgQuota: undefined,
  enabled: undefined,
  tou: undefined,
  paymentMethods: undefined,
  alert: undefined,
};

const WELL: AccountAnswers = {
  catalogue: found([]),
  account: found(ACCOUNT),
  orgs: listOf(),
  users: listOf(),
  alert: found(undefined),
  recipients: listOf(),
  tokens: listOf(),
};

const billing = (
  seen: Partial<AccountAnswers>,
  rest: Partial<BillingFacts> = {},
): BillingFacts => ({
  accountId: 'the-account',
  kind: 'billing',
  keyOf: [],
  answers: { ...WELL, ...seen },
  withKey: undefined,
  behaves: undefined,
  user: undefined,
  ...rest,
});

const reported = (findings: readonly { what: string; state: string }[]): string[] =>
  findings.map(({ what, state }) => `${what} ${state}`);

describe('an address', () => {
  const address = {
    variable: 'API_URL',
    url: 'https://api.example:8443/v1',
    path: 'x',
    isGet: true,
  };
  const silent = (why: BareCause) => ({
    ok: false as const,
    error: new BareError(why, new PlatformError('unreachable', 'no')),
  });
  const answer = (status: number) =>
    found({ status, headers: new Map<string, string>(), date: undefined, ms: 1 });

  test.each<[BareCause, RegExp, RegExp]>([
    ['unknown-name', /the host api\.example:8443/, /DNS/],
    ['refused', /nothing listens at api\.example:8443/, /the host and the port in API_URL/],
    ['certificate', /certificate of api\.example:8443 is not trusted/, /NODE_EXTRA_CA_CERTS/],
    ['no-tls', /does not speak https/, /that it takes https/],
    ['unreadable', /does not answer in HTTP/, /port in API_URL/],
    ['other', /the connection to api\.example:8443 fails/, /the network in between/],
  ])('that gives no answer (%s) has its own fix', (why, says, fix) => {
    const finding = judgeAddress(address, silent(why), false);

    expect(finding.state).toBe('broken');
    expect(finding.says).toMatch(says);
    expect(finding.fix).toMatch(fix);
  });

  test('that is slow is no worse than doubtful', () => {
    const finding = judgeAddress(address, silent('timeout'), false);

    expect(finding.state).toBe('doubtful');
    expect(finding.says).toBe('slow: api.example:8443 gives no answer within 8 s');
    expect(finding.fix).toMatch(/firewall/);
  });

  test.each([401, 403, 405, 200])('that answers %i is in order', (status) => {
    expect(judgeAddress(address, answer(status), false).state).toBe('well');
  });

  test.each([404, 500, 503])(
    'that answers %i is in order where a call with a key worked',
    (status) => {
      expect(judgeAddress(address, answer(status), false).state).toBe('broken');
      expect(judgeAddress(address, answer(status), true).state).toBe('well');
    },
  );

  test('that takes posts alone may say 404 to anything else', () => {
    expect(judgeAddress({ ...address, isGet: false }, answer(404), false).state).toBe('well');
  });
});

describe('a token', () => {
  test.each([
    ['svc-bsat-x', 'billing'],
    ['brand-bsat-x', 'other-billing'],
    ['sandbox-key-bsat-x', 'unknown'],
    ['SVC-BSAT-x', 'unknown'],
    ['eyJhbGciOi', 'unknown'],
  ])('%s is reported by its beginning', (text, kind) => {
    expect(formatOf(new Secret(text), load({ BRAND_PREFIX: 'svc' })).kind).toBe(kind);
  });

  test('is looked for among the keys of orgs, and not among injected ones', () => {
    const secret = new Secret('one');
    const credentials = new Map([
      ['acme', { kind: 'bearer', secret: new Secret('one') }],
      ['globex', { kind: 'workload', secret: new Secret('one') }],
      ['initech', { kind: 'bearer', secret: new Secret('two') }],
    ] as const);

    const config = { ...load(), api: { url: 'https://api.example', credentials } };

    expect(formatOf(secret, config).keyOf).toStrictEqual(['acme']);
  });

  test('of which some reads fail is not reported to lack a role', () => {
    const away = failed('unavailable', 503);
    const findings = judgeToken(billing({ alert: away, recipients: away, tokens: away }));

    expect(reported(findings)).toStrictEqual(['Billing, alert, recipients and tokens broken']);
    expect(findings[0]?.says).toBe('the platform fails (status 503)');
  });

  test('of an account whose orgs or catalogue cannot be read works, and that is reported', () => {
    const fails = failed('server-error', 500);

    expect(reported(judgeToken(billing({ orgs: fails })))).toStrictEqual([
      'BILLING_TOKEN well',
      'Billing, orgs broken',
    ]);
    expect(reported(judgeToken(billing({ orgs: failed('forbidden', 403) })))).toStrictEqual([
      'BILLING_TOKEN well',
      'Billing, orgs broken',
    ]);
    expect(reported(judgeToken(billing({ catalogue: fails })))).toStrictEqual([
      'BILLING_TOKEN well',
      'Billing, catalogue broken',
    ]);
    const viewer = failed('forbidden', 403);
    const seen = { alert: viewer, recipients: viewer, tokens: viewer, orgs: fails };
    expect(reported(judgeToken(billing(seen)))).toStrictEqual([
      'BILLING_TOKEN doubtful',
      'Billing, orgs broken',
    ]);
  });

  test('of an account that is slow is not judged', () => {
    const findings = judgeToken(billing({ account: failed('timeout') }));
    expect(reported(findings)).toStrictEqual(['BILLING_TOKEN doubtful']);
    expect(findings[0]?.says).toBe('slow: no answer within 10 s');
  });

  test('of an account that the platform does not know has a wrong id beside it', () => {
    const account = failed('not-found', 404);
    expect(reported(judgeToken(billing({ account })))).toStrictEqual(['BILLING_ACCOUNT_ID broken']);
  });

  test('that nothing takes may be sent to a wrong place', () => {
    const [refused, missing] = [failed('unauthorized', 401), failed('not-found', 404)];
    const seen = { catalogue: refused, account: refused };

    expect(isElsewhere(billing(seen, { withKey: missing }))).toBe(true);
    expect(isElsewhere(billing(seen, { withKey: refused }))).toBe(false);
    expect(isElsewhere(billing({ catalogue: missing }, { withKey: missing }))).toBe(false);
  });

  test('of a user is left out where nothing is there, and not blamed for a platform that is away', () => {
    const user = { kind: 'unknown', keyOf: [], payer: undefined } as const;
    const away = failed('unreachable');

    expect(reported(judgeUserToken(billing({})))).toStrictEqual(['BILLING_USER_TOKEN off']);
    expect(judgeUserToken(billing({}, { user: { ...user, accounts: away } }))[0]?.says).toBe(
      'the connection fails',
    );
  });
});

test('an account that says little about itself is not doubted', () => {
  const setup = { orgs: ['acme'], approvals: { required: true, allowSelf: true }, now: 0 };
  const seen = { orgs: found({ items: [], skipped: 1 }), users: found({ items: [], skipped: 1 }) };
  expect(reported(judgeAccount(billing(seen).answers, setup))).toStrictEqual([
    'Billing account well',
    'Billing users well',
  ]);
});

test('an account is not called well before its orgs were read', () => {
  const setup = { orgs: ['acme'], approvals: { required: true, allowSelf: true }, now: 0 };
  const orgs = failed('server-error', 500);
  const users = found({ items: [], skipped: 1 });

  expect(reported(judgeAccount(billing({ orgs, users }).answers, setup))).toStrictEqual([
    'Billing users well',
  ]);
});

test('a defect is no finding', async () => {
  await expect(resultOf(Promise.reject(new TypeError('a defect')))).rejects.toThrow('a defect');
});

test("does not repeat a server's own words in a report that everyone reads", () => {
  expect(JSON.stringify(unanswered('API_URL', failed('server-error', 500)))).not.toContain('words');
});
