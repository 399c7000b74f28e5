import type { KnownBlock } from '@slack/types';
import { formatAge, plural } from '../../lib/text.ts';
import { plainCause } from '../../rollouts/engine/explain.ts';
import type { PollStatus } from '../../rollouts/gvc-store.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  mentionChannel,
  mrkdwn,
  Mrkdwn,
} from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import {
  counted,
  inSections,
  isGreen,
  leadOn,
  placesOf,
  signOf,
  sinceWords,
  workloadsOf,
  worstWorkloadFirst,
  type ListedWorkload,
} from './listing.ts';
import type { WatchedState } from './watched.ts';
import { healthOf } from './watch.ts';

export interface OverviewView {
  /** Undefined: all orgs. */
  org: string | undefined;
  defaultOrg: string | undefined;
  gvcs: readonly WatchedState[];
  /** Ms since the epoch. */
  now: number;
}

interface Hurting extends ListedWorkload {
  /** Its GVC can no longer be read. */
  isOld: boolean;
  channels: readonly string[];
}

const MAX_LINES = 8;
const MAX_UNREADABLE = 3;
const MAX_CHANNELS = 2;

/** The answer to `/deployments`: all watched workloads that are not green. Pure. */
export function overviewAnswer(view: OverviewView): Answer {
  const { gvcs, org, defaultOrg, now } = view;
  if (gvcs.length === 0) {
    const where = org === undefined ? '' : ` in org ${org}`;
    const text = mrkdwn`Nothing is watched${where}. ${code('/deployments watch GVC')} in a channel tells it of every rollout, ${code('/deployments GVC')} shows a GVC now.`;
    return { text: topText(text), blocks: [section(text)] };
  }
  const unread = gvcs.filter(isUnread);
  const green = gvcs
    .filter((one) => !isUnread(one))
    .flatMap(listedIn)
    .filter(isGreen);
  const wrong = gvcs
    .flatMap(wrongIn)
    .toSorted((a, b) => Number(a.isOld) - Number(b.isOld) || worstWorkloadFirst(a, b));
  const head = headline(view, { green, wrong, unread });
  const all = wrong.map((one) => wrongLine(one, defaultOrg));
  const [worst] = wrong;
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...unreadLines(unread, now),
      ...(all.length === 0 ? [] : [lines(all, MAX_LINES)]),
      ...smallPrint([
        ...(worst === undefined ? [] : [leadOn(worst, defaultOrg)]),
        ...(unread.some(({ poll }) => poll.failures > 0)
          ? [mrkdwn`Why it cannot be read, and what helps: ${code('/purser doctor')}`]
          : []),
      ]),
    ],
    ...(all.length <= MAX_LINES
      ? {}
      : {
          rest: {
            button: `All ${all.length} that are not green`,
            title: 'Not green now',
            blocks: inSections(all),
          },
        }),
    shareable: true,
    needs: 'orgs',
  };
}

function isUnread({ poll }: WatchedState): boolean {
  return poll.failures > 0 || poll.at === 0;
}

function listedIn({ statuses, ...place }: WatchedState): ListedWorkload[] {
  return workloadsOf(place, statuses);
}

function wrongIn(gvc: WatchedState): Hurting[] {
  return listedIn(gvc)
    .filter((one) => !isGreen(one))
    .map((one) => ({ ...one, isOld: gvc.poll.failures > 0, channels: channelsOf(one, gvc) }));
}

function channelsOf({ workload }: ListedWorkload, { watches }: WatchedState): string[] {
  const own = watches.filter((watch) => (watch.workload ?? workload) === workload);
  return [...new Set(own.map(({ channel }) => channel))];
}

/** "3 workloads are not green: 1 unhealthy, 2 failed · 22 workloads ready · read 20 s ago" */
function headline(
  { gvcs, now }: OverviewView,
  {
    green,
    wrong,
    unread,
  }: {
    green: readonly ListedWorkload[];
    wrong: readonly Hurting[];
    unread: readonly WatchedState[];
  },
): Mrkdwn {
  const watched = plural(gvcs.length, 'watched GVC');
  const gaps = gapWords(unread, watched);
  const counts = green.length === 0 ? '' : ` · ${counted(green)}`;
  const oldest = Math.min(...gvcs.filter((one) => !isUnread(one)).map(({ poll }) => poll.at));
  const read = oldest === Infinity ? '' : ` · read ${formatAge(now - oldest)}`;
  const current = wrong.filter(({ isOld }) => !isOld);
  if (current.length > 0) {
    const are = current.length === 1 ? 'is' : 'are';
    return mrkdwn`${signOf(current)} *${plural(current.length, 'workload')} ${are} not green*: ${countedShort(current)}${gaps === '' ? '' : ` · ${gaps}`}${counts}${read}`;
  }
  const others = unread.length === gvcs.length ? '' : '; all is green in the others';
  if (wrong.length > 0) {
    const last = Math.min(...unread.flatMap(({ poll }) => (poll.at === 0 ? [] : [poll.at])));
    return mrkdwn`${new Mrkdwn(SIGN.unknown)} *Last known, ${formatAge(now - last)}*: ${counted(wrong)} · ${gaps}${others}${counts}${read}`;
  }
  if (unread.length > 0) {
    return mrkdwn`${new Mrkdwn(SIGN.unknown)} *Not everything is known*: ${gaps}${others}${counts}${read}`;
  }
  return mrkdwn`${new Mrkdwn(SIGN.good)} *All is green* in ${watched}${counts}${read}`;
}

/** "1 of 3 watched GVCs cannot be read"; new ones are read within a minute. */
function gapWords(unread: readonly WatchedState[], watched: string): string {
  const failing = unread.filter(({ poll }) => poll.failures > 0).length;
  const fresh = unread.length - failing;
  const are = fresh === 1 ? 'is' : 'are';
  return [
    ...(failing === 0 ? [] : [`${failing} of ${watched} cannot be read`]),
    ...(fresh === 0 ? [] : [`${fresh} of ${watched} ${are} not read yet, ask again in a minute`]),
  ].join(' · ');
}

/** "1 unhealthy, 2 failed": the noun was just used. */
function countedShort(wrong: readonly Hurting[]): string {
  return counted(wrong).replace(/ workloads? /, ' ');
}

/** "*shop/web* v59 unhealthy in oslo (1 of 3), nothing serves: out of memory · since 14:03 · #ops" */
function wrongLine(one: Hurting, defaultOrg: string | undefined): Mrkdwn {
  const { state, rows, channels, isOld, serving } = one;
  const own = rows.filter((row) => row.state === state);
  const version = Math.max(...rows.map((row) => row.version));
  const sign = isOld ? new Mrkdwn(SIGN.unknown) : signOf([one]);
  const isAll = own.length === rows.length;
  const where = `in ${placesOf(
    own.map(({ location }) => location),
    isAll,
  )}${isAll ? '' : ` (${own.length} of ${rows.length})`}`;
  const [cause = ''] = own.map((row) => plainCause(row.cause)).filter((text) => text !== '');
  const name = mrkdwn`${sign} *${placeName(one, defaultOrg)}*${version === 0 ? '' : ` v${version}`}`;
  const what = mrkdwn`${name} ${state} ${where}${serving === '' ? '' : `, ${serving}`}${cause === '' ? '' : `: ${cause}`}`;
  const since = sinceWords(own);
  const parts = [
    what,
    ...(since.text === '' ? [] : [new Mrkdwn(since.text.trimStart())]),
    ...(isOld ? [mrkdwn`last known`] : []),
    ...(channels.length === 0 ? [] : [joinFirst(channels.map(mentionChannel), MAX_CHANNELS)]),
  ];
  return joinMrkdwn(parts, ' · ');
}

function placeName(
  { org, gvc, workload }: Pick<ListedWorkload, 'org' | 'gvc' | 'workload'>,
  defaultOrg: string | undefined,
): string {
  return org === defaultOrg ? `${gvc}/${workload}` : `${org}/${gvc}/${workload}`;
}

function unreadLines(unread: readonly WatchedState[], now: number): KnownBlock[] {
  if (unread.length === 0) return [];
  const failing = (poll: PollStatus): number => (poll.failures > 0 ? 0 : 1);
  const sorted = unread.toSorted((a, b) => failing(a.poll) - failing(b.poll));
  return [
    lines(
      sorted.map(({ org, gvc, poll }) => mrkdwn`*${org}/${gvc}*: ${healthOf(poll, now)}`),
      MAX_UNREADABLE,
    ),
  ];
}
