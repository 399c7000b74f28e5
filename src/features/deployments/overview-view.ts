import { orgRight } from '../../access/policy.ts';
import { formatAge, plural } from '../../lib/text.ts';
import { dotted } from '../../rollouts/render/parts.ts';
import { isGreen, type WorkloadStatus } from '../../rollouts/watch/status.ts';
import { isDirect } from '../../slack/directory.ts';
import { section, sign } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections, smallPrint } from '../answer-parts.ts';
import { watchButton } from '../tasks.ts';
import {
  countsOf,
  isInTrouble,
  movingNote,
  type Placed,
  placedIn,
  troublesOf,
  unreadLines,
  worstSign,
  worstWorkloadFirst,
} from './board.ts';
import { workloadsTable } from './status-view.ts';
import { isGap, isUnread, type WatchedState } from './watched.ts';

export interface OverviewView {
  /** Undefined: all orgs. */
  org: string | undefined;
  defaultOrg: string | undefined;
  gvcs: readonly WatchedState[];
  /** Ms since the epoch. */
  now: number;
}

/** Sections of causes above the table, which has all workloads. */
const CAUSE_SECTIONS = 3;

/** The answer to `/deployments`: all watched workloads that are not green. Pure. */
export function overviewAnswer(view: OverviewView): Answer {
  const { gvcs, org, defaultOrg, now } = view;
  if (gvcs.length === 0) {
    const where = org === undefined ? '' : ` in org ${org}`;
    const text = mrkdwn`Nothing is watched${where}. ${code('/deployments watch GVC')} in a channel posts every rollout there, ${code('/deployments GVC')} shows a GVC now.`;
    return { blocks: [section(text, watchButton())] };
  }
  const gaps = gvcs.filter(isGap);
  const all = gvcs
    .flatMap((one) =>
      placedIn(one, now).map((placed) => ({ ...placed, channels: channelsOf(placed, one) })),
    )
    .toSorted(worstWorkloadFirst);
  const wrong = all.filter((one) => !isGreen(one));
  const nameOf = ({ org: own, gvc, workload }: Placed): string =>
    own === defaultOrg ? `${gvc}/${workload}` : `${own}/${gvc}/${workload}`;
  const troubles = troublesOf(wrong.filter(isInTrouble), nameOf);
  return {
    blocks: [
      section(headline(view, all, gaps)),
      ...lineSections(
        [...unreadLines(gvcs, now), ...troubles.map(({ line }) => line)],
        CAUSE_SECTIONS,
      ),
      ...movingNote(wrong, nameOf),
      ...workloadsTable('Watched workloads that are not green', wrong, nameOf),
      ...smallPrint(
        gaps.some(({ poll }) => poll.failures + poll.skipped > 0)
          ? [mrkdwn`Why it cannot be read, and what helps: ${code('/purser doctor')}`]
          : [],
      ),
    ],
    shareable: true,
    needs: orgRight(...new Set(gvcs.map((one) => one.org))),
  };
}

function channelsOf({ workload }: WorkloadStatus, { watches }: WatchedState): string[] {
  const own = watches.filter((watch) => (watch.workload ?? workload) === workload);
  // Direct messages concern one person.
  return [...new Set(own.map(({ channel }) => channel))].filter((channel) => !isDirect(channel));
}

/** "*2 watched GVCs: 1 failed, 22 ready* · 1 outage · read 20 s ago" */
function headline(
  { gvcs, now }: OverviewView,
  all: readonly Placed[],
  gaps: readonly WatchedState[],
): Mrkdwn {
  const watched = plural(gvcs.length, 'watched GVC');
  const gap = gapWords(gaps, watched);
  const oldest = Math.min(...gvcs.filter((one) => !isUnread(one)).map(({ poll }) => poll.at));
  const read = oldest === Infinity ? '' : `read ${formatAge(now - oldest)}`;
  const [current, old] = [all.filter((one) => !one.isOld), all.filter((one) => one.isOld)];
  const counts = current.length === 0 ? '' : countsOf(watched, current);
  if (current.some((one) => !isGreen(one))) {
    return mrkdwn`${worstSign(current)}${dotted([counts, gap, read])}`;
  }
  const unknown = sign('unknown');
  if (old.some((one) => !isGreen(one))) {
    const since = gaps.flatMap(({ poll }) => (poll.at === 0 ? [] : [poll.at]));
    const last = countsOf(`Last known, ${formatAge(now - Math.min(...since))}`, old);
    return mrkdwn`${unknown} ${dotted([last, gap, counts, read])}`;
  }
  if (gaps.length > 0) {
    return mrkdwn`${unknown} ${dotted([mrkdwn`*Not everything is known*: ${gap}`, counts, read])}`;
  }
  return mrkdwn`${sign('good')} ${dotted([countsOf(`All is green in ${watched}`, all), read])}`;
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
