import { entryExplanation, explanation, saysMoreThanInitializing } from './explain.ts';
import type { Facts, Replicas } from './facts.ts';

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
  /** Until when not ready is start-up; since when is what makes a restart count against it. */
  grace: Grace | null;
  /** What is wrong, '' when nothing is. */
  cause: string;
  replicas: Replicas;
  outgoing: Replicas | null;
  /** Complete lists in a row that lacked the record. */
  missing: number;
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

const START_STATES: ReadonlySet<RecordState> = new Set(['idle', 'suspended', 'unknown', 'gone']);

/** A state that needs no memory, or `not-ready`, which does. First row of design section 4's table that holds. */
function stateOfPoll(
  facts: Facts,
  before: RecordMemory | undefined,
): Exclude<RecordState, 'unhealthy' | 'failed' | 'gone'> | 'not-ready' {
  const { expected, processed, entry, message } = facts;
  if (!facts.reported || (expected === 0 && processed === 0 && !facts.ready)) return 'unknown';
  if (!facts.ready && /deactivated/i.test(message) && /suspend/i.test(message)) return 'suspended';
  if (message.startsWith('Status details are stale')) return 'stale';
  if (facts.cron || before?.cron === true) return 'cron';
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
export function isNewRollout(facts: Facts, before: RecordMemory): boolean {
  if (facts.expected === 0) return false;
  if (facts.expected !== before.version) return true;
  const gvc = facts.entry?.gvc ?? 0;
  return gvc !== 0 && before.gvc !== 0 && gvc !== before.gvc;
}

/**
 * The next memory of a record from one complete poll. Pure: the same memory, facts and time give the
 * same answer, and the same poll again changes nothing that is told.
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
  const { now } = options;
  const fresh = before === undefined || isNewRollout(facts, before);
  // Restart counts of another rollout say nothing about this one.
  const comparable = fresh ? undefined : before;
  const seen = stateOfPoll(facts, comparable ?? (before?.cron ? before : undefined));
  const grace = nextGrace(facts, before, seen, now);
  const state =
    seen === 'not-ready' ? judgeNotReady(facts, before, fresh, grace, options.adopting) : seen;
  const sick = state === 'failed' || state === 'unhealthy';
  const cause = seen === 'not-ready' ? explanation(facts, comparable) : '';
  return {
    state,
    since: before !== undefined && !fresh && before.state === state ? before.since : now,
    version: facts.expected || (before?.version ?? 0),
    gvc: facts.entry?.gvc || (fresh ? 0 : (before?.gvc ?? 0)),
    wasReady: state === 'ready' || (!fresh && before.wasReady),
    cron: facts.cron || before?.cron === true,
    notReady: seen === 'not-ready',
    wanted: facts.wanted ?? null,
    restarts: facts.entry?.restarts ?? 0,
    grace: sick ? null : grace,
    // A crash loop between two restarts has no news; what it was told of last still holds.
    cause: cause || (sick && !fresh ? before.cause : ''),
    replicas: facts.entry?.replicas ?? {
      version: facts.expected,
      ready: 0,
      wanted: facts.wanted ?? 0,
    },
    outgoing: facts.outgoing ?? null,
    missing: 0,
  };
}

function judgeNotReady(
  facts: Facts,
  before: RecordMemory | undefined,
  fresh: boolean,
  grace: Grace | null,
  adopting: boolean,
): RecordState {
  if (grace !== null) return 'deploying';
  const confirmed =
    explanation(facts, fresh ? undefined : before) !== '' ||
    adopting ||
    (before !== undefined && !fresh && before.notReady);
  if (!confirmed) return before === undefined || fresh ? 'deploying' : before.state;
  return !fresh && before?.wasReady === true ? 'unhealthy' : 'failed';
}

function nextGrace(
  facts: Facts,
  before: RecordMemory | undefined,
  seen: string,
  now: number,
): Grace | null {
  if (before === undefined) return null;
  const rose = facts.wanted !== undefined && before.wanted !== null && facts.wanted > before.wanted;
  const started = seen === 'not-ready' && START_STATES.has(before.state);
  const grace: Grace | null =
    rose || started
      ? {
          since: now,
          until: now + GRACE_MS,
          fromNothing: started || before.wanted === 0,
          deployingSeen: false,
        }
      : before.grace;
  if (grace === null || now >= grace.until) return null;
  if (seen === 'ready') {
    const all = facts.wanted !== undefined && (facts.entry?.replicas.ready ?? 0) >= facts.wanted;
    return grace.fromNothing || all ? null : grace;
  }
  const restarted =
    (facts.entry?.restarts ?? 0) > before.restarts ||
    (facts.entry?.lastRestartTime ?? 0) > grace.since;
  const deployingFell = grace.deployingSeen && !facts.deploying;
  if (restarted || deployingFell || saysMoreThanInitializing(facts)) return null;
  return facts.deploying && !grace.deployingSeen ? { ...grace, deployingSeen: true } : grace;
}
