import type { KnownBlock } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { formatAge, plural } from '../../lib/text.ts';
import type { PollStatus } from '../../rollouts/gvc-store.ts';
import { dotted } from '../../rollouts/render/parts.ts';
import { isGreen, type WorkloadStatus } from '../../rollouts/watch/status.ts';
import { isDirect } from '../../slack/directory.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { counted, inSections, worstSign, worstWorkloadFirst } from './listing.ts';
import { leadOn, troublesOf, type PlacedWorkload } from './trouble.ts';
import { healthOf } from './watch.ts';
import { isGap, isUnread, type WatchedState } from './watched.ts';

export interface OverviewView {
  /** Undefined: all orgs. */
  org: string | undefined;
  defaultOrg: string | undefined;
  gvcs: readonly WatchedState[];
  /** Ms since the epoch. */
  now: number;
}

const MAX_LINES = 8;
const MAX_UNREADABLE = 3;

/** The answer to `/deployments`: all watched workloads that are not green. Pure. */
export function overviewAnswer(view: OverviewView): Answer {
  const { gvcs, org, defaultOrg, now } = view;
  if (gvcs.length === 0) {
    const where = org === undefined ? '' : ` in org ${org}`;
    const text = mrkdwn`Nothing is watched${where}. ${code('/deployments watch GVC')} in a channel posts every rollout there, ${code('/deployments GVC')} shows a GVC now.`;
    return { text: topText(text), blocks: [section(text)] };
  }
  const gaps = gvcs.filter(isGap);
  const green = gvcs
    .filter((one) => !isUnread(one))
    .flatMap(({ workloads }) => workloads.filter(isGreen))
    .toSorted(worstWorkloadFirst);
  const wrong = gvcs.flatMap(wrongIn).toSorted(worstWorkloadFirst);
  const head = headline(view, { green, wrong, gaps });
  const troubles = troublesOf(wrong, (one) => placeName(one, defaultOrg));
  const all = troubles.map(({ line }) => line);
  const [worst] = troubles;
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...gapLines(gaps, now),
      ...(all.length === 0 ? [] : [lines(all, MAX_LINES)]),
      ...smallPrint([
        ...(worst === undefined ? [] : [leadOn(worst.first, defaultOrg)]),
        ...(gaps.some(({ poll }) => poll.failures + poll.skipped > 0)
          ? [mrkdwn`Why it cannot be read, and what helps: ${code('/purser doctor')}`]
          : []),
      ]),
    ],
    ...(all.length <= MAX_LINES
      ? {}
      : {
          rest: {
            button: `Show all (${all.length})`,
            title: 'Not green now',
            blocks: inSections(all),
          },
        }),
    shareable: true,
    needs: orgRight(...new Set(gvcs.map((one) => one.org))),
  };
}

function wrongIn(state: WatchedState): PlacedWorkload[] {
  const { org, gvc, poll, workloads } = state;
  return workloads
    .filter((one) => !isGreen(one))
    .map((one) => ({
      ...one,
      org,
      gvc,
      isOld: poll.failures > 0,
      channels: channelsOf(one, state),
    }));
}

function channelsOf({ workload }: WorkloadStatus, { watches }: WatchedState): string[] {
  const own = watches.filter((watch) => (watch.workload ?? workload) === workload);
  // Direct messages concern one person.
  return [...new Set(own.map(({ channel }) => channel))].filter((channel) => !isDirect(channel));
}

/** "3 workloads are not green: 1 outage, 2 failed · 22 workloads ready · read 20 s ago" */
function headline(
  { gvcs, now }: OverviewView,
  {
    green,
    wrong,
    gaps,
  }: {
    green: readonly WorkloadStatus[];
    wrong: readonly PlacedWorkload[];
    gaps: readonly WatchedState[];
  },
): Mrkdwn {
  const watched = plural(gvcs.length, 'watched GVC');
  const gap = gapWords(gaps, watched);
  const oldest = Math.min(...gvcs.filter((one) => !isUnread(one)).map(({ poll }) => poll.at));
  const rest = [
    green.length === 0 ? '' : counted(green),
    oldest === Infinity ? '' : `read ${formatAge(now - oldest)}`,
  ];
  const current = wrong.filter(({ isOld }) => !isOld);
  if (current.length > 0) {
    const are = current.length === 1 ? 'is' : 'are';
    const what = mrkdwn`*${plural(current.length, 'workload')} ${are} not green*: ${counted(current)}`;
    return mrkdwn`${worstSign(current)}${dotted([what, gap, ...rest])}`;
  }
  const others = gaps.length === gvcs.length ? '' : '; all is green in the others';
  const unknown = new Mrkdwn(SIGN.unknown);
  if (wrong.length > 0) {
    const read = gaps.flatMap(({ poll }) => (poll.at === 0 ? [] : [poll.at]));
    const what = mrkdwn`*Last known, ${formatAge(now - Math.min(...read))}*: ${counted(wrong)}`;
    return mrkdwn`${unknown} ${dotted([what, `${gap}${others}`, ...rest])}`;
  }
  if (gaps.length > 0) {
    return mrkdwn`${unknown} ${dotted([mrkdwn`*Not everything is known*: ${gap}${others}`, ...rest])}`;
  }
  return mrkdwn`${new Mrkdwn(SIGN.good)} ${dotted([mrkdwn`*All is green* in ${watched}`, ...rest])}`;
}

/** "1 of 3 watched GVCs cannot be read", "3 deployments cannot be read"; new GVCs are read within a minute. */
function gapWords(gaps: readonly WatchedState[], watched: string): string {
  const failing = gaps.filter(({ poll }) => poll.failures > 0).length;
  const fresh = gaps.filter(({ poll }) => poll.failures === 0 && poll.at === 0).length;
  const read = gaps.filter((one) => !isUnread(one));
  const skipped = read.reduce((sum, { poll }) => sum + poll.skipped, 0);
  const empty = read.filter(({ isEmpty }) => isEmpty).length;
  return [
    ...(failing === 0 ? [] : [`${failing} of ${watched} cannot be read`]),
    ...(fresh === 0
      ? []
      : [
          `${fresh} of ${watched} ${fresh === 1 ? 'is' : 'are'} not read yet, ask again in a minute`,
        ]),
    ...(skipped === 0 ? [] : [`${plural(skipped, 'deployment')} could not be read`]),
    ...(empty === 0 ? [] : [`the list of ${empty} of ${watched} is suddenly empty`]),
  ].join(' · ');
}

function placeName(
  { org, gvc, workload }: Pick<PlacedWorkload, 'org' | 'gvc' | 'workload'>,
  defaultOrg: string | undefined,
): string {
  return org === defaultOrg ? `${gvc}/${workload}` : `${org}/${gvc}/${workload}`;
}

function gapLines(gaps: readonly WatchedState[], now: number): KnownBlock[] {
  if (gaps.length === 0) return [];
  const failing = ({ poll }: { poll: PollStatus }): number => (poll.failures > 0 ? 0 : 1);
  const sorted = gaps.toSorted((a, b) => failing(a) - failing(b));
  return [
    lines(
      sorted.map(({ org, gvc, poll }) => mrkdwn`*${org}/${gvc}*: ${healthOf(poll, now)}`),
      MAX_UNREADABLE,
    ),
  ];
}
