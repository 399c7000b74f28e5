import { UsageError } from '../../lib/errors.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import { readTarget } from '../../platform/deployments/target.ts';
import type { Amount, RolloutOptions } from '../../platform/workload/finding.ts';

/** The org has a default, which is applied later. */
interface About {
  target: WorkloadTarget;
  org: string | undefined;
}

export interface WorkloadTarget {
  gvc: string;
  workload: string;
}

/** `/workload …`, parsed (design section 3). */
export type WorkloadCommand =
  | { kind: 'help' }
  | ({ kind: 'addresses'; replicas: number | undefined; port: number | undefined } & About)
  | { kind: 'env' | 'tags'; word: string | undefined }
  | { kind: 'check' }
  | { kind: 'plan'; options: RolloutOptions }
  | ({ kind: 'probe' } & About);

const SUBCOMMANDS = ['addresses', 'env', 'tags', 'check', 'plan', 'probe'] as const;

type Subcommand = (typeof SUBCOMMANDS)[number];

/** More replicas are a typo, not a workload. */
const MAX_REPLICAS = 1_000;

const MAX_PORT = 65_535;

/** @throws UsageError with the nearest match */
export function parseWorkload(words: readonly Word[]): WorkloadCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'help' };
  const subcommand = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  if (subcommand === undefined) throw noSubcommand(first.text, rest);
  return readingIn(subcommand, () => parseSubcommand(subcommand, rest));
}

/** Adds the usage of the subcommand to errors. @throws UsageError */
export function readingIn<Read>(subcommand: Subcommand, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? error.about(`/workload ${subcommand}`) : error;
  }
}

function parseSubcommand(subcommand: Subcommand, rest: readonly Word[]): WorkloadCommand {
  switch (subcommand) {
    case 'addresses':
      return parseAddresses(rest);
    case 'env':
    case 'tags': {
      const word = rest.map(({ text }) => text).join(' ');
      return { kind: subcommand, word: word.trim() === '' ? undefined : word.trim() };
    }
    case 'check':
      if (rest.length === 0) return { kind: 'check' };
      throw new UsageError(
        '"check" takes no words: it opens a form for the manifest.',
        '/workload check',
      );
    case 'plan':
      return parsePlan(rest);
    case 'probe':
      return { kind: 'probe', ...aboutOf('probe', pairsOf('probe', rest, ['org'])) };
  }
}

/** The suggestion keeps the words after the wrong one. */
function noSubcommand(word: string, rest: readonly Word[]): UsageError {
  const meant = nearest(word, SUBCOMMANDS);
  const start = word.includes('/') ? `addresses ${word}` : meant;
  const suggestion = start && [start, ...rest.map(typedAgain)].join(' ');
  return new UsageError(
    `"${truncate(word, 30)}" is not a word of /workload: it takes ${SUBCOMMANDS.join(', ')}.`,
    suggestion && `/workload ${suggestion}`,
  );
}

function typedAgain({ text, quoted }: Word): string {
  return quoted ? `"${text}"` : text;
}

function parseAddresses(words: readonly Word[]): WorkloadCommand {
  const pairs = pairsOf('addresses', words, ['replicas', 'port', 'org']);
  const { replicas, port } = pairs.values;
  return {
    kind: 'addresses',
    ...aboutOf('addresses', pairs),
    replicas: replicas && readCount(replicas, MAX_REPLICAS),
    port: port && readCount(port, MAX_PORT),
  };
}

/** @param others words without `=` */
function aboutOf(
  subcommand: Subcommand,
  { values, others }: { values: Partial<Record<'org', Pair>>; others: readonly string[] },
): About {
  const [name, extra] = others;
  if (name === undefined) {
    throw new UsageError(`"${subcommand}" needs a workload: write GVC/WORKLOAD after it.`);
  }
  const { gvc, workload, location } = readTarget(name);
  if (workload === undefined) {
    throw new UsageError(
      `"${subcommand}" needs a workload of ${truncate(gvc, 40)}: write ${truncate(gvc, 40)}/WORKLOAD.`,
    );
  }
  if (location !== undefined) {
    throw new UsageError(
      `"${subcommand}" is about a workload in all its locations.`,
      `/workload ${subcommand} ${gvc}/${workload}`,
    );
  }
  if (extra !== undefined) throw cannotRead(extra);
  return { target: { gvc, workload }, org: values.org?.value };
}

function cannotRead(word: string): UsageError {
  return new UsageError(
    `"${truncate(word, 60)}" has no meaning here: only org NAME can follow the workload.`,
  ).withExample(EXAMPLES.org);
}

const PLAN_KEYS = ['replicas', 'maxSurge', 'maxUnavailable', 'minReady', 'policy'] as const;

function parsePlan(words: readonly Word[]): WorkloadCommand {
  const { values, others } = pairsOf('plan', words, PLAN_KEYS);
  const { replicas, maxSurge, maxUnavailable, minReady, policy } = values;
  const [extra] = others;
  if (extra !== undefined) {
    const count = /^\d+$/.test(extra) && replicas === undefined;
    throw new UsageError(
      `"${truncate(extra, 30)}" needs a name before it: ${PLAN_KEYS.join('=, ')}=.`,
      count ? `/workload plan replicas=${truncate(extra, 10)}` : undefined,
    );
  }
  if (replicas === undefined) throw new UsageError('A plan needs a number of replicas.');
  // The hint of the command, sent unchanged: not a misspelling.
  if (replicas.value === 'N') throw new UsageError('Write a number for N.');
  return {
    kind: 'plan',
    options: {
      replicas: readCount(replicas, MAX_REPLICAS),
      maxSurge: maxSurge && readAmount(maxSurge),
      maxUnavailable: maxUnavailable && readAmount(maxUnavailable),
      minReadySeconds: minReady && readSeconds(minReady),
      policy: policy && readPolicy(policy, words),
    },
  };
}

const POLICIES = ['OrderedReady', 'Parallel'] as const;

function readPolicy({ value }: Pair, words: readonly Word[]): (typeof POLICIES)[number] {
  const plain = value.replaceAll(/[-_]/g, '').toLowerCase();
  const policy = POLICIES.find((one) => one.toLowerCase() === plain);
  if (policy !== undefined) return policy;
  const meant = nearest(plain, POLICIES);
  throw new UsageError(
    `"${truncate(value, 40)}" is not a scaling policy: write OrderedReady or Parallel.`,
    meant && ['/workload plan', ...tidied(words)].join(' ').replace(`=${value}`, () => `=${meant}`),
  ).withExample(EXAMPLES.policy);
}

/**
 * Accepts what people and phones make of `key=value`: blanks around the sign, `--key`, `max-surge`,
 * `50 %`. `others` are the words without a sign.
 * @throws UsageError for an unknown or repeated key, with the nearest match
 */
function pairsOf<Taken extends Key>(
  subcommand: Subcommand,
  words: readonly Word[],
  keys: readonly Taken[],
): { values: Partial<Record<Taken, Pair>>; others: string[] } {
  const values: Partial<Record<Taken, Pair>> = {};
  const others: string[] = [];
  const queue = tidied(words);
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    const takesOrg = text.toLowerCase() === 'org' && keys.some((key) => key === 'org');
    const at = takesOrg ? text.length : text.indexOf('=');
    if (at === -1) {
      others.push(text);
      continue;
    }
    const right = (key: string) => `${key}${takesOrg ? '' : text.slice(at)}`;
    const key = keyOf(text.slice(0, at), keys, (meant) => [
      `/workload ${subcommand}`,
      ...tidied(words).map((word) => (word === text ? right(meant) : word)),
    ]);
    if (values[key] !== undefined) {
      throw new UsageError(`"${key}" is there twice: leave one out.`);
    }
    const value = takesOrg ? (queue.shift() ?? '') : text.slice(at + 1);
    if (value === '') {
      const sentence = `Write a value after "${takesOrg ? key : `${key}=`}".`;
      throw new UsageError(sentence).withExample(EXAMPLES[key]);
    }
    values[key] = { key, value };
  }
  return { values, others };
}

const EXAMPLES: Readonly<Record<'org' | 'port' | (typeof PLAN_KEYS)[number], string>> = {
  org: 'org acme',
  port: 'port=8080',
  replicas: 'replicas=4',
  maxSurge: 'maxSurge=50%',
  maxUnavailable: 'maxUnavailable=50%',
  minReady: 'minReady=30',
  policy: 'policy=Parallel',
};

type Key = keyof typeof EXAMPLES;

interface Pair {
  key: Key;
  value: string;
}

/** Names from manifests (spec 2.13) that have a shorter key here, in lower case. */
const ALIASES: Readonly<Record<string, string>> = {
  maxsurgereplicas: 'maxsurge',
  surge: 'maxsurge',
  maxunavailablereplicas: 'maxunavailable',
  unavailable: 'maxunavailable',
  minreadyseconds: 'minready',
  scalingpolicy: 'policy',
  replica: 'replicas',
};

/** Names and values contain no blanks, so all blanks around a sign can go. */
function tidied(words: readonly Word[]): string[] {
  const line = words.map(({ text }) => text).join(' ');
  return line
    .split(/[=＝]/)
    .map((side) => side.trim())
    .join('=')
    .replaceAll(/(?<=\d)\s*(?:[%％﹪]|percent\b|per cent\b)/gi, '%')
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** @param corrected the words of the whole command with this key replaced */
function keyOf<Key extends string>(
  typed: string,
  keys: readonly Key[],
  corrected: (key: Key) => readonly string[],
): Key {
  const plain = typed.replaceAll(/[-_–—−]/g, '').toLowerCase();
  const name = ALIASES[plain] ?? plain;
  const key = keys.find((known) => known.toLowerCase() === name);
  if (key !== undefined) return key;
  const meant = nearest(name, keys);
  const known = keys.length === 1 ? `the only one is ${keys[0]}` : `there are ${keys.join(', ')}`;
  throw new UsageError(
    `"${truncate(typed, 40)}" is not a word here: ${known}.`,
    meant && corrected(meant).join(' '),
  );
}

/** A whole number from 1 on. @throws UsageError with an example */
function readCount({ key, value }: Pair, max: number): number {
  const count = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= 1 && count <= max) return count;
  const what = key === 'port' ? 'port' : `number of ${key}`;
  throw new UsageError(
    `"${truncate(value, 60)}" is not a ${what}: write 1 to ${max.toLocaleString('en-US')}.`,
  ).withExample(EXAMPLES[key]);
}

/** At most 1,000 replicas or percent: more than all replicas has no further effect. @throws UsageError */
function readAmount({ key, value }: Pair): Amount {
  const [, digits, sign] = /^(\d{1,4}|\d{1,4}\.\d{1,3}(?=%))(%?)$/.exec(value) ?? [];
  if (digits !== undefined && Number(digits) <= 1_000) {
    return { value: Number(digits), percent: sign === '%' };
  }
  throw new UsageError(
    `"${truncate(value, 60)}" is not a value of ${key}: write replicas or percent up to 1,000.`,
  ).withExample(EXAMPLES[key]);
}

const DAY_SECONDS = 86_400;

/** `30`, `1.5`, `30s` or `2m`; at most a day. @returns seconds @throws UsageError */
function readSeconds({ key, value }: Pair): number {
  const [, digits, unit = ''] =
    /^(\d{1,5}(?:\.\d{1,3})?)(s|sec|secs|seconds?|m|min|mins|minutes?|)$/i.exec(value) ?? [];
  const seconds = Number(digits) * (unit.toLowerCase().startsWith('m') ? 60 : 1);
  if (seconds <= DAY_SECONDS) return seconds;
  throw new UsageError(
    `"${truncate(value, 60)}" is not a value of ${key}: write seconds up to ${DAY_SECONDS.toLocaleString('en-US')}.`,
  ).withExample(EXAMPLES[key]);
}
