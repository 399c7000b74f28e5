import type { KnownBlock } from '@slack/types';
import type { Principal } from '../../access/policy.ts';
import { compareNatural, formatAge, plural } from '../../lib/text.ts';
import { CARD_ACTIONS, dotted, listed } from '../../rollouts/render/parts.ts';
import { isGreen, isMoving, type WorkloadStatus } from '../../rollouts/watch/status.ts';
import { placeOf, type Watch } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isDirect } from '../../slack/directory.ts';
import { button, context, lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { code, joinFirst, mentionChannel, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart, Person } from '../../slack/routing/routes.ts';
import { byImpact, counted, countedStates, worstSign, worstWorkloadFirst } from './listing.ts';
import { troublesOf, type PlacedWorkload } from './trouble.ts';
import { partOf, readWatched, type WatchedState } from './watched.ts';

type HomeServices = Pick<Services, 'config' | 'redis' | 'keys' | 'access' | 'clock' | 'orgs'>;

/** "Needs attention" and "Watches" on the home tab (design section 3), from the store alone. */
export function createDeploymentsHome(services: HomeServices): readonly HomePart<Principal>[] {
  const { access, clock, orgs } = services;
  const readAll = shared(() => readWatched(services, undefined));
  const read = async (person: Person): Promise<WatchedState[]> => {
    await access.requireOrgAccess(person);
    const readable = await access.readableOrgs(person, orgs.known);
    return (await readAll()).filter(({ org }) => readable.includes(org));
  };
  const refusal = ({ orgRefusal }: Principal): string | undefined => orgRefusal;
  return [
    {
      title: 'Needs attention',
      rank: 10,
      async fill(person) {
        return attentionBlocks(await read(person), clock.now());
      },
      refusal,
      // The refusal is shown below Watches.
      hidden: true,
    },
    {
      title: 'Watches',
      rank: 40,
      async fill(person) {
        return watchesBlocks(await read(person), clock.now());
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

const MAX_TROUBLES = 8;
const MAX_PLACES = 8;
const MAX_CHANNELS = 3;
/** A poll older than this may be out of date. Milliseconds. */
const OLD_MS = 5 * 60_000;

/** All watched workloads that are not green, worst first; empty without watches. Pure. @param now ms since the epoch */
export function attentionBlocks(gvcs: readonly WatchedState[], now: number): KnownBlock[] {
  if (gvcs.length === 0) return [];
  const nameOf = namesFor(gvcs);
  const all = gvcs.flatMap((one) => watchedIn(one, now));
  const wrong = all.filter((one) => !isGreen(one) && !isMoving(one));
  const troubles = troublesOf(wrong, nameOf).map(({ line, value }) =>
    section(line, button({ action: CARD_ACTIONS.details, text: 'Details', value })),
  );
  const unread = gvcs.filter((one) => isOld(one, now) || isPartial(one));
  const blocks = [...troubles, ...unread.map((one) => section(unreadLine(one, now)))];
  const hidden = blocks.length - MAX_TROUBLES;
  return [
    ...(blocks.length === 0 ? [section(calmLine(gvcs, all))] : blocks.slice(0, MAX_TROUBLES)),
    ...(hidden > 0
      ? [context(mrkdwn`… and ${hidden} more: ${code('/deployments')} lists them all`)]
      : []),
    ...movingBlocks(all, nameOf),
  ];
}

type Named = Pick<WatchedState, 'org' | 'gvc'>;
type NameOf = (place: Named & { workload?: string | undefined }) => string;

/** "shop/cart"; preceded by the org when several orgs are watched. */
function namesFor(gvcs: readonly Named[]): NameOf {
  const isOneOrg = new Set(gvcs.map(({ org }) => org)).size === 1;
  return ({ org, gvc, workload }) =>
    [...(isOneOrg ? [] : [org]), gvc, ...(workload === undefined ? [] : [workload])].join('/');
}

/** Workloads of a GVC that are watched. */
function watchedIn(state: WatchedState, now: number): PlacedWorkload[] {
  const { org, gvc, watches, workloads } = state;
  return workloads
    .filter(({ workload }) => watches.some((watch) => (watch.workload ?? workload) === workload))
    .map((one) => ({ ...one, org, gvc, isOld: isOld(state, now), channels: [] }));
}

/** The last known state may be out of date. */
function isOld({ poll }: Pick<WatchedState, 'poll'>, now: number): boolean {
  return poll.failures > 0 || (poll.at > 0 && now - poll.at > OLD_MS);
}

function isPartial({ poll, isEmpty }: WatchedState): boolean {
  return poll.skipped > 0 || isEmpty;
}

function unreadLine({ gvc, org, poll, isEmpty }: WatchedState, now: number): Mrkdwn {
  const name = mrkdwn`${new Mrkdwn(SIGN.unknown)} GVC *${gvc}* of ${org}`;
  if (poll.failures > 0) {
    const known =
      poll.at === 0 ? 'never read so far' : `last known state of ${formatAge(now - poll.at)}`;
    return mrkdwn`${name} cannot be read, ${plural(poll.failures, 'try', 'tries')} failed · ${known}`;
  }
  if (now - poll.at > OLD_MS) {
    return mrkdwn`${name} was last read ${formatAge(now - poll.at)}: its state since then is unknown`;
  }
  return isEmpty
    ? mrkdwn`${name}: its list is suddenly empty`
    : mrkdwn`${name}: ${plural(poll.skipped, 'deployment')} could not be read`;
}

function calmLine(gvcs: readonly WatchedState[], all: readonly PlacedWorkload[]): Mrkdwn {
  if (gvcs.every(({ poll }) => poll.at === 0))
    return mrkdwn`${new Mrkdwn(SIGN.unknown)} Not read yet`;
  return mrkdwn`${new Mrkdwn(SIGN.good)} Nothing: ${counted(all.toSorted(worstWorkloadFirst))}`;
}

function movingBlocks(all: readonly PlacedWorkload[], nameOf: NameOf): KnownBlock[] {
  const names = all.filter(isMoving).map(nameOf).toSorted(compareNatural);
  return names.length === 0
    ? []
    : [context(mrkdwn`${new Mrkdwn(SIGN.underWay)} Rolling out: ${listed(names)}`)];
}

/** A GVC or a workload that channels watch. */
interface WatchedPlace extends Pick<Watch, 'org' | 'gvc' | 'workload'> {
  channels: readonly string[];
  state: WatchedState;
  /** The worst first. */
  workloads: readonly WorkloadStatus[];
}

function placesIn(state: WatchedState): WatchedPlace[] {
  const { watches } = state;
  const places = new Map(watches.map((watch) => [placeOf(watch), watch]));
  return [...places].map(([place, { org, gvc, workload }]) => {
    const channels = watches.filter((one) => placeOf(one) === place).map(({ channel }) => channel);
    const workloads = partOf(state.workloads, { gvc, workload }).toSorted(worstWorkloadFirst);
    const only = workload === undefined ? {} : { workload };
    const open = channels.filter((channel) => !isDirect(channel));
    return { org, gvc, ...only, channels: [...new Set(open)], state, workloads };
  });
}

/** All watched places, trouble first. Pure. @param now ms since the epoch */
export function watchesBlocks(gvcs: readonly WatchedState[], now: number): KnownBlock[] {
  const places = gvcs.flatMap(placesIn);
  if (places.length === 0) {
    return [
      context(
        mrkdwn`Nothing is watched. ${code('/deployments watch GVC')} in a channel posts every rollout there.`,
      ),
    ];
  }
  const nameOf = namesFor(places);
  const sorted = places.toSorted(
    (a, b) => worstPlaceFirst(a, b) || compareNatural(nameOf(a), nameOf(b)),
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

/** ":white_check_mark: *shop* 22 workloads ready, 3 idle · #deployments" */
function placeLine(one: WatchedPlace, nameOf: NameOf, now: number): Mrkdwn {
  const channels = joinFirst(one.channels.map(mentionChannel), MAX_CHANNELS);
  const name = mrkdwn`${signOfPlace(one, now)}*${nameOf(one)}* ${health(one)}`;
  return dotted([name, age(one.state, now), channels]);
}

function health({ state: { poll }, workload, workloads }: WatchedPlace): string {
  if (poll.at === 0) return poll.failures > 0 ? 'cannot be read' : 'not read yet';
  if (workload === undefined && workloads.length > 0) return counted(workloads);
  return countedStates(
    workloads.flatMap(({ rows }) => rows),
    'location',
  );
}

function age(state: WatchedState, now: number): string {
  const { at, skipped } = state.poll;
  if (at > 0 && isOld(state, now)) return `last known ${formatAge(now - at)}`;
  return skipped === 0 ? '' : `${plural(skipped, 'deployment')} could not be read`;
}

function worstPlaceFirst(a: WatchedPlace, b: WatchedPlace): number {
  const unread = (one: WatchedPlace): number => Number(one.state.poll.failures > 0);
  const [one, other] = [a.workloads[0], b.workloads[0]];
  if (unread(a) !== unread(b)) return unread(b) - unread(a);
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  return byImpact(one, other);
}

function signOfPlace({ state, workloads }: WatchedPlace, now: number): Mrkdwn {
  const isUnknown = isOld(state, now) || (isPartial(state) && workloads.every(isGreen));
  return isUnknown ? new Mrkdwn(`${SIGN.unknown} `) : worstSign(workloads);
}
