import type { KnownBlock } from '@slack/types';
import { writeQuery } from '../../figures/query.ts';
import { describeRange, stepStart } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { plural } from '../../lib/text.ts';
import { code, joinMrkdwn, mrkdwn, section } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { caveatBlocks, flaw, note } from './caveats.ts';
import type { Question, Source, TagValuesFound } from './source.ts';
import { footer } from './totals-view.ts';
import type { Paged } from './totals-view.ts';
import { NONE } from './words.ts';

export interface TagsView {
  readonly source: Source;
  readonly tag: string;
  readonly question: Question;
  readonly found: TagValuesFound;
  /** From 1; one beyond the last is the last. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
}

/** The values that a tag has (spec 4.6), one after another. Pure. */
export function tagsView({ source, tag, question, found, page, now }: TagsView): Paged {
  const { query, range, nowMs } = question;
  const { values, readAt, skipped = 0, caveats = [] } = found;
  const count = values.length === 0 ? 'No values' : plural(values.length, 'value');
  const head = mrkdwn`*${count} of* ${code(tag, 60)} in ${source.name} of ${code(writeQuery(query), 300)}: ${describeRange(range)}`;
  const searched = searchedMonths(range);
  const isCurrent = searched.startMs <= nowMs && nowMs < searched.endMs;
  const unread =
    skipped === 0 ? [] : [flaw(mrkdwn`${plural(skipped, 'value')} could not be read.`)];
  return pagedList({
    head,
    items: values.map((value) =>
      value === '' ? mrkdwn`${NONE} (usage that lacks the tag)` : code(value),
    ),
    notes: [
      ...(values.length === 0 ? [whatToTry(source, tag, question)] : []),
      ...unread,
      ...caveats,
      note(
        mrkdwn`The platform looks through whole months for that: ${describeRange(searched)}.${isCurrent ? ' Values of the current month can be late.' : ''}`,
      ),
    ],
    readAt,
    page,
    now,
  });
}

/** The months that are searched: through the one that begins at or after the end (spec 4.6). */
function searchedMonths({ startMs, endMs }: Range): Range {
  const lastStart = stepStart(endMs, 'month') === endMs ? endMs : monthAfter(endMs);
  return { startMs: stepStart(startMs, 'month'), endMs: monthAfter(lastStart) };
}

function monthAfter(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function whatToTry({ help, name }: Source, tag: string, { query }: Question): Mrkdwn {
  const isFiltered = Object.keys(query.where).length + query.of.length > 0;
  const tries = [
    ...(isFiltered ? ['leave the filters out'] : []),
    'ask for a longer range',
    `see what there is with "${help.command} by ${tag}"`,
  ];
  return mrkdwn`No ${name} of that time has the tag: ${tries.join(', or ')}.`;
}

interface List {
  readonly head: Mrkdwn;
  readonly items: readonly Mrkdwn[];
  readonly notes: readonly Mrkdwn[];
  readonly readAt: number;
  readonly page: number;
  readonly now: number;
}

/** What a page holds, and what a section does; Slack takes about 13,200 characters in a message. */
const PAGE = { items: 60, characters: 6_000 };
const SECTION = { items: 60, characters: 2_800 };
const BETWEEN = ' · ';

function pagedList({ head, items, notes, readAt, page, now }: List): Paged {
  const pages = portions(items, PAGE);
  const at = Math.min(Math.max(1, page), Math.max(1, pages.length));
  const blocks: KnownBlock[] = [
    section(head),
    ...portions(pages[at - 1] ?? [], SECTION).map((portion) =>
      section(joinMrkdwn(portion, BETWEEN)),
    ),
    ...caveatBlocks(notes),
    ...footer(readAt, now, at, pages.length),
  ];
  return { head, blocks, page: at, pages: Math.max(1, pages.length) };
}

/** Values in their order, as many together as fit. */
function portions(items: readonly Mrkdwn[], most: typeof PAGE): Mrkdwn[][] {
  const portions: Mrkdwn[][] = [];
  let room = 0;
  for (const item of items) {
    const length = item.text.length + BETWEEN.length;
    const last = portions.at(-1);
    if (last !== undefined && last.length < most.items && length <= room) {
      last.push(item);
      room -= length;
    } else {
      portions.push([item]);
      room = most.characters - length;
    }
  }
  return portions;
}
