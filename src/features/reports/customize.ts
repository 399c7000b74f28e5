import { Refusal, UsageError } from '../../lib/errors.ts';
import { compareNames, plural } from '../../lib/text.ts';
import type { Catalogue } from '../../platform/billing/charge-rows.ts';
import { TIME_STEPS, type TagFilter } from '../../platform/consumption/query.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { filterFor, resolveRange, valuesIn } from '../../reporting/range.ts';
import { type ReportQuery, parseQuery, writeQuery } from '../../reporting/query.ts';
import type { Services } from '../../services.ts';
import { questionIn } from '../../slack/replies/shelf.ts';
import type { FormRoute, FormValues, FormContent } from '../../slack/routing/routes.ts';
import { actionId, NONE } from './words.ts';
import type { Present } from './answer.ts';
import { newState, State } from './question.ts';
import type { Source } from './source.ts';
import type { KnownBlock } from '@slack/types';
import { escapeTyped, nearest, splitWords } from '../../lib/words.ts';
import { GROUPS, KNOWN_METRICS, KNOWN_TAGS } from '../../reporting/query-words.ts';
import { RANGE_WORDS, readRange } from '../../reporting/range-words.ts';
import { section } from '../../slack/kit/blocks.ts';
import { checkboxes, multiSelect, select, textInput } from '../../slack/kit/inputs.ts';
import { LIMITS, mrkdwn, tidy } from '../../slack/kit/text.ts';

type Errors = Record<string, string>;

/**
 * The form's values as a query. Parts of `before` that the form cannot show are kept. Errors by block id, one sentence
 * each.
 * @param before the query that the form was filled with
 * @param by the command's default grouping, as given to the form
 */
export function readCustomize(
  values: FormValues,
  before: ReportQuery,
  by: readonly string[],
): { query: ReportQuery; detailed: boolean } | { errors: Record<string, string> } {
  const errors: Errors = {};
  const grouped = listIn(values, FIELDS.by, before.by ?? by);
  const isUsual = before.by === undefined && JSON.stringify(grouped) === JSON.stringify(by);
  const query: ReportQuery = {
    range: rangeIn(values, before, errors),
    by: grouped.length === 0 || isUsual ? undefined : grouped,
    of: listIn(values, FIELDS.of, before.of),
    items: listIn(values, FIELDS.items, before.items),
    where: whereIn(values, before, errors),
    orgs: listIn(values, FIELDS.orgs, before.orgs),
    step: TIME_STEPS.find((step) => step === values[FIELDS.step]),
  };
  if (query.of.length > 0 && Object.hasOwn(query.where, 'metric')) {
    errors[FIELDS.of] ??= 'The filters choose metrics, too: keep one of the two.';
  }
  if (query.orgs.length > 0 && Object.hasOwn(query.where, 'org')) {
    errors[FIELDS.orgs] ??= 'The filters choose orgs, too: keep one of the two.';
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { query, detailed: chosenIn(values, FIELDS.detailed).length > 0 };
}

function rangeIn(values: FormValues, before: ReportQuery, errors: Errors): string {
  const typed = textIn(values, FIELDS.otherRange);
  const range =
    typed === '' ? undefined : attempt(() => readTypedRange(typed), FIELDS.otherRange, errors);
  return range ?? (textIn(values, FIELDS.range) || before.range);
}

function whereIn(values: FormValues, before: ReportQuery, errors: Errors): TagFilter {
  const { chosen, unshown } = partsOf(before);
  const where = new Map<string, string>();
  for (const tag of filterTags(before)) {
    const picked = chosenIn(values, filterField(tag)).map(fromChoice);
    const ordered = inOrder(picked, chosen.get(tag) ?? []);
    if (ordered.length > 0) where.set(tag, filterFor(tag, ordered));
  }
  const typed = textIn(values, FIELDS.more);
  const more = typed === '' ? {} : attempt(() => readTypedFilters(typed), FIELDS.more, errors);
  for (const [tag, value] of Object.entries(more ?? {})) {
    if (where.has(tag))
      errors[FIELDS.more] = `${tag} is chosen above already: keep one of the two.`;
    where.set(tag, value);
  }
  for (const [tag, value] of unshown) if (!where.has(tag)) where.set(tag, value);
  return Object.fromEntries(where);
}

/** Chosen values, and values of the query that could not be offered. */
function listIn(values: FormValues, field: string, before: readonly string[]): string[] {
  const kept = before.filter((name) => !isChoosable(name));
  return inOrder([...chosenIn(values, field), ...kept], before);
}

/** Keeps the earlier order; new values come last. */
function inOrder(chosen: readonly string[], before: readonly string[]): string[] {
  const known = before.filter((value) => chosen.includes(value));
  return [...new Set([...known, ...chosen])];
}

function chosenIn(values: FormValues, field: string): readonly string[] {
  const value = values[field];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function textIn(values: FormValues, field: string): string {
  const value = values[field];
  return typeof value === 'string' ? value.trim() : '';
}

function attempt<T>(read: () => T, field: string, errors: Errors): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint = error.suggestion === undefined ? '' : ` Did you mean ${error.suggestion}?`;
    errors[field] = error.message + hint;
    return undefined;
  }
}

/** **Customize**: the query of an answer as a form. */
export function createCustomize(
  source: Source,
  present: Present,
  { clock, kept }: Pick<Services, 'clock' | 'kept'>,
): FormRoute {
  return {
    actionId: actionId(source.name, 'customize'),
    callbackId: actionId(source.name, 'customized'),
    title: `Customize ${source.name}`,
    inPlace: true,
    async fill({ person, answerId }, show) {
      const viewer = await source.authorize(person);
      const { query, askedAt, detailed } = await questionIn(kept, { person, answerId }, State);
      const form = (orgs: Choices, items: Choices, values: Readonly<Record<string, Choices>>) =>
        customizeForm({
          command: source.name,
          query,
          detailed,
          by: source.by,
          orgs,
          items,
          values,
          state: answerId ?? '',
          withDetailed: source.hasTiers === true,
        });
      await show(form(undefined, source.items ? undefined : [], {}));

      const range = resolveRange(query.range, askedAt);
      // Every value of the span is offered, including those hidden by the current filter.
      const open = { of: [], where: {}, orgs: query.orgs };
      const [orgs, items, ...values] = await Promise.all([
        source.orgs(viewer).catch(orUnread),
        source.items?.(viewer).then(namesIn).catch(orUnread) ?? [],
        ...filterTags(query).map(async (tag) => {
          const read = await source.tagValues(viewer, tag, range, open).catch(orUnread);
          return [tag, read === 'unread' ? read : read.values] as const;
        }),
      ]);
      await show(form(orgs, items, Object.fromEntries(values)));
    },
    async submit({ person, values, state: answerId }) {
      const before = await questionIn(kept, { person, answerId }, State);
      const read = readCustomize(values, before.query, source.by);
      if ('errors' in read) return read;
      const { query, detailed } = read;
      return { answer: () => present(person, newState(query, clock.now(), detailed)) };
    },
  };
}

/** Several chargeable items can share a name. */
function namesIn({ value }: Reading<Catalogue>): readonly string[] {
  return [...new Set(value.items.map(({ name }) => name))].toSorted(compareNames);
}

/** A list that cannot be read, or not by this member, must not fail the form. */
function orUnread(error: unknown): 'unread' {
  if (error instanceof PlatformError || error instanceof Refusal) return 'unread';
  throw error;
}

const PLAIN_QUERY = parseQuery([]);

/** Words of a command are read up to 4 KB; an escaped letter has up to five bytes. */
const MOST_BYTES = 4_000;

/** Parses a range and nothing else. @throws UsageError about ranges only */
function readTypedRange(text: string): string {
  const words = text.split(/\s+/);
  const reading = readRange(words);
  if (reading && 'problem' in reading) throw new UsageError(reading.problem, reading.fix);
  if (reading?.used === words.length) return reading.words;
  throw new UsageError(
    'This field takes a range only, such as 2026-10 or last 3 weeks.',
    nearest(text.toLowerCase(), RANGE_WORDS),
  );
}

/** The leading "where" is optional. @throws UsageError */
function readTypedFilters(text: string): TagFilter {
  // A field arrives unescaped, a command escaped; neither contains Slack's tokens.
  const split = splitWords(escapeTyped(/^\s*where\s/i.test(text) ? text : `where ${text}`));
  if ('problem' in split) throw new UsageError(split.problem);
  const { where, ...others } = parseQuery(split.words);
  if (writeQuery({ ...others, where: {} }) !== PLAIN_QUERY.range)
    throw new UsageError('This field takes filters only: write TAG=VALUE, such as gvc=shop.');
  return where;
}

/** Filters as text for a field, as far as they can be typed and fit. */
function typeFilters(filters: readonly (readonly [tag: string, value: string])[]): {
  readonly text: string;
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
  const written = writeQuery({ ...PLAIN_QUERY, where: { [tag]: value } });
  return written.slice(`${PLAIN_QUERY.range} where `.length);
}

/** A quotation mark, for one, cannot be typed, and a field hides invisible characters. */
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

/** By block id; filters use `filterField`. */
const FIELDS = {
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

function filterField(tag: string): string {
  return `where-${tag}`;
}

const OFFERED = ['gvc', 'workload', 'location'];
const MOST_TAGS = 6;

export function filterTags({ where }: ReportQuery): readonly string[] {
  const used = Object.keys(where).filter((tag) => /^\w[\w-]{0,59}$/.test(tag));
  return [...new Set([...OFFERED, ...used])].slice(0, MOST_TAGS);
}

/** Whether a value fits into a Slack list unchanged; the label for "none" is reserved. */
function isChoosable(value: string): boolean {
  return value.length <= LIMITS.optionValue && value !== NONE && !/\p{Cs}/u.test(value);
}

/** Options of a list cannot be empty. */
function toChoice(value: string): { text: string; value: string } {
  return { text: value || NONE, value: value || NONE };
}

function fromChoice(value: string): string {
  return value === NONE ? '' : value;
}

/** The filters of a query: chosen in lists, typed, or neither (`unshown`). */
function partsOf(query: ReportQuery) {
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

/** Options of a list: undefined while they are being read, 'unread' if that failed. */
export type Choices = readonly string[] | 'unread' | undefined;

export interface CustomizeView {
  readonly command: Source['name'];
  readonly query: ReportQuery;
  readonly detailed: boolean;
  /** The command's default grouping. */
  readonly by: readonly string[];
  readonly orgs: Choices;
  /** Names of chargeable items; empty also if they cannot be read. */
  readonly items: Choices;
  readonly values: Readonly<Record<string, Choices>>;
  readonly state: string;
  readonly withDetailed: boolean;
}

/** Values of all lists together; keeps the form below Slack's limit (about 250 KB). */
const MOST_VALUES = 1_000;

/** The form of **Customize** (design section 3). `readCustomize` reads it back. */
export function customizeForm(view: CustomizeView): FormContent {
  const { query, by } = view;
  const { chosen, typed } = partsOf(query);
  const tags = filterTags(query);
  // Two more lists: orgs and items.
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
        choices: view.command === 'charges' ? GROUPS : KNOWN_TAGS,
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
  /** Offers usage without the tag while no other value is known. */
  readonly withNone?: boolean;
  readonly most?: number;
  /** Where to type a value that is not offered. */
  readonly elsewhere?: string;
  /** Shown if nothing is chosen; default: everything. */
  readonly placeholder?: string;
}

/** A list for several values; usable before its values have been read. */
function listField(field: ListField): KnownBlock {
  const { id, label, chosen, choices, most = MOST_VALUES, elsewhere } = field;
  const isRead = typeof choices === 'object';
  const placeholder = isRead
    ? (field.placeholder ?? 'All')
    : choices === undefined
      ? 'Being read …'
      : 'Not readable';
  // Chosen values come first, so that they always fit.
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
