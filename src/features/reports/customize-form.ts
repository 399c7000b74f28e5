import type { KnownBlock } from '@slack/types';
import { UsageError } from '../../lib/errors.ts';
import { escapeTyped, nearest, plural, splitWords } from '../../lib/text.ts';
import { TIME_STEPS, type TagFilter } from '../../platform/consumption/query.ts';
import { valuesIn } from '../../reporting/range.ts';
import { KNOWN_METRICS, KNOWN_TAGS } from '../../reporting/query-words.ts';
import { parseQuery, writeQuery, type ReportQuery } from '../../reporting/query.ts';
import { RANGE_WORDS, readRange } from '../../reporting/range-words.ts';
import { section } from '../../slack/kit/blocks.ts';
import { checkboxes, multiSelect, select, textInput } from '../../slack/kit/inputs.ts';
import { LIMITS, mrkdwn, tidy } from '../../slack/kit/text.ts';
import type { FormContent } from '../../slack/routing/routes.ts';
import type { Source } from './source.ts';
import { NONE } from './words.ts';

/** Nothing but the default range. */
export const PLAIN_QUERY = parseQuery([]);

/** A word of a command is read up to 4 KB; escaped, a letter has up to five. */
const MOST_BYTES = 4_000;

/** Reads what was typed into a field as the words of a command are read. @throws UsageError */
function readTyped(text: string): ReportQuery {
  // A field arrives as it was typed, a command escaped; tokens of Slack's are in neither of them.
  const split = splitWords(escapeTyped(text));
  if ('problem' in split) throw new UsageError(split.problem);
  return parseQuery(split.words);
}

/** Reads a range as a command has it, and nothing else. @throws UsageError about ranges alone */
export function readTypedRange(text: string): string {
  const query = queryIn(text);
  const rest = { ...query, range: PLAIN_QUERY.range };
  if (query && JSON.stringify(rest) === JSON.stringify(PLAIN_QUERY)) return query.range;

  const reading = readRange(text.split(/\s+/));
  if (reading && 'problem' in reading) throw new UsageError(reading.problem, reading.fix);
  throw new UsageError(
    'Only a range can stand here, such as 2026-10 or last 3 weeks.',
    nearest(text.toLowerCase(), RANGE_WORDS),
  );
}

/** Reads filters with or without the "where" before them. @throws UsageError */
export function readTypedFilters(text: string): TagFilter {
  const query = readTyped(/^\s*where\s/i.test(text) ? text : `where ${text}`);
  const isMore = Object.entries(query).some(
    ([part, value]) =>
      part !== 'where' &&
      JSON.stringify(value) !== JSON.stringify(PLAIN_QUERY[part as keyof ReportQuery]),
  );
  if (isMore)
    throw new UsageError('Only filters can stand here: write TAG=VALUE, such as gvc=shop.');
  return query.where;
}

/** The filters as a field has them, as far as they can be typed and find room. */
function typeFilters(filters: readonly (readonly [tag: string, value: string])[]): {
  readonly text: string;
  /** The tags of `text`. */
  readonly tags: readonly string[];
} {
  let text = '';
  const tags: string[] = [];
  for (const [tag, value] of filters) {
    const longer = `${text} ${typeFilter(tag, value)}`.trim();
    const fits =
      longer.length <= LIMITS.inputText && Buffer.byteLength(escapeTyped(longer)) < MOST_BYTES;
    if (!fits || !isTypable(tag, value)) continue;
    text = longer;
    tags.push(tag);
  }
  return { text, tags };
}

function typeFilter(tag: string, value: string): string {
  const before = `${PLAIN_QUERY.range} where `;
  return writeQuery({ ...PLAIN_QUERY, where: { [tag]: value } }).slice(before.length);
}

/** A quotation mark, for one, cannot be typed, and a field shows nothing that cannot be seen. */
function isTypable(tag: string, value: string): boolean {
  const typed = typeFilter(tag, value);
  if (tidy(typed) !== typed) return false;
  try {
    const [read, ...others] = Object.entries(readTypedFilters(typed));
    return others.length === 0 && read?.[0] === tag && read[1] === value;
  } catch {
    return false;
  }
}

function queryIn(text: string): ReportQuery | undefined {
  try {
    return readTyped(text);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** The fields of the form, by block id; those of filters have `filterField`. */
export const FIELDS = {
  range: 'range',
  otherRange: 'other-range',
  by: 'by',
  of: 'of',
  items: 'items',
  orgs: 'orgs',
  step: 'step',
  more: 'more-filters',
  detailed: 'detailed',
} as const;

const NO_STEP = 'none';

export function filterField(tag: string): string {
  return `where-${tag}`;
}

/** What people filter by most. */
const OFFERED = ['gvc', 'workload', 'location'];
/** More lists than these would be more than a form holds. */
const MOST_TAGS = 6;

/** The tags whose values the form offers: a few that people ask for, and those that the query filters by. */
export function filterTags({ where }: ReportQuery): readonly string[] {
  const used = Object.keys(where).filter((tag) => /^\w[\w-]{0,59}$/.test(tag));
  return [...new Set([...OFFERED, ...used])].slice(0, MOST_TAGS);
}

/** Whether Slack's lists can hold a value as it is; what stands for "none" stands for nothing else. */
export function isChoosable(value: string): boolean {
  return value.length <= LIMITS.optionValue && value !== NONE && !/\p{Cs}/u.test(value);
}

/** A value as an option of a list, which cannot be empty. */
function toChoice(value: string): { text: string; value: string } {
  return { text: value || NONE, value: value || NONE };
}

export function fromChoice(value: string): string {
  return value === NONE ? '' : value;
}

/** The filters of a query as the form shows them: chosen in lists, typed, or not at all. */
interface FilterParts {
  readonly chosen: ReadonlyMap<string, readonly string[]>;
  readonly typed: { readonly text: string; readonly tags: readonly string[] };
  /** They can be neither chosen nor typed. */
  readonly unshown: readonly (readonly [tag: string, value: string])[];
}

export function partsOf(query: ReportQuery): FilterParts {
  const tags = filterTags(query);
  const chosen = new Map<string, readonly string[]>();
  const others: (readonly [string, string])[] = [];
  for (const [tag, filter] of Object.entries(query.where)) {
    const values = tags.includes(tag) ? valuesIn(tag, filter) : undefined;
    if (values?.every(isChoosable)) chosen.set(tag, values);
    else others.push([tag, filter]);
  }
  const typed = typeFilters(others);
  return { chosen, typed, unshown: others.filter(([tag]) => !typed.tags.includes(tag)) };
}

/** What a list of choices is filled from: undefined while it is being read, 'unread' when it could not be. */
export type Choices = readonly string[] | 'unread' | undefined;

export interface CustomizeView {
  /** "charges", "usage". */
  readonly command: Source['name'];
  readonly query: ReportQuery;
  readonly detailed: boolean;
  /** What the command groups by of itself. */
  readonly by: readonly string[];
  readonly orgs: Choices;
  /** Names of chargeable items; empty also where they cannot be known. */
  readonly items: Choices;
  /** Of the tags of `filterTags`. */
  readonly values: Readonly<Record<string, Choices>>;
  /** Of the form, as `FormContent` has it. */
  readonly state: string;
  /** With "Pricing tiers". */
  readonly withDetailed: boolean;
}

/** Values of all lists together, so that the form stays within what Slack takes (about 250 KB). */
const MOST_VALUES = 1_000;

/** The form of **Customize**: a query as fields (design section 3). `readCustomize` reads it back. */
export function customizeForm(view: CustomizeView): FormContent {
  const { query, by } = view;
  const { chosen, typed } = partsOf(query);
  const tags = filterTags(query);
  // Those of orgs and items, too.
  const most = Math.floor(MOST_VALUES / (tags.length + 2));
  const filters = tags.map((tag) =>
    listField({
      id: filterField(tag),
      label: `Filter by ${tag}`,
      chosen: chosen.get(tag) ?? [],
      // `__proto__` is a tag like any other.
      choices: Object.hasOwn(view.values, tag) ? view.values[tag] : undefined,
      withNone: true,
      most,
      elsewhere: `under "More filters", such as ${tag}=NAME`,
    }),
  );
  return {
    title: `Customize ${view.command}`,
    submit: 'Show',
    state: view.state,
    blocks: [
      ...rangeFields(query),
      listField({
        id: FIELDS.by,
        label: 'Group by',
        chosen: query.by ?? by,
        choices: KNOWN_TAGS,
        placeholder: `By ${by.join(', ')}`,
      }),
      listField({ id: FIELDS.of, label: 'Metrics', chosen: query.of, choices: KNOWN_METRICS }),
      ...itemsField(view, most),
      listField({
        id: FIELDS.orgs,
        label: 'Orgs',
        chosen: query.orgs,
        choices: view.orgs,
        most,
        elsewhere: 'in the command, such as org NAME',
      }),
      stepField(query),
      ...filters,
      textInput({
        id: FIELDS.more,
        label: 'More filters',
        initial: typed.text,
        placeholder: 'gvc=/^shop/ locationType=byok',
        hint: 'TAG=VALUE as in the command; a value in slashes is a regular expression, and quotes keep spaces together.',
        optional: true,
        multiline: true,
      }),
      ...(view.withDetailed ? [detailedField(view.detailed)] : []),
    ],
  };
}

function rangeFields({ range }: ReportQuery): KnownBlock[] {
  const options = [...new Set([range, ...RANGE_WORDS])].map((words) => ({
    text: words.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
    value: words,
  }));
  return [
    select({ id: FIELDS.range, label: 'Range', options, initial: range, hint: 'In UTC.' }),
    textInput({
      id: FIELDS.otherRange,
      label: 'Other range',
      placeholder: '2026-10-01..2026-10-15',
      hint: 'Instead of the range above: a month (2026-10), a day (2026-10-05), days (2026-10-01..2026-10-15), hours (2026-10-05T06:00:00Z..2026-10-05T12:00:00Z), or words such as last 3 weeks.',
      optional: true,
    }),
  ];
}

/** Where there are no items to choose from, and none is chosen, there is nothing to say. */
function itemsField({ query, items }: CustomizeView, most: number): KnownBlock[] {
  if (items?.length === 0 && query.items.length === 0) return [];
  const elsewhere = 'in the command, such as item NAME';
  const [id, label, chosen] = [FIELDS.items, 'Items', query.items];
  return [listField({ id, label, chosen, choices: items, most, elsewhere })];
}

function stepField({ step }: ReportQuery): KnownBlock {
  const options = [NO_STEP, ...TIME_STEPS].map((one) => ({ text: one, value: one }));
  return select({
    id: FIELDS.step,
    label: 'Step',
    options,
    initial: step ?? NO_STEP,
    hint: 'With a step the answer shows how it went over time.',
  });
}

function detailedField(detailed: boolean): KnownBlock {
  return checkboxes({
    id: FIELDS.detailed,
    label: 'Pricing tiers',
    options: [{ text: 'Show the tiers that each charge was priced in', value: 'detailed' }],
    initial: detailed ? ['detailed'] : [],
    optional: true,
  });
}

interface ListField {
  readonly id: string;
  readonly label: string;
  readonly chosen: readonly string[];
  readonly choices: Choices;
  /** Usage that lacks the tag can be chosen, too, as long as nothing else is known. */
  readonly withNone?: boolean;
  readonly most?: number;
  /** Where a value can be typed that is not offered. */
  readonly elsewhere?: string;
  /** What nothing chosen means; else everything. */
  readonly placeholder?: string;
}

/** A list to choose several values of; it can be used before its values are there. */
function listField(field: ListField): KnownBlock {
  const { id, label, chosen, choices, most = MOST_VALUES, elsewhere } = field;
  const isRead = typeof choices === 'object';
  const placeholder = isRead
    ? (field.placeholder ?? 'All')
    : choices === undefined
      ? 'Being read …'
      : 'Not readable';
  // What is chosen comes first, so that it is never among those that find no room.
  const all = [...new Set([...chosen, ...(isRead ? choices : [])])];
  const offered = all.filter(isChoosable).slice(0, Math.max(most, chosen.length));
  if (offered.length === 0 && field.withNone === true) offered.push('');
  if (offered.length === 0 && !isRead) return section(mrkdwn`*${label}*: ${placeholder}`);

  const left = all.length - offered.length;
  const hints = [
    ...(choices === 'unread'
      ? [`The values could not be read${elsewhere ? `: type them ${elsewhere}` : ''}.`]
      : []),
    ...(left > 0 && elsewhere !== undefined
      ? [`${plural(left, 'value')} not offered: type them ${elsewhere}.`]
      : []),
  ];
  return multiSelect({
    id,
    label,
    options: offered.map(toChoice),
    initial: chosen.map((value) => toChoice(value).value),
    optional: true,
    placeholder,
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  });
}
