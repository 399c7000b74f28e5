import type {
  Deployment,
  DeploymentList,
} from '../../../../src/platform/deployments/deployment.ts';
import {
  advance,
  EMPTY_STATE,
  type Advance,
  type GvcState,
} from '../../../../src/rollouts/engine/advance.ts';
import { recordListOf, type RecordList } from '../../../../src/rollouts/engine/facts.ts';
import type { Settled } from '../../../../src/rollouts/engine/list-memory.ts';
import type {
  LocationRef,
  Notice,
  OutcomeRef,
  RolloutNotice,
} from '../../../../src/rollouts/engine/notices.ts';
import {
  cardKey,
  gvcKey,
  jobKey,
  locationKey,
  outcomeKey,
} from '../../../../src/rollouts/messages/audience.ts';
import { deployment, NOON, SECOND, type Json } from '../platform-json.ts';
import type { AnyPoll } from './any-gvc.ts';

export const PLACE = { org: 'acme', gvc: 'shop' };

/** What the list says of a location: a status, that it cannot be read, or that it is not there. */
export type Listed = Json | 'unreadable' | 'absent' | undefined;

/** Locations of `cart`, or `workload/location`. */
export type Listing = Record<string, Listed>;

/** Reading a status costs more than judging it, and a story repeats the same one often. */
const read = new WeakMap<Json, Map<string, Deployment>>();

function readOnce(status: Json, workload: string, location: string): Deployment {
  const known = read.get(status) ?? new Map<string, Deployment>();
  read.set(status, known);
  const name = `${workload}/${location}`;
  const deployed = known.get(name) ?? deployment(status, { workload, location });
  known.set(name, deployed);
  return deployed;
}

function listOf(listing: Listing, unidentified = 0): DeploymentList {
  const list: DeploymentList = { deployments: [], unreadable: [], unidentified };
  for (const [name, listed] of Object.entries(listing)) {
    const [workload = '', location = ''] = name.includes('/') ? name.split('/') : ['cart', name];
    if (listed === 'absent') continue;
    if (listed === 'unreadable') list.unreadable.push(`${workload}/${location}`);
    else if (listed === undefined)
      list.deployments.push(deployment(listed, { workload, location }));
    else list.deployments.push(readOnce(listed, workload, location));
  }
  return list;
}

/** What the engine is given of such a list; a print is as long as what it stands for. */
export function sightings(listing: Listing, unidentified = 0, { prints = false } = {}): RecordList {
  const list = recordListOf(listOf(listing, unidentified));
  if (!prints) return list;
  const seen = list.seen.map((one) => {
    const status = listing[one.key] ?? listing[one.location];
    return { ...one, print: JSON.stringify(status ?? null) };
  });
  return { ...list, seen };
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
      const shown = rows.map(({ workload, state, hurt, ...row }) => {
        return `${workload} ${state} ${row.ready}/${row.wanted}${hurt === true ? ' hurt' : ''}`;
      });
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

interface Scenario {
  first: Listing;
  polls: readonly AnyPoll[];
}

/** One poll of a story that was run. */
export interface Step {
  before: GvcState;
  after: GvcState;
  rolloutNotices: RolloutNotice[];
  notices: Notice[];
  active: boolean;
  listing: Listing;
  unidentified: number;
  now: number;
}

/** Runs a story; `between` is what happens to the state between two polls. */
export function run(
  { first, polls }: Scenario,
  {
    between = (state) => state,
    settled,
  }: { between?: (state: GvcState) => GvcState; settled?: Settled } = {},
): Step[] {
  const steps: Step[] = [];
  let state = EMPTY_STATE;
  let listing: Listing = {};
  let now = NOON;
  for (const poll of [{ changes: first, after: 0, unidentified: 0 }, ...polls]) {
    const { unidentified } = poll;
    listing = { ...listing, ...poll.changes };
    now += poll.after;
    const list = sightings(listing, unidentified, { prints: settled !== undefined });
    const { state: after, ...told } = advance(state, list, now, settled);
    steps.push({ before: state, after, ...told, listing, unidentified, now });
    state = between(after);
  }
  return steps;
}

/** What the polls of a story told. */
export function toldIn(
  steps: readonly Step[],
): Pick<Step, 'rolloutNotices' | 'notices' | 'active'>[] {
  return steps.map(({ rolloutNotices, notices, active }) => ({ rolloutNotices, notices, active }));
}

/** What has been stored and read again. */
export function stored(state: GvcState): GvcState {
  return JSON.parse(JSON.stringify(state)) as GvcState;
}
