import { entryExplanation, explanation, saysMoreThanInitializing } from './explain.ts';
import type { Execution, Facts, Replicas } from './facts.ts';

/** The states of one record (design section 4), and `gone` for one that the lists no longer hold. */
export type RecordState =
  | 'unknown'
  | 'suspended'
  | 'stale'
  | 'cron'
  | 'pending'
  | 'diverged'
  | 'deploying'
  | 'ready'
  | 'idle'
  | 'unhealthy'
  | 'failed'
  | 'gone';

/** What is kept of a record between two polls. Times in milliseconds since the epoch. */
export interface RecordMemory {
  state: RecordState;
  /** When this state began. */
  since: number;
  /** Expected version that the memory is about; 0 = none was ever stated. */
  version: number;
  /** GVC version of its entry; 0 = not given. */
  gvc: number;
  /** This rollout was ready here. */
  wasReady: boolean;
  /** Job executions were seen: a cron workload for good. */
  cron: boolean;
  /** The last poll said not ready. */
  notReady: boolean;
  wanted: number | null;
  restarts: number;
  /** When the restart count was seen to rise: the last three polls of this rollout in which it did. */
  climbs: readonly number[];
  /** Job executions that are listed and ended badly: `<name> <status>`, sorted. */
  jobs: readonly string[];
  /** Until when not ready is start-up; since when is what makes a restart count against it. */
  grace: Grace | null;
  /** What is wrong, '' when nothing is. */
  cause: string;
  replicas: Replicas;
  outgoing: Replicas | null;
  /** Complete lists in a row that lacked the record. */
  missing: number;
  /** Nothing ran when the reports stopped; only of a record that is stale. */
  wasDown?: true;
}

interface Grace {
  since: number;
  until: number;
  /** It began with a start from nothing; being ready once ends it. Else it is about added replicas. */
  fromNothing: boolean;
  deployingSeen: boolean;
}

/** Start-up is not sickness: how long not ready counts as deploying after nothing was wanted. */
const GRACE_MS = 10 * 60_000;

const NOTHING_RUNS: ReadonlySet<string> = new Set<RecordState>([
  'idle',
  'suspended',
  'unknown',
  'gone',
]);

/** What a poll says by itself: a state that needs no memory, or `not-ready`, which does. */
type Seen = Exclude<RecordState, 'unhealthy' | 'failed' | 'gone'> | 'not-ready';

/** The first row of design section 4's table that holds. */
function stateOfPoll(facts: Facts, before: RecordMemory | undefined, cron: boolean): Seen {
  const { expected, processed, entry, message } = facts;
  if (!facts.reported || (expected === 0 && processed === 0 && !facts.ready)) return 'unknown';
  if (!facts.ready && /deactivated/i.test(message) && /suspend/i.test(message)) return 'suspended';
  if (message.startsWith('Status details are stale')) return 'stale';
  if (cron) return 'cron';
  const behind = processed === 0 || processed < expected;
  if (behind && entryExplanation(facts, before) === '') return 'pending';
  if (expected !== 0 && processed > expected) return 'diverged';
  if (facts.deploying) return 'deploying';
  // What is ready here is the outgoing version: the expected one has not come, or is not up yet.
  if (expected !== 0 && facts.hasVersions && entry === undefined) return 'deploying';
  if (facts.ready && entry !== undefined && !entry.ready) return 'deploying';
  if (facts.ready) return 'ready';
  const explained = explanation(facts, before) !== '';
  if (!explained && facts.wanted === undefined) return 'unknown';
  if (!explained && facts.wanted === 0) return 'idle';
  return 'not-ready';
}

/** True when the poll is about another rollout than the memory: another E, or another GVC version where both give one. */
function isNewRollout(facts: Facts, before: RecordMemory): boolean {
  if (facts.expected === 0) return false;
  if (facts.expected !== before.version) return true;
  const gvc = facts.entry?.gvc ?? 0;
  return gvc !== 0 && before.gvc !== 0 && gvc !== before.gvc;
}

/**
 * The next memory of a record from one complete poll. Pure: the same memory, facts and time give the
 * same answer. When nothing in it changes, it is the very object that was given.
 *
 * @param before undefined for a record that was never seen
 * @param options.adopting the first poll of a GVC, which takes what it sees as given
 * @param options.now milliseconds since the epoch
 */
export function classify(
  facts: Facts,
  before: RecordMemory | undefined,
  options: { now: number; adopting: boolean },
): RecordMemory {
  const { now, adopting } = options;
  // Readiness and restarts of another rollout say nothing about this one.
  const same = before === undefined || isNewRollout(facts, before) ? undefined : before;
  const cron = facts.cron || before?.cron === true;
  const seen = stateOfPoll(facts, same, cron);
  const grace = nextGrace(facts, before, same, { seen, now });
  const state = seen === 'not-ready' ? judgeNotReady(facts, same, grace, adopting) : seen;
  const sick = state === 'failed' || state === 'unhealthy';
  const restarts = facts.entry?.restarts ?? same?.restarts ?? 0;
  const next: RecordMemory = {
    state,
    since: same?.state === state ? same.since : now,
    version: facts.expected || (before?.version ?? 0),
    gvc: facts.entry?.gvc || (same?.gvc ?? 0),
    wasReady: state === 'ready' || same?.wasReady === true,
    cron,
    notReady: seen === 'not-ready',
    wanted: facts.wanted ?? null,
    restarts,
    climbs: climbsOf(same, restarts, now),
    // While the list of executions is left out, nothing has left it.
    jobs: facts.cron ? endedBadly(facts.executions) : (before?.jobs ?? NONE),
    grace,
    // A crash loop between two restarts has no news; what it was told of last still holds.
    cause: sick ? explanation(facts, same) || (same?.cause ?? '') : '',
    replicas: facts.entry?.replicas ?? {
      version: facts.expected,
      ready: 0,
      wanted: facts.wanted ?? 0,
    },
    outgoing: facts.outgoing ?? null,
    missing: 0,
    ...(state === 'stale' && nothingRan(before) ? { wasDown: true } : {}),
  };
  return before !== undefined && equal(before, next) ? before : next;
}

/** Equality of values that JSON holds: cheaper than writing them, and ten thousand are compared in a poll. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isComposite(a) || !isComposite(b)) return false;
  for (const key in b) if (!equal(a[key], b[key])) return false;
  for (const key in a) if (!(key in b)) return false;
  return true;
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const NONE: readonly never[] = [];
const KEPT_CLIMBS = 3;

/** @param before of the same rollout; what an earlier release stored of it lacks the times */
function climbsOf(
  before: RecordMemory | undefined,
  restarts: number,
  now: number,
): readonly number[] {
  const climbs = before?.climbs ?? NONE;
  if (before === undefined || restarts <= before.restarts) return climbs;
  return [...climbs, now].slice(-KEPT_CLIMBS);
}

const BAD_ENDS: ReadonlySet<string> = new Set(['failed', 'invalid']);

/** An execution without a name cannot be told apart from the next one, so it is not told. */
function endedBadly(executions: readonly Execution[]): readonly string[] {
  const bad = executions.filter(({ name, status }) => name !== '' && BAD_ENDS.has(status));
  if (bad.length === 0) return NONE;
  return [...new Set(bad.map(({ name, status }) => `${plainName(name)} ${status}`))].sort();
}

/** Names become parts of keys, which are divided by slashes and joined by spaces. */
function plainName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : encodeURIComponent(Buffer.from(name).toString());
}

/** @param before of the same rollout */
function judgeNotReady(
  facts: Facts,
  before: RecordMemory | undefined,
  grace: Grace | null,
  adopting: boolean,
): RecordState {
  if (grace !== null) return 'deploying';
  const confirmed = explanation(facts, before) !== '' || adopting || before?.notReady === true;
  // A record that is listed is not gone, whatever else is to be confirmed.
  if (!confirmed)
    return before === undefined || before.state === 'gone' ? 'deploying' : before.state;
  return before?.wasReady === true ? 'unhealthy' : 'failed';
}

/**
 * Start-up begins when a record leaves a state in which nothing ran, or when more replicas are
 * wanted, and is over when they came up or something says that they will not. Missing reports are no
 * start, and say nothing of one that is under way.
 */
function nextGrace(
  facts: Facts,
  before: RecordMemory | undefined,
  same: RecordMemory | undefined,
  { seen, now }: { seen: Seen; now: number },
): Grace | null {
  if (before === undefined || NOTHING_RUNS.has(seen)) return null;
  const grace = beginGrace(facts, before, { seen, now }) ?? before.grace;
  if (grace === null || now >= grace.until) return null;
  if (seen === 'stale') return grace;
  if (seen === 'ready') {
    const all = facts.wanted !== undefined && (facts.entry?.replicas.ready ?? 0) >= facts.wanted;
    return grace.fromNothing || all ? null : grace;
  }
  const restarted =
    (facts.entry?.restarts ?? 0) > (same?.restarts ?? 0) ||
    (facts.entry?.lastRestartTime ?? 0) > grace.since;
  const deployingFell = grace.deployingSeen && !facts.deploying;
  if (restarted || deployingFell || saysMoreThanInitializing(facts)) return null;
  return { ...grace, deployingSeen: facts.deploying };
}

/** What was before the reports stopped counts. */
function nothingRan(before: RecordMemory | undefined): boolean {
  return before !== undefined && (NOTHING_RUNS.has(before.state) || before.wasDown === true);
}

function beginGrace(
  facts: Facts,
  before: RecordMemory,
  { seen, now }: { seen: Seen; now: number },
): Grace | undefined {
  const rose = facts.wanted !== undefined && before.wanted !== null && facts.wanted > before.wanted;
  const started = seen !== 'stale' && nothingRan(before);
  if (!rose && !started) return undefined;
  return {
    since: now,
    until: now + GRACE_MS,
    fromNothing: started,
    deployingSeen: false,
  };
}
