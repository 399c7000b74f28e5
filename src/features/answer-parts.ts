import type { KnownBlock } from '@slack/types';
import { formatAge, plural } from '../lib/text.ts';
import { context, lines, section } from '../slack/kit/blocks.ts';
import { pack, restLine } from '../slack/kit/fit.ts';
import { LIMITS, mrkdwn, type Mrkdwn } from '../slack/kit/text.ts';
import type { Answer, Asked } from '../slack/routing/routes.ts';
import { type List, listed } from './list.ts';

export const NOTHING = '–';

/** The confirmation before an answer is shared with a channel, and the role that sharing needs. */
export const SHARING = {
  shareable: { question: 'It shows billing data to everyone in this channel.' },
  needs: 'billing',
} satisfies Partial<Answer>;

/** Ms since the epoch. */
export interface Read {
  readonly readAt: number;
  readonly now: number;
}

/** A page of a list that was read from the platform. */
export interface ReadPage extends Read {
  readonly asked: Asked;
  readonly skipped: number;
}

/** A reading, for the small print. `thing` is singular; `things` is the plural if an s is not enough. */
interface Counted extends Read {
  readonly skipped: number;
  readonly thing: string;
  readonly things?: string | undefined;
}

/** How old the data is, unless it is fresh, and how many records could not be read. */
export function footnotes({ readAt, now, skipped, thing, things }: Counted): Mrkdwn[] {
  const age = formatAge(now - readAt);
  return [...(age === 'just now' ? [] : [mrkdwn`Read ${age}`]), ...leftOut(skipped, thing, things)];
}

/** The warning about unreadable records. @param thing singular */
export function leftOut(count: number, thing: string, things?: string): Mrkdwn[] {
  if (count === 0) return [];
  return [
    mrkdwn`⚠ ${plural(count, thing, things)} could not be read and ${count === 1 ? 'is' : 'are'} left out`,
  ];
}

interface PagedList<Row> extends List<Row>, Pick<Counted, 'thing' | 'things'> {
  readonly head: Mrkdwn;
  /** Between the head and the table. */
  readonly above?: readonly KnownBlock[];
  /** Between the table and the small print. */
  readonly below?: readonly KnownBlock[];
  /** Small print before that of the reading. */
  readonly remarks?: readonly Mrkdwn[];
}

/** The answer with a list of billing data: its head, a page of the table, and the small print. */
export function pagedAnswer<Row>(view: ReadPage, list: PagedList<Row>) {
  const { head, above = [], below = [], remarks = [] } = list;
  const { blocks, page, pages } = listed({ ...list, page: view.asked.page });
  const small = smallPrint([...remarks, ...footnotes({ ...list, ...view })]);
  return {
    blocks: [section(head), ...above, ...blocks, ...below, ...small],
    asked: { ...view.asked, page },
    pages,
    ...SHARING,
  } satisfies Answer;
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
  const sizesOf = ({ text }: Mrkdwn): number[] => [text.length + 1, 1];
  const shown = pack(items, sizesOf, [SECTION_ROOM + 1, SECTION_LINES]).slice(0, max);
  const rest = restLine(shown.flat().length, items.length);
  return [...shown.map((some) => lines(some)), ...rest.map((line) => context(mrkdwn`${line}`))];
}
