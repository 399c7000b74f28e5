import { plural } from '../../lib/text.ts';
import type { Container } from '../../platform/deployments/deployment.ts';
import type { Facts } from './facts.ts';

/** A cause that people know under a name. */
interface KnownCause {
  pattern: RegExp;
  /** What people call it; the platform's own words are quoted beside it. */
  words: string;
  /** What a person can do about it, as an order. */
  next: string;
  /** Going back to the version before helps as little. */
  keepsAll?: true;
  /** It does not pass by itself: a person has to act before the rollout goes on. */
  fatal?: true;
}

const OUT_OF_MEMORY_WORDS = 'out of memory';

/** The usual causes; the first that fits counts. */
const CAUSES: readonly KnownCause[] = [
  {
    pattern: /OOMKilled|out of memory|exceeded its memory limit/i,
    words: OUT_OF_MEMORY_WORDS,
    next: 'raise its memory limit',
  },
  {
    pattern: /exec format error/i,
    words: 'the image is built for another kind of processor',
    next: 'build the image for this location’s processors',
  },
  {
    pattern: /liveness probe failed/i,
    words: 'the liveness check fails',
    next: 'look in its logs for why it stopped answering',
  },
  {
    pattern: /startup probe failed/i,
    words: 'the start-up check fails',
    next: 'look in its logs for why it does not start, or give it more time',
  },
  {
    pattern: /probe failed/i,
    words: 'the readiness check fails',
    next: 'look in its logs for why it is not ready',
  },
  {
    pattern:
      /\bpull\w*\b[^;"]{0,100}(?:"[^"]{1,200}")?[^;"]{0,200}(does not answer|timed out|timeout|connection refused|no such host|unreachable)/i,
    words: 'the image registry does not answer',
    next: 'check the registry; the image is probably fine',
    fatal: true,
  },
  {
    // "Pulling image" alone is what every start says.
    pattern:
      /ErrImage|ImagePull|\b(failed|failure|error|cannot|could not|unable)( to| in| while)? pull(ing)?\b|back-?off pulling|\bnot be pulled\b|image pull (failed|denied)|pull access denied|\bimage "[^"]{1,200}" not found|invalid ?image|manifest unknown/i,
    words: 'the image cannot be pulled',
    next: 'check the image’s name, its tag and the pull secret',
    fatal: true,
  },
  {
    pattern:
      /\bsecrets?\b[^;:]{1,200}\b(no longer exists?|not found|(is|are) missing|do(es)? not exist)|\bmissing secrets?\b/i,
    words: 'a secret is missing',
    next: 'create or restore the secret; this heals by itself within some minutes of its return',
    keepsAll: true,
    fatal: true,
  },
  {
    pattern:
      /\bexceed(s|ed|ing) quota|\bquotas?\b[^;:]{1,80}\b(exceeded|reached|used up|exhausted)/i,
    words: 'a quota is used up',
    next: 'free some of it, or ask for more with /billing quotas request',
    keepsAll: true,
    fatal: true,
  },
  {
    pattern: /CreateContainerConfigError|CreateContainerError/,
    words: 'a setting of a container is wrong',
    next: 'correct its variables, secrets or volumes',
  },
  {
    pattern: /executable file not found|no such file or directory/i,
    words: 'the command of a container is not in its image',
    next: 'correct the command, or the image',
  },
  {
    pattern: /CrashLoop|back-?off\b.*\brestarting|\brestart(s|ed)\b|\b1 restart\b/i,
    words: 'a container keeps stopping',
    next: 'look in its logs for why it stops',
  },
  {
    pattern: /unschedulable|insufficient (cpu|memory)|nodes are available/i,
    words: 'there is no room for its replicas',
    next: 'ask for less cpu or memory, or wait for room',
  },
  {
    pattern: /FailedMount|FailedAttachVolume|unable to (attach|mount)/i,
    words: 'a volume cannot be mounted',
    next: 'check the volume and what else uses it',
  },
  {
    pattern: /not converging|did not converge/i,
    words: 'the location is not converging on the expected version',
    next: 'wait some minutes, then ask the platform team',
  },
  {
    pattern: /deadline exceeded|ProgressDeadlineExceeded/i,
    words: 'it did not come up in the time allowed',
    next: 'look in its logs for what takes so long',
  },
];

/** A cause in plain words, '' for one that has none. */
export function plainCause(cause: string): string {
  return knownCause(cause)?.words ?? '';
}

const LIMIT = /\blimit(?: of)? (\d{1,9}) ?(MiB|Mi)\b/i;

/** What people can go back to. */
export interface Fallback {
  /** Absent: nothing older is known, or it is too long ago. */
  version?: number;
  /** Users are hurt meanwhile, so that it is the first thing to do. */
  urgent?: boolean;
}

/** What a person can do about a cause, as an order; every cause has a next step. */
export function nextStepFor(cause: string, { version, urgent }: Fallback = {}): string {
  const known = knownCause(cause);
  const limit = known?.words === OUT_OF_MEMORY_WORDS ? LIMIT.exec(cause)?.[1] : undefined;
  const next =
    limit === undefined ? (known?.next ?? 'look in its logs') : `raise memory above ${limit} MiB`;
  if (version === undefined || known?.keepsAll === true) return next;
  const back = `roll back to v${version}`;
  return urgent === true ? `${back}, or ${next}` : `${next}, or ${back}`;
}

/** Our own sentence of how a container stopped, in its parts: see `restartSentence`. */
const RESTARTS =
  /^container (?<container>\S+): (?<times>\d+ restarts?|restarted)(?: \((?<details>[^()]{0,300})\))?$/;

/** "payments, 8 restarts, limit 512 MiB" of a sentence about restarts; undefined for any other text. */
export function restartsInShort(cause: string): string | undefined {
  const { container, times, details = '' } = RESTARTS.exec(cause)?.groups ?? {};
  if (container === undefined || times === undefined) return undefined;
  // The limit matters where it was the cause, and the exit code where it was not.
  const untold = details.includes(OUT_OF_MEMORY)
    ? /^(?:OOMKilled|exit code \d+|)$/
    : /^(?:Error|memory limit .*|)$/;
  const told = details.split(', ').filter((one) => !untold.test(one));
  return [container, times, ...told.map((one) => one.replace(/^memory /, ''))].join(', ');
}

function knownCause(cause: string): KnownCause | undefined {
  return CAUSES.find(({ pattern }) => pattern.test(cause));
}

/** Whether a rollout cannot go on by itself: see `blocked` in design section 4. */
export function isFatal(cause: string): boolean {
  return knownCause(cause)?.fatal === true;
}

/** What is kept of a record's restarts between two polls. Times in milliseconds since the epoch. */
export interface RestartMemory {
  /** Of all containers together. */
  restarts: number;
  /** When the restart count was seen to rise: the last three polls of this rollout in which it did. */
  climbs: readonly number[];
  /** How the containers stopped at the last climb, and how many restarts each of the climbs brought. */
  crash?: Crash;
  /** Restarts by container; absent while there are none. */
  counts?: Counts;
}

type RestartsBefore = Pick<RestartMemory, 'counts'>;

/** A crash loop in figures; `risen` has a number for each of the climbs. */
export interface Crash extends LastRestart {
  risen: readonly number[];
}

/** Restarts of each container that has any; names are foreign, so this is no object. */
type Counts = readonly (readonly [container: string, count: number])[];

/** Of the same containers in several zones the restarts are added. */
function countsOf(containers: readonly Container[]): Counts {
  const counts = new Map<string, number>();
  for (const { name, restarts } of containers) {
    if (!restarts?.count) continue;
    counts.set(name, (counts.get(name) ?? 0) + restarts.count);
  }
  return [...counts];
}

/** By how many restarts each container has risen since the poll before; those that have not are left out. */
function risen(facts: Facts, before: RestartsBefore | undefined): Counts {
  if (facts.entry === undefined || before === undefined) return [];
  const was = new Map(before.counts);
  return countsOf(facts.entry.containers)
    .map(([name, count]) => [name, count - (was.get(name) ?? 0)] as const)
    .filter(([, by]) => by > 0);
}

/**
 * Restarts that count as an explanation: more than at the last poll, or one since the version began
 * here. The exit code is no signal: a crash loop can show 0 and `Completed`.
 */
function restartedLately(facts: Facts, before: RestartsBefore | undefined): boolean {
  const entry = facts.entry;
  if (entry === undefined) return false;
  if (risen(facts, before).length > 0) return true;
  return (
    entry.lastRestartTime !== undefined &&
    entry.created !== undefined &&
    entry.lastRestartTime > entry.created
  );
}

/** The expected version's own explanation: its message, else its containers', else restarts; '' when there is none. */
export function entryExplanation(facts: Facts, before: RestartsBefore | undefined): string {
  const entry = facts.entry;
  if (entry === undefined) return '';
  const said = messageOf(facts);
  const lately = restartedLately(facts, before);
  if (!lately && !FOLLOWS_RESTARTS.test(said)) return said;
  const restarts = restartSentence(lastRestartOf(entry.containers, risen(facts, before)));
  // Out of memory is the cause; "back-off restarting" beside it is only what followed.
  if (restarts.includes(OUT_OF_MEMORY)) return restarts;
  return said !== '' || !lately ? said : restarts;
}

/** What the expected version or else its containers say, as far as it explains anything. */
function messageOf({ entry }: Facts): string {
  const own = entry?.messages.filter(explains) ?? [];
  const all = own.length > 0 ? own : (entry?.containerMessages.filter(explains) ?? []);
  return all.join('; ');
}

const OUT_OF_MEMORY = 'OOMKilled';

/** Words of a message that only tell that containers stopped, so that the reason is worth a look. */
const FOLLOWS_RESTARTS = /OOMKilled|out of memory|back-?off|restart/i;

/** Why a record is not ready (design section 4, "Explanation"); '' when nothing says. */
export function explanation(facts: Facts, before: RestartsBefore | undefined): string {
  return entryExplanation(facts, before) || statusMessage(facts);
}

/** The same without restarts: what stopped before a workload was scaled to zero is over. */
export function messageExplanation(facts: Facts): string {
  return messageOf(facts) || statusMessage(facts);
}

/** What the location says of itself (`status.message`), as far as it explains anything. */
export function statusMessage({ message }: Pick<Facts, 'message'>): string {
  return explains(message) ? message : '';
}

/** How a container stopped last. */
export interface LastRestart {
  container: string;
  /** '' when none is given. */
  reason: string;
  exitCode?: number;
  /** Its limit in MiB. */
  memory?: number;
}

/** One container stands for all: the one with most new restarts, else the latest, else the most frequent. */
function lastRestartOf(
  containers: readonly Container[],
  just: Counts,
): { last: LastRestart; count: number } | undefined {
  const by = new Map(just);
  const weights = ({ name, restarts }: Container): number[] => [
    by.get(name) ?? 0,
    restarts?.lastRestartTime ?? 0,
    restarts?.count ?? 0,
  ];
  const [worst] = containers
    .filter(({ restarts }) => restarts !== undefined)
    .toSorted((a, b) => {
      const own = weights(a);
      return weights(b).reduce((more, weight, place) => more || weight - (own[place] ?? 0), 0);
    });
  if (worst?.restarts === undefined) return undefined;
  const { count = 0, exitCode, reason } = worst.restarts;
  const last = {
    container: worst.name,
    reason,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(worst.memory === undefined ? {} : { memory: worst.memory }),
  };
  return { last, count };
}

function restartSentence(worst: ReturnType<typeof lastRestartOf>): string {
  if (worst === undefined) return '';
  const { last, count } = worst;
  const details = [
    last.reason,
    last.exitCode === undefined ? '' : `exit code ${last.exitCode}`,
    last.memory === undefined ? '' : `memory limit ${last.memory} MiB`,
  ].filter((detail) => detail !== '');
  const times = count === 0 ? 'restarted' : plural(count, 'restart');
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `container ${last.container}: ${times}${suffix}`;
}

const INITIALIZING_WORDS = new Set(
  'replica replicas s is are still initializing initialising of'.split(' '),
);

/** Whether a message says more than that replicas are initializing, which is no explanation. */
function explains(message: string): boolean {
  const words = message.toLowerCase().match(/\p{L}+/gu);
  return words === null ? message !== '' : words.some((word) => !INITIALIZING_WORDS.has(word));
}

/** Any message of a record says more than that replicas are initializing. */
export function saysMoreThanInitializing({ entry, message }: Facts): boolean {
  return [...(entry?.messages ?? []), ...(entry?.containerMessages ?? []), message].some(explains);
}

/** The expected version says that replicas are initializing, and nothing else. */
export function onlyInitializing({ entry }: Facts): boolean {
  const messages = entry?.messages ?? [];
  return messages.length > 0 && !messages.some(explains);
}

/** Something says that replicas are initializing, and nothing says more. */
export function isInitializing(facts: Facts): boolean {
  const { entry, message } = facts;
  const said = [...(entry?.messages ?? []), ...(entry?.containerMessages ?? []), message];
  return said.some((text) => text !== '') && !saysMoreThanInitializing(facts);
}

const KEPT_CLIMBS = 3;

/** @param before of the same rollout */
export function nextRestarts(
  before: RestartMemory | undefined,
  facts: Facts,
  now: number,
): RestartMemory {
  const { entry } = facts;
  const just = risen(facts, before);
  const known: readonly number[] = before?.climbs ?? [];
  const climbs = just.length > 0 ? [...known, now].slice(-KEPT_CLIMBS) : known;
  const crash = crashOf(before?.crash, facts, { just, kept: climbs.length });
  const counts = entry === undefined ? (before?.counts ?? []) : countsOf(entry.containers);
  return {
    restarts: entry?.restarts ?? before?.restarts ?? 0,
    climbs,
    ...(crash === undefined ? {} : { crash }),
    ...(counts.length === 0 ? {} : { counts }),
  };
}

function crashOf(
  before: Crash | undefined,
  { entry }: Facts,
  { just, kept }: { just: Counts; kept: number },
): Crash | undefined {
  const worst = just.length > 0 ? lastRestartOf(entry?.containers ?? [], just) : undefined;
  if (worst === undefined) return before;
  const by = just.reduce((total, [, more]) => total + more, 0);
  return { ...worst.last, risen: [...(before?.risen ?? []), by].slice(-kept) };
}
