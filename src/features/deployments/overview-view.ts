import { orgRight } from '../../access/policy.ts';
import { formatAge, plural } from '../../lib/text.ts';
import { dotted } from '../../rollouts/render/parts.ts';
import { isGreen } from '../../rollouts/watch/status.ts';
import { isDirect } from '../../slack/directory.ts';
import { section, sign } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections, smallPrint } from '../answer-parts.ts';
import { runButton } from '../notices.ts';
import { watchButton } from '../tasks.ts';
import {
  countsOf,
  DOCTOR_NOTE,
  isInTrouble,
  isOld,
  movingNote,
  type Placed,
  placedIn,
  troublesOf,
  unreadLines,
  unreadWords,
  worstSign,
  worstWorkloadFirst,
} from './board.ts';
import { CAUSE_SECTIONS, workloadsTable } from './status-view.ts';
import { isUnread, type WatchedState } from './watched.ts';

export interface OverviewView {
  /** Undefined: all orgs. */
  org: string | undefined;
  defaultOrg: string | undefined;
  gvcs: readonly WatchedState[];
  /** Ms since the epoch. */
  now: number;
}

/** The answer to `/deployments`: all watched workloads that are not green. Pure. */
export function overviewAnswer(view: OverviewView): Answer {
  const { gvcs, org, defaultOrg, now } = view;
  const inOrg = org === undefined ? '' : ` org ${org}`;
  if (gvcs.length === 0) {
    const where = org === undefined ? '' : ` in${inOrg}`;
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
      ...workloadsTable('Watched workloads that are not green', wrong, nameOf).blocks,
      ...smallPrint(unread.length === 0 ? [] : [DOCTOR_NOTE]),
    ],
    buttons: gvcs.some(isNew) ? [runButton('Try again', `/deployments${inOrg}`)] : [],
    shareable: true,
    needs: orgRight(...new Set(gvcs.map((one) => one.org))),
  };
}

/** Direct messages concern one person. */
function channelsOf({ workload }: Placed, { watches }: WatchedState): string[] {
  const own = watches.filter((watch) => (watch.workload ?? workload) === workload);
  return [...new Set(own.map(({ channel }) => channel))].filter((channel) => !isDirect(channel));
}

/** "*2 watched GVCs: 1 failed, 22 ready* · 1 outage · read 20 s ago" */
function headline({ gvcs, now }: OverviewView, all: readonly Placed[]): Mrkdwn {
  const watched = plural(gvcs.length, 'watched GVC');
  const gap = gapWords(gvcs, now);
  const ageWords = (word: string, late: boolean): string => {
    const times = gvcs.filter((one) => isOld(one, now) === late).map(({ poll }) => poll.at);
    const read = times.filter((at) => at > 0);
    return read.length === 0 ? '' : `${word}${formatAge(now - Math.min(...read))}`;
  };
  const read = ageWords('read ', false);
  const [current, old] = [all.filter((one) => !one.isOld), all.filter((one) => one.isOld)];
  const counts = current.length === 0 ? '' : countsOf(watched, current);
  if (current.some((one) => !isGreen(one))) {
    return mrkdwn`${worstSign(current)}${dotted([counts, gap, read])}`;
  }
  const unknown = sign('unknown');
  if (old.some((one) => !isGreen(one)) || (old.length > 0 && current.length === 0)) {
    const last = countsOf(ageWords('Last known, ', true), old);
    return mrkdwn`${unknown} ${dotted([last, gap, counts, read])}`;
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

/** "1 of 3 watched GVCs cannot be read", "3 deployments could not be read"; new GVCs are read within a minute. */
function gapWords(gvcs: readonly WatchedState[], now: number): string {
  const watched = plural(gvcs.length, 'watched GVC');
  const fresh = gvcs.filter(isNew).length;
  const read = gvcs.filter((one) => !isUnread(one));
  const skipped = read.reduce((sum, { poll }) => sum + poll.skipped, 0);
  const empty = read.filter(({ isEmpty }) => isEmpty).length;
  const said = (count: number, words: (of: string) => string): string =>
    count === 0 ? '' : words(`${count} of ${watched}`);
  return [
    said(gvcs.filter(({ poll }) => poll.failures > 0).length, (of) => `${of} cannot be read`),
    said(fresh, (of) => `${of} ${fresh === 1 ? 'is' : 'are'} not read yet, ask again in a minute`),
    said(
      read.filter((one) => isOld(one, now)).length,
      (of) => `${of} not read for more than 5 min`,
    ),
    unreadWords(skipped),
    said(empty, (of) => `the list of ${of} is suddenly empty`),
  ]
    .filter((words) => words !== '')
    .join(' · ');
}
