import type { KnownBlock } from '@slack/types';
import { formatAge, plural } from '../lib/text.ts';
import { context, lines } from '../slack/kit/blocks.ts';
import { mrkdwn, type Mrkdwn } from '../slack/kit/text.ts';
import type { Answer } from '../slack/routing/routes.ts';

/** Shown when the answer could not be stored and therefore has no buttons. */
export const NO_BUTTONS = 'The buttons are missing just now: run the command again in a minute';

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

/** Lines per section and sections per window, below Slack's limits. */
const SECTION_LINES = 20;
const SECTIONS = 20;

/** Many lines as sections of a window; lines beyond its limits are counted. */
export function lineSections(items: readonly Mrkdwn[]): KnownBlock[] {
  const shown = items.slice(0, SECTION_LINES * SECTIONS);
  const sections: KnownBlock[] = [];
  for (let from = 0; from < shown.length; from += SECTION_LINES) {
    sections.push(lines(shown.slice(from, from + SECTION_LINES)));
  }
  const more = items.length - shown.length;
  return more > 0 ? [...sections, context(mrkdwn`… and ${more} more`)] : sections;
}
