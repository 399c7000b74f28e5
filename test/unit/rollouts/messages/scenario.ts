import { expect } from 'vitest';
import type { Message } from '../../../../src/notify/message.ts';
import type {
  GvcNotice,
  JobNotice,
  LocationNotice,
  LocationReply,
  LocationRow,
  Notice,
  OutcomeRef,
  RolloutNotice,
} from '../../../../src/rollouts/engine/notices.ts';
import type { Row } from '../../../../src/rollouts/engine/rollout.ts';
import type { OutcomeKind } from '../../../../src/rollouts/engine/states.ts';
import { messagesOf } from '../../../../src/rollouts/messages/publish.ts';
import type { Content } from '../../../../src/rollouts/messages/view-parts.ts';
import { outcomeContent } from '../../../../src/rollouts/messages/outcome-view.ts';
import { cardContent } from '../../../../src/rollouts/messages/workload-view.ts';
import type { Mute, Watch } from '../../../../src/rollouts/watches.ts';
import { gvcScenario, PLACE, type GvcScenario } from '../engine/gvc-scenario.ts';
import { broken, MINUTE, NOON, ready, type Json } from '../platform-json.ts';

export function watch(channel: string, over: Partial<Watch> = {}): Watch {
  return { ...PLACE, channel, quiet: false, configured: false, ...over };
}

/** A channel that watches single workloads. */
export function watchEach(
  channel: string,
  workloads: readonly string[],
  over: Partial<Watch> = {},
): Watch[] {
  return workloads.map((workload) => watch(channel, { ...over, workload }));
}

export function mute(over: Partial<Mute> = {}): Mute {
  return { channel: 'C1', since: NOON, until: NOON + MINUTE, by: 'U1', ...over };
}

export function messages(
  told: { rolloutNotices?: RolloutNotice[]; notices?: Notice[] },
  watches: readonly Watch[] = [watch('C1')],
  mutes: readonly Mute[] = [],
): Message[] {
  const { rolloutNotices = [], notices = [] } = told;
  return messagesOf(PLACE, { rolloutNotices, notices }, { watches, mutes, now: NOON });
}

/** Key without org and GVC: in brackets when it needs what is there, with `held` when it is held back. */
export function sketch(all: readonly Message[]): string[] {
  return all.map(({ key, requires, held }) => {
    const short = key.replace('acme/shop/', '');
    const told = requires === undefined ? short : `(${short})`;
    return held === undefined ? told : `${told} held ${held}`;
  });
}

/** Seven workloads, in the order in which stories count them. */
export const SEVEN = ['api', 'auth', 'cart', 'mail', 'pay', 'search', 'web'];

export function ref(workload: string, kind: OutcomeKind = 'failed', n = 1): OutcomeRef {
  return { workload, version: 12, kind, n };
}

export function locationRow(workload: string, over: Partial<LocationRow> = {}): LocationRow {
  return { workload, version: 12, state: 'failed', cause: 'no such image', ...over };
}

/** Lima failed for all seven in one poll. */
export function limaFailed(over: Partial<LocationNotice> = {}): LocationNotice {
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
export function gvcNews(over: Partial<GvcNotice> = {}): GvcNotice {
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

export function jobFailed(over: Partial<JobNotice> = {}): JobNotice {
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
function cartFailed(): RolloutNotice[] {
  const gvc = gvcScenario({ lima: ready(11) });
  gvc.poll({ lima: broken(12, 'no such image') });
  return gvc.told();
}

/** The card of `cart` v12 as it opens. */
export function cardOfCart(over: Partial<RolloutNotice> = {}): RolloutNotice {
  const card = cartFailed().find(({ outcome }) => outcome === undefined);
  if (card === undefined) throw new Error('no card was told');
  return { ...card, ...over };
}

/** An outcome of `cart` v12 in lima; the card is there. */
export function outcomeOfCart(
  outcome: Partial<NonNullable<RolloutNotice['outcome']>>,
  over: { rollout?: Partial<RolloutNotice['rollout']>; rows?: Partial<Row>[] } = {},
): RolloutNotice {
  const [notice] = cartFailed().filter((one) => one.outcome !== undefined);
  const [row] = notice?.rows ?? [];
  if (notice?.outcome === undefined || row === undefined) throw new Error('nothing was told');
  return {
    ...notice,
    outcome: { ...notice.outcome, ...outcome },
    rollout: { ...notice.rollout, ...over.rollout },
    rows: over.rows === undefined ? notice.rows : over.rows.map((own) => ({ ...row, ...own })),
  };
}

/** No links, and it is noon. */
export const WHERE = { now: NOON };

/** The card of version 12, which most stories are about. */
export function card(gvc: GvcScenario, place = PLACE): Content {
  const notice = gvc.told().find(({ outcome, version }) => outcome === undefined && version === 12);
  if (notice === undefined) throw new Error('no card was told');
  return cardContent(place, notice, WHERE);
}

export function outcome(gvc: GvcScenario, place = PLACE): Content {
  const notice = gvc.told().find((one) => one.outcome !== undefined);
  if (notice === undefined) throw new Error('no outcome was told');
  return outcomeContent(place, notice, WHERE);
}

/** What a person reads of the blocks, one line each; a row of a table is a line. */
export function read({ blocks }: Content): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'section') return (block.text?.text ?? '').split('\n');
    if (block.type === 'context') {
      return block.elements.map((element) => ('text' in element ? element.text : ''));
    }
    if (block.type === 'actions') {
      return [block.elements.map((element) => textOf(element)).join(' | ')];
    }
    if (block.type !== 'table') throw new Error(`nobody reads a ${block.type}`);
    return block.rows.map((row) =>
      row.map((cell) => ('text' in cell ? cell.text : '')).join(' | '),
    );
  });
}

function textOf(element: object): string {
  return 'text' in element ? (element.text as { text: string }).text : '';
}

/** The menu of a card: the place that it is about, and its items as `label action`. */
export function menuOf({ blocks }: Content): { id: string; items: string[] } | undefined {
  const [head] = blocks;
  if (head?.type !== 'section' || head.accessory?.type !== 'overflow') return undefined;
  const items = head.accessory.options.map(({ text, value }) => `${text.text} ${value}`);
  return { id: head.block_id ?? '', items };
}

/** The buttons that open a page, as `label address`. */
export function linksOf({ blocks }: Content): string[] {
  return blocks
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .flatMap((one) => ('url' in one ? [`${textOf(one)} ${one.url}`] : []));
}

/** The cause and the next step that the outcome of one location has that breaks in this way. The card has the cause only. */
export function broke(status: Json): string[] {
  const gvc = gvcScenario({ lima: ready(11) });
  gvc.poll({ lima: status });
  const [cause = '', next = ''] = read(outcome(gvc)).slice(1);
  expect(read(card(gvc))).toContain(`*lima*: ${cause}`);
  expect(read(card(gvc))).not.toContain(next);
  return [cause, next];
}
