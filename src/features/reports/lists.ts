import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { denied } from '../../access/policy.ts';
import { typed } from '../../grammar/typed.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { compareNames, nearest, plural, shorten, truncate, type Word } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { Catalogue, ChargeableItem } from '../../platform/billing/charge-rows.ts';
import type { Reading } from '../../platform/concurrency.ts';
import {
  type Cursor,
  keywordAt,
  KNOWN_TAGS,
  properName,
  rangeAt,
  refuseSingleQuotes,
  unknownName,
  usualOf,
} from '../../reporting/query-words.ts';
import { parseQuery, type ReportQuery, writeQuery } from '../../reporting/query.ts';
import { describeAsked, describeRange, type Range, stepStart } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import {
  button,
  type Column,
  context,
  lines,
  section,
  table,
  topText,
} from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { ActionRoute, Answer, Person, Rest } from '../../slack/routing/routes.ts';
import { NO_BUTTONS } from '../answer-parts.ts';
import { actionId } from './answer-view.ts';
import { PLAIN_QUERY } from './customize-form.ts';
import { newState, readState, resolveQuestion, type State } from './question.ts';
import type { Question, Source, TagValuesFound, Viewer } from './source.ts';
import { footer, type Paged } from './totals-view.ts';
import { flaw, flawBlocks, NONE, note, notesOf, sharing } from './words.ts';

/**
 * Parses `TAG [query]`: a known tag in any spelling, in quotes any tag (design section 3).
 * @param words those after `tags`
 * @param command with its slash
 * @throws UsageError with the whole command that was probably meant
 */
export function parseTags(
  words: readonly Word[],
  command: string,
): { tag: string; query: ReportQuery } {
  const cursor: Cursor = { words, command: `${command} tags`, at: 0 };
  refuseSingleQuotes(words, cursor.command);
  const tag = readTagName(cursor);
  const start = `${command} tags ${typed({ text: tag, quoted: words[0]?.quoted ?? false })}`;
  const query = parseQuery(words.slice(1), { command: start });
  const misplaced = query.by ? 'by' : query.step && 'step';
  if (misplaced !== undefined) {
    const meant = writeQuery({ ...query, by: undefined, step: undefined });
    throw new UsageError(`"tags" takes no "${misplaced}": leave it out.`, `${start} ${meant}`);
  }
  if (query.items.length > 0) {
    throw new UsageError(
      '"tags" takes no "item": leave it out.',
      `${start} ${writeQuery({ ...query, items: [] })}`,
    );
  }
  return { tag, query };
}

function readTagName(cursor: Cursor): string {
  const [word] = cursor.words;
  const text = word?.text.trim() ?? '';
  const tag = word?.quoted === true ? text : properName(text, KNOWN_TAGS);
  if (tag !== undefined && tag !== '') return tag;
  if (text === '' || keywordAt(cursor) !== undefined || rangeAt(cursor) !== undefined) {
    throw new UsageError(`After "tags" comes a tag: usual are ${usualOf(KNOWN_TAGS)}.`);
  }
  const meant = nearest(text, KNOWN_TAGS);
  const fix = meant && { at: 0, count: 1, words: meant };
  throw unknownName(cursor, { what: 'tag', text, known: KNOWN_TAGS }, fix);
}

interface Listed {
  /** Undefined: the chargeable items. */
  readonly tag: string | undefined;
  readonly state: State;
}

const Kept = z.object({ tag: z.string().optional(), state: z.unknown() });

/** `tags TAG [query]` of both commands, and `items` of `/charges`. */
export function createLists(source: Source, services: ListServices) {
  const { clock, interactions } = services;
  const show = (person: Person, listed: Listed) => showList(source, services, person, listed);
  const turn = (action: string, step: number): ActionRoute => ({
    actionId: actionId(source.name, action),
    inPlace: true,
    async run({ person, value = '' }) {
      const kept = Kept.safeParse(await interactions.get(person.userId, value)).data;
      const state = readState(kept?.state, source.name);
      const page = Math.max(1, state.page + step);
      return show(person, { tag: kept?.tag, state: { ...state, page } });
    },
  });
  return {
    /** Spec 4.6. @throws Refusal, PlatformError */
    showTag: (person: Person, { tag, query }: ReturnType<typeof parseTags>): Promise<Answer> =>
      show(person, { tag, state: newState(source.name, query, clock.now()) }),
    /** The chargeable items by name (spec 2.6). @throws Refusal, PlatformError */
    showItems: (person: Person): Promise<Answer> =>
      show(person, { tag: undefined, state: newState(source.name, PLAIN_QUERY, clock.now()) }),
    /** Previous and Next of both lists; authorize the member again. */
    actions: [turn(PREVIOUS, -1), turn(NEXT, 1)],
  };
}

type ListServices = Pick<Services, 'clock' | 'interactions'>;

const PREVIOUS = 'list-previous';
const NEXT = 'list-next';

/** The refusal of words after `items`. An item's name there probably asks for its charges. */
export function itemsRefusal(
  { name, help: { command } }: Source,
  words: readonly Word[],
): UsageError | undefined {
  const [extra] = words;
  if (extra !== undefined && isQuery([{ text: 'item', quoted: false }, ...words])) {
    return new UsageError(
      '"items" lists the chargeable items, and "item" asks for those that you name.',
      [command, 'item', ...words.map(typed)].join(' '),
    );
  }
  if (name !== 'charges') {
    return new UsageError('Chargeable items are with the charges: "/charges items" lists them.');
  }
  if (extra === undefined) return undefined;
  return new UsageError(
    `After "items" comes nothing: leave "${truncate(extra.text, 60)}" out.`,
    `${command} items`,
  );
}

function isQuery(words: readonly Word[]): boolean {
  try {
    return parseQuery(words).items.length > 0;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

async function showList(
  source: Source,
  { clock, interactions }: ListServices,
  person: Person,
  listed: Listed,
): Promise<Answer> {
  const viewer = await source.authorize(person);
  const view = await (listed.tag === undefined
    ? readItems(source, viewer, listed.state, clock)
    : readTag(source, viewer, { ...listed, tag: listed.tag }, clock));
  const state = { ...listed.state, page: view.page };
  const id =
    view.pages > 1 ? await interactions.put(person.userId, { ...listed, state }) : undefined;
  const isStuck = view.pages > 1 && id === undefined;
  const press = (name: string, text: string) =>
    button({
      action: actionId(source.name, name),
      text,
      ...(id === undefined ? {} : { value: id }),
    });
  const turning = [
    ...(view.page > 1 ? [press(PREVIOUS, 'Previous')] : []),
    ...(view.page < view.pages ? [press(NEXT, 'Next')] : []),
  ];
  return {
    text: topText(view.head),
    blocks: isStuck ? [...view.blocks, context(mrkdwn`${NO_BUTTONS}`)] : view.blocks,
    notes: view.notes,
    ...(view.rest && { rest: view.rest }),
    controls: id === undefined ? [] : [turning],
    ...sharing(source, viewer),
  };
}

async function readTag(
  source: Source,
  viewer: Viewer,
  { tag, state }: Listed & { readonly tag: string },
  clock: Clock,
): Promise<Paged> {
  // Checked before an org has to be named, because naming one would not help.
  if (viewer.orgsOnly !== undefined) {
    throw denied('role', viewer.orgsOnly, viewer.missing);
  }
  const question = await resolveQuestion(source, viewer, state, clock);
  const found = await source.tagValues(viewer, tag, question.range, question.query);
  return tagsView({ source, tag, question, found, page: state.page, now: clock.now() });
}

async function readItems(
  source: Source,
  viewer: Viewer,
  { page }: State,
  clock: Clock,
): Promise<Paged> {
  const catalogue = await source.items?.(viewer);
  if (catalogue === undefined) throw new Refusal('There is no list of chargeable items here.');
  return itemsView({ catalogue, page, now: clock.now() });
}

interface ItemsView {
  readonly catalogue: Reading<Catalogue>;
  /** From 1; clamped to the last. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
}

const ROWS = 20;
/** Up to this many items of another type are listed by name. */
const ODD_TYPES = 2;
/** The tags of what is metered come first. */
const FIRST = ['metric', 'feature'];

/** The chargeable items (spec 2.6) by name. Pure. */
function itemsView({ catalogue: { value, readAt }, page, now }: ItemsView): Paged {
  const items = value.items.toSorted((a, b) => compareNames(a.name, b.name));
  const pages = Math.max(1, Math.ceil(items.length / ROWS));
  const at = Math.min(Math.max(1, page), pages);
  const shown = items.slice((at - 1) * ROWS, at * ROWS);
  const usual = { tags: usualTags(items), type: usualType(items) };
  const none =
    value.skipped > 0
      ? mrkdwn`The chargeable items cannot be read: please try again, and tell your Purser administrator if it lasts.`
      : mrkdwn`The platform charges for nothing on this account.`;
  const head =
    items.length === 0
      ? none
      : mrkdwn`*${plural(items.length, 'chargeable item')}*: what the platform charges for. The button Detail below ${code('/charges')} shows the rates.`;
  const caveats = caveatsOf(value, usual);
  return {
    head,
    blocks: [
      section(head),
      ...(items.length === 0 ? [] : [itemTable(shown, items, usual)]),
      ...flawBlocks(caveats),
      ...footer(readAt, now, at, pages),
    ],
    notes: notesOf(caveats),
    ...(shown.length > 0 && { rest: idsOf(shown) }),
    page: at,
    pages,
  };
}

/** Ids are rarely needed: a button opens them. */
function idsOf(items: readonly ChargeableItem[]): Rest {
  const named = items.map(({ name, id }) => mrkdwn`${truncate(name, 60)}: ${code(id, 60)}`);
  return { button: 'Ids', title: 'Ids of items', blocks: [lines(named)] };
}

/** Tags and type of almost every row, shown once. */
interface Usual {
  readonly tags: readonly string[];
  readonly type: string | undefined;
}

function caveatsOf({ items, skipped }: Catalogue, { tags, type }: Usual): Mrkdwn[] {
  const unread = mrkdwn`${plural(skipped, 'item')} could not be read.`;
  const others = items.filter((item) => item.type !== type);
  const odd = joinMrkdwn(
    others.map((item) => mrkdwn`${code(item.name, 60)} (${item.type ?? 'no type'})`),
    ', ',
  );
  const except = others.length === 0 ? mrkdwn`` : mrkdwn`, except for ${odd}`;
  return [
    ...(skipped > 0 ? [flaw(unread)] : []),
    ...(tags.length > 0
      ? [note(mrkdwn`Unless a row says otherwise: ${code(tags.join(' '))}`)]
      : []),
    ...(type === undefined ? [] : [note(mrkdwn`Type: ${code(type, 60)}${except}`)]),
  ];
}

/** @param all the items of every page, so that all pages have the same columns */
function itemTable(shown: readonly ChargeableItem[], all: readonly ChargeableItem[], usual: Usual) {
  const isTyped = usual.type === undefined && all.some(({ type }) => type !== undefined);
  const columns: Column[] = [
    { title: 'Item' },
    ...(isTyped ? [{ title: 'Type' }] : []),
    { title: 'Unit' },
    { title: 'Prices usage with' },
  ];
  return table(
    columns,
    shown.map((item) => [
      shorten(item.name, 40),
      ...(isTyped ? [item.type ?? NONE] : []),
      // Non-breaking: a wrapped unit would double the height of every row; with one more column it has to wrap.
      isTyped ? unitOf(item) : truncate(unitOf(item), 60).replaceAll(' ', '\u00A0'),
      [
        ...tagsOf(item).filter((tag) => !usual.tags.includes(tag)),
        ...(hasNewWords(item) ? [`(${item.description})`] : []),
      ].join(' '),
    ]),
  );
}

/** "core-seconds": the platform writes "cores * seconds". */
function unitOf({ unit }: ChargeableItem): string {
  return unit.replace(/^(\w+)s \* seconds$/, '$1-seconds');
}

/** "metric=cpu", "feature=workloads", … */
function tagsOf({ consumptionTags }: ChargeableItem): string[] {
  const tags = Object.keys(consumptionTags).toSorted(compareNames);
  const ordered = [
    ...FIRST.filter((tag) => tags.includes(tag)),
    ...tags.filter((tag) => !FIRST.includes(tag)),
  ];
  return ordered.map((tag) => `${tag}=${consumptionTags[tag] || NONE}`);
}

/**
 * Of the tags that every item has, the values of most items; they are shown once instead of in almost every row. The
 * metered tags stay in their rows.
 */
function usualTags(items: readonly ChargeableItem[]): readonly string[] {
  const [first, ...others] = items;
  if (first === undefined || others.length === 0) return [];
  const named = Object.keys(first.consumptionTags)
    .filter((tag) => !FIRST.includes(tag))
    .filter((tag) => others.every(({ consumptionTags }) => Object.hasOwn(consumptionTags, tag)));
  const counts = new Map<string, number>();
  for (const tag of items.flatMap(tagsOf)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts.keys()].filter(
    (tag) =>
      named.some((name) => tag.startsWith(`${name}=`)) && (counts.get(tag) ?? 0) > items.length / 2,
  );
}

/** The type of all items but a few; undefined if types vary more. */
function usualType(items: readonly ChargeableItem[]): string | undefined {
  const types = new Set(items.flatMap(({ type }) => type ?? []));
  return [...types].find((type) => {
    const others = items.filter((item) => item.type !== type).length;
    return others <= ODD_TYPES && others < items.length / 2;
  });
}

/** Whether a description has a word that is not in the name, the unit or the tags. */
function hasNewWords({ name, unit, consumptionTags, description }: ChargeableItem): boolean {
  const known = new Set(wordsOf([name, unit, ...Object.values(consumptionTags)].join(' ')));
  return wordsOf(description).some((word) => word !== 'of' && !known.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

interface TagsView {
  readonly source: Source;
  readonly tag: string;
  readonly question: Question;
  readonly found: TagValuesFound;
  /** From 1; clamped to the last. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
}

/** The values of a tag (spec 4.6), one after another. Pure. */
function tagsView({ source, tag, question, found, page, now }: TagsView): Paged {
  const { query, range, nowMs } = question;
  const { values, readAt, skipped = 0, caveats = [] } = found;
  const count = values.length === 0 ? 'No values' : plural(values.length, 'value');
  const asked = writeQuery({ ...query, range: '' }).trim();
  const filters = asked === '' ? '' : mrkdwn`, ${code(asked, 300)}`;
  const head = mrkdwn`*${count} of* ${code(tag, 60)} in ${source.name}${filters} · ${describeAsked(range, nowMs)}`;
  const searched = searchedMonths(range);
  const isCurrent = searched.startMs <= nowMs && nowMs < searched.endMs;
  const unread =
    skipped === 0 ? [] : [flaw(mrkdwn`${plural(skipped, 'value')} could not be read.`)];
  return pagedList({
    head: values.length > 0 ? head : mrkdwn`${head}\n${whatToTry(source, tag, question)}`,
    items: values.map((value) =>
      value === '' ? mrkdwn`${NONE} (usage that lacks the tag)` : code(value),
    ),
    notes: [
      ...unread,
      ...caveats,
      note(
        mrkdwn`The platform searches whole months: ${describeRange(searched)}.${isCurrent ? ' New values of this month can be late.' : ''}`,
      ),
    ],
    readAt,
    page,
    now,
  });
}

/** The platform searches through the month that begins at or after the end (spec 4.6). */
function searchedMonths({ startMs, endMs }: Range): Range {
  const lastStart = stepStart(endMs, 'month') === endMs ? endMs : monthAfter(endMs);
  return { startMs: stepStart(startMs, 'month'), endMs: monthAfter(lastStart) };
}

function monthAfter(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function whatToTry({ help }: Source, tag: string, { query }: Question): Mrkdwn {
  const isFiltered = Object.keys(query.where).length + query.of.length > 0;
  const tries = [
    ...(isFiltered ? ['leave the filters out'] : []),
    'ask for a longer range',
    `see what there is with ${help.command} by ${tag}`,
  ];
  return mrkdwn`Nothing has this tag there: ${tries.join(', or ')}.`;
}

interface List {
  readonly head: Mrkdwn;
  readonly items: readonly Mrkdwn[];
  readonly notes: readonly Mrkdwn[];
  readonly readAt: number;
  readonly page: number;
  readonly now: number;
}

/** Limits of a page and of a section; Slack allows about 13,200 characters in a message. */
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
    ...flawBlocks(notes),
    ...footer(readAt, now, at, pages.length),
  ];
  return { head, blocks, notes: notesOf(notes), page: at, pages: Math.max(1, pages.length) };
}

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
