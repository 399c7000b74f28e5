import { z } from 'zod';
import { denied } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import { compareNames, plural, shorten, truncate } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { Catalogue, ChargeableItem } from '../../platform/billing/charge-rows.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { writeQuery } from '../../reporting/query.ts';
import { describeAsked, describeRange, type Range, stepStart } from '../../reporting/range.ts';
import { EVERYTHING } from '../../reporting/spend.ts';
import type { Services } from '../../services.ts';
import { section } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { questionIn, readQuestion } from '../../slack/replies/shelf.ts';
import type { ActionRoute, Answer, Person, QuestionRoute } from '../../slack/routing/routes.ts';
import { type ListColumn, listed } from '../list.ts';
import type { Present } from './answer.ts';
import { newState, openRow, Query, readRow, resolveQuestion } from './question.ts';
import type { Caveat, Question, Source, TagValuesFound, Viewer } from './source.ts';
import { footer, type Paged } from './totals-view.ts';
import {
  actionId,
  columnTitle,
  flaw,
  flawBlocks,
  NONE,
  note,
  notesOf,
  rowButton,
  sharing,
  withoutOrgs,
} from './words.ts';

const TagQuestion = z.object({
  tag: z.string(),
  query: Query,
  /** Ms since the epoch. */
  askedAt: z.number(),
});
type TagQuestion = z.infer<typeof TagQuestion>;

/** `tags TAG [query]` of both commands, and `items` of `/charges`. */
export function createLists(source: Source, present: Present, services: ListServices) {
  const tagRoute = `${source.name}.tags`;
  const itemRoute = `${source.name}.items`;
  /** Spec 4.6. @throws Refusal, PlatformError */
  const showTag = async (person: Person, question: TagQuestion, page = 1): Promise<Answer> => {
    const viewer = await source.authorize(person);
    const view = await readTag(source, viewer, question, page, services.clock);
    const asked = { route: tagRoute, question, page: view.page };
    return { ...withoutPage(view), asked, ...sharing(source, viewer) };
  };
  /** The chargeable items by name (spec 2.6). @throws Refusal, PlatformError */
  const showItems = async (person: Person, page = 1): Promise<Answer> => {
    const viewer = await source.authorize(person);
    const catalogue = await source.items?.(viewer);
    if (catalogue === undefined) throw new Refusal('There is no list of chargeable items here.');
    const view = itemsView(catalogue, page, services.clock.now());
    const asked = { route: itemRoute, question: {}, page: view.page };
    return { ...withoutPage(view), asked, ...sharing(source, viewer) };
  };
  return {
    showTag: (person: Person, parsed: Pick<TagQuestion, 'tag' | 'query'>) =>
      showTag(person, { ...parsed, askedAt: services.clock.now() }),
    showItems: (person: Person) => showItems(person),
    actions: [
      {
        actionId: actionId(source.name, OPEN_VALUE),
        async run(context) {
          const { tag, query, askedAt } = await questionIn(services.kept, context, TagQuestion);
          const row = readRow(context.value);
          return present(context.person, openRow(newState(query, askedAt), [tag], row));
        },
      },
    ] satisfies ActionRoute[],
    questions: [
      {
        name: tagRoute,
        ask: ({ person }, question, page) =>
          showTag(person, readQuestion(TagQuestion, question), page),
      },
      { name: itemRoute, ask: ({ person }, _, page) => showItems(person, page) },
    ] satisfies QuestionRoute[],
  };
}

type ListServices = Pick<Services, 'clock' | 'kept'>;

function withoutPage({ blocks, notes, pages }: Paged) {
  return { blocks, notes, pages };
}

async function readTag(
  source: Source,
  viewer: Viewer,
  asked: TagQuestion,
  page: number,
  clock: Clock,
): Promise<Paged> {
  // Checked before an org has to be named, because naming one would not help.
  if (viewer.orgsOnly !== undefined) {
    throw denied('role', viewer.orgsOnly, viewer.missing);
  }
  const { tag } = asked;
  const question = await resolveQuestion(source, viewer, asked, clock);
  const found = await source.tagValues(viewer, tag, question.range, question.query);
  return tagsView({ source, tag, question, found, page, now: clock.now() });
}

/** Up to this many items of another type are listed by name. */
const ODD_TYPES = 2;
const FIRST = ['metric', 'feature'];

/** The chargeable items (spec 2.6) by name. Pure. @param now ms since the epoch */
function itemsView({ value, readAt }: Reading<Catalogue>, page: number, now: number): Paged {
  const items = value.items.toSorted((a, b) => compareNames(a.name, b.name));
  const usual = { tags: usualTags(items), type: usualType(items) };
  const none =
    value.skipped > 0
      ? mrkdwn`The chargeable items cannot be read: please try again, and ask your Purser administrator if it lasts.`
      : mrkdwn`The platform charges for nothing on this account.`;
  const head =
    items.length === 0
      ? none
      : mrkdwn`*${plural(items.length, 'chargeable item')}*: what the platform charges for. *Tiers* in the menu *More actions* (⋯) of ${code('/charges')} shows the rates.`;
  const caveats = caveatsOf(value, usual);
  const list = listed({
    caption: 'A row per chargeable item',
    columns: itemColumns(items, usual),
    rows: items,
    page,
  });
  return {
    ...list,
    blocks: [section(head), ...list.blocks, ...flawBlocks(caveats), ...footer(readAt, now)],
    notes: notesOf(caveats),
  };
}

/** Tags and type of almost every row, shown once. */
interface Usual {
  readonly tags: readonly string[];
  readonly type: string | undefined;
}

function caveatsOf({ items, skipped }: Catalogue, { tags, type }: Usual): Caveat[] {
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

function itemColumns(all: readonly ChargeableItem[], usual: Usual): ListColumn<ChargeableItem>[] {
  const isTyped = usual.type === undefined && all.some(({ type }) => type !== undefined);
  return [
    { title: 'Item', of: ({ name }) => shorten(name, 40) },
    ...(isTyped ? [{ title: 'Type', of: ({ type }: ChargeableItem) => type ?? NONE }] : []),
    { title: 'Unit', of: (item) => truncate(unitOf(item), 60) },
    {
      title: 'Priced by',
      of: (item) =>
        [
          ...tagsOf(item).filter((tag) => !usual.tags.includes(tag)),
          ...(hasNewWords(item) ? [`(${item.description})`] : []),
        ].join(' '),
    },
    { title: 'Id', of: ({ id }) => id },
  ];
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
  const { values, readAt, skipped = 0, missing = [], caveats = [] } = found;
  const count = values.length === 0 ? 'No values' : plural(values.length, 'value');
  const asked = writeQuery({ ...query, range: '' }).trim();
  const filters = asked === '' ? '' : mrkdwn`, ${code(asked, 300)}`;
  const head = mrkdwn`*${count} of* ${code(tag, 60)} in ${source.name}${filters} · ${describeAsked(range, nowMs)}${withoutOrgs(missing)}`;
  const searched = searchedMonths(range);
  const none =
    missing.length > 0 ? mrkdwn`The other orgs have none.` : whatToTry(source, tag, question);
  const isCurrent = searched.startMs <= nowMs && nowMs < searched.endMs;
  const unread =
    skipped === 0 ? [] : [flaw(mrkdwn`${plural(skipped, 'value')} could not be read.`)];
  const notes = [
    ...unread,
    ...caveats,
    note(
      mrkdwn`The platform searches whole months: ${describeRange(searched)}.${isCurrent ? ' New values of this month can be late.' : ''}`,
    ),
  ];
  const list = listed({
    caption: `A row per ${tag}`,
    columns: [{ title: columnTitle(tag), of: (value: string) => value || LACKS }],
    rows: values,
    page,
    step: (value) => openButton(source, tag, value),
  });
  return {
    ...list,
    blocks: [
      section(values.length > 0 ? head : mrkdwn`${head}\n${none}`),
      ...list.blocks,
      ...flawBlocks(notes),
      ...footer(readAt, now),
    ],
    notes: notesOf(notes),
  };
}

const LACKS = `${NONE} (usage that lacks the tag)`;

function openButton({ name }: Source, tag: string, value: string) {
  return rowButton(actionId(name, OPEN_VALUE), { [tag]: value }, `${name} of ${value || NONE}`);
}

const OPEN_VALUE = 'open-value';

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
    `see what there is with ${help.command} ${writeQuery({ ...EVERYTHING, by: [tag] }).trim()}`,
  ];
  return mrkdwn`Nothing has this tag there: ${tries.join(', or ')}.`;
}
