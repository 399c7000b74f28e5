import type { Message } from '../../notify/message.ts';
import { formatDuration, plural } from '../../lib/text.ts';
import { section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { ApiNotice } from '../watch/operators.ts';
import type { WatchedGvc } from '../watches.ts';
import { inBlock, inText, short, type Bold, type Line } from './parts.ts';

/** A message to operators about the answers of the API for one GVC. */
export function apiMessage(
  place: WatchedGvc,
  notice: ApiNotice,
  now: number,
): Omit<Message, 'channel'> {
  const { org, gvc } = place;
  const { what, n, over } = notice;
  const base = `${org}/${gvc}/@api`;
  const line = lineOf(place, notice, now);
  const content = { text: topText(inText(line)), blocks: [section(inBlock(line))] };
  const key = `${base}/${what}/${n}`;
  if (what === 'up') return { key, ...content, threadKey: `${base}/down/${n}`, broadcast: true };
  return { key, ...content, ...(over === true ? { requires: key } : {}) };
}

function lineOf(
  { org, gvc }: WatchedGvc,
  { what, over, since, detail }: ApiNotice,
  now: number,
): Line {
  const name = (b: Bold): Mrkdwn => mrkdwn`${b(short(gvc))} in ${short(org)}`;
  const took = formatDuration(now - since);
  if (what === 'up')
    return { sign: SIGN.good, words: (b) => mrkdwn`${name(b)} can be read again after ${took}` };
  if (over === true) {
    const words = what === 'slow' ? 'is read in time again' : 'can be read in full again';
    return { sign: SIGN.good, words: (b) => mrkdwn`${name(b)} ${words} after ${took}` };
  }
  switch (what) {
    case 'down':
      return {
        sign: SIGN.wrong,
        words: (b) =>
          mrkdwn`${name(b)} cannot be read (${detail}): nothing is reported until it can`,
      };
    case 'unreadable':
      if (detail === '') {
        return {
          sign: SIGN.wrong,
          words: (b) =>
            mrkdwn`The list of ${name(b)} is suddenly empty: its workloads keep their last state`,
        };
      }
      return {
        sign: SIGN.wrong,
        words: (b) =>
          mrkdwn`${plural(Number(detail), 'record')} of ${name(b)} cannot be read: ${detail === '1' ? 'it keeps its' : 'they keep their'} last state`,
      };
    case 'slow':
      return {
        sign: SIGN.wrong,
        words: (b) => mrkdwn`${name(b)} has been read too seldom for ${took}: calls may be late`,
      };
  }
}
