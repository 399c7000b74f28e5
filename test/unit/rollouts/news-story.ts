import type {
  GvcNews,
  JobNews,
  LocationNews,
  LocationReply,
  LocationRow,
  OutcomeRef,
  Telling,
} from '../../../src/rollouts/engine/telling.ts';
import type { OutcomeKind, Row } from '../../../src/rollouts/engine/track.ts';
import { gvcStory } from './gvc-story.ts';
import { MINUTE, NOON, broken, ready } from './platform-json.ts';

/** Seven workloads, in the order in which stories count them. */
export const SEVEN = ['api', 'auth', 'cart', 'mail', 'pay', 'search', 'web'];

export function ref(workload: string, kind: OutcomeKind = 'failed', n = 1): OutcomeRef {
  return { workload, version: 12, kind, n };
}

export function locationRow(workload: string, over: Partial<LocationRow> = {}): LocationRow {
  return { workload, version: 12, state: 'failed', cause: 'no such image', ...over };
}

/** Lima failed for all seven in one poll. */
export function limaFailed(over: Partial<LocationNews> = {}): LocationNews {
  return {
    kind: 'location',
    ref: { location: 'lima', state: 'failed', n: 1 },
    opens: true,
    since: NOON,
    closedAt: null,
    openedBy: SEVEN,
    rows: SEVEN.map((workload) => locationRow(workload)),
    covers: SEVEN.map((workload) => ref(workload)),
    replies: [],
    ...over,
  };
}

export function reply(over: Partial<LocationReply> = {}): LocationReply {
  return {
    ref: { location: 'lima', state: 'failed', n: 2 },
    what: 'later',
    workloads: ['zoo'],
    closes: false,
    covers: [ref('zoo')],
    ...over,
  };
}

/** GVC version 7 came and rolls two workloads. */
export function gvcNews(over: Partial<GvcNews> = {}): GvcNews {
  const row = { version: 12, state: 'deploying' as const, ready: 1, wanted: 2 };
  return {
    kind: 'gvc',
    version: 7,
    opens: true,
    ending: null,
    startedAt: NOON,
    readyAt: null,
    tellsReady: false,
    rows: [
      { ...row, workload: 'cart' },
      { ...row, workload: 'web', state: 'ready', ready: 2 },
    ],
    ...over,
  };
}

export function jobFailed(over: Partial<JobNews> = {}): JobNews {
  return {
    kind: 'job',
    workload: 'report',
    location: 'lima',
    execution: 'report-28',
    status: 'failed',
    message: 'the disk is full',
    startTime: NOON,
    completionTime: NOON + MINUTE,
    ...over,
  };
}

/** `cart` v12 failed in lima: the card that opens and what the engine told. */
function cartFailed(): Telling[] {
  const gvc = gvcStory({ lima: ready(11) });
  gvc.poll({ lima: broken(12, 'no such image') });
  return gvc.told();
}

/** The card of `cart` v12 as it opens. */
export function cardOfCart(over: Partial<Telling> = {}): Telling {
  const card = cartFailed().find(({ outcome }) => outcome === undefined);
  if (card === undefined) throw new Error('no card was told');
  return { ...card, ...over };
}

/** An outcome of `cart` v12 in lima; the card is there. */
export function outcomeOfCart(
  outcome: Partial<NonNullable<Telling['outcome']>>,
  over: { track?: Partial<Telling['track']>; rows?: Partial<Row>[] } = {},
): Telling {
  const [telling] = cartFailed().filter((one) => one.outcome !== undefined);
  const [row] = telling?.rows ?? [];
  if (telling?.outcome === undefined || row === undefined) throw new Error('nothing was told');
  return {
    ...telling,
    outcome: { ...telling.outcome, ...outcome },
    track: { ...telling.track, ...over.track },
    rows: over.rows === undefined ? telling.rows : over.rows.map((own) => ({ ...row, ...own })),
  };
}
