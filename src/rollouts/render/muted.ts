import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { actions, button, lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { cutText } from '../../slack/kit/fit.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { GvcState } from '../watch/advance.ts';
import type { PollTime } from '../watch/spans.ts';
import { rememberedStatuses } from '../watch/status.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  CARD_ACTIONS,
  firstWords,
  headline,
  listed,
  LOOK_AT_HURT,
  nameOf,
  type Content,
} from './parts.ts';

const MAX_LINES = 9;
const MAX_DETAILS = 3;
const LINE_LENGTH = 221;

/** The title where the channel took no posts. */
export const REFUSED_TITLE = 'While I could not post here';

/** A message that was held back. `at`: milliseconds since the epoch. */
export interface Held {
  key: string;
  at: number;
  text: string;
}

/** A workload as users get it now. */
export type Served = ReturnType<typeof servedIn>[number];

/** The workloads of a GVC. @param time of its last poll */
export function servedIn({ org, gvc }: WatchedGvc, state: GvcState, time: PollTime) {
  return rememberedStatuses(state, time).map(({ workload, impact }) => {
    return { org, gvc, workload, impact };
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
  const names = hurt.map((one) => `${nameOf(one, one.workload)} ${firstWords(one.impact)}`);
  const now = hurt.length === 0 ? 'Nothing is hurt now' : `Hurt now: ${listed(names)}`;
  const sign = hurt.length === 0 ? SIGN.good : SIGN.hurt;
  const head = headline(sign, [`${title}: ${plural(held.length, 'message')}`, now]);
  const all = held.map(({ at, text }) => mrkdwn`${moment(at, '{time}')} ${firstLine(text)}`);
  const step = hurt.length === 0 ? [] : [section(LOOK_AT_HURT), detailsOf(hurt)];
  return contentOf([section(head), ...(all.length === 0 ? [] : [lines(all, MAX_LINES)]), ...step]);
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
