import type { KnownBlock } from '@slack/types';
import type { Message } from '../../notify/message.ts';
import { plural } from '../../lib/text.ts';
import { actions, button, lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { cutText } from '../../slack/kit/fit.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { GvcState } from '../watch/advance.ts';
import type { PollTime } from '../watch/spans.ts';
import { eventKey } from '../watch/group.ts';
import { rememberedStatuses, type WorkloadStatus } from '../watch/status.ts';
import { overlaps, type Watch, type WatchedGvc } from '../watches.ts';
import {
  CARD_ACTIONS,
  firstWords,
  headline,
  listed,
  LOOK_AT_HURT,
  mentioning,
  nameOf,
  type Content,
} from './parts.ts';

const MAX_LINES = 9;
const MAX_DETAILS = 3;
const LINE_LENGTH = 221;

/** The title where the channel took no posts. */
export const REFUSED_TITLE = 'While I could not post here';

/** A message that was held back. `at`: milliseconds since the epoch. */
export interface Held extends Pick<Message, 'key' | 'covers' | 'text'> {
  at: number;
}

/** A workload as users get it now. */
export interface Served extends WatchedGvc, Pick<WorkloadStatus, 'workload' | 'impact'> {
  /** Its GVC cannot be read: as it was last known. */
  isUnread: boolean;
  /** Key of the call that mentions people. */
  call: string | undefined;
  /** The people who are mentioned, as Slack writes them. */
  notify: readonly string[];
}

/** The workloads of a GVC that a channel watches. @param time of its last poll */
export function servedIn(
  { org, gvc }: WatchedGvc,
  state: GvcState,
  { time, isUnread, watches }: { time: PollTime; isUnread: boolean; watches: readonly Watch[] },
): Served[] {
  return rememberedStatuses(state, time).flatMap(({ workload, impact }) => {
    const own = watches.filter((watch) => overlaps(watch, { org, gvc, workload }));
    if (own.length === 0) return [];
    const call = state.workloads[workload]?.calls?.find(({ mentions }) => mentions === true);
    const key = call && `${org}/${eventKey(`${gvc}/${workload}`, call.version, call.word, call.n)}`;
    const notify = own.flatMap((watch) => watch.notify ?? []);
    return [{ org, gvc, workload, impact, isUnread, call: key, notify }];
  });
}

/**
 * The message at the end of a mute, or of a time in which the channel took no posts: everything that was held
 * back, with its times, and the workloads that are hurt now, the worst first.
 * @param served the workloads that the channel watches
 */
export function mutedContent(
  title: string,
  held: readonly Held[],
  served: readonly Served[],
): Content {
  const hurt = served
    .filter(({ impact }) => impact.level > 0)
    .toSorted((a, b) => b.impact.level - a.impact.level);
  const silent = served.filter(({ impact }) => impact.silent.length > 0);
  const unread = served.filter((one) => one.isUnread).map(({ gvc }) => gvc);
  const isKnown = silent.length + unread.length === 0;
  const head = headline(hurt.length > 0 ? SIGN.hurt : isKnown ? SIGN.good : SIGN.unknown, [
    `${title}: ${plural(held.length, 'message')}`,
    hurt.length === 0 && isKnown ? 'Nothing is hurt now' : '',
    named('Hurt now', hurt, ({ impact }) => firstWords(impact)),
    named('No report', silent, ({ impact }) => `(${listed(impact.silent)})`),
    unread.length === 0 ? '' : `Last known, cannot be read: ${listed([...new Set(unread)])}`,
  ]);
  const all = held.map(({ at, text }) => mrkdwn`${moment(at, '{time}')} ${firstLine(text)}`);
  const step = hurt.length === 0 ? [] : [section(LOOK_AT_HURT), detailsOf(hurt)];
  const called = new Set(held.flatMap(({ key, covers = [] }) => [key, ...covers]));
  const people = hurt.filter(({ impact, call = '' }) => impact.level >= 2 && called.has(call));
  return mentioning(
    contentOf([section(head), ...(all.length === 0 ? [] : [lines(all, MAX_LINES)]), ...step]),
    people.flatMap(({ notify }) => notify),
  );
}

/** "Hurt now: shop/cart Outage"; '' for none. */
function named(title: string, some: readonly Served[], words: (one: Served) => string): string {
  const names = some.map((one) => `${nameOf(one, one.workload)} ${words(one)}`);
  return names.length === 0 ? '' : `${title}: ${listed(names)}`;
}

function detailsOf(hurt: readonly Served[]): KnownBlock {
  const buttonOf = (one: Served): ReturnType<typeof button> =>
    button({
      action: CARD_ACTIONS.details,
      text: `Details of ${nameOf(one, one.workload)}`,
      value: `${one.org}/${one.gvc}/${one.workload}`,
    });
  return actions(...hurt.slice(0, MAX_DETAILS).map(buttonOf));
}

/** The texts of messages are escaped already. */
function firstLine(text: string): Mrkdwn {
  const [line = ''] = text.split('\n');
  return new Mrkdwn(cutText(line, LINE_LENGTH));
}
