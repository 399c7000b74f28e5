import type { VariableName } from '../../src/config/variables.ts';

/** The documentation of a variable. Plain text with code in backticks. */
export interface Setting {
  readonly group: Group;
  /** One line: what it is, which values it takes, what holds without it. */
  readonly does: string;
  /** The default, as it would be written. */
  readonly fallback?: string;
  readonly example?: string;
  /** Has to be set, or always is in Socket Mode: its line in `.env.example` waits to be filled in. */
  readonly toFillIn?: true;
}

/** The groups, in the order in which they are shown. */
export const GROUPS = {
  slack: 'Slack',
  channels: 'Channels, by id (`C…`); Purser has to be invited to each',
  platform: 'Platform: deployments, orgs and usage',
  billing: 'Platform: billing; set the first three or none',
  access: 'Changes and access',
  watching: 'Watching',
  names: 'Names on your platform',
  process: 'Process',
} as const;

type Group = keyof typeof GROUPS;

/** Variables that `compose.yaml` itself reads; they are in `.env.example` alone. */
export const COMPOSE_SETTINGS: Readonly<Record<string, Pick<Setting, 'does' | 'example'>>> = {
  PURSER_IMAGE: {
    does: 'The released image, by its digest; without it `compose.yaml` builds one',
    example: 'ghcr.io/your-org/purser@sha256:DIGEST',
  },
  REDIS_PASSWORD: {
    does: 'Required with `compose.yaml`: the password of its Redis, letters and digits (`openssl rand -hex 32`)',
  },
};

/** Every variable. `.env.example` and `docs/configuration.md` are made from it: `npm run docs`. */
export const SETTINGS: Readonly<Record<VariableName, Setting>> = {
  SLACK_BOT_TOKEN: {
    group: 'slack',
    does: 'Required: the bot token, `xoxb-…`',
    toFillIn: true,
  },
  SLACK_APP_TOKEN: {
    group: 'slack',
    does: 'Required in Socket Mode: the app-level token, `xapp-…`, with `connections:write`',
    toFillIn: true,
  },
  SLACK_SIGNING_SECRET: {
    group: 'slack',
    does: 'Required in HTTP mode: the signing secret of the app, or several between commas, the newest first',
  },
  SLACK_MODE: {
    group: 'slack',
    does: '`http` or `socket`; without it `socket` if `SLACK_APP_TOKEN` is set, else `http`',
    example: 'socket',
  },
  SLACK_API_URL: {
    group: 'slack',
    does: 'The address of the Web API of Slack',
    fallback: 'https://slack.com/api/',
  },

  NOTIFY_CHANNEL: {
    group: 'channels',
    does: 'Required: rollouts, and everything that has no channel of its own',
    toFillIn: true,
  },
  APPROVALS_CHANNEL: {
    group: 'channels',
    does: 'Requests for changes (without it in `NOTIFY_CHANNEL`), and how many billing tokens expire or are unused (without it in private to each `billing_admin`)',
  },
  BILLING_CHANNEL: {
    group: 'channels',
    does: 'Messages about money that come by themselves: the digest, the spend alert and invoices; without it they are not posted',
  },
  OPS_CHANNEL: {
    group: 'channels',
    does: 'What goes wrong with Purser itself; without it `NOTIFY_CHANNEL`',
  },

  API_URL: {
    group: 'platform',
    does: 'Required: the base address of the API of the platform',
    toFillIn: true,
  },
  ORG_TOKENS: {
    group: 'platform',
    does: 'Required: JSON, the key of a service account for each org that Purser serves: `{"my-org":"KEY"}`',
    toFillIn: true,
  },
  DEFAULT_ORG: {
    group: 'platform',
    does: 'The org of a command that names none; with one org in `ORG_TOKENS` it is that one',
  },
  USAGE_URL: {
    group: 'platform',
    does: 'The base address of the usage API; without it `/usage` is off',
  },

  BILLING_URL: {
    group: 'billing',
    does: 'The base address of the billing API; without it `/charges`, `/invoices`, `/alert` and `/billing` are off',
  },
  BILLING_ACCOUNT_ID: {
    group: 'billing',
    does: 'The UUID of the billing account, not the customer id of its payment processor',
  },
  BILLING_TOKEN: {
    group: 'billing',
    does: 'A billing service account token of that account',
  },
  BILLING_USER_TOKEN: {
    group: 'billing',
    does: 'The token of a person on the account, for what no service account may read; without it those lines are left out',
  },
  CURRENCY: {
    group: 'billing',
    does: 'The currency of the invoices, which do not name it',
    fallback: 'USD',
  },
  BILLING_POLL_SECONDS: {
    group: 'billing',
    does: 'Seconds between two checks of spend, invoices, tokens and thresholds',
    fallback: '600',
  },
  DIGEST: {
    group: 'billing',
    does: 'How often `BILLING_CHANNEL` gets the digest: `daily`, `weekly` or `off`',
    fallback: 'daily',
  },
  DIGEST_TIME: {
    group: 'billing',
    does: 'When the digest is posted, in UTC. Also the default time of a schedule, in the time zone of its owner',
    fallback: '09:00',
  },
  PACE_STEPS: {
    group: 'billing',
    does: 'Up to ten whole percentages of the amount of the spend alert, from 1 to 1000; `BILLING_CHANNEL` hears when each is reached',
    fallback: '50,75,90,100',
  },

  SECRET_KEY: {
    group: 'access',
    does: '32 random bytes in base64 (`openssl rand -base64 32`); approvals are signed with it, and without it no token can be created. For a new key, put it before the old one, with a comma between them',
  },
  CHANGES: {
    group: 'access',
    does: '`off`: no change is requested, approved, sent or revealed, for a bad day; withdrawing and rejecting stay possible',
    fallback: 'on',
  },
  APPROVALS: {
    group: 'access',
    does: '`required`: a second person approves each change; `off`: a change is made at once',
    fallback: 'required',
  },
  ALLOW_SELF_APPROVAL: {
    group: 'access',
    does: '`true`: people may approve what they asked for; card and audit say so',
    fallback: 'false',
  },
  ORG_ACCESS: {
    group: 'access',
    does: 'Who may ask about usage, deployments and workloads: `members`, `roles` (people with a billing role), the id of a user group (`S…`), or JSON with one of these for each org, where an org without its own takes `roles`: `{"my-org":"members"}`',
    fallback: 'members',
  },
  PERSON_LIMIT: {
    group: 'access',
    does: 'How many commands and clicks a minute one person may send, in bursts of 20; with it, 20 change requests a day, 10 saved questions, and 50 kept answers, of which the oldest are forgotten; `0`: none of these limits',
    fallback: '30',
  },
  ORG_CHARGES: {
    group: 'access',
    does: '`true`: people who may ask about usage see the charges of single orgs, too; needs `BILLING_URL`, which is enough',
    fallback: 'false',
  },

  WATCHES: {
    group: 'watching',
    does: 'Watches that need no command, separated by `;`: `org/gvc[/workload][=CHANNEL][:outcome,outcome][!]`, `!` means quiet',
    example: 'my-org/shop;my-org/batch/import=C0123456789:failed!',
  },
  POLL_ACTIVE_SECONDS: {
    group: 'watching',
    does: 'Seconds between two polls of a GVC while something rolls out',
    fallback: '10',
  },
  POLL_IDLE_SECONDS: {
    group: 'watching',
    does: 'Seconds between two polls otherwise',
    fallback: '60',
  },
  WATCH_PATIENCE: {
    group: 'watching',
    does: 'Factor on all waiting times of the watch, above 0: with less than 1 people are called sooner and more often',
    fallback: '1',
  },
  CONTACT: {
    group: 'watching',
    does: 'The contact that messages say to ask: a channel id, a name such as `#platform-help` (quoted in `.env`), or a mention, `<!subteam^S…>` or `<@U…>`; without it "your Purser administrator"',
    example: 'C0123456789',
  },
  APPROVERS: {
    group: 'watching',
    does: 'The people who can grant billing roles, whom a refusal for a missing role names: a user group id, or a mention, `<!subteam^S…>` or `<@U…>`; without it "a billing_admin of the account"',
    example: 'S0123456789',
  },
  LINKS: {
    group: 'watching',
    does: 'JSON, up to five buttons: a name and an https address with `{org} {gvc} {workload} {location} {version} {start} {end}`',
    example: '{"Logs":"https://logs.example/{gvc}/{workload}"}',
  },

  BRAND_PREFIX: {
    group: 'names',
    does: 'What the tags, tokens and variables of your platform begin with',
    fallback: 'svc',
  },
  GLOBAL_DOMAIN: {
    group: 'names',
    does: 'The domain of the addresses that serve every location; `/workload probe` needs it',
    example: 'apps.example.com',
  },
  LOCATION_DOMAIN: {
    group: 'names',
    does: 'The domain of the addresses of one location',
    example: 'locations.example.com',
  },
  INTERNAL_DOMAIN: {
    group: 'names',
    does: 'The domain of the addresses inside the platform',
    example: 'internal.example.com',
  },
  ORG_ENDPOINT_PREFIXES: {
    group: 'names',
    does: 'JSON, the prefix of the endpoints of each org',
    example: '{"my-org":"abc123"}',
  },

  ROLE: {
    group: 'process',
    does: '`all`, `app` (answers Slack) or `worker` (watches, makes changes, delivers)',
    fallback: 'all',
  },
  PORT: {
    group: 'process',
    does: 'The port for requests of Slack in HTTP mode, `POST /slack/events`',
    fallback: '3000',
  },
  OPS_PORT: {
    group: 'process',
    does: 'The port of `/healthz`, `/readyz` and `/metrics`',
    fallback: '9090',
  },
  OPS_HOST: {
    group: 'process',
    does: 'The address at which `OPS_PORT` is open; without it every address of the machine',
    example: '127.0.0.1',
  },
  ALLOW_HTTP: {
    group: 'process',
    does: '`true`: `SLACK_API_URL`, `API_URL`, `BILLING_URL` and `USAGE_URL` may begin with `http://` elsewhere than on this machine; tokens then travel in clear text',
    fallback: 'false',
  },
  REDIS_URL: {
    group: 'process',
    does: 'Redis; two or more nodes, separated by commas, are a Redis Cluster (`compose.yaml` sets its own)',
    fallback: 'redis://127.0.0.1:6379',
  },
  REDIS_CLUSTER: {
    group: 'process',
    does: '`true`: the one address of `REDIS_URL` is a node or the configuration endpoint of a Redis Cluster',
    fallback: 'false',
  },
  REDIS_SENTINELS: {
    group: 'process',
    does: 'The sentinels that know the primary, `HOST:PORT`, separated by commas; `REDIS_URL` then gives user, password, database and `rediss://`, and its host is not used',
    example: 'sentinel-1:26379,sentinel-2:26379,sentinel-3:26379',
  },
  REDIS_SENTINEL_NAME: {
    group: 'process',
    does: 'The name of the primary in the settings of the sentinels',
    example: 'mymaster',
  },
  REDIS_PREFIX: {
    group: 'process',
    does: 'What every key begins with, so that two Pursers can share a Redis',
    fallback: 'purser',
  },
  LOG_LEVEL: {
    group: 'process',
    does: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    fallback: 'info',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'process',
    does: 'A collector of OpenTelemetry that takes OTLP over HTTP: each job is then sent to it as a span; without it nothing is traced',
    example: 'http://collector:4318',
  },
};
