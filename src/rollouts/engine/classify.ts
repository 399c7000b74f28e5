import type { Deployment } from '../../platform/deployments/deployment.ts';
import {
  entryExplanation,
  explanation,
  isFatal,
  isInitializing,
  messageExplanation,
  nextRestarts,
  onlyInitializing,
  saysMoreThanInitializing,
  statusMessage,
  type RestartMemory,
} from './explain.ts';
import {
  readFacts,
  specsOf,
  type Execution,
  type Facts,
  type Replicas,
  type Spec,
} from './facts.ts';
import { stateIs, type RecordState } from './states.ts';

/** What is kept of a record between two polls. Times in milliseconds since the epoch. */
export interface RecordMemory extends RestartMemory {
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
  /** Job executions that are listed and ended badly: `<name> <status>`, sorted. */
  jobs: readonly string[];
  /** Until when not ready is start-up; since when is what makes a restart count against it. */
  grace: Grace | null;
  /** What is wrong, or what the location says of itself; '' when there is nothing to say. */
  cause: string;
  replicas: Replicas;
  outgoing: Replicas | null;
  /** Ready replicas of further versions than these two; absent = 0. */
  readyBeside?: number;
  /** It was seen to serve, in whatever version. */
  served?: true;
  /** What the version runs; absent until it is listed here. */
  spec?: Spec;
  /** What the last version before it ran that was ready here. */
  specBefore?: Spec;
  /** Complete lists in a row that lacked the record. */
  missing: number;
  /** Nothing ran when the reports stopped; only of a record that is stale. */
  wasDown?: true;
  /** Since when the rollout is held up by a cause that a person has to mend. */
  heldUpSince?: number;
  /** Polls in a row, two at most, in which it stood at E = P with nothing wanted or wrong. */
  atRest?: number;
  /** The last poll found it flagged ready without a ready replica, and said why. */
  readyAtNone?: true;
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

/** What a poll says by itself: a state that needs no memory, or one of two that do. */
type PolledState =
  Exclude<RecordState, 'unhealthy' | 'failed' | 'gone'> | 'not-ready' | 'ready-at-none';

/** Whether a poll says a state by itself. */
function isState(seen: PolledState): seen is Exclude<PolledState, 'not-ready' | 'ready-at-none'> {
  return seen !== 'not-ready' && seen !== 'ready-at-none';
}

/** The first row of design section 4's table that holds. */
function stateOfPoll(facts: Facts, before: RecordMemory | undefined, cron: boolean): PolledState {
  const { expected, processed, entry, message } = facts;
  if (!facts.reported || (expected === 0 && processed === 0 && !facts.ready)) return 'unknown';
  if (!facts.ready && /deactivated/i.test(message) && /suspend/i.test(message)) return 'suspended';
  if (message.startsWith('Status details are stale')) return 'stale';
  if (cron) return 'cron';
  if (isPending(facts, before)) return 'pending';
  if (expected !== 0 && processed > expected) return 'diverged';
  if (facts.deploying) return 'deploying';
  // What is ready here is the outgoing version: the expected one has not come, or is not up yet.
  if (expected !== 0 && facts.hasVersions && entry === undefined) return 'deploying';
  if (facts.ready && entry !== undefined && !entry.ready) return 'deploying';
  if (facts.ready) return servesNothing(facts) ? 'ready-at-none' : 'ready';
  const explained = explanation(facts, before) !== '';
  if (!explained && facts.wanted === undefined) return 'unknown';
  if (facts.wanted === 0 && messageExplanation(facts) === '') return 'idle';
  return 'not-ready';
}

/** The change has not been applied here, and nothing says why not. */
function isPending(facts: Facts, before: RecordMemory | undefined): boolean {
  const { expected, processed } = facts;
  if (expected === 0) return false;
  if (processed === 0) return !facts.ready && explanation(facts, before) === '';
  return processed < expected && entryExplanation(facts, before) === '';
}

/** The flag says ready, and the entry itself says that nothing is. Counts that are left out say neither. */
function servesNothing(facts: Facts): boolean {
  const { entry, wanted } = facts;
  if (entry === undefined || wanted === 0) return false;
  const counts = entry.containers.flatMap(({ replicasReady }) => replicasReady ?? []);
  if (counts.length === 0) return onlyInitializing(facts);
  return wanted !== undefined && counts.every((ready) => ready === 0);
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
  const state = stateOf(facts, same, { seen, grace, adopting });
  const cause = causeOf(facts, same, state);
  const next: RecordMemory = {
    state,
    since: same?.state === state ? same.since : now,
    version: facts.expected || (before?.version ?? 0),
    gvc: facts.entry?.gvc || (same?.gvc ?? 0),
    wasReady: state === 'ready' || same?.wasReady === true,
    cron,
    notReady: seen === 'not-ready',
    wanted: facts.wanted ?? null,
    ...nextRestarts(same, facts, now),
    // While the list of executions is left out, nothing has left it.
    jobs: facts.listsExecutions ? endedBadly(facts.executions) : (before?.jobs ?? NONE),
    grace,
    cause,
    replicas: facts.entry?.replicas ?? {
      version: facts.expected,
      ready: 0,
      wanted: facts.wanted ?? 0,
    },
    outgoing: facts.outgoing ?? null,
    ...besideOf(facts),
    ...(state === 'ready' || readyIn(facts) > 0 || before?.served === true ? { served: true } : {}),
    ...specsOf(facts, before, same),
    missing: 0,
    ...(state === 'stale' && nothingRan(before) ? { wasDown: true } : {}),
    ...heldUp(same, { state, cause, now }),
    ...restOf(facts, same, { state, adopting }),
    ...(seen === 'ready-at-none' && grace === null && explanation(facts, same) !== ''
      ? { readyAtNone: true }
      : {}),
  };
  return before !== undefined && equal(before, next) ? before : next;
}

function readyIn({ entry, readyOfOthers }: Facts): number {
  return (entry?.replicas.ready ?? 0) + readyOfOthers;
}

function besideOf({ outgoing, readyOfOthers }: Facts): Pick<RecordMemory, 'readyBeside'> {
  const readyBeside = outgoing === undefined ? 0 : readyOfOthers - outgoing.ready;
  return readyBeside > 0 ? { readyBeside } : {};
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

/** Counts on while there is a cause that a person has to mend, also when another such cause follows. */
function heldUp(
  before: RecordMemory | undefined,
  { state, cause, now }: { state: RecordState; cause: string; now: number },
): Pick<RecordMemory, 'heldUpSince'> {
  const onTheWay = state === 'deploying' || state === 'pending';
  return onTheWay && isFatal(cause) ? { heldUpSince: before?.heldUpSince ?? now } : {};
}

const RESTS_AT = 2;

/** What states no replicas and has nothing to say is believed to be at rest from the second poll on. */
function restOf(
  { expected, processed }: Facts,
  before: RecordMemory | undefined,
  { state, adopting }: { state: RecordState; adopting: boolean },
): Pick<RecordMemory, 'atRest'> {
  if (state !== 'unknown' || expected === 0 || processed !== expected) return {};
  return { atRest: adopting ? RESTS_AT : Math.min((before?.atRest ?? 0) + 1, RESTS_AT) };
}

/** The state as it counts for a rollout: what is at rest holds nothing back. */
export function effectiveState({ state, atRest }: RecordMemory): RecordState {
  return state === 'unknown' && atRest === RESTS_AT ? 'idle' : state;
}

/** What there is to say of a record in a state. @param before of the same rollout */
function causeOf(facts: Facts, before: RecordMemory | undefined, state: RecordState): string {
  // A crash loop between two restarts has no news; what it was told of last still holds.
  if (state === 'failed' || state === 'unhealthy') {
    return explanation(facts, before) || (before?.cause ?? '');
  }
  if (state === 'deploying' || state === 'pending' || state === 'diverged') {
    return explanation(facts, before);
  }
  // What is ready may say why the next version does not come, and what reports nothing else, why not.
  return state === 'ready' || state === 'unknown' ? statusMessage(facts) : '';
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
function stateOf(
  facts: Facts,
  before: RecordMemory | undefined,
  { seen, grace, adopting }: { seen: PolledState; grace: Grace | null; adopting: boolean },
): RecordState {
  if (seen === 'not-ready') return judgeNotReady(facts, before, grace, adopting);
  if (seen !== 'ready-at-none') return seen;
  if (grace !== null) return 'deploying';
  // Until a replica is ready again nothing has come back, whether or not this poll says why.
  if (before?.state === 'unhealthy') return 'unhealthy';
  const goesOn = before?.readyAtNone === true && explanation(facts, before) !== '';
  return goesOn && before.wasReady ? 'unhealthy' : 'deploying';
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
  { seen, now }: { seen: PolledState; now: number },
): Grace | null {
  if (before === undefined || (isState(seen) && stateIs(seen, 'nothingRuns'))) return null;
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
  return before !== undefined && (stateIs(before.state, 'nothingRuns') || before.wasDown === true);
}

function beginGrace(
  facts: Facts,
  before: RecordMemory,
  { seen, now }: { seen: PolledState; now: number },
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

/** A deployment as a person wants to see it. */
export interface DeploymentStatus {
  workload: string;
  location: string;
  state: RecordState;
  /** Expected version, 0 = none is stated. */
  version: number;
  processed: number;
  replicas: Replicas | undefined;
  outgoing: Replicas | undefined;
  restarts: number;
  /** What is wrong, '' when nothing is. */
  cause: string;
}

/**
 * The state of one deployment now. What the watch engine remembers of it is used, so that the answer
 * and the channel say the same; without a memory the poll is taken at its word.
 * @param now milliseconds since the epoch
 */
export function statusOf(
  deployment: Deployment,
  memory: RecordMemory | undefined,
  now: number,
): DeploymentStatus {
  const facts = readFacts(deployment);
  const known = memory?.state === 'gone' ? undefined : memory;
  // One poll that only says that replicas start is no failure.
  const adopting = known === undefined && !isInitializing(facts);
  const record = classify(facts, known, { now, adopting });
  const stated = facts.entry !== undefined || facts.wanted !== undefined;
  return {
    workload: deployment.workload,
    location: deployment.location,
    state: record.state,
    version: record.version,
    processed: facts.processed,
    replicas: stated ? record.replicas : undefined,
    outgoing: facts.outgoing,
    restarts: record.restarts,
    cause: record.state === 'ready' ? '' : record.cause,
  };
}
