import { readFileSync } from 'node:fs';
import { createScrubber, Secret } from '../lib/secret.ts';
import type { Credential } from '../platform/http.ts';
import {
  readVariables,
  secretVariables,
  type Environment,
  type Problem,
  type ReadFile,
  type Values,
  type VariableName,
} from './variables.ts';

/** Everything the environment decides (design section 7). Times are milliseconds. */
export type Config = ReturnType<typeof toConfig>;

/** All problems of the environment, one line each; no line holds a secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The environment has ${problems.length} problem(s):\n${problems.join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the whole configuration. Empty variables count as unset; every secret may come from the file that `NAME_FILE`
 * names.
 * @throws ConfigError with every problem, never just the first
 */
export function loadConfig(
  env: Environment = process.env,
  readFile: ReadFile = (path) => readFileSync(path, 'utf8'),
): Config {
  const { texts, values, problems: alone } = readVariables(env, readFile);
  const known = new Set(alone.map(({ name }) => name));
  const isMissing = (name: VariableName): boolean => texts[name] === undefined && !known.has(name);
  const problems = [...alone, ...checkTogether(values, isMissing, env)];
  // Without problems every value is set.
  if (problems.length === 0) return toConfig(values as Values, env);

  const secrets = [...secretVariables.flatMap((name) => texts[name] ?? []), ...secretsOf(values)];
  const scrub = createScrubber(secrets);
  throw new ConfigError(problems.map(({ name, message }) => `${name}: ${scrub(message)}`));
}

export function secretsOf(config: object): Secret[] {
  return [...(config instanceof Map ? config.values() : Object.values(config))].flatMap((value) => {
    if (value instanceof Secret) return [value];
    return typeof value === 'object' && value !== null ? secretsOf(value) : [];
  });
}

/** A rule between several variables: what to change, whether it is broken, and how to keep it. */
type Rule = readonly [name: VariableName, isBroken: boolean, message: string];
type IsMissing = (name: VariableName) => boolean;

function checkTogether(
  values: Partial<Values>,
  isMissing: IsMissing,
  env: Environment,
): readonly Problem[] {
  const rules = [
    ...tokenRules(values, env),
    ...slackRules(values, isMissing),
    ...billingRules(values, isMissing),
    ...orgRules(values),
    ...addressRules(values, isMissing),
    ...redisRules(values, isMissing),
  ];
  return rules.flatMap(([name, isBroken, message]) => (isBroken ? [{ name, message }] : []));
}

/**
 * Where Purser runs as a workload, `"$SVC_TOKEN"` in place of a key (with the brand's prefix) means the token that
 * the platform injects into this variable.
 */
function injectedBy({ BRAND_PREFIX = 'svc' }: Partial<Values>): string {
  return `${BRAND_PREFIX.toUpperCase()}_TOKEN`;
}

function tokenRules(values: Partial<Values>, env: Environment): Rule[] {
  const variable = injectedBy(values);
  return [...(values.ORG_TOKENS ?? [])].map(([org, key]) => [
    'ORG_TOKENS',
    key.reveal() === `$${variable}` && !env[variable],
    `org ${org} is to use the workload’s own token, and ${variable} is not set: run Purser as a workload of the platform, or give a service account key`,
  ]);
}

function slackRules(values: Partial<Values>, isMissing: IsMissing): Rule[] {
  const isSocket = modeOf(values, isMissing) === 'socket';
  return [
    [
      'SLACK_APP_TOKEN',
      isSocket && isMissing('SLACK_APP_TOKEN'),
      'is not set: Socket Mode needs the app token',
    ],
    [
      'SLACK_SIGNING_SECRET',
      !isSocket && isMissing('SLACK_SIGNING_SECRET'),
      'is not set: HTTP mode needs the signing secret (or set SLACK_APP_TOKEN for Socket Mode)',
    ],
  ];
}

function modeOf({ SLACK_MODE }: Partial<Values>, isMissing: IsMissing): 'http' | 'socket' {
  return SLACK_MODE ?? (isMissing('SLACK_APP_TOKEN') ? 'http' : 'socket');
}

function billingRules({ ORG_CHARGES, ORG_ACCESS }: Partial<Values>, isMissing: IsMissing): Rule[] {
  const account = ['BILLING_ACCOUNT_ID', 'BILLING_TOKEN'] as const;
  const group = ['BILLING_URL', ...account] as const;
  const given = group.filter((name) => !isMissing(name));
  const isOrgsOnly = ORG_CHARGES === true && account.every(isMissing);
  const hasUrl = given.includes('BILLING_URL');
  const are = given.length > 1 ? 'are' : 'is';
  return [
    [
      'ORG_CHARGES',
      isOrgsOnly && !hasUrl,
      'is true, and the charges of an org are asked for at BILLING_URL: set it, too',
    ],
    [
      'ORG_CHARGES',
      isOrgsOnly && hasUrl && ORG_ACCESS?.kind === 'roles',
      'is true, and ORG_ACCESS=roles admits no one without BILLING_ACCOUNT_ID and BILLING_TOKEN: set both, or another ORG_ACCESS',
    ],
    ...group.map((name): Rule => [
      name,
      !isOrgsOnly && given.length > 0 && isMissing(name),
      `is not set while ${given.join(' and ')} ${are}: set all three or none`,
    ]),
  ];
}

function orgRules({ ORG_TOKENS, DEFAULT_ORG, ORG_ACCESS, WATCHES = [] }: Partial<Values>): Rule[] {
  const isStranger = (org: string): boolean => ORG_TOKENS?.has(org) === false;
  const add = 'is not in ORG_TOKENS: add its key there';
  const ruled = ORG_ACCESS?.kind === 'orgs' ? [...ORG_ACCESS.rules.keys()] : [];
  const watched = [...new Set(WATCHES.map(({ org }) => org))];
  return [
    ['DEFAULT_ORG', DEFAULT_ORG !== undefined && isStranger(DEFAULT_ORG), add],
    ...ruled.map((org): Rule => ['ORG_ACCESS', isStranger(org), `org ${org} ${add}`]),
    ...watched.map((org): Rule => ['WATCHES', isStranger(org), `org ${org} ${add}`]),
  ];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function addressRules(values: Partial<Values>, isMissing: IsMissing): Rule[] {
  const { ROLE, PORT, OPS_PORT, ALLOW_HTTP = false } = values;
  // Both ports are open only in HTTP mode; 0 is any free one.
  const listens = ROLE !== 'worker' && modeOf(values, isMissing) === 'http' && Boolean(PORT);
  // Tokens travel in clear text over plain HTTP, so it is for this machine alone, or asked for.
  const isPlain = (address: string | undefined): boolean => {
    const url = address === undefined ? undefined : new URL(address);
    return url?.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  };
  const addresses = ['SLACK_API_URL', 'API_URL', 'BILLING_URL', 'USAGE_URL'] as const;
  return [
    ['OPS_PORT', listens && PORT === OPS_PORT, 'is the same as PORT: give each its own'],
    ...addresses.map((name): Rule => [
      name,
      !ALLOW_HTTP && isPlain(values[name]),
      'begins with http://, so tokens would travel in clear text: use https://, or set ALLOW_HTTP=true if the network in between is your own',
    ]),
  ];
}

function redisRules(
  { REDIS_URL = [], REDIS_CLUSTER = false, REDIS_SENTINELS }: Partial<Values>,
  isMissing: IsMissing,
): Rule[] {
  const pair = ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME'] as const;
  const given = pair.filter((name) => !isMissing(name));
  return [
    ...pair.map((name): Rule => [
      name,
      given.length === 1 && isMissing(name),
      `is not set while ${given[0]} is: set both or none`,
    ]),
    [
      'REDIS_SENTINELS',
      REDIS_SENTINELS !== undefined && (REDIS_CLUSTER || REDIS_URL.length > 1),
      'is set together with a Redis Cluster, which has no sentinels: unset one or the other',
    ],
    [
      'REDIS_CLUSTER',
      REDIS_CLUSTER && REDIS_URL.some(({ db }) => db !== 0),
      'is true, and a cluster has database 0 alone: leave the number behind the host of REDIS_URL out',
    ],
  ];
}

function toConfig(values: Values, env: Environment) {
  const { NOTIFY_CHANNEL: notify, OPS_CHANNEL: ops } = values;
  return {
    role: values.ROLE,
    logLevel: values.LOG_LEVEL,
    /** Spans of jobs go to a collector. */
    isTraced: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    port: values.PORT,
    opsPort: values.OPS_PORT,
    /** Undefined: all addresses of the machine. */
    opsHost: values.OPS_HOST,
    slack: toSlack(values),
    redis: toRedis(values),
    api: toApi(values, env),
    /** Undefined: billing is off. */
    billing: toBilling(values),
    /** Where people without a billing role may ask for the charges of single orgs; undefined: nowhere. */
    orgChargesUrl: values.ORG_CHARGES ? values.BILLING_URL : undefined,
    /** Undefined: usage is off. */
    usageUrl: values.USAGE_URL,
    brand: {
      prefix: values.BRAND_PREFIX,
      globalDomain: values.GLOBAL_DOMAIN,
      locationDomain: values.LOCATION_DOMAIN,
      internalDomain: values.INTERNAL_DOMAIN,
      orgEndpointPrefixes: values.ORG_ENDPOINT_PREFIXES,
    },
    channels: {
      notify,
      approvals: values.APPROVALS_CHANNEL ?? notify,
      /** Undefined: money messages are posted only in channels chosen for them. */
      billing: values.BILLING_CHANNEL,
      ops: ops ?? notify,
    },
    /** OPS_CHANNEL, if it is a channel of its own. */
    ownOpsChannel: ops === notify ? undefined : ops,
    watches: values.WATCHES,
    /** Pages that messages link to; the addresses have placeholders. */
    links: values.LINKS,
    /** The contact for problems: a mention, as Slack writes it, or `#name`; undefined: the administrator. */
    contact: values.CONTACT,
    /** A mention of those who can grant billing roles. */
    approvers: values.APPROVERS,
    polling: {
      activeMs: values.POLL_ACTIVE_SECONDS,
      idleMs: values.POLL_IDLE_SECONDS,
      /** The factor on the spans of the watch. */
      patience: values.WATCH_PATIENCE,
    },
    /** No change is requested, approved, sent or revealed. */
    changesOff: values.CHANGES === 'off',
    approvals: {
      required: values.APPROVALS === 'required',
      allowSelf: values.ALLOW_SELF_APPROVAL,
    },
    /** 32 bytes in base64 each. Undefined: changes that answer with a secret are off. */
    secretKey: values.SECRET_KEY,
    orgAccess: values.ORG_ACCESS,
    /** Commands and clicks a minute of one person; 0: no limit. */
    personLimit: values.PERSON_LIMIT,
    currency: values.CURRENCY,
    /** Interval of the monitors of spend, invoices, tokens and thresholds. */
    billingPollMs: values.BILLING_POLL_SECONDS,
    /** `time` is in UTC. */
    digest: { every: values.DIGEST, time: values.DIGEST_TIME },
    /** Percentages, ascending. */
    paceSteps: values.PACE_STEPS,
  };
}

function toSlack(values: Values) {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = values;
  const common = { botToken: values.SLACK_BOT_TOKEN, apiUrl: values.SLACK_API_URL };
  if (appToken && values.SLACK_MODE !== 'http') {
    return { mode: 'socket', appToken, ...common } as const;
  }
  if (signingSecret) return { mode: 'http', signingSecret, ...common } as const;
  throw new Error('unreachable: the secrets of the mode were checked');
}

function toRedis(values: Values) {
  const { REDIS_URL: nodes, REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: name } = values;
  return {
    nodes,
    /** Several nodes, or one that names the others. */
    cluster: nodes.length > 1 || values.REDIS_CLUSTER,
    /** They name the primary; the first of `nodes` then gives user, password, database and TLS. */
    sentinel: sentinels && name !== undefined ? { name, nodes: sentinels } : undefined,
    prefix: values.REDIS_PREFIX,
  };
}

function toApi(
  values: Values,
  env: Environment,
): {
  url: string;
  /** By org. The token of a workload is sent plain. */
  credentials: ReadonlyMap<string, Credential>;
  /** Undefined: there are several orgs, and a command has to name one. */
  defaultOrg?: string | undefined;
} {
  const variable = injectedBy(values);
  const tokens = [...values.ORG_TOKENS];
  return {
    url: values.API_URL,
    credentials: new Map(
      tokens.map(([org, key]) => [
        org,
        key.reveal() === `$${variable}`
          ? { kind: 'workload', secret: new Secret(env[variable] ?? '') }
          : { kind: 'bearer', secret: key },
      ]),
    ),
    defaultOrg: values.DEFAULT_ORG ?? (tokens.length === 1 ? tokens[0]?.[0] : undefined),
  };
}

function toBilling(values: Values) {
  const { BILLING_URL: url, BILLING_ACCOUNT_ID: accountId, BILLING_TOKEN: token } = values;
  if (url === undefined || accountId === undefined || token === undefined) return undefined;

  return { url, accountId, token, userToken: values.BILLING_USER_TOKEN };
}
