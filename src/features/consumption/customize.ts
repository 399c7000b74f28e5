import type { KnownBlock } from '@slack/types';
import type { FigureQuery } from '../../figures/query.ts';
import { RANGE_WORDS } from '../../figures/range-words.ts';
import { KNOWN_METRICS, KNOWN_TAGS } from '../../figures/tags.ts';
import { plural } from '../../lib/text.ts';
import { TIME_STEPS } from '../../platform/consumption/query.ts';
import {
  checkboxes,
  mrkdwn,
  multiSelect,
  section,
  select,
  textInput,
} from '../../slack/kit/index.ts';
import type { FormContent } from '../../slack/routes.ts';
import {
  FIELDS,
  NO_STEP,
  filterField,
  filterTags,
  isChoosable,
  toChoice,
  partsOf,
} from './customize-fields.ts';
import type { Source } from './source.ts';

export { filterTags } from './customize-fields.ts';
export { readCustomize } from './customize-read.ts';

/** What a list of choices is filled from: undefined while it is being read, 'unread' when it could not be. */
export type Choices = readonly string[] | 'unread' | undefined;

export interface CustomizeView {
  /** "charges", "usage". */
  readonly command: Source['name'];
  readonly query: FigureQuery;
  readonly detailed: boolean;
  /** What the command groups by of itself. */
  readonly by: readonly string[];
  readonly orgs: Choices;
  /** Names of chargeable items; empty also where nobody can know them. */
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

function rangeFields({ range }: FigureQuery): KnownBlock[] {
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
      hint: 'Instead of the one above: a month (2026-10), a day (2026-10-05), days (2026-10-01..2026-10-15), hours (2026-10-05T06:00:00Z..2026-10-05T12:00:00Z), or words such as last 3 weeks.',
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

function stepField({ step }: FigureQuery): KnownBlock {
  const options = [NO_STEP, ...TIME_STEPS].map((one) => ({ text: one, value: one }));
  return select({
    id: FIELDS.step,
    label: 'Step',
    options,
    initial: step ?? NO_STEP,
    hint: 'With a step the answer shows the course over time.',
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
