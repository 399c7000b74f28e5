import { readFileSync } from 'node:fs';
import type { LogLevel } from '../lib/logger.ts';
import { createScrubber, Secret } from '../lib/secret.ts';
import type { Credential } from '../platform/http.ts';
import {
  readVariables,
  secretVariables,
  toCredentials,
  type Environment,
  type OrgAccess,
  type Problem,
  type ReadFile,
  type Texts,
  type Values,
  type VariableName,
} from './variables.ts';
import type { RedisNode } from './redis.ts';
import type { ConfiguredWatch } from './watches.ts';

type SlackConnection =
  | { readonly mode: 'http'; readonly signingSecret: Secret }
  | { readonly mode: 'socket'; readonly appToken: Secret };

/** Everything the environment decides (design section 7). Times are milliseconds. */
export interface Config {
  readonly role: 'all' | 'app' | 'worker';
  readonly logLevel: LogLevel;
  /** Spans of jobs go to a collector. */
  readonly isTraced: boolean;
  /** 0 means any free port, for both. */
  readonly port: number;
  readonly opsPort: number;
  /** Absent: all addresses of the machine. */
  readonly opsHost?: string;
  readonly slack: SlackConnection & {
    readonly botToken: Secret;
    /** With a trailing slash; all other URLs are without. */
    readonly apiUrl: string;
  };
  readonly redis: {
    readonly nodes: readonly RedisNode[];
    /** Several nodes, or one that names the others. */
    readonly cluster: boolean;
    /** They name the primary; the first of `nodes` then gives user, password, database and TLS. */
    readonly sentinel?: { readonly name: string; readonly nodes: readonly RedisNode[] };
    readonly prefix: string;
  };
  readonly api: {
    readonly url: string;
    /** By org. */
    readonly credentials: ReadonlyMap<string, Credential>;
    /** Absent: there are several orgs, and a command has to name one. */
    readonly defaultOrg?: string;
  };
  /** Absent: billing is off. */
  readonly billing?: {
    readonly url: string;
    readonly accountId: string;
    readonly token: Secret;
    readonly userToken?: Secret;
  };
  /** Where people without a billing role may ask for the charges of single orgs; absent: nowhere. */
  readonly orgChargesUrl?: string;
  /** Absent: usage is off. */
  readonly usageUrl?: string;
  readonly brand: {
    readonly prefix: string;
    readonly globalDomain?: string;
    readonly locationDomain?: string;
    readonly internalDomain?: string;
    readonly orgEndpointPrefixes: ReadonlyMap<string, string>;
  };
  readonly channels: {
    readonly notify: string;
    readonly approvals: string;
    /** Absent: money messages are posted only in channels chosen for them. */
    readonly billing?: string;
    readonly ops: string;
    /** OPS_CHANNEL, if it is a channel of its own. */
    readonly ownOps?: string;
  };
  readonly watches: readonly ConfiguredWatch[];
  /** Pages that messages link to; the addresses have placeholders. */
  readonly links: Readonly<Values['LINKS']>;
  /** The contact for problems: a mention, as Slack writes it, or `#name`; absent: the administrator. */
  readonly contact?: string;
  /** A mention of those who can grant billing roles. */
  readonly approvers?: string;
  /** `patience` is the factor on the spans of the watch. */
  readonly polling: {
    readonly activeMs: number;
    readonly idleMs: number;
    readonly patience: number;
  };
  /** No change is requested, approved, sent or revealed. */
  readonly changesOff: boolean;
  readonly approvals: { readonly required: boolean; readonly allowSelf: boolean };
  /** 32 bytes in base64 each. Absent: changes that answer with a secret are off. */
  readonly secretKey?: Secret;
  readonly orgAccess: OrgAccess;
  /** Commands and clicks a minute of one person; 0: no limit. */
  readonly personLimit: number;
  readonly currency: string;
  /** Interval of the monitors of spend, invoices, tokens and thresholds. */
  readonly billingPollMs: number;
  /** `time` is in UTC. */
  readonly digest: {
    readonly every: Values['DIGEST'];
    readonly time: { readonly hour: number; readonly minute: number };
  };
  /** Percentages, ascending. */
  readonly paceSteps: readonly number[];
}

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
  const { credentials, problems: tokenProblems } = toCredentials(values, env);
  const problems = [...alone, ...tokenProblems, ...checkTogether(texts, values, alone)];
  // Without problems every value is set.
  if (problems.length === 0) return toConfig(values as Values, credentials);

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

/** Rules between several variables. `known`: these have been reported already. */
function checkTogether(
  texts: Texts,
  values: Partial<Values>,
  known: readonly Problem[],
): readonly Problem[] {
  const isMissing = (name: VariableName): boolean =>
    texts[name] === undefined && known.every((problem) => problem.name !== name);
  return [
    ...checkSlack(values, isMissing),
    ...checkBilling(values, isMissing),
    ...checkOrgs(values),
    ...checkPorts(values, isMissing),
    ...checkHttp(values),
    ...checkRedis(values, isMissing),
  ];
}

function checkSlack(
  values: Partial<Values>,
  isMissing: (name: VariableName) => boolean,
): readonly Problem[] {
  const isSocket = modeOf(values, isMissing) === 'socket';
  if (isSocket && isMissing('SLACK_APP_TOKEN')) {
    return [{ name: 'SLACK_APP_TOKEN', message: 'is not set: Socket Mode needs the app token' }];
  }
  if (!isSocket && isMissing('SLACK_SIGNING_SECRET')) {
    const message =
      'is not set: HTTP mode needs the signing secret (or set SLACK_APP_TOKEN for Socket Mode)';
    return [{ name: 'SLACK_SIGNING_SECRET', message }];
  }
  return [];
}

function modeOf(
  { SLACK_MODE }: Partial<Values>,
  isMissing: (name: VariableName) => boolean,
): SlackConnection['mode'] {
  return SLACK_MODE ?? (isMissing('SLACK_APP_TOKEN') ? 'http' : 'socket');
}

function checkBilling(
  { ORG_CHARGES, ORG_ACCESS }: Partial<Values>,
  isMissing: (name: VariableName) => boolean,
): readonly Problem[] {
  const account = ['BILLING_ACCOUNT_ID', 'BILLING_TOKEN'] as const;
  const group = ['BILLING_URL', ...account] as const;
  const missing = group.filter(isMissing);
  const isOrgsOnly = ORG_CHARGES === 'true' && account.every(isMissing);
  if (isOrgsOnly && isMissing('BILLING_URL')) {
    const message = 'is true, and the charges of an org are asked for at BILLING_URL: set it, too';
    return [{ name: 'ORG_CHARGES', message }];
  }
  if (isOrgsOnly && ORG_ACCESS?.kind === 'roles') {
    const message =
      'is true, and ORG_ACCESS=roles admits no one without BILLING_ACCOUNT_ID and BILLING_TOKEN: set both, or another ORG_ACCESS';
    return [{ name: 'ORG_CHARGES', message }];
  }
  if (isOrgsOnly || missing.length === group.length) return [];

  const given = group.filter((name) => !isMissing(name)).join(' and ');
  return missing.map((name) => ({
    name,
    message: `is not set while ${given} ${given.includes(' and ') ? 'are' : 'is'}: set all three or none`,
  }));
}

function checkOrgs({
  ORG_TOKENS: tokens,
  DEFAULT_ORG,
  ORG_ACCESS,
  WATCHES,
}: Partial<Values>): readonly Problem[] {
  if (!tokens) return [];

  const problems: Problem[] = [];
  if (DEFAULT_ORG !== undefined && !tokens.has(DEFAULT_ORG)) {
    problems.push({ name: 'DEFAULT_ORG', message: 'is not in ORG_TOKENS: add its key there' });
  }
  const ruled = ORG_ACCESS?.kind === 'orgs' ? [...ORG_ACCESS.rules.keys()] : [];
  for (const org of ruled.filter((one) => !tokens.has(one))) {
    const message = `org ${org} is not in ORG_TOKENS: add its key there`;
    problems.push({ name: 'ORG_ACCESS', message });
  }
  const strangers = new Set(WATCHES?.map((watch) => watch.org).filter((org) => !tokens.has(org)));
  for (const org of strangers) {
    problems.push({
      name: 'WATCHES',
      message: `org ${org} is not in ORG_TOKENS: add its key there`,
    });
  }
  return problems;
}

/** Both ports are open only in HTTP mode. */
function checkPorts(
  values: Partial<Values>,
  isMissing: (name: VariableName) => boolean,
): readonly Problem[] {
  const { ROLE, PORT, OPS_PORT } = values;
  const listens = ROLE !== 'worker' && modeOf(values, isMissing) === 'http';
  if (!listens || PORT === undefined || PORT === 0 || PORT !== OPS_PORT) return [];

  return [{ name: 'OPS_PORT', message: 'is the same as PORT: give each its own' }];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Tokens travel in clear text over plain HTTP, so it is for this machine alone, or asked for. */
function checkHttp({ ALLOW_HTTP, ...values }: Partial<Values>): readonly Problem[] {
  const names = ['SLACK_API_URL', 'API_URL', 'BILLING_URL', 'USAGE_URL'] as const;
  const plain = names.filter((name) => {
    const url = values[name] === undefined ? undefined : new URL(values[name]);
    return url?.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  });
  const message =
    'begins with http://, so tokens would travel in clear text: use https://, or set ALLOW_HTTP=true if the network in between is your own';
  return ALLOW_HTTP === 'true' ? [] : plain.map((name) => ({ name, message }));
}

function checkRedis(
  { REDIS_URL, REDIS_CLUSTER, REDIS_SENTINELS }: Partial<Values>,
  isMissing: (name: VariableName) => boolean,
): readonly Problem[] {
  const pair = ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME'] as const;
  const missing = pair.filter(isMissing);
  const isCluster = REDIS_CLUSTER === 'true' || (REDIS_URL?.length ?? 0) > 1;
  const problems: Problem[] = [];
  if (missing.length === 1) {
    const given = pair.find((name) => !missing.includes(name));
    problems.push({
      name: missing[0] ?? 'REDIS_SENTINELS',
      message: `is not set while ${given} is: set both or none`,
    });
  }
  if (isCluster && REDIS_SENTINELS !== undefined) {
    const message =
      'is set together with a Redis Cluster, which has no sentinels: unset one or the other';
    problems.push({ name: 'REDIS_SENTINELS', message });
  }
  if (REDIS_CLUSTER === 'true' && REDIS_URL?.some(({ db }) => db !== 0)) {
    const message =
      'is true, and a cluster has database 0 alone: leave the number behind the host of REDIS_URL out';
    problems.push({ name: 'REDIS_CLUSTER', message });
  }
  return problems;
}

function toRedis(values: Values): Config['redis'] {
  const { REDIS_URL: nodes, REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: name } = values;
  return {
    nodes,
    cluster: nodes.length > 1 || values.REDIS_CLUSTER === 'true',
    ...(sentinels !== undefined && name !== undefined && { sentinel: { name, nodes: sentinels } }),
    prefix: values.REDIS_PREFIX,
  };
}

function toConfig(values: Values, credentials: ReadonlyMap<string, Credential>): Config {
  const channel = values.NOTIFY_CHANNEL;
  return {
    role: values.ROLE,
    logLevel: values.LOG_LEVEL,
    isTraced: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    port: values.PORT,
    opsPort: values.OPS_PORT,
    ...optionally('opsHost', values.OPS_HOST),
    slack: toSlack(values),
    redis: toRedis(values),
    api: toApi(values, credentials),
    ...optionally('billing', toBilling(values)),
    ...optionally('orgChargesUrl', values.ORG_CHARGES === 'true' ? values.BILLING_URL : undefined),
    ...optionally('usageUrl', values.USAGE_URL),
    brand: {
      prefix: values.BRAND_PREFIX,
      ...optionally('globalDomain', values.GLOBAL_DOMAIN),
      ...optionally('locationDomain', values.LOCATION_DOMAIN),
      ...optionally('internalDomain', values.INTERNAL_DOMAIN),
      orgEndpointPrefixes: values.ORG_ENDPOINT_PREFIXES,
    },
    channels: {
      notify: channel,
      approvals: values.APPROVALS_CHANNEL ?? channel,
      ...optionally('billing', values.BILLING_CHANNEL),
      ops: values.OPS_CHANNEL ?? channel,
      ...optionally('ownOps', values.OPS_CHANNEL === channel ? undefined : values.OPS_CHANNEL),
    },
    watches: values.WATCHES,
    links: values.LINKS,
    ...optionally('contact', values.CONTACT),
    ...optionally('approvers', values.APPROVERS),
    polling: {
      activeMs: values.POLL_ACTIVE_SECONDS,
      idleMs: values.POLL_IDLE_SECONDS,
      patience: values.WATCH_PATIENCE,
    },
    changesOff: values.CHANGES === 'off',
    approvals: {
      required: values.APPROVALS === 'required',
      allowSelf: values.ALLOW_SELF_APPROVAL === 'true',
    },
    ...optionally('secretKey', values.SECRET_KEY),
    orgAccess: values.ORG_ACCESS,
    personLimit: values.PERSON_LIMIT,
    currency: values.CURRENCY,
    billingPollMs: values.BILLING_POLL_SECONDS,
    digest: { every: values.DIGEST, time: values.DIGEST_TIME },
    paceSteps: values.PACE_STEPS,
  };
}

function toSlack(values: Values): Config['slack'] {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = values;
  const common = { botToken: values.SLACK_BOT_TOKEN, apiUrl: values.SLACK_API_URL };
  if (appToken && values.SLACK_MODE !== 'http') return { mode: 'socket', appToken, ...common };
  if (signingSecret) return { mode: 'http', signingSecret, ...common };
  throw new Error('unreachable: the secrets of the mode were checked');
}

function toApi(values: Values, credentials: ReadonlyMap<string, Credential>): Config['api'] {
  const [onlyOrg] = credentials.size === 1 ? credentials.keys() : [];
  return {
    url: values.API_URL,
    credentials,
    ...optionally('defaultOrg', values.DEFAULT_ORG ?? onlyOrg),
  };
}

function toBilling(values: Values): Config['billing'] {
  const { BILLING_URL: url, BILLING_ACCOUNT_ID: accountId, BILLING_TOKEN: token } = values;
  if (url === undefined || accountId === undefined || token === undefined) return undefined;

  return { url, accountId, token, ...optionally('userToken', values.BILLING_USER_TOKEN) };
}

/** Omits an absent member instead of setting it to undefined. */
function optionally<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
