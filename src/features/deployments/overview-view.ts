import { orgRight } from '../../access/policy.ts';
import { formatAge, plural } from '../../lib/text.ts';
import { dotted } from '../../rollouts/render/parts.ts';
import { isGreen, type WorkloadStatus } from '../../rollouts/watch/status.ts';
import { isDirect } from '../../slack/directory.ts';
import { section, sign } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections, smallPrint } from '../answer-parts.ts';
import { runButton } from '../notices.ts';
import { watchButton } from '../tasks.ts';
import {
  countsOf,
  isInTrouble,
  isOld,
  movingNote,
  type Placed,
  placedIn,
  troublesOf,
  unreadLines,
  worstSign,
  worstWorkloadFirst,
} from './board.ts';
import { DOCTOR_NOTE } from './listing.ts';
import { workloadsTable } from './status-view.ts';
import { isUnread, type WatchedState } from './watched.ts';

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
  const all = gvcs
    .flatMap((one) =>
      placedIn(one, now).map((placed) => ({ ...placed, channels: channelsOf(placed, one) })),
    )
    .toSorted(worstWorkloadFirst);
  const wrong = all.filter((one) => !isGreen(one));
  const nameOf = ({ org: own, gvc, workload }: Placed): string =>
    own === defaultOrg ? `${gvc}/${workload}` : `${own}/${gvc}/${workload}`;
  const unread = unreadLines(gvcs, now);
  const troubles = troublesOf(wrong.filter(isInTrouble), nameOf);
  return {
    blocks: [
      section(headline(view, all)),
      ...lineSections([...unread, ...troubles.map(({ line }) => line)], CAUSE_SECTIONS),
      ...movingNote(wrong, nameOf),
      ...workloadsTable('Watched workloads that are not green', wrong, nameOf),
      ...smallPrint(unread.length === 0 ? [] : [DOCTOR_NOTE]),
    ],
    ...(gvcs.some(isNew) && {
      buttons: [runButton('Try again', `/deployments${org === undefined ? '' : ` org ${org}`}`)],
    }),
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
function headline({ gvcs, now }: OverviewView, all: readonly Placed[]): Mrkdwn {
  const watched = plural(gvcs.length, 'watched GVC');
  const gap = gapWords(gvcs, now);
  const readable = gvcs.filter(({ poll }) => poll.at > 0);
  const read = ageWords(
    'read ',
    readable.filter((one) => !isOld(one, now)),
    now,
  );
  const [current, old] = [all.filter((one) => !one.isOld), all.filter((one) => one.isOld)];
  const counts = current.length === 0 ? '' : countsOf(watched, current);
  if (current.some((one) => !isGreen(one))) {
    return mrkdwn`${worstSign(current)}${dotted([counts, gap, read])}`;
  }
  const unknown = sign('unknown');
  if (old.some((one) => !isGreen(one)) || (old.length > 0 && current.length === 0)) {
    const since = ageWords(
      'Last known, ',
      readable.filter((one) => isOld(one, now)),
      now,
    );
    return mrkdwn`${unknown} ${dotted([countsOf(since, old), gap, counts, read])}`;
  }
  if (gap !== '') {
    return mrkdwn`${unknown} ${dotted([mrkdwn`*Not everything is known*: ${gap}`, counts, read])}`;
  }
  return mrkdwn`${sign('good')} ${dotted([countsOf(`All is green in ${watched}`, all), read])}`;
}

/** Not read so far, and nothing has failed. */
function isNew({ poll }: WatchedState): boolean {
  return poll.failures === 0 && poll.at === 0;
}

/** "read 20 s ago", of the GVC that was read first; '' without a GVC. */
function ageWords(word: string, gvcs: readonly WatchedState[], now: number): string {
  const oldest = Math.min(...gvcs.map(({ poll }) => poll.at));
  return gvcs.length === 0 ? '' : `${word}${formatAge(now - oldest)}`;
}

/** "1 of 3 watched GVCs cannot be read", "3 deployments cannot be read"; new GVCs are read within a minute. */
function gapWords(gvcs: readonly WatchedState[], now: number): string {
  const watched = plural(gvcs.length, 'watched GVC');
  const failing = gvcs.filter(({ poll }) => poll.failures > 0).length;
  const fresh = gvcs.filter(isNew).length;
  const read = gvcs.filter((one) => !isUnread(one));
  const late = read.filter((one) => isOld(one, now)).length;
  const skipped = read.reduce((sum, { poll }) => sum + poll.skipped, 0);
  const empty = read.filter(({ isEmpty }) => isEmpty).length;
  return [
    ...(failing === 0 ? [] : [`${failing} of ${watched} cannot be read`]),
    ...(fresh === 0
      ? []
      : [
          `${fresh} of ${watched} ${fresh === 1 ? 'is' : 'are'} not read yet, ask again in a minute`,
        ]),
    ...(late === 0 ? [] : [`${late} of ${watched} not read for more than 5 min`]),
    ...(skipped === 0 ? [] : [`${plural(skipped, 'deployment')} could not be read`]),
    ...(empty === 0 ? [] : [`the list of ${empty} of ${watched} is suddenly empty`]),
  ].join(' · ');
}
