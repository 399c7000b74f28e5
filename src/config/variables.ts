import { isIP } from 'node:net';
import { z } from 'zod';
import { DAY_MS } from '../lib/time.ts';
import { logLevels } from '../lib/logger.ts';
import { Secret } from '../lib/secret.ts';
import type { Credential } from '../platform/http.ts';
import { RESOURCE_NAME, RESOURCE_NAME_RULE } from '../platform/deployments/target.ts';
import { parseLinks } from './links.ts';
import { readRedisUrl, readSentinels } from './redis.ts';
import { channelId, channelProblem, parseWatches } from './watches.ts';

/** Who may ask about an org: full members, people with a billing role, or one user group. */
type OrgRule =
  | { readonly kind: 'members' }
  | { readonly kind: 'roles' }
  | { readonly kind: 'usergroup'; readonly id: string };

/** One rule for all orgs, or one for each; an org without a rule of its own takes a billing role. */
export type OrgAccess =
  OrgRule | { readonly kind: 'orgs'; readonly rules: ReadonlyMap<string, OrgRule> };

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

/** Addresses of Redis or its sentinels, else the problem. */
function nodesBy(read: typeof readRedisUrl) {
  return (text: string, context: z.core.$RefinementCtx) => {
    const nodes = read(text);
    if (!('mistake' in nodes)) return nodes;
    context.addIssue({ code: 'custom', message: nodes.mistake });
    return z.NEVER;
  };
}

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
  ALLOW_HTTP: oneOf('true', 'false').default('false'),

  SLACK_MODE: oneOf('http', 'socket').optional(),
  SLACK_BOT_TOKEN: parsed(`give the bot token of the Slack app; it ${notSecret}`, toSecret),
  SLACK_SIGNING_SECRET: parsed(
    `give the signing secret of the Slack app, or several between commas, the newest first; each ${notSecret}`,
    toSecrets,
  ).optional(),
  SLACK_APP_TOKEN: secret.optional(),
  SLACK_API_URL: baseUrl.default('https://slack.com/api').transform((url) => `${url}/`),

  REDIS_URL: z.string().default('redis://127.0.0.1:6379').transform(nodesBy(readRedisUrl)),
  REDIS_CLUSTER: oneOf('true', 'false').default('false'),
  REDIS_SENTINELS: z.string().transform(nodesBy(readSentinels)).optional(),
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
  ALLOW_SELF_APPROVAL: oneOf('true', 'false').default('false'),
  SECRET_KEY: parsed(
    'give 32 random bytes in base64 (openssl rand -base64 32), or several of these between commas, the newest first',
    toKeys,
  ).optional(),
  ORG_ACCESS: parsed(
    'must be members, roles, the id of a user group such as S0123ABC, or a JSON object with one of these for each org, {"my-org":"roles"}',
    toOrgAccess,
  ).default({ kind: 'members' }),

  ORG_CHARGES: oneOf('true', 'false').default('false'),

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
  const entries = toEntries(text)?.map(([org, key]) => [org, toSecret(key)] as const);
  const valid = entries?.filter((entry): entry is [string, Secret] => entry[1] !== undefined);
  return valid && valid.length > 0 && valid.length === entries?.length ? new Map(valid) : undefined;
}

function toPrefixes(text: string): ReadonlyMap<string, string> | undefined {
  const entries = toEntries(text);
  return entries?.every(([, prefix]) => domainLabel.test(prefix)) ? new Map(entries) : undefined;
}

/** A JSON object of org names and texts. */
function toEntries(text: string): [string, string][] | undefined {
  try {
    return Object.entries(
      z.record(z.string().regex(RESOURCE_NAME), z.string()).parse(JSON.parse(text)),
    );
  } catch {
    return undefined;
  }
}

/** Keys of 32 bytes in base64 between commas. */
function toKeys(text: string): Secret | undefined {
  const secret = toSecrets(text);
  return secret?.all().every(isKey) ? secret : undefined;
}

function isKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === 32;
}

function toOrgAccess(text: string): OrgAccess | undefined {
  if (!text.startsWith('{')) return toOrgRule(text);
  const rules = toEntries(text)?.map(([org, rule]) => [org, toOrgRule(rule)] as const);
  const valid = rules?.filter((entry): entry is [string, OrgRule] => entry[1] !== undefined);
  if (!valid || valid.length === 0 || valid.length !== rules?.length) return undefined;
  return { kind: 'orgs', rules: new Map(valid) };
}

function toOrgRule(text: string): OrgRule | undefined {
  if (text === 'members' || text === 'roles') return { kind: text };
  return /^S[A-Z0-9]+$/.test(text) ? { kind: 'usergroup', id: text } : undefined;
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
export type Texts = Partial<Record<VariableName, string>>;

export interface Problem {
  readonly name: VariableName;
  readonly message: string;
}

const variableNames = Object.keys(variables) as VariableName[];

/** The set variables, as written (`texts`) and parsed (`values`). An invalid value is left out. */
export function readVariables(
  env: Environment,
  readFile: ReadFile,
): { texts: Texts; values: Partial<Values>; problems: readonly Problem[] } {
  const { texts, problems: fileProblems } = readTexts(env, readFile);
  const { values, problems } = readValues(texts, fileProblems);
  return { texts, values, problems: [...fileProblems, ...problems] };
}

/** Variables that are set, and the files that `NAME_FILE` names for secrets. */
function readTexts(env: Environment, readFile: ReadFile): { texts: Texts; problems: Problem[] } {
  const texts: Texts = {};
  const problems: Problem[] = [];
  for (const name of variableNames) {
    const text = env[name];
    if (text) texts[name] = text;
  }

  for (const name of secretVariables) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (texts[name] !== undefined) {
      problems.push({ name, message: `is set together with ${name}_FILE: keep one of them` });
      continue;
    }
    const text = readSecretFile(path, readFile);
    if (text) texts[name] = text;
    else problems.push({ name, message: `${name}_FILE must name a readable file with the value` });
  }
  return { texts, problems };
}

/** Each variable by its own rule. An invalid value is left out; `known`: problems reported already. */
function readValues(
  texts: Texts,
  known: readonly Problem[],
): { values: Partial<Values>; problems: Problem[] } {
  const values: Partial<Record<VariableName, unknown>> = {};
  const problems: Problem[] = [];
  for (const name of variableNames) {
    if (known.some((problem) => problem.name === name)) continue;
    const result = variables[name].safeParse(texts[name]);
    if (result.success) values[name] = result.data;
    else problems.push(...result.error.issues.map(({ message }) => ({ name, message })));
  }
  return { values: values as Partial<Values>, problems };
}

/** Undefined when it is unreadable. The line break that editors add at the end is dropped. */
function readSecretFile(path: string, readFile: ReadFile): string | undefined {
  try {
    return readFile(path).replace(/(?:\r?\n)+$/, '');
  } catch {
    return undefined;
  }
}

/**
 * The credential of every org. Where Purser runs as a workload, `"$SVC_TOKEN"` in place of a key (with the brand's
 * prefix) means the token that the platform injects; that one is sent plain.
 */
export function toCredentials(
  values: Partial<Pick<Values, 'ORG_TOKENS' | 'BRAND_PREFIX'>>,
  env: Environment,
): { credentials: ReadonlyMap<string, Credential>; problems: readonly Problem[] } {
  const variable = `${(values.BRAND_PREFIX ?? 'svc').toUpperCase()}_TOKEN`;
  const injected = env[variable];
  const credentials = new Map<string, Credential>();
  const problems: Problem[] = [];
  for (const [org, key] of values.ORG_TOKENS ?? []) {
    if (key.reveal() !== `$${variable}`) credentials.set(org, { kind: 'bearer', secret: key });
    else if (injected) credentials.set(org, { kind: 'workload', secret: new Secret(injected) });
    else {
      const message = `org ${org} is to use the workload’s own token, and ${variable} is not set: run Purser as a workload of the platform, or give a service account key`;
      problems.push({ name: 'ORG_TOKENS', message });
    }
  }
  return { credentials, problems };
}
