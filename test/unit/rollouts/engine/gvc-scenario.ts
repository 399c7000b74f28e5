import { createListScanner } from '../../../../src/platform/deployments/client.ts';
import type { ListTexts } from '../../../../src/platform/deployments/client.ts';
import { advance, EMPTY_STATE } from '../../../../src/rollouts/engine/advance.ts';
import type { Advance, GvcState } from '../../../../src/rollouts/engine/advance.ts';
import { lazyRecordListOf, recordListOf } from '../../../../src/rollouts/engine/facts.ts';
import type { ListedRecord, RecordList } from '../../../../src/rollouts/engine/facts.ts';
import type { Settled } from '../../../../src/rollouts/engine/list-memory.ts';
import type {
  LocationRef,
  Notice,
  OutcomeRef,
  RolloutNotice,
} from '../../../../src/rollouts/engine/notices.ts';
import { locationOf, oncePer, workloadOf } from '../../../../src/rollouts/engine/rollout.ts';
import type { Records } from '../../../../src/rollouts/engine/rollout.ts';
import {
  cardKey,
  gvcKey,
  jobKey,
  locationKey,
  outcomeKey,
} from '../../../../src/rollouts/messages/audience.ts';
import { changesOf, stateOf } from '../../../../src/rollouts/gvc-store.ts';
import { deployment, NOON, SECOND } from '../platform-json.ts';
import type { Json } from '../platform-json.ts';
import { pollsOf } from './any-gvc.ts';
import type { AnyPoll, Life } from './any-gvc.ts';

export const PLACE = { org: 'acme', gvc: 'shop' };

/** What the list says of a location: a status, that it cannot be read, or that it is not there. */
export type Listed = Json | 'unreadable' | 'absent' | undefined;

/** Locations of `cart`, or `workload/location`. */
export type Listing = Record<string, Listed>;

/** `cart/lima`, also when it is called `lima` only. */
function keyOf(name: string): string {
  return name.includes('/') ? name : `cart/${name}`;
}

const NO_STATUS: Json = {};

/** Reading a status costs more than judging it, and a story repeats the same one often. */
const read = oncePer((status: Json) => {
  const deployments = [deployment(status === NO_STATUS ? undefined : status)];
  const [record] = recordListOf({ deployments, unreadable: [], unidentified: 0 }).seen;
  // A print is as long as what it stands for.
  return { ...(record as ListedRecord), print: JSON.stringify(status) };
});

/** What the engine is given of such a list. */
export function sightings(listing: Listing, unidentified = 0): RecordList {
  const list = { seen: [] as ListedRecord[], unreadable: [] as string[], unidentified };
  for (const [name, listed] of Object.entries(listing)) {
    const key = keyOf(name);
    const [workload = '', location = ''] = key.split('/');
    if (listed === 'unreadable') list.unreadable.push(key);
    else if (listed !== 'absent')
      list.seen.push({ ...read(listed ?? NO_STATUS), key, workload, location });
  }
  return list;
}

/** The items of such a list as the platform sends them. */
export function itemsOf(listing: Listing, unidentified = 0): Json[] {
  const items = Object.entries(listing).flatMap(([key, listed]) => {
    if (listed === 'absent') return [];
    const [workload, name] = keyOf(key).split('/');
    const status = listed === 'unreadable' ? { ready: 'yes' } : listed;
    const links = [{ rel: 'workload', href: `/org/acme/gvc/shop/workload/${workload}` }];
    return [{ kind: 'deployment', name, status, links }];
  });
  return [...items, ...Array.from({ length: unidentified }, () => ({ kind: 'deployment' }))];
}

/** A notice in one line: what is posted or edited, by its key without org and GVC. */
export function line(notice: RolloutNotice): string {
  if (notice.outcome !== undefined) {
    const { kind, n, locations, by, byGvc } = notice.outcome;
    const teller = by === undefined ? readyOf(byGvc) : at(by);
    const told = teller === undefined ? '' : ` by ${teller}`;
    return `${short(outcomeKey(PLACE, notice, kind, n))} in ${locations.join(', ')}${told}`;
  }
  const ending = notice.rollout.ending === null ? '' : `: ${notice.rollout.ending}`;
  const where = notice.opensFor === undefined ? '' : ` but for ${at(notice.opensFor)}`;
  return `${notice.opens ? 'open' : 'edit'} ${short(cardKey(PLACE, notice))}${ending}${where}`;
}

/** News in lines, each in the manner of `line`. */
export function newsLines(news: Notice): string[] {
  switch (news.kind) {
    case 'location': {
      const { opens, ref, rows, covers, replies, closedAt } = news;
      const shown = rows.map((row) => `${row.workload} ${row.state}`).join(', ');
      const state = closedAt === null ? '' : ' closed';
      return [
        `${opens ? 'open' : 'edit'} ${at(ref)}${state}: ${shown}${opens ? covering(covers) : ''}`,
        ...replies.map((reply) => {
          const place = reply.location === undefined ? '' : ` ${reply.location}`;
          const told = `${at(reply.ref)} ${reply.what}${place}: ${reply.workloads.join(', ')}`;
          return `${told}${covering(reply.covers)}${reply.closes ? ' closes' : ''}`;
        }),
      ];
    }
    case 'gvc': {
      const { opens, version, ending, rows, tellsReady, covers = [] } = news;
      const shown = rows.map((row) => `${row.workload} ${row.state} ${row.ready}/${row.wanted}`);
      const card = short(gvcKey(PLACE, version, 'card'));
      const told = `${opens ? 'open' : 'edit'} ${card}${ending === null ? '' : ` ${ending}`}`;
      const ready = tellsReady ? [`${readyOf(version)}${covering(covers)}`] : [];
      return [[told, ...shown].join(', '), ...ready];
    }
    case 'gvc-gone':
      return [
        `${short(gvcKey(PLACE, news.version, 'gone'))}: ${news.workloads.join(', ')}${covering(news.covers)}`,
      ];
    case 'job':
      return [`${short(jobKey(PLACE, news))} ${news.message}`.trim()];
  }
}

function readyOf(gvc: number | undefined): string | undefined {
  return gvc === undefined ? undefined : short(gvcKey(PLACE, gvc, 'ready'));
}

function at(ref: LocationRef): string {
  return short(locationKey(PLACE, ref));
}

function covering(covers: readonly OutcomeRef[]): string {
  const keys = covers.map((ref) => short(outcomeKey(PLACE, ref, ref.kind, ref.n)));
  return keys.length === 0 ? '' : ` covers ${keys.join(' ')}`;
}

function short(key: string): string {
  return key.split('/').slice(2).join('/');
}

export interface GvcScenario {
  /** The next poll, ten seconds later: what changed against the list before; gives the rolloutNotices. */
  poll(
    changes?: Listing,
    options?: { after?: number; unidentified?: number; gone?: boolean },
  ): string[];
  /** Tellings of the last poll. */
  told(): RolloutNotice[];
  /** What the last poll told beyond single workloads, and the same in lines. */
  newsItems(): Notice[];
  news(): string[];
  state(): GvcState;
  active(): boolean;
}

/** A GVC whose first poll saw `first`; that poll is the adoption. */
export function gvcScenario(first: Listing): GvcScenario {
  let listing = first;
  let now = NOON;
  let step: Advance = advance(EMPTY_STATE, sightings(listing), now);
  if (step.rolloutNotices.length + step.notices.length > 0)
    throw new Error('the adoption is not silent');
  return {
    poll(changes = {}, { after = 10 * SECOND, unidentified = 0, gone = false } = {}) {
      listing = { ...listing, ...changes };
      now += after;
      step = advance(step.state, { ...sightings(listing, unidentified), gone }, now);
      return step.rolloutNotices.map(line);
    },
    told: () => step.rolloutNotices,
    newsItems: () => step.notices,
    news: () => step.notices.flatMap(newsLines),
    state: () => step.state,
    active: () => step.active,
  };
}

/** The outcomes of a poll without the cards. */
export function outcomes(lines: readonly string[]): string[] {
  return lines.filter((text) => !/^(open|edit) /.test(text));
}

/** One poll of a life that was run. */
export interface Step extends Omit<AnyPoll, 'after'>, Omit<Advance, 'state'> {
  before: GvcState;
  after: GvcState;
  now: number;
}

/** Runs a life. What happens around the steps of the engine may not change what is told. */
export function run(
  life: Life,
  how: {
    /** The state is stored and read between any two polls. */
    restarts?: boolean;
    /** Items are read only where they may matter, and what is settled not again. */
    lazy?: boolean;
  } = {},
): Step[] {
  const settled: Settled | undefined = how.lazy ? new Map() : undefined;
  const scanned = createScanner();
  let state = EMPTY_STATE;
  let now = NOON;
  return pollsOf(life).map((poll) => {
    const { listing, unidentified, after } = poll;
    now += after;
    const before = state;
    const list = how.lazy ? scanned(listing, unidentified) : sightings(listing, unidentified);
    // The platform is asked for a workload when the list before was empty, too.
    const gone = poll.gone && typeof before.meta?.emptySince === 'number';
    const step = advance(before, { ...list, gone }, now, settled);
    state = how.restarts ? stateOf(changesOf(EMPTY_STATE, step.state).set) : step.state;
    const { state: next, ...told } = step;
    return { ...poll, ...told, before, after: next, now };
  });
}

/** The records of a workload by location. */
export function recordsOf({ records }: GvcState, workload: string): Records {
  const own = Object.entries(records).filter(([key]) => workloadOf(key) === workload);
  return Object.fromEntries(own.map(([key, record]) => [locationOf(key), record]));
}

/** Each list is held against the one before. */
function createScanner(): (listing: Listing, unidentified: number) => RecordList {
  let last: ListTexts | undefined;
  return (listing, unidentified) => {
    const scanner = createListScanner(last);
    scanner.scan(Buffer.from(JSON.stringify({ items: itemsOf(listing, unidentified) })));
    last = scanner.texts();
    return lazyRecordListOf(scanner.list);
  };
}
