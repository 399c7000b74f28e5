import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/words.ts';
import type { RolloutOptions } from '../../platform/workload/plan.ts';
import { readTarget } from '../deployments/place.ts';
import { pairsOf, readAmount, readCount, readSeconds } from './pairs.ts';
import type { Pair } from './pairs.ts';

/** The workload that a command is about; the org is settled later, because it may be left out. */
interface About {
  target: WorkloadTarget;
  org: string | undefined;
}

export interface WorkloadTarget {
  gvc: string;
  workload: string;
}

/** `/workload …` as read (design section 3). */
export type WorkloadCommand =
  /** `slip`: what is said above the usage it is about. */
  | { kind: 'help'; slip?: Unreadable }
  | ({ kind: 'addresses'; replicas: number | undefined; port: number | undefined } & About)
  /** `word`: a part of a name that is searched for. */
  | { kind: 'env' | 'tags'; word: string | undefined }
  | { kind: 'check' }
  | { kind: 'plan'; options: RolloutOptions }
  | ({ kind: 'probe' } & About);

const SUBCOMMANDS = ['addresses', 'env', 'tags', 'check', 'plan', 'probe'] as const;
type Subcommand = (typeof SUBCOMMANDS)[number];

/** Replicas that an answer is about, at most: more are no workload, but a slip of the finger. */
const MAX_REPLICAS = 1_000;
const MAX_PORT = 65_535;

/** Reads the words after `/workload`. @throws Unreadable with the nearest match */
export function parseWorkload(words: readonly Word[]): WorkloadCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'help' };
  const subcommand = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  if (subcommand === undefined) throw noSubcommand(first.text);
  return readingIn(subcommand, () => parseSubcommand(subcommand, rest));
}

/** Does this; what cannot be read in it is answered with the usage of the subcommand. @throws Unreadable */
export function readingIn<Read>(subcommand: Subcommand, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof Unreadable ? error.about(`/workload ${subcommand}`) : error;
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
      throw new Unreadable(
        'Nothing follows "check": it opens a form that takes the manifest.',
        '/workload check',
      );
    case 'plan':
      return parsePlan(rest);
    case 'probe':
      return { kind: 'probe', ...aboutOf('probe', pairsOf(rest, ['org'])) };
  }
}

function noSubcommand(word: string): Unreadable {
  const meant = nearest(word, SUBCOMMANDS);
  const suggestion = word.includes('/') ? `addresses ${word}` : meant;
  return new Unreadable(
    `"${truncate(word, 60)}" is no word of /workload: choose from ${SUBCOMMANDS.join(', ')}.`,
    suggestion && `/workload ${truncate(suggestion, 100)}`,
  );
}

function parseAddresses(words: readonly Word[]): WorkloadCommand {
  const pairs = pairsOf(words, ['replicas', 'port', 'org']);
  const { replicas, port } = pairs.values;
  return {
    kind: 'addresses',
    ...aboutOf('addresses', pairs),
    replicas: replicas && readCount(replicas, { min: 1, max: MAX_REPLICAS, example: 3 }),
    port: port && readCount(port, { min: 1, max: MAX_PORT, example: 8080 }),
  };
}

/** @param others words that are no `key=value` */
function aboutOf(
  subcommand: Subcommand,
  { values, others }: { values: Partial<Record<'org', Pair>>; others: readonly string[] },
): About {
  const [name, extra] = others;
  if (name === undefined) {
    throw new Unreadable(`Name the workload, with its GVC: /workload ${subcommand} GVC/WORKLOAD.`);
  }
  const { gvc, workload, location } = readTarget(name);
  if (workload === undefined) {
    throw new Unreadable(
      `"${subcommand}" is about one workload: write /workload ${subcommand} ${gvc}/WORKLOAD.`,
    );
  }
  if (location !== undefined) {
    throw new Unreadable(
      `"${subcommand}" is about one workload, in all its locations.`,
      `/workload ${subcommand} ${gvc}/${workload}`,
    );
  }
  if (extra !== undefined) throw cannotRead(extra, ['org']);
  return { target: { gvc, workload }, org: values.org?.value };
}

function cannotRead(word: string, known: readonly string[]): Unreadable {
  return new Unreadable(`"${truncate(word, 60)}" cannot be read here.`, nearest(word, known));
}

const PLAN_KEYS = ['replicas', 'maxSurge', 'maxUnavailable', 'minReady', 'policy'] as const;

function parsePlan(words: readonly Word[]): WorkloadCommand {
  const { values, others } = pairsOf(words, PLAN_KEYS);
  const { replicas, maxSurge, maxUnavailable, minReady, policy } = values;
  const [extra] = others;
  const example = 'for example /workload plan replicas=4';
  if (extra !== undefined) {
    const count = /^\d+$/.test(extra) && replicas === undefined;
    throw new Unreadable(
      `"${truncate(extra, 60)}" cannot be read here: the words of a plan are ${PLAN_KEYS.join(', ')}, each with "=" and a value.`,
      count ? `/workload plan replicas=${truncate(extra, 10)}` : undefined,
    );
  }
  if (replicas === undefined)
    throw new Unreadable(`A plan needs a number of replicas, ${example}.`);
  // The hint of the command as it stands there, which is no misspelling.
  if (replicas.value === 'N') {
    const slip = new Unreadable(`Put a number in the place of N, ${example}.`);
    return { kind: 'help', slip: slip.about('/workload plan') };
  }
  return {
    kind: 'plan',
    options: {
      replicas: readCount(replicas, { min: 1, max: MAX_REPLICAS, example: 4 }),
      maxSurge: maxSurge && readAmount(maxSurge),
      maxUnavailable: maxUnavailable && readAmount(maxUnavailable),
      minReadySeconds: minReady && readSeconds(minReady),
      policy: policy && readPolicy(policy),
    },
  };
}

const POLICIES = ['OrderedReady', 'Parallel'] as const;

function readPolicy({ value }: Pair): (typeof POLICIES)[number] {
  const plain = value.replaceAll(/[-_]/g, '').toLowerCase();
  const policy = POLICIES.find((one) => one.toLowerCase() === plain);
  if (policy !== undefined) return policy;
  const meant = nearest(plain, POLICIES);
  throw new Unreadable(
    `"${truncate(value, 60)}" is no scaling policy: there are OrderedReady and Parallel.`,
    meant && `policy=${meant}`,
  );
}
