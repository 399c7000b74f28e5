import type { KnownBlock } from '@slack/types';
import { formatAge, plural } from '../lib/text.ts';
import { context, lines } from '../slack/kit/blocks.ts';
import { LIMITS, mrkdwn, type Mrkdwn } from '../slack/kit/text.ts';
import type { Answer } from '../slack/routing/routes.ts';

export const NOTHING = '–';

/** The confirmation before an answer is shared with a channel, and the role that sharing needs. */
export const SHARING = {
  shareable: { question: 'It shows billing data to everyone in this channel.' },
  needs: 'billing',
} satisfies Partial<Answer>;

/** How old the data is, unless it is fresh, and how many records could not be read. */
export function footnotes(read: {
  /** Ms since the epoch, as is `now`. */
  readAt: number;
  now: number;
  skipped: number;
  /** Singular: "invoice". `things` is the plural if an s is not enough. */
  thing: string;
  things?: string;
}): Mrkdwn[] {
  const { skipped } = read;
  const age = formatAge(read.now - read.readAt);
  return [
    ...(age === 'just now' ? [] : [mrkdwn`Read ${age}`]),
    ...(skipped === 0
      ? []
      : [
          mrkdwn`⚠ ${plural(skipped, read.thing, read.things)} could not be read and ${skipped === 1 ? 'is' : 'are'} left out`,
        ]),
  ];
}

export function smallPrint(texts: readonly Mrkdwn[]): ReturnType<typeof context>[] {
  return texts.length === 0 ? [] : [context(...texts)];
}

/** Per section, and sections per window: below Slack's limits. */
const SECTION_LINES = 20;
const SECTION_ROOM = LIMITS.sectionText - 100;
const SECTIONS = 40;

/** Many lines as sections, whole and in their order; those beyond `max` sections are counted. */
export function lineSections(items: readonly Mrkdwn[], max = SECTIONS): KnownBlock[] {
  const made: Mrkdwn[][] = [];
  let room = 0;
  for (const item of items) {
    room -= item.text.length + 1;
    const last = made.at(-1);
    if (last !== undefined && room >= 0 && last.length < SECTION_LINES) last.push(item);
    else {
      made.push([item]);
      room = SECTION_ROOM - item.text.length;
    }
  }
  const shown = made.slice(0, max);
  const more = items.length - shown.flat().length;
  const rest = more > 0 ? [context(mrkdwn`… and ${more} more`)] : [];
  return [...shown.map((some) => lines(some)), ...rest];
}
