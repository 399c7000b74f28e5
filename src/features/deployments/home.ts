import type { KnownBlock } from '@slack/types';
import type { Principal } from '../../access/policy.ts';
import { compareNames, formatAge, plural } from '../../lib/text.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import { effectiveState } from '../../rollouts/engine/classify.ts';
import { plainCause } from '../../rollouts/engine/explain.ts';
import { impactOf } from '../../rollouts/engine/impact.ts';
import {
  byLocation,
  locationOf,
  rowsOf,
  workloadOf,
  type Row,
} from '../../rollouts/engine/rollout.ts';
import {
  byUrgency,
  SIGNS,
  stateIs,
  URGENCY,
  type RecordState,
  type RowState,
} from '../../rollouts/engine/states.ts';
import { readGvc, readPollStatus, type PollStatus } from '../../rollouts/gvc-store.ts';
import { listed } from '../../rollouts/messages/causes-view.ts';
import { servingWords, signOf } from '../../rollouts/messages/view-parts.ts';
import { createWatches, placeOf, watchedGvcs, type Watch } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { context, lines, section, SIGN } from '../../slack/kit/blocks.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  mentionChannel,
  moment,
  mrkdwn,
  Mrkdwn,
} from '../../slack/kit/text.ts';
import type { HomePart } from '../../slack/routing/routes.ts';
import { counted, leadOn, placesOf, worstOf } from './listing.ts';

type HomeServices = Pick<Services, 'config' | 'redis' | 'keys' | 'access' | 'clock' | 'orgs'>;

/** "What hurts now" and "Watches" on the home tab (design section 3), from the store alone. */
export function createDeploymentsHome(services: HomeServices): readonly HomePart<Principal>[] {
  const { access, clock, orgs } = services;
  const read = shared(() => readPlaces(services));
  const refusal = ({ orgRefusal }: Principal): string | undefined => orgRefusal;
  return [
    {
      title: 'What hurts now',
      rank: 10,
      async fill(person) {
        await access.requireOrgAccess(person);
        return hurtBlocks(await read(), clock.now(), orgs.fallback);
      },
      refusal,
      // The refusal is shown below Watches.
      hidden: true,
    },
    {
      title: 'Watches',
      rank: 40,
      async fill(person) {
        await access.requireOrgAccess(person);
        return watchesBlocks(await read(), clock.now());
      },
      refusal,
    },
  ];
}

/** Both parts are filled at the same time, so they share one read. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function readPlaces(services: HomeServices): Promise<WatchedPlace[]> {
  const { redis, keys } = services;
  const all = await createWatches(services).all();
  const places = await Promise.all(
    watchedGvcs(all).map(async ({ org, gvc }) => {
      const [{ state }, poll] = await Promise.all([
        readGvc(redis, keys, org, gvc),
        readPollStatus(redis, keys, org, gvc),
      ]);
      const here = all.filter((watch) => watch.org === org && watch.gvc === gvc);
      return placesIn(here, state.records, poll);
    }),
  );
  return places.flat();
}

function placesIn(
  watches: readonly Watch[],
  records: GvcState['records'],
  poll: PollStatus,
): WatchedPlace[] {
  const places = new Map(watches.map((watch) => [placeOf(watch), watch]));
  return [...places].map(([place, { org, gvc, workload }]) => {
    const channels = watches.filter((one) => placeOf(one) === place).map(({ channel }) => channel);
    const workloads = workloadsIn(records, workload);
    return { org, gvc, workload, channels: [...new Set(channels)], poll, workloads };
  });
}

function workloadsIn(
  records: GvcState['records'],
  only: string | undefined,
): WatchedPlace['workloads'] {
  const there = Object.entries(records).filter(
    ([name, { state }]) => state !== 'gone' && (only ?? workloadOf(name)) === workloadOf(name),
  );
  const names = [...new Set(there.map(([name]) => workloadOf(name)))];
  return names.map((name) => {
    const own = there.filter(([record]) => workloadOf(record) === name);
    return {
      name,
      states: own.map(([, record]) => ({ state: effectiveState(record) })),
      rows: rowsOf(byLocation(own.map(([record, memory]) => [locationOf(record), memory])), 0),
    };
  });
}

export interface WatchedPlace extends Pick<Watch, 'org' | 'gvc'> {
  /** Undefined: the whole GVC. */
  readonly workload: string | undefined;
  readonly channels: readonly string[];
  readonly poll: PollStatus;
  readonly workloads: readonly WatchedWorkload[];
}

interface WatchedWorkload {
  readonly name: string;
  readonly states: readonly { state: RecordState }[];
  /** The same in full; empty for a workload that runs on a schedule. */
  readonly rows: readonly Row[];
}

const MAX_TROUBLES = 8;
const MAX_PLACES = 8;
const MAX_CHANNELS = 3;
/** A poll older than this may be out of date. Milliseconds. */
const OLD_MS = 5 * 60_000;

/**
 * All watched workloads that are not green, worst first; empty without watches. Pure.
 * @param now ms since the epoch
 * @param defaultOrg the org that commands may omit
 */
export function hurtBlocks(
  places: readonly WatchedPlace[],
  now: number,
  defaultOrg: string | undefined,
): KnownBlock[] {
  if (places.length === 0) return [];
  const nameOf = namesFor(places);
  const troubles = groupsOf(distinct(places, nameOf).flatMap((one) => troubleOf(one, nameOf)));
  const unread = unreadGvcs(places, now).map((place) => unreadLine(place, now));
  const all = [...troubles.map(troubleLine), ...unread];
  const hidden = all.length - MAX_TROUBLES;
  const [worst] = troubles;
  const small = [
    ...(hidden > 0 ? [mrkdwn`… and ${hidden} more: ${code('/deployments')} lists them all`] : []),
    ...(worst === undefined ? [] : [leadOn(worst.first, defaultOrg)]),
  ];
  return [
    ...(all.length === 0
      ? [section(calmLine(places, nameOf))]
      : [lines(all.slice(0, MAX_TROUBLES))]),
    ...small.map((text) => context(text)),
    ...movingBlocks(distinct(places, nameOf), nameOf),
  ];
}

type Named = Pick<WatchedPlace, 'org' | 'gvc'>;
type NameOf = (place: Named, workload?: string) => string;

/** "shop/cart"; preceded by the org when several orgs are watched. */
function namesFor(places: readonly WatchedPlace[]): NameOf {
  const isOneOrg = new Set(places.map(({ org }) => org)).size === 1;
  return ({ org, gvc }, workload) =>
    [...(isOneOrg ? [] : [org]), gvc, ...(workload === undefined ? [] : [workload])].join('/');
}

interface PlacedWorkload extends WatchedWorkload {
  readonly place: WatchedPlace;
}

function distinct(places: readonly WatchedPlace[], nameOf: NameOf): PlacedWorkload[] {
  const all = places.flatMap((place) => place.workloads.map((one) => ({ ...one, place })));
  return [...new Map(all.map((one) => [nameOf(one.place, one.name), one])).values()];
}

interface Trouble {
  readonly first: Named & { readonly workload: string };
  readonly names: readonly string[];
  readonly sign: Mrkdwn;
  readonly what: Mrkdwn;
  /** Ms since the epoch. */
  readonly since: number;
  /** Smaller is worse. */
  readonly urgency: number;
}

function troubleOf({ name, rows, place }: PlacedWorkload, nameOf: NameOf): Trouble[] {
  const wrong = rows.filter(isWrong).toSorted(byUrgency);
  const [worst] = wrong;
  if (worst === undefined) return [];
  const impact = impactOf(rows);
  const isHurt = impact.on === 'hurt';
  const states = [...new Set(wrong.map(({ state }) => state))];
  const where = states.map((state) => {
    const at = wrong.filter((row) => row.state === state).map(({ location }) => location);
    return `${state} in ${placesOf(at, at.length === rows.length)}`;
  });
  const serving = isHurt ? servingWords(impact, worst.replicas.version) : '';
  const words = [where.join(', '), serving, plainCause(worst.cause)];
  return [
    {
      first: { org: place.org, gvc: place.gvc, workload: name },
      names: [nameOf(place, name)],
      sign: signOf(worst.state, impact),
      what: mrkdwn`${words.filter((word) => word !== '').join(' · ')}`,
      since: Math.min(...wrong.map(({ since }) => since)),
      urgency: isHurt ? -1 : URGENCY.indexOf(worst.state),
    },
  ];
}

function isWrong({ state }: Pick<Row, 'state'>): boolean {
  return state !== 'ready' && state !== 'cron' && !stateIs(state, 'aside') && !isMoving({ state });
}

/** `unknown` does not prove a rollout. */
function isMoving({ state }: Pick<Row, 'state'>): boolean {
  return stateIs(state, 'onTheWay') && state !== 'unknown';
}

/** Worst first. Workloads with the same problem share a line, as when a location does not report. */
function groupsOf(troubles: readonly Trouble[]): Trouble[] {
  const groups = new Map<string, Trouble>();
  for (const one of troubles) {
    const id = `${one.sign.text} ${one.what.text}`;
    const { names = [], since = one.since, first = one.first } = groups.get(id) ?? {};
    groups.set(id, {
      ...one,
      first,
      names: [...names, ...one.names].toSorted(compareNames),
      since: Math.min(since, one.since),
    });
  }
  return [...groups.values()].toSorted((a, b) => a.urgency - b.urgency || a.since - b.since);
}

function troubleLine({ sign, names, what, since }: Trouble): Mrkdwn {
  const when = since > 0 ? mrkdwn` · since ${moment(since)}` : mrkdwn``;
  return mrkdwn`${sign} *${listed(names)}* ${what}${when}`;
}

/** The last known state may be out of date. */
function isOld({ poll }: WatchedPlace, now: number): boolean {
  return poll.failures > 0 || (poll.at > 0 && now - poll.at > OLD_MS);
}

function unreadGvcs(places: readonly WatchedPlace[], now: number): WatchedPlace[] {
  const unread = places.filter((place) => isOld(place, now));
  return [...new Map(unread.map((place) => [`${place.org}/${place.gvc}`, place])).values()];
}

function unreadLine({ gvc, org, poll }: WatchedPlace, now: number): Mrkdwn {
  const name = mrkdwn`${new Mrkdwn(SIGN.unknown)} GVC *${gvc}* of ${org}`;
  if (poll.failures === 0) {
    return mrkdwn`${name} was last read ${formatAge(now - poll.at)}: what hurts since then is not known`;
  }
  const known =
    poll.at === 0 ? 'never read so far' : `last known state of ${formatAge(now - poll.at)}`;
  return mrkdwn`${name} cannot be read, ${plural(poll.failures, 'try', 'tries')} failed · ${known}`;
}

function calmLine(places: readonly WatchedPlace[], nameOf: NameOf): Mrkdwn {
  if (places.every(({ poll }) => poll.at === 0))
    return mrkdwn`${new Mrkdwn(SIGN.unknown)} Not read yet`;
  const all = distinct(places, nameOf);
  return mrkdwn`${new Mrkdwn(SIGN.good)} Nothing: ${counted(all.map(worstIn))}`;
}

function movingBlocks(workloads: readonly PlacedWorkload[], nameOf: NameOf): KnownBlock[] {
  const moving = workloads.filter(
    ({ rows }) => rows.some(isMoving) && !rows.some((row) => isWrong(row)),
  );
  const names = moving.map(({ place, name }) => nameOf(place, name)).toSorted(compareNames);
  return names.length === 0
    ? []
    : [context(mrkdwn`${new Mrkdwn(SIGN.underWay)} Rolling out: ${listed(names)}`)];
}

/** All watched places, trouble first. Pure. @param now ms since the epoch */
export function watchesBlocks(places: readonly WatchedPlace[], now: number): KnownBlock[] {
  if (places.length === 0) {
    return [
      context(
        mrkdwn`Nothing is watched. ${code('/deployments watch GVC')} in a channel tells it of every rollout.`,
      ),
    ];
  }
  const nameOf = namesFor(places);
  const sorted = places.toSorted(
    (a, b) => urgency(a) - urgency(b) || compareNames(nameOf(a, a.workload), nameOf(b, b.workload)),
  );
  const hidden = places.length - MAX_PLACES;
  return [
    lines(sorted.slice(0, MAX_PLACES).map((one) => placeLine(one, nameOf, now))),
    ...(hidden > 0
      ? [
          context(
            mrkdwn`… and ${hidden} more, in no worse state: ${code('/deployments watches')} in their channels`,
          ),
        ]
      : []),
  ];
}

/** ":white_check_mark: *shop* 22 workloads ready, 3 idle, 1 failed · #deployments" */
function placeLine(one: WatchedPlace, nameOf: NameOf, now: number): Mrkdwn {
  const channels = joinFirst(one.channels.map(mentionChannel), MAX_CHANNELS);
  const parts = [mrkdwn`${health(one)}`, ...age(one, now), channels];
  return mrkdwn`${signOfPlace(one, now)} *${nameOf(one, one.workload)}* ${joinMrkdwn(parts, ' · ')}`;
}

function health({ poll, workload, workloads }: WatchedPlace): string {
  if (poll.at === 0) return poll.failures > 0 ? 'cannot be read' : 'not read yet';
  return workload === undefined
    ? counted(workloads.map(worstIn))
    : counted(
        workloads.flatMap(({ states }) => states),
        'location',
      );
}

function age(place: WatchedPlace, now: number): Mrkdwn[] {
  const { at } = place.poll;
  return at === 0 || !isOld(place, now) ? [] : [mrkdwn`last known ${formatAge(now - at)}`];
}

function worstIn({ states }: Pick<WatchedWorkload, 'states'>): { state: RowState } {
  return { state: worstOf(states) };
}

/** Smaller is more urgent. */
function urgency({ poll, workloads }: WatchedPlace): number {
  if (poll.failures > 0) return -1;
  return workloads.length === 0 ? URGENCY.length : URGENCY.indexOf(worstOf(workloads.map(worstIn)));
}

/** The hurt sign when users are affected, else that of the worst state. */
function signOfPlace(place: WatchedPlace, now: number): Mrkdwn {
  if (isOld(place, now)) return new Mrkdwn(SIGN.unknown);
  const isHurt = place.workloads.some(
    ({ rows }) => rows.some(isWrong) && impactOf(rows).on === 'hurt',
  );
  return new Mrkdwn(isHurt ? SIGN.hurt : SIGNS[worstOf(place.workloads.map(worstIn))]);
}
