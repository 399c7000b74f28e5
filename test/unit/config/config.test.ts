import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../../src/config/config.ts';
import type { Environment } from '../../../src/config/variables.ts';
import { billing, load, minimal, problemsOf } from './environment.ts';

describe('a minimal environment', () => {
  it('gets the documented defaults', () => {
    const config = load();

    expect(config).toMatchObject({
      role: 'all',
      logLevel: 'info',
      port: 3000,
      opsPort: 9090,
      slack: { mode: 'http', apiUrl: 'https://slack.com/api/' },
      redis: {
        nodes: [{ host: '127.0.0.1', port: 6379, db: 0, tls: false }],
        cluster: false,
        prefix: 'purser',
      },
      api: { url: 'https://api.example.com', defaultOrg: 'acme' },
      brand: { prefix: 'svc', orgEndpointPrefixes: new Map() },
      channels: {
        notify: 'C0NOTIFY',
        approvals: 'C0NOTIFY',
        ops: 'C0NOTIFY',
      },
      watches: [],
      links: [],
      polling: { activeMs: 10_000, idleMs: 60_000, patience: 1 },
      approvals: { required: true, allowSelf: false },
      orgAccess: { kind: 'members' },
      currency: 'USD',
      billingPollMs: 600_000,
      digest: { every: 'daily', time: { hour: 9, minute: 0 } },
      paceSteps: [50, 75, 90, 100],
    });
    expect(config.billing).toBeUndefined();
    expect(config.usageUrl).toBeUndefined();
    expect(config.secretKey).toBeUndefined();
    expect(config.api.credentials.get('acme')?.secret.reveal()).toBe('acme-key');
  });

  it('ignores variables it does not know and takes an empty one as unset', () => {
    expect(load({ PORT: '', HOME: '/home/ann', WATCHES: '', BILLING_URL: '' }).port).toBe(3000);
  });
});

describe('all problems at once', () => {
  it('names every required variable of an empty environment', () => {
    expect(() => loadConfig({})).toThrow(ConfigError);

    const problems = problemsOf(Object.fromEntries(Object.keys(minimal).map((name) => [name, ''])));

    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'SLACK_BOT_TOKEN',
      'API_URL',
      'ORG_TOKENS',
      'NOTIFY_CHANNEL',
      'SLACK_SIGNING_SECRET',
    ]);
    expect(problems.every((problem) => problem.includes('is not set'))).toBe(true);
  });

  it('shows rules of single variables and rules between variables together', () => {
    const problems = problemsOf({
      PORT: 'http',
      DEFAULT_ORG: 'other',
      BILLING_URL: 'https://b.io',
    });

    expect(problems).toEqual([
      'PORT: give a port number from 0 to 65535, 0 means any free one',
      'BILLING_ACCOUNT_ID: is not set while BILLING_URL is: set all three or none',
      'BILLING_TOKEN: is not set while BILLING_URL is: set all three or none',
      'DEFAULT_ORG: is not in ORG_TOKENS: add its key there',
    ]);
  });

  it('lets the charges of single orgs do without an account, but not without BILLING_URL', () => {
    const url = 'https://b.io';

    expect(loadConfig({ ...minimal, ORG_CHARGES: 'true', BILLING_URL: url })).toMatchObject({
      orgChargesUrl: url,
    });
    expect(loadConfig({ ...minimal, ORG_CHARGES: 'true', BILLING_URL: url }).billing).toBe(
      undefined,
    );
    expect(problemsOf({ ORG_CHARGES: 'true' })).toEqual([
      'ORG_CHARGES: is true, and the charges of an org are asked for at BILLING_URL: set it, too',
    ]);
    expect(problemsOf({ ORG_CHARGES: 'true', BILLING_URL: url, BILLING_TOKEN: 'b' })).toEqual([
      'BILLING_ACCOUNT_ID: is not set while BILLING_URL and BILLING_TOKEN are: set all three or none',
    ]);
    expect(problemsOf({ BILLING_URL: url })).toHaveLength(2);
  });

  it('does not open the charges of single orgs to roles that no one can look up', () => {
    const open = { ORG_CHARGES: 'true', BILLING_URL: 'https://b.io', ORG_ACCESS: 'roles' };
    const account = {
      BILLING_ACCOUNT_ID: '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482',
      BILLING_TOKEN: 'b',
    };

    expect(problemsOf(open)).toEqual([
      'ORG_CHARGES: is true, and ORG_ACCESS=roles admits no one without BILLING_ACCOUNT_ID and BILLING_TOKEN: set both, or another ORG_ACCESS',
    ]);
    expect(loadConfig({ ...minimal, ...open, ...account }).billing).toBeDefined();
    expect(problemsOf({ ...open, ORG_ACCESS: 'members' })).toEqual([]);
  });
});

type Refused = [name: string, value: string, words: string];

describe('wrong values', () => {
  it.each<Refused>([
    ['ROLE', 'web', 'all, app, worker'],
    ['LOG_LEVEL', 'loud', 'must be one of trace'],
    ['PORT', '65536', 'port number'],
    ['OPS_PORT', '-1', 'port number'],
    ['OPS_PORT', '3000', 'the same as PORT'],
    ...['127.0.0.1:9090', '[::1]', 'http://localhost', '999.0.0.1', 'a b'].map((host): Refused => [
      'OPS_HOST',
      host,
      'an address of this machine',
    ]),
    ['SLACK_MODE', 'webhook', 'http, socket'],
    ['SLACK_BOT_TOKEN', 'two words', 'one word'],
    ['SLACK_API_URL', 'slack.com/api', 'URL'],
    ['API_URL', 'ftp://api.example.com', 'URL'],
    ['API_URL', 'https://ann:pass@api.example.com', 'without user name'],
    ['ORG_TOKENS', 'acme=key', 'JSON object'],
    ['ORG_TOKENS', '{}', 'JSON object'],
    ['ORG_TOKENS', '[]', 'JSON object'],
    ['ORG_TOKENS', '{"Acme Inc":"acme-key"}', 'letters, digits, dots'],
    ['ORG_TOKENS', '{"acme":""}', 'service account key'],
    ['ORG_TOKENS', '{"acme":{"key":1}}', 'service account key'],
    ['REDIS_PREFIX', 'pur{ser}', 'letters, digits'],
    ['BRAND_PREFIX', 'svc/', 'lower-case letters'],
    ['GLOBAL_DOMAIN', 'https://apps.example.com', 'domain'],
    ['GLOBAL_DOMAIN', '127.0.0.1:9', 'no IP address'],
    ['GLOBAL_DOMAIN', 'apps.example.com:99999', 'give a domain such as apps.example.com'],
    ['LOCATION_DOMAIN', '10.1.2.3', 'no IP address'],
    ['INTERNAL_DOMAIN', 'svc.internal.123', 'no IP address'],
    ['ORG_ENDPOINT_PREFIXES', '{"acme":"Not A Prefix"}', 'endpoint prefix'],
    ['NOTIFY_CHANNEL', '#general', 'a channel id such as C0123ABC, not a name'],
    ['OPS_CHANNEL', 'general', 'a channel id such as C0123ABC, not a name'],
    ['BILLING_CHANNEL', '#money', 'a channel id such as C0123ABC, not a name'],
    ['POLL_ACTIVE_SECONDS', '0', 'above 0'],
    ['POLL_IDLE_SECONDS', '1e3', 'seconds'],
    ['POLL_IDLE_SECONDS', '86401', 'a day'],
    ['CONTACT', 'platform-help', 'a name such as #platform-help'],
    ['CONTACT', '#two words', 'a name such as #platform-help'],
    ['CONTACT', '<!here>', 'a name such as #platform-help'],
    ['CONTACT', '<!subteam^S1|@oncall>', 'a name such as #platform-help'],
    ['CONTACT', 'D0123ABC', 'a name such as #platform-help'],
    ['APPROVERS', 'billing-admins', 'the id of a user group such as S0123ABC'],
    ['APPROVERS', '<!channel>', 'the id of a user group such as S0123ABC'],
    ['WATCH_PATIENCE', '0', 'above 0'],
    ['WATCH_PATIENCE', '-1', 'above 0'],
    ['BILLING_POLL_SECONDS', '0', 'above 0'],
    ['BILLING_POLL_SECONDS', '86401', 'a day'],
    ['APPROVALS', 'optional', 'required, off'],
    ['ALLOW_SELF_APPROVAL', 'yes', 'true, false'],
    ['SECRET_KEY', 'c2hvcnQ=', '32 random bytes'],
    ['SECRET_KEY', Buffer.alloc(33).toString('base64'), '32 random bytes'],
    ['SECRET_KEY', `${Buffer.alloc(32).toString('base64')},`, '32 random bytes'],
    ['CURRENCY', 'US$', 'three letters'],
    ['DIGEST', 'monthly', 'daily, weekly, off'],
    // Nothing, too much, less than nothing, no whole number, a sign, a gap, no comma, twice, and eleven steps.
    ...'0,50 50,1001 50,-75 50,7.5 50% 50,,75 50;75 50,75,50 50,050 1,2,3,4,5,6,7,8,9,10,11'
      .split(' ')
      .map((steps): Refused => ['PACE_STEPS', steps, 'up to ten whole percentages from 1 to 1000']),
    ['DIGEST_TIME', '24:00', '00:00 to 23:59'],
    ['ORG_ACCESS', 'everyone', 'members, roles'],
    ['ORG_ACCESS', '{"acme":"everyone"}', 'a JSON object'],
    ['ORG_ACCESS', '{}', 'a JSON object'],
    ['ORG_ACCESS', '{"other":"roles"}', 'org other is not in ORG_TOKENS'],
  ])('%s=%s is refused and the message names the next step', (name, value, words) => {
    const problems = problemsOf({ [name]: value });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: `));
    expect(problems[0]).toContain(words);
  });

  it.each([
    { SLACK_APP_TOKEN: 'xapp-1' },
    { SLACK_MODE: 'socket', SLACK_APP_TOKEN: 'xapp-1' },
    { ROLE: 'worker' },
  ])(
    'equal ports are accepted where the bot does not listen for Slack’s requests: %j',
    (changes) => {
      expect(problemsOf({ ...changes, PORT: '9090' })).toEqual([]);
    },
  );

  it.each([{}, { ROLE: 'app' }, { SLACK_MODE: 'http', SLACK_APP_TOKEN: 'xapp-1' }])(
    'equal ports are where they are: %j',
    (changes) => {
      expect(problemsOf({ ...changes, PORT: '9090' })).toEqual([
        'OPS_PORT: is the same as PORT: give each its own',
      ]);
    },
  );

  it("explains that the processor's customer id is no account id", () => {
    const problems = problemsOf({ ...billing, BILLING_ACCOUNT_ID: 'cus_NffrFeUfNV2Hib' });

    expect(problems).toEqual([
      "BILLING_ACCOUNT_ID: give the account's UUID; the customer id of the payment processor is another one",
    ]);
  });
});

describe('plain HTTP', () => {
  const plain = {
    ...billing,
    SLACK_API_URL: 'http://slack.internal/api/',
    API_URL: 'http://api.internal',
    BILLING_URL: 'HTTP://10.0.0.7:8080',
    USAGE_URL: 'http://127.0.0.1.example.com',
  };

  it('is refused for each address, all together, because tokens would travel in clear text', () => {
    expect(problemsOf({ ...plain, PORT: 'x' })).toEqual([
      'PORT: give a port number from 0 to 65535, 0 means any free one',
      ...['SLACK_API_URL', 'API_URL', 'BILLING_URL', 'USAGE_URL'].map(
        (name) =>
          `${name}: begins with http://, so tokens would travel in clear text: use https://, or set ALLOW_HTTP=true if the network in between is your own`,
      ),
    ]);
  });

  it('is taken where it was asked for', () => {
    expect(load({ ...plain, ALLOW_HTTP: 'true' }).api.url).toBe('http://api.internal');
    expect(problemsOf({ ...plain, ALLOW_HTTP: 'yes' })).toContain(
      'ALLOW_HTTP: must be one of true, false',
    );
  });

  it.each(['localhost', '127.0.0.1', '127.8.9.10', '127.1', '[::1]', 'LOCALHOST'])(
    'is taken on this machine: %s',
    (host) => {
      expect(problemsOf({ API_URL: `http://${host}:8080/v1` })).toEqual([]);
    },
  );

  it.each(['localhost.example.com', '128.0.0.1', '[::2]', '0.0.0.0', '[::ffff:10.0.0.1]'])(
    'is not taken elsewhere: %s',
    (host) => {
      expect(problemsOf({ API_URL: `http://${host}:8080/v1` })).toHaveLength(1);
    },
  );
});

type Taken = [changes: Environment, part: object];

describe('right values', () => {
  it('reads numbers, times and choices', () => {
    const config = load({
      ROLE: 'worker',
      PORT: '0',
      OPS_PORT: '0',
      POLL_ACTIVE_SECONDS: '0.25',
      POLL_IDLE_SECONDS: '.5',
      WATCH_PATIENCE: '0.05',
      BILLING_POLL_SECONDS: '1.5',
      APPROVALS: 'off',
      ALLOW_SELF_APPROVAL: 'true',
      CURRENCY: 'jpy',
      DIGEST: 'weekly',
      DIGEST_TIME: '23:59',
      ORG_ACCESS: 'S0ADMINS',
      APPROVALS_CHANNEL: 'G0APPROVE',
      BILLING_CHANNEL: 'C0MONEY',
      ORG_ENDPOINT_PREFIXES: '{"acme":"a1"}',
      USAGE_URL: 'http://127.0.0.1:8080/usage/',
      SLACK_API_URL: 'http://127.0.0.1:4000/api',
    });

    expect(config).toMatchObject({
      role: 'worker',
      port: 0,
      opsPort: 0,
      polling: { activeMs: 250, idleMs: 500, patience: 0.05 },
      approvals: { required: false, allowSelf: true },
      currency: 'JPY',
      billingPollMs: 1_500,
      digest: { every: 'weekly', time: { hour: 23, minute: 59 } },
      orgAccess: { kind: 'usergroup', id: 'S0ADMINS' },
      channels: { notify: 'C0NOTIFY', approvals: 'G0APPROVE', billing: 'C0MONEY' },
      usageUrl: 'http://127.0.0.1:8080/usage',
      slack: { apiUrl: 'http://127.0.0.1:4000/api/' },
    });
    expect(config.brand.orgEndpointPrefixes.get('acme')).toBe('a1');
  });

  it('takes one rule of ORG_ACCESS for each org', () => {
    expect(load({ ORG_ACCESS: '{"acme":"S0ACME"}' }).orgAccess).toEqual({
      kind: 'orgs',
      rules: new Map([['acme', { kind: 'usergroup', id: 'S0ACME' }]]),
    });
  });

  it.each<Taken>([
    ...['apps.example.com', 'Apps.Example.com:8443', 'localhost:9', 'my-apps.4u.example'].map(
      (globalDomain): Taken => [{ GLOBAL_DOMAIN: globalDomain }, { brand: { globalDomain } }],
    ),
    ...['127.0.0.1', '::1', '0.0.0.0', 'localhost', 'node-1.internal'].map((opsHost): Taken => [
      { OPS_HOST: opsHost },
      { opsHost },
    ]),
    [{ CONTACT: 'C0HELP' }, { contact: '<#C0HELP>' }],
    [{ CONTACT: '#platform-help' }, { contact: '#platform-help' }],
    [{ CONTACT: '<!subteam^S0ONCALL>' }, { contact: '<!subteam^S0ONCALL>' }],
    [{ CONTACT: '<@U0ANN>' }, { contact: '<@U0ANN>' }],
    [{ CONTACT: '' }, { contact: undefined }],
    [{ APPROVERS: 'S0ADMINS' }, { approvers: '<!subteam^S0ADMINS>' }],
    [{ APPROVERS: '<!subteam^S0ADMINS>' }, { approvers: '<!subteam^S0ADMINS>' }],
    [{ APPROVERS: '<@U0ANN>' }, { approvers: '<@U0ANN>' }],
    [{ APPROVERS: '' }, { approvers: undefined }],
    [{ DIGEST: 'off' }, { digest: { every: 'off', time: { hour: 9, minute: 0 } } }],
    [{ PACE_STEPS: '80' }, { paceSteps: [80] }],
    [{ PACE_STEPS: '1,1000' }, { paceSteps: [1, 1_000] }],
    [{ PACE_STEPS: '100, 90 ,50,75' }, { paceSteps: [50, 75, 90, 100] }],
    [{ PACE_STEPS: '10,9,8,7,6,5,4,3,2,1' }, { paceSteps: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }],
    // The one channel that does not fall back to NOTIFY_CHANNEL.
    [{}, { channels: { notify: 'C0NOTIFY', billing: undefined }, ownOpsChannel: undefined }],
    [{ BILLING_CHANNEL: 'C0NOTIFY' }, { channels: { billing: 'C0NOTIFY' } }],
  ])('%j is read as %j', (changes, part) => {
    expect(load(changes)).toMatchObject(part);
  });

  it('takes Socket Mode when an app token is there, unless set otherwise', () => {
    const socket = load({ SLACK_APP_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: '' }).slack;
    const http = load({ SLACK_APP_TOKEN: 'xapp-1', SLACK_MODE: 'http' }).slack;

    expect(socket.mode === 'socket' && socket.appToken.reveal()).toBe('xapp-1');
    expect(http.mode === 'http' && http.signingSecret.reveal()).toBe('signing-secret');
  });

  it('asks for the app token in Socket Mode', () => {
    expect(problemsOf({ SLACK_MODE: 'socket' })).toEqual([
      'SLACK_APP_TOKEN: is not set: Socket Mode needs the app token',
    ]);
  });

  it('reads billing when every part is set', () => {
    const config = load({ ...billing, BILLING_USER_TOKEN: 'user-token' });

    expect(config.billing?.accountId).toBe(billing.BILLING_ACCOUNT_ID);
    expect(config.billing?.token.reveal()).toBe('svc-bsat-billing');
    expect(config.billing?.userToken?.reveal()).toBe('user-token');
  });

  it('has no default org when there are several and none is named', () => {
    const tokens = '{"acme":"acme-key","beta":"beta-key"}';

    expect(load({ ORG_TOKENS: tokens }).api.defaultOrg).toBeUndefined();
    expect(load({ ORG_TOKENS: tokens, DEFAULT_ORG: 'beta' }).api.defaultOrg).toBe('beta');
  });
});

describe('WATCHES', () => {
  it('are read with the rest', () => {
    expect(load({ WATCHES: 'acme/shop=C0TEAM!' }).watches).toEqual([
      { org: 'acme', gvc: 'shop', channel: 'C0TEAM', quiet: true },
    ]);
  });

  it('name orgs that have a key, and show every entry that is wrong', () => {
    expect(problemsOf({ WATCHES: 'other/shop;acme;other/cart;acme/shop:redy' })).toEqual([
      'WATCHES: entry 2: write it as org/gvc[/workload][=CHANNEL][:outcome,outcome][!]',
      'WATCHES: entry 4: "redy" is not an outcome, did you mean ready?',
    ]);
    expect(problemsOf({ WATCHES: 'other/shop;other/cart' })).toEqual([
      'WATCHES: org other is not in ORG_TOKENS: add its key there',
    ]);
  });
});

const ORG_TOKENS = '{"acme":"$SVC_TOKEN","beta":"beta-key"}';

describe('the credential of an org', () => {
  it('is a service account key, sent as bearer', () => {
    const credential = load().api.credentials.get('acme');

    expect(credential).toMatchObject({ kind: 'bearer' });
    expect(credential?.secret.reveal()).toBe('acme-key');
  });

  it('is the workload’s own token where Purser is reported to use it, and only there', () => {
    const { credentials } = load({ ORG_TOKENS, SVC_TOKEN: 'injected' }).api;

    expect(credentials.get('acme')).toMatchObject({ kind: 'workload' });
    expect(credentials.get('acme')?.secret.reveal()).toBe('injected');
    expect(credentials.get('beta')).toMatchObject({ kind: 'bearer' });
  });

  it('takes the variable of the brand', () => {
    const env = { ORG_TOKENS: '{"acme":"$NIMBUS_TOKEN"}', BRAND_PREFIX: 'nimbus' };

    const { credentials } = load({ ...env, NIMBUS_TOKEN: 'injected' }).api;

    expect(credentials.get('acme')?.secret.reveal()).toBe('injected');
    expect(load({ SVC_TOKEN: 'injected' }).api.credentials.get('acme')?.kind).toBe('bearer');
  });

  it('is a problem where no token is injected: the words are not sent as a key', () => {
    expect(problemsOf({ ORG_TOKENS })).toEqual([
      'ORG_TOKENS: org acme is to use the workload’s own token, and SVC_TOKEN is not set: run Purser as a workload of the platform, or give a service account key',
    ]);
  });
});
