import type { KnownBlock } from '@slack/types';
import type { Principal } from '../../access/policy.ts';
import { compareNatural, formatAge } from '../../lib/text.ts';
import {
  nameOf as targetName,
  placeValue,
  type Target,
} from '../../platform/deployments/target.ts';
import { CARD_ACTIONS, dotted } from '../../rollouts/render/parts.ts';
import { isGreen, type WorkloadStatus } from '../../rollouts/watch/status.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isDirect } from '../../slack/directory.ts';
import { button, context, section, SIGN, sign } from '../../slack/kit/blocks.ts';
import { joinFirst, mentionChannel, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart, Person } from '../../slack/routing/routes.ts';
import { lineSections, smallPrint } from '../answer-parts.ts';
import { watchButton } from '../tasks.ts';
import {
  byImpact,
  countedStates,
  countsOf,
  DOCTOR_NOTE,
  grouped,
  isInTrouble,
  isOld,
  movingNote,
  placedIn,
  troublesOf,
  unreadLines,
  unreadWords,
  worstSign,
  worstWorkloadFirst,
} from './board.ts';
import { fingerprintOf, partOf, readWatched, type WatchedState } from '../watched.ts';

type HomeServices = Pick<Services, 'config' | 'redis' | 'keys' | 'access' | 'clock' | 'orgs'>;

/** "Needs attention" and "Watches" on the home tab (design section 3), from the store alone. */
export function createDeploymentsHome(services: HomeServices): readonly HomePart<Principal>[] {
  const { access, clock, orgs } = services;
  // Both parts are filled at the same time, so they share one read.
  let running: Promise<WatchedState[]> | undefined;
  const readAll = () =>
    (running ??= readWatched(services, undefined).finally(() => (running = undefined)));
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
      fingerprint: async () => fingerprintOf(await readAll()),
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

/** With a button each; more are lines. Home gives a part 15 blocks. */
const MAX_SECTIONS = 8;
const MAX_LINE_SECTIONS = 4;
const MAX_PLACES = 12;
const MAX_CHANNELS = 3;

/** All watched workloads in trouble, the worst first; empty without watches. Pure. @param now ms since the epoch */
export function attentionBlocks(gvcs: readonly WatchedState[], now: number): KnownBlock[] {
  if (gvcs.length === 0) return [];
  const nameOf = namesFor(gvcs);
  const all = gvcs.flatMap((one) =>
    placedIn(one, now).filter(({ workload }) =>
      one.watches.some((watch) => (watch.workload ?? workload) === workload),
    ),
  );
  const troubles = troublesOf(all.filter(isInTrouble), nameOf);
  const unread = unreadLines(gvcs, now);
  const isCalm = troubles.length + unread.length === 0;
  const calm = gvcs.every(({ poll }) => poll.at === 0)
    ? mrkdwn`${sign('unknown')} Not read yet`
    : mrkdwn`${sign('good')} Nothing: ${countedStates(all)}`;
  const more = troubles.slice(MAX_SECTIONS).map(({ line }) => line);
  return [
    ...(isCalm ? [section(calm)] : []),
    ...troubles.slice(0, MAX_SECTIONS).map(({ line, value }) => withDetails(line, value)),
    ...lineSections([...more, ...unread], MAX_LINE_SECTIONS),
    ...smallPrint(unread.length === 0 ? [] : [DOCTOR_NOTE]),
    ...movingNote(all, nameOf),
  ];
}

function withDetails(line: Mrkdwn, value: string): KnownBlock {
  const label = `Details: ${value}`;
  return section(line, button({ action: CARD_ACTIONS.details, text: 'Details', value, label }));
}

type Named = Target & { org: string };
type NameOf = (place: Named) => string;

/** "shop/cart"; preceded by the org when several orgs are watched. */
function namesFor(gvcs: readonly Named[]): NameOf {
  const isOneOrg = new Set(gvcs.map(({ org }) => org)).size === 1;
  return ({ org, gvc, workload }) => `${isOneOrg ? '' : `${org}/`}${targetName({ gvc, workload })}`;
}

interface WatchedPlace extends Named {
  channels: readonly string[];
  state: WatchedState;
  /** The worst first. */
  workloads: readonly WorkloadStatus[];
}

function placesIn(state: WatchedState): WatchedPlace[] {
  return [...grouped(state.watches, placeOf).values()].map((watches) => {
    const [{ org, gvc, workload }] = watches;
    const workloads = partOf(state.workloads, { gvc, workload }).toSorted(worstWorkloadFirst);
    const channels = new Set(watches.map(({ channel }) => channel));
    const open = [...channels].filter((channel) => !isDirect(channel));
    return { org, gvc, workload, channels: open, state, workloads };
  });
}

/** All watched places, trouble first. Pure. @param now ms since the epoch */
export function watchesBlocks(gvcs: readonly WatchedState[], now: number): KnownBlock[] {
  const places = gvcs.flatMap(placesIn);
  if (places.length === 0) {
    return [section(mrkdwn`Nothing is watched yet.`, watchButton())];
  }
  const nameOf = namesFor(places);
  const sorted = places.toSorted(
    (a, b) => worstPlaceFirst(a, b) || compareNatural(nameOf(a), nameOf(b)),
  );
  const hidden = places.length - MAX_PLACES;
  return [
    ...sorted
      .slice(0, MAX_PLACES)
      .map((one) => withDetails(placeLine(one, nameOf, now), placeValue(one.org, one))),
    ...(hidden > 0 ? [context(mrkdwn`… and ${hidden} more, in no worse state`)] : []),
  ];
}

/** ":white_check_mark: *shop: 22 ready, 3 idle* · #deployments" */
function placeLine(one: WatchedPlace, nameOf: NameOf, now: number): Mrkdwn {
  const channels = joinFirst(one.channels.map(mentionChannel), MAX_CHANNELS);
  return mrkdwn`${signOfPlace(one, now)}${dotted([health(one, nameOf(one)), age(one.state, now), channels])}`;
}

function health({ state: { poll }, workload, workloads }: WatchedPlace, name: string): Mrkdwn {
  if (poll.at === 0) {
    return mrkdwn`*${name}: ${poll.failures > 0 ? 'cannot be read' : 'not read yet'}*`;
  }
  if (workload === undefined) return countsOf(name, workloads);
  const [one] = workloads;
  const rows = one?.rows ?? [];
  const all = rows.length > 1 ? ` in ${rows.length} locations` : '';
  return mrkdwn`*${name}: ${countedStates(rows)}${all}*`;
}

function age(state: WatchedState, now: number): string {
  const { at, skipped } = state.poll;
  if (at > 0 && isOld(state, now)) return `last known ${formatAge(now - at)}`;
  if (state.isEmpty) return 'last known';
  return unreadWords(skipped);
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
  const isPartial = state.poll.skipped > 0 || state.isEmpty;
  const isUnknown = isOld(state, now) || (isPartial && workloads.every(isGreen));
  return isUnknown ? new Mrkdwn(`${SIGN.unknown} `) : worstSign(workloads);
}
