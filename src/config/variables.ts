import { isIP } from 'node:net';
import { z } from 'zod';
import { DAY_MS } from '../lib/time.ts';
import { logLevels } from '../lib/logger.ts';
import { Secret } from '../lib/secret.ts';
import { RESOURCE_NAME, RESOURCE_NAME_RULE } from '../platform/deployments/target.ts';
import { parseLinks } from './links.ts';
import {
  readRedisUrl,
  readSentinels,
  REDIS_HELP,
  RedisMistake,
  SENTINELS_HELP,
  type RedisNode,
} from './redis.ts';
import { channelId, channelProblem, parseWatches } from './watches.ts';

/** A text that `parse` accepts, else the problem with its solution. */
function parsed<T>(problem: string, parse: (text: string) => T | undefined) {
  return z.string({ error: `is not set: ${problem}` }).transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });
}

function matching(problem: string, pattern: RegExp) {
  return parsed(problem, (text) => (pattern.test(text) ? text : undefined));
}

function oneOf<const Choice extends string>(...choices: readonly Choice[]) {
  return parsed(`must be one of ${choices.join(', ')}`, (text) =>
    choices.find((choice) => choice === text),
  );
}

/** Addresses of Redis or its sentinels, else the mistake. */
function nodesBy(read: (text: string) => readonly RedisNode[], help: string) {
  return (text: string, context: z.core.$RefinementCtx) => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof RedisMistake)) throw error;
      context.addIssue({ code: 'custom', message: `${error.message}; ${help}` });
      return z.NEVER;
    }
  };
}

const flag = oneOf('true', 'false').transform((choice) => choice === 'true');
const notSecret = 'must be one word without spaces, line breaks or letters beyond ASCII';
const baseUrl = parsed(
  'give a URL that starts with https:// (or http://), without user name, query or fragment',
  toBaseUrl,
);
const port = parsed('give a port number from 0 to 65535, 0 means any free one', (text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
);
const seconds = parsed(
  'give a number of seconds above 0 and up to a day, such as 10 or 0.5',
  toMilliseconds,
);
const factor = parsed('give a number above 0 and up to 100, such as 1 or 0.5', toFactor);
const channel = matching(channelProblem, channelId);
const domain = parsed(
  'give a domain such as apps.example.com, which is no URL and no IP address',
  toDomain,
);
const HOST_NAME = /^(?=.*[a-z])[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const secret = parsed(notSecret, toSecret);
const MAX_FACTOR = 100;
const MAX_PACE_STEPS = 10;
/** Per cent. */
const MAX_PACE_STEP = 1_000;

/**
 * Every variable with its rule and its default. Rules between several of them are in `loadConfig`; their descriptions
 * are in `scripts/docs/settings.ts`.
 */
export const variables = {
  ROLE: oneOf('all', 'app', 'worker').default('all'),
  LOG_LEVEL: oneOf(...logLevels).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  PORT: port.default(3000),
  OPS_PORT: port.default(9090),
  OPS_HOST: parsed(
    'give an address of this machine, such as 127.0.0.1 or ::1, or its name',
    (text) => (isIP(text) > 0 || HOST_NAME.test(text) ? text : undefined),
  ).optional(),
  ALLOW_HTTP: flag.default(false),

  SLACK_MODE: oneOf('http', 'socket').optional(),
  SLACK_BOT_TOKEN: parsed(`give the bot token of the Slack app; it ${notSecret}`, toSecret),
  SLACK_SIGNING_SECRET: parsed(
    `give the signing secret of the Slack app, or several between commas, the newest first; each ${notSecret}`,
    toSecrets,
  ).optional(),
  SLACK_APP_TOKEN: secret.optional(),
  SLACK_API_URL: baseUrl.default('https://slack.com/api').transform((url) => `${url}/`),

  REDIS_URL: z
    .string()
    .default('redis://127.0.0.1:6379')
    .transform(nodesBy(readRedisUrl, REDIS_HELP)),
  REDIS_CLUSTER: flag.default(false),
  REDIS_SENTINELS: z.string().transform(nodesBy(readSentinels, SENTINELS_HELP)).optional(),
  REDIS_SENTINEL_NAME: matching(
    'use letters, digits, dashes, dots and underscores only',
    /^[\w.-]+$/,
  ).optional(),
  REDIS_PREFIX: matching(
    'use letters, digits, dashes, dots and underscores only',
    /^[\w.-]{1,64}$/,
  ).default('purser'),

  API_URL: baseUrl,
  ORG_TOKENS: parsed(
    'give a JSON object with the service account key of every org, {"my-org":"KEY"}; ' +
      `names are ${RESOURCE_NAME_RULE}`,
    toOrgTokens,
  ),
  DEFAULT_ORG: z.string().optional(),

  BILLING_URL: baseUrl.optional(),
  BILLING_ACCOUNT_ID: matching(
    "give the account's UUID; the customer id of the payment processor is another one",
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  ).optional(),
  BILLING_TOKEN: secret.optional(),
  BILLING_USER_TOKEN: secret.optional(),
  USAGE_URL: baseUrl.optional(),

  BRAND_PREFIX: matching(
    'use lower-case letters and digits only, such as svc',
    /^[a-z][a-z0-9]*$/,
  ).default('svc'),
  GLOBAL_DOMAIN: domain.optional(),
  LOCATION_DOMAIN: domain.optional(),
  INTERNAL_DOMAIN: domain.optional(),
  ORG_ENDPOINT_PREFIXES: parsed(
    'give a JSON object with the endpoint prefix of orgs, {"my-org":"prefix"}',
    toPrefixes,
  ).default(new Map()),

  NOTIFY_CHANNEL: channel,
  APPROVALS_CHANNEL: channel.optional(),
  BILLING_CHANNEL: channel.optional(),
  OPS_CHANNEL: channel.optional(),
  WATCHES: z
    .string()
    .default('')
    .transform((text, context) =>
      parseWatches(text, (message) => context.addIssue({ code: 'custom', message })),
    ),
  POLL_ACTIVE_SECONDS: seconds.default(10_000),
  POLL_IDLE_SECONDS: seconds.default(60_000),
  WATCH_PATIENCE: factor.default(1),
  BILLING_POLL_SECONDS: seconds.default(600_000),
  CONTACT: parsed(
    'give a channel id such as C0123ABC, a name such as #platform-help, or a mention as Slack writes it: <!subteam^S0123ABC> or <@U0123ABC>',
    toContact,
  ).optional(),
  APPROVERS: parsed(
    'give the id of a user group such as S0123ABC, or a mention as Slack writes it: <!subteam^S0123ABC> or <@U0123ABC>',
    toApprovers,
  ).optional(),
  LINKS: z
    .string()
    .default('{}')
    .transform((text, context) =>
      parseLinks(text, (message) => context.addIssue({ code: 'custom', message })),
    ),

  CHANGES: oneOf('on', 'off').default('on'),
  APPROVALS: oneOf('required', 'off').default('required'),
  ALLOW_SELF_APPROVAL: flag.default(false),
  SECRET_KEY: parsed(
    'give 32 random bytes in base64 (openssl rand -base64 32), or several of these between commas, the newest first',
    toKeys,
  ).optional(),
  ORG_ACCESS: parsed(
    'must be members, roles, the id of a user group such as S0123ABC, or a JSON object with one of these for each org, {"my-org":"roles"}',
    toOrgAccess,
  ).default({ kind: 'members' }),

  ORG_CHARGES: flag.default(false),

  PERSON_LIMIT: parsed('give a whole number from 0 to 1000, 0 means no limit', (text) =>
    /^\d{1,4}$/.test(text) && Number(text) <= 1_000 ? Number(text) : undefined,
  ).default(30),

  CURRENCY: parsed('give a currency code of three letters, such as USD', (text) =>
    /^[a-z]{3}$/i.test(text) ? text.toUpperCase() : undefined,
  ).default('USD'),
  DIGEST: oneOf('daily', 'weekly', 'off').default('daily'),
  DIGEST_TIME: parsed('give a time of day from 00:00 to 23:59', toTimeOfDay).default({
    hour: 9,
    minute: 0,
  }),
  PACE_STEPS: parsed(
    'give up to ten whole percentages from 1 to 1000 between commas, such as 50,75,90,100',
    toPaceSteps,
  ).default([50, 75, 90, 100]),
} as const;

export type VariableName = keyof typeof variables;
export type Values = { [Name in VariableName]: z.output<(typeof variables)[Name]> };

/** These may also come from a file, named by the variable with `_FILE` at its end. */
export const secretVariables = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'REDIS_URL',
  'REDIS_SENTINELS',
  'ORG_TOKENS',
  'BILLING_TOKEN',
  'BILLING_USER_TOKEN',
  'SECRET_KEY',
] as const satisfies readonly VariableName[];

/** Credentials travel in HTTP headers, which take visible ASCII only. */
function toSecret(text: string): Secret | undefined {
  return /^[\x21-\x7e]+$/.test(text) ? new Secret(text) : undefined;
}

/** Between commas, the newest first. */
function toSecrets(text: string): Secret | undefined {
  const [newest = '', ...older] = text.split(',').map((part) => part.trim());
  return [newest, ...older].every(toSecret) ? new Secret(newest, ...older) : undefined;
}

/** A domain that can have subdomains, which an IP address cannot; with an optional port. */
function toDomain(text: string): string | undefined {
  const isDomain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/i.test(text);
  return isDomain && URL.canParse(`https://name.${text}/`) ? text : undefined;
}

/** Without a trailing slash, so that paths can be appended. */
function toBaseUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;

  const { username, password, search, hash, href } = new URL(text);
  return username + password + search + hash === '' ? href.replace(/\/+$/, '') : undefined;
}

function toMilliseconds(text: string): number | undefined {
  const ms = /^\d*\.?\d+$/.test(text) ? Math.round(Number(text) * 1_000) : 0;
  return ms > 0 && ms <= DAY_MS ? ms : undefined;
}

function toFactor(text: string): number | undefined {
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= MAX_FACTOR ? number : undefined;
}

function toOrgTokens(text: string): ReadonlyMap<string, Secret> | undefined {
  const tokens = toEntries(text, toSecret);
  return tokens && tokens.size > 0 ? tokens : undefined;
}

function toPrefixes(text: string): ReadonlyMap<string, string> | undefined {
  return toEntries(text, (prefix) => (domainLabel.test(prefix) ? prefix : undefined));
}

/** A JSON object of org names and texts. Undefined where `parse` accepts one of these not. */
function toEntries<T>(
  text: string,
  parse: (value: string) => T | undefined,
): ReadonlyMap<string, T> | undefined {
  const values = new Map<string, T>();
  try {
    for (const [org, value] of Object.entries(OrgTexts.parse(JSON.parse(text)))) {
      const parsedValue = parse(value);
      if (parsedValue === undefined) return undefined;
      values.set(org, parsedValue);
    }
  } catch {
    return undefined;
  }
  return values;
}

const OrgTexts = z.record(z.string().regex(RESOURCE_NAME), z.string());

/** Keys of 32 bytes in base64 between commas. */
function toKeys(text: string): Secret | undefined {
  const secret = toSecrets(text);
  return secret?.all().every(isKey) ? secret : undefined;
}

function isKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === 32;
}

/** One rule for all orgs, or one for each; an org without a rule of its own takes a billing role. */
function toOrgAccess(text: string) {
  if (!text.startsWith('{')) return toOrgRule(text);
  const rules = toEntries(text, toOrgRule);
  return rules && rules.size > 0 ? ({ kind: 'orgs', rules } as const) : undefined;
}

/** Who may ask about an org: full members, people with a billing role, or one user group. */
function toOrgRule(text: string) {
  if (text === 'members') return { kind: text } as const;
  if (text === 'roles') return { kind: text } as const;
  return /^S[A-Z0-9]+$/.test(text) ? ({ kind: 'usergroup', id: text } as const) : undefined;
}

/** As Slack writes it; a name stays a name. */
function toContact(text: string): string | undefined {
  if (/^[CG][A-Z0-9]+$/.test(text)) return `<#${text}>`;
  return /^(?:#[\p{L}\p{N}_-]{1,80}|<!subteam\^S[A-Z0-9]+>|<@[UW][A-Z0-9]+>)$/u.test(text)
    ? text
    : undefined;
}

function toApprovers(text: string): string | undefined {
  if (/^S[A-Z0-9]+$/.test(text)) return `<!subteam^${text}>`;
  return /^(?:<!subteam\^S[A-Z0-9]+>|<@[UW][A-Z0-9]+>)$/.test(text) ? text : undefined;
}

function toTimeOfDay(text: string): { hour: number; minute: number } | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? { hour: Number(match[1]), minute: Number(match[2]) } : undefined;
}

/** Percentages, ascending. A duplicate is probably a mistyped step. */
function toPaceSteps(text: string): readonly number[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^\d+$/.test(part))) return undefined;

  const steps = [...new Set(parts.map(Number))].toSorted((a, b) => a - b);
  if (steps.length < parts.length || steps.length > MAX_PACE_STEPS) return undefined;
  return steps.every((step) => step >= 1 && step <= MAX_PACE_STEP) ? steps : undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;
export type ReadFile = (path: string) => string;

export interface Problem {
  readonly name: VariableName;
  readonly message: string;
}

/** The set variables, as written (`texts`) and parsed (`values`). An invalid value is left out. */
export function readVariables(env: Environment, readFile: ReadFile) {
  const texts: Partial<Record<VariableName, string>> = {};
  const values: Partial<Record<VariableName, unknown>> = {};
  const problems: Problem[] = [];
  for (const name of Object.keys(variables) as VariableName[]) {
    const file = secretVariables.some((one) => one === name) ? env[`${name}_FILE`] : undefined;
    // Editors, `--env-file` and files of Windows leave spaces and line breaks at the end.
    const text = (env[name] || (file && readSecretFile(file, readFile)))?.trim();
    if (text) texts[name] = text;
    if (file && env[name]) {
      problems.push({ name, message: `is set together with ${name}_FILE: keep one of them` });
    } else if (file && !text) {
      problems.push({ name, message: `${name}_FILE must name a readable file with the value` });
    } else {
      const { data, error } = variables[name].safeParse(texts[name]);
      if (error) problems.push(...error.issues.map(({ message }) => ({ name, message })));
      else values[name] = data;
    }
  }
  return { texts, values: values as Partial<Values>, problems };
}

/** Undefined when it is unreadable. */
function readSecretFile(path: string, readFile: ReadFile): string | undefined {
  try {
    return readFile(path);
  } catch {
    return undefined;
  }
}
