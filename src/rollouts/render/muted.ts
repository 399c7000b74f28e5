import { plural } from '../../lib/text.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { inBlock, inText, listed, type Content, type Line } from './parts.ts';

const MAX_LINES = 9;
const LINE_LENGTH = 220;

/** The title where the channel took no posts. */
export const REFUSED_TITLE = 'While I could not post here';

/** A message that was held back. `at`: milliseconds since the epoch. */
export interface Held {
  key: string;
  at: number;
  text: string;
}

/**
 * The message at the end of a mute, or of a time in which the channel took no posts: everything that was held
 * back, with its times, and what is hurt now.
 * @param hurt "shop/cart Outage"
 */
export function mutedContent(
  title: string,
  held: readonly Held[],
  hurt: readonly string[],
): Content {
  const now = hurt.length === 0 ? 'Nothing is hurt now' : `Hurt now: ${listed(hurt)}`;
  const sign = hurt.length === 0 ? SIGN.good : SIGN.hurt;
  const head: Line = {
    sign,
    words: () => mrkdwn`${title}: ${plural(held.length, 'message')} · ${now}`,
  };
  const all = held.map(({ at, text }) => mrkdwn`${moment(at, '{time}')} ${firstLine(text)}`);
  return {
    text: topText(inText(head)),
    blocks: [section(inBlock(head)), ...(all.length === 0 ? [] : [lines(all, MAX_LINES)])],
  };
}

/** The texts of messages are escaped already, so a cut must not split an entity or a token. */
function firstLine(text: string): Mrkdwn {
  const [line = ''] = text.split('\n');
  if (line.length <= LINE_LENGTH) return new Mrkdwn(line);
  return new Mrkdwn(
    `${line.slice(0, LINE_LENGTH).replace(/(?:<[^<>]*|&\w*|[\uD800-\uDBFF])$/, '')}…`,
  );
}
