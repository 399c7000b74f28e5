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

/** The state of a row of a card. `waiting` is a location that the version has not reached. */
export type RowState = RecordState | 'waiting';

/** States of a record that call people. */
export const TROUBLE = ['failed', 'unhealthy', 'stale'] as const;
export type TroubleState = (typeof TROUBLE)[number];

/** What a channel is told about a rollout (design section 4). */
export type OutcomeKind =
  | 'ready'
  | 'failed'
  | 'stale'
  | 'unhealthy'
  | 'blocked'
  | 'recovered'
  | 'flapping'
  | 'suspended'
  | 'resumed'
  | 'diverged'
  | 'lagging'
  | 'crashloop'
  | 'gone';

/** How a card ends that is not changed any more. */
export type Ending = 'ready' | 'idle' | 'suspended' | 'gone' | 'superseded';

/** What a state means for cards, outcomes and noise. What is left out is false. */
interface StateTraits {
  /** Of the state by itself: what it does to users may be worse (docs/style.md, "Signs"). */
  sign: string;
  /** For someone who has never seen the word. */
  meaning: string;
  /** It is not waited for: not part of readiness, nor of what a card counts. */
  aside?: true;
  /** The change may still come, so a location that stays in this state for long is lagging. */
  onTheWay?: true;
  /** It stays so by itself: known when a GVC is adopted, and no reason to poll soon. */
  atRest?: true;
  /** No further poll is needed to be sure of it. */
  confirmed?: true;
  /** What comes next is a start from nothing. */
  nothingRuns?: true;
  /** The reports say nothing of the version's replicas: they are old, missing, gone or of another version. */
  uncounted?: true;
  /** Whether something serves is not known. */
  unreported?: true;
  /** A location in this state is not waiting for a newer version. */
  neverWaits?: true;
}

/** The states, worst first: one word for a whole rollout, and the order of the rows of a table. */
export const STATE_TABLE: Readonly<Record<RowState, StateTraits>> = {
  failed: {
    sign: ':large_orange_circle:',
    meaning: 'the rollout stopped without success',
    confirmed: true,
  },
  unhealthy: {
    sign: ':large_orange_circle:',
    meaning: 'was ready and is not any more',
    confirmed: true,
  },
  stale: {
    sign: ':white_circle:',
    meaning: 'no report for more than 45 minutes; what runs there is not known',
    atRest: true,
    uncounted: true,
    unreported: true,
    neverWaits: true,
  },
  diverged: {
    sign: ':large_orange_circle:',
    meaning: 'the location is not converging on the expected version',
    uncounted: true,
  },
  deploying: {
    sign: ':hourglass_flowing_sand:',
    meaning: 'the expected version is coming up',
    onTheWay: true,
  },
  pending: {
    sign: ':hourglass_flowing_sand:',
    meaning: 'the change has not been applied yet',
    onTheWay: true,
  },
  waiting: {
    sign: ':hourglass_flowing_sand:',
    meaning: 'the change has not reached this location yet',
    onTheWay: true,
  },
  unknown: {
    sign: ':white_circle:',
    meaning: 'nothing was reported yet',
    onTheWay: true,
    nothingRuns: true,
    uncounted: true,
    unreported: true,
  },
  suspended: {
    sign: ':double_vertical_bar:',
    meaning: 'switched off by suspend',
    aside: true,
    atRest: true,
    nothingRuns: true,
    neverWaits: true,
  },
  idle: {
    sign: ':double_vertical_bar:',
    meaning: 'scaled to zero',
    aside: true,
    atRest: true,
    nothingRuns: true,
  },
  gone: {
    sign: ':heavy_minus_sign:',
    meaning: 'no longer listed',
    aside: true,
    atRest: true,
    confirmed: true,
    nothingRuns: true,
    uncounted: true,
    neverWaits: true,
  },
  cron: { sign: ':calendar:', meaning: 'runs on a schedule' },
  ready: {
    sign: ':white_check_mark:',
    meaning: 'serving the expected version',
    atRest: true,
  },
};

/** Whether a state has a trait of the table. One that a later release has stored has none. */
export function stateIs(
  state: RowState,
  trait: Exclude<keyof StateTraits, 'sign' | 'meaning'>,
): boolean {
  return STATE_TABLE[state]?.[trait] === true;
}

/** Whether a state, or an outcome of its name, calls people. */
export function isTrouble(word: RowState | OutcomeKind): word is TroubleState {
  return (TROUBLE as readonly string[]).includes(word);
}

/** Worst first. */
export const URGENCY = Object.keys(STATE_TABLE) as readonly RowState[];

/** Compares rows of any table, worst first. */
export function byUrgency(a: { state: RowState }, b: { state: RowState }): number {
  return URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state);
}

/** How an outcome is told. What is left out is false. */
interface OutcomeTraits {
  /** Of an outcome that is no state as well. */
  sign?: string;
  /** A reply only: never broadcast by itself, and no card opens for it (design section 4). */
  threadOnly?: true;
  /** Told at most once between two times of readiness. */
  oncePerEpisode?: true;
  /** An episode ends with it. */
  endsEpisode?: true;
  /** A flapping workload changes between these: a watch that names one of them hears of flapping. */
  flaps?: true;
}

const OUTCOME_TABLE: Readonly<Record<OutcomeKind, OutcomeTraits>> = {
  ready: { endsEpisode: true, flaps: true },
  recovered: { sign: ':white_check_mark:', endsEpisode: true, flaps: true },
  failed: { oncePerEpisode: true, flaps: true },
  unhealthy: { oncePerEpisode: true, flaps: true },
  stale: { oncePerEpisode: true, flaps: true },
  blocked: { sign: ':large_orange_circle:', oncePerEpisode: true },
  flapping: { sign: ':large_orange_circle:' },
  diverged: { threadOnly: true, oncePerEpisode: true },
  lagging: { sign: ':large_orange_circle:', threadOnly: true, oncePerEpisode: true },
  crashloop: { sign: ':large_orange_circle:', threadOnly: true },
  suspended: { threadOnly: true },
  resumed: { sign: ':white_check_mark:', threadOnly: true },
  gone: { threadOnly: true },
};

/** The outcomes that have a trait of the table. */
export function outcomesWith(
  trait: Exclude<keyof OutcomeTraits, 'sign'>,
): ReadonlySet<OutcomeKind> {
  const kinds = Object.keys(OUTCOME_TABLE) as OutcomeKind[];
  return new Set(kinds.filter((kind) => OUTCOME_TABLE[kind][trait] === true));
}

/** Outcomes that are replies only. */
export const THREAD_ONLY = outcomesWith('threadOnly');

/** The sign of every word that a card or a message begins with. */
export const SIGNS = Object.fromEntries([
  ...Object.entries(STATE_TABLE).map(([state, { sign }]) => [state, sign]),
  ...Object.entries(OUTCOME_TABLE).flatMap(([kind, { sign }]) =>
    sign === undefined ? [] : [[kind, sign]],
  ),
  ['superseded', ':heavy_minus_sign:'],
]) as Readonly<Record<RowState | OutcomeKind | 'superseded', string>>;
