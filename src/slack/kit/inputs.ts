import type { InputBlock, KnownBlock, PlainTextOption, StaticSelect } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { section } from './blocks.ts';
import { clip, EMPTY, LIMITS, mrkdwn, plain, tidy } from './text.ts';

/** Block and action share the id, under which the value comes back. */
interface Field {
  id: string;
  label: string;
  hint?: string;
  optional?: boolean;
  /** A choice is sent at once, because other fields depend on it. */
  refills?: true;
}

function input(field: Field, element: InputBlock['element']): InputBlock {
  return {
    type: 'input',
    block_id: field.id,
    label: plain(field.label, LIMITS.label),
    element,
    ...(field.refills === true ? { dispatch_action: true } : {}),
    ...(field.optional === true ? { optional: true } : {}),
    ...(field.hint === undefined ? {} : { hint: plain(field.hint, LIMITS.label) }),
  };
}

function placeholderOf({ placeholder }: { placeholder?: string }) {
  return placeholder === undefined ? {} : { placeholder: plain(placeholder, LIMITS.placeholder) };
}

interface TextField extends Field {
  placeholder?: string;
  initial?: string;
  multiline?: boolean;
  /** At most 3,000, which is also the default. */
  maxLength?: number;
}

export function focused(blocks: readonly KnownBlock[]): KnownBlock[] {
  const first = blocks.findIndex(({ type }) => type === 'input');
  return blocks.map((block, at) =>
    at === first && block.type === 'input'
      ? { ...block, element: { ...block.element, focus_on_load: true } as InputBlock['element'] }
      : block,
  );
}

export function textInput(field: TextField): KnownBlock {
  const max = Math.min(field.maxLength ?? LIMITS.inputText, LIMITS.inputText);
  const initial = clip(tidy(field.initial ?? ''), max);
  return input(field, {
    type: 'plain_text_input',
    action_id: field.id,
    max_length: max,
    ...(field.multiline === true ? { multiline: true } : {}),
    ...(initial === '' ? {} : { initial_value: initial }),
    ...placeholderOf(field),
  });
}

interface NumberField extends Field {
  placeholder?: string;
  /** In decimal notation, as the value comes back; anything else is left out. */
  initial?: string;
  min?: string;
  /** Absent: whole numbers only. */
  decimals?: boolean;
}

const WHOLE = /^-?\d{1,30}$/;
const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/;

/** Slack refuses a form whose initial value is below `min`, so that value is left out. */
export function numberInput(field: NumberField): KnownBlock {
  const { initial = '', min = '', decimals = false } = field;
  const pattern = decimals ? DECIMAL : WHOLE;
  const least = pattern.test(min);
  const starts = pattern.test(initial) && (!least || Number(initial) >= Number(min));
  return input(field, {
    type: 'number_input',
    action_id: field.id,
    is_decimal_allowed: decimals,
    ...(least ? { min_value: min } : {}),
    ...(starts ? { initial_value: initial } : {}),
    ...placeholderOf(field),
  });
}

/** Slack checks the address. */
export function emailInput(field: Field & { placeholder?: string; initial?: string }): KnownBlock {
  const initial = tidy(field.initial ?? '').trim();
  return input(field, {
    type: 'email_text_input',
    action_id: field.id,
    ...(IS_ADDRESS.test(initial) ? { initial_value: initial } : {}),
    ...placeholderOf(field),
  });
}

/** The initial values that Slack accepts: with any other it refuses the whole form. */
const IS_ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** `initial` is a day as `2026-12-31`; anything else is left out. */
export function dateInput(field: Field & { placeholder?: string; initial?: string }): KnownBlock {
  const { initial = '' } = field;
  return input(field, {
    type: 'datepicker',
    action_id: field.id,
    ...(isDay(initial) ? { initial_date: initial } : {}),
    ...placeholderOf(field),
  });
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** An option. Slack takes no empty value and none over 75 characters: it is left out. */
export interface Choice {
  text: string;
  value: string;
  /** A line below the text; at most 75 characters. */
  about?: string;
}

interface ChoiceField extends Field {
  options: readonly Choice[];
}

interface SelectField extends ChoiceField {
  placeholder?: string;
}

/**
 * A field to choose one option; `initial` is a value. Options beyond Slack's limits are counted in the hint. Without
 * options it is a line of text without a value.
 */
export function select(field: SelectField & { initial?: string }): KnownBlock {
  const fitting = fit(field.options);
  const initial = fitting.shown.find(({ value }) => value === field.initial);
  if (fitting.shown.length === 0) return nothingToChoose(field, fitting.left);
  return input(withRest(field, fitting.left), {
    type: 'static_select',
    action_id: field.id,
    ...grouped(fitting.shown),
    ...(initial === undefined ? {} : { initial_option: initial }),
    ...placeholderOf(field),
  });
}

/** As `select`, for several options; `initial` are values. */
export function multiSelect(field: SelectField & { initial?: readonly string[] }): KnownBlock {
  const fitting = fit(field.options);
  const initial = chosen(fitting.shown, field.initial);
  if (fitting.shown.length === 0) return nothingToChoose(field, fitting.left);
  return input(withRest(field, fitting.left), {
    type: 'multi_static_select',
    action_id: field.id,
    ...grouped(fitting.shown),
    ...(initial.length === 0 ? {} : { initial_options: initial }),
    ...placeholderOf(field),
  });
}

/** At most ten; `initial` are the values of the ticked ones. */
export function checkboxes(field: ChoiceField & { initial?: readonly string[] }): KnownBlock {
  const fitting = fit(field.options, LIMITS.checkboxes);
  const initial = chosen(fitting.shown, field.initial);
  if (fitting.shown.length === 0) return nothingToChoose(field, fitting.left);
  return input(withRest(field, fitting.left), {
    type: 'checkboxes',
    action_id: field.id,
    options: fitting.shown,
    ...(initial.length === 0 ? {} : { initial_options: initial }),
  });
}

/**
 * A menu for a row of buttons; a choice counts at once. At most 100 options, with shorter texts when they are many.
 * Without options it has a placeholder option, because Slack refuses an empty menu.
 */
export function selectMenu(menu: {
  action: string;
  placeholder: string;
  options: readonly Choice[];
  initial?: string;
}): StaticSelect {
  const most = LIMITS.options;
  const width = Math.floor(LIMITS.menuCharacters / Math.min(menu.options.length, most));
  const options = menu.options.map(({ text, value }) => ({ text, value }));
  const { shown } = fit(options, most, Math.min(width, LIMITS.optionText));
  const initial = shown.find(({ value }) => value === menu.initial);
  return {
    type: 'static_select',
    action_id: menu.action,
    options: shown.length === 0 ? [optionOf({ text: EMPTY, value: EMPTY })] : shown,
    ...(initial === undefined ? {} : { initial_option: initial }),
    placeholder: plain(menu.placeholder, LIMITS.placeholder),
  };
}

function withRest<F extends Field>(field: F, left: number): F {
  if (left === 0) return field;
  const rest = `${plural(left, 'value')} not shown: too long, or too many.`;
  return { ...field, hint: field.hint === undefined ? rest : `${field.hint} ${rest}` };
}

function nothingToChoose({ label }: Field, left: number): KnownBlock {
  const why =
    left === 0 ? 'there is nothing to choose from.' : 'no value is short enough to choose.';
  return section(mrkdwn`*${label}*: ${why}`);
}

/** The options within Slack's limits, each value once and in their order, and the number of the others. */
function fit(
  options: readonly Choice[],
  max: number = LIMITS.options * LIMITS.optionGroups,
  width: number = LIMITS.optionText,
): { shown: PlainTextOption[]; left: number } {
  const distinct = new Map(options.map((option) => [option.value, option]));
  const shown: PlainTextOption[] = [];
  let bytes = 0;
  for (const option of distinct.values()) {
    if (option.value === '' || option.value.length > LIMITS.optionValue) continue;
    const made = optionOf(option, width);
    bytes += Buffer.byteLength(JSON.stringify(made));
    if (shown.length === max || bytes > LIMITS.optionsBytes) break;
    shown.push(made);
  }
  return { shown, left: distinct.size - shown.length };
}

function optionOf(choice: Choice, width: number = LIMITS.optionText): PlainTextOption {
  const line = (text: string, max: number) => plain(text.replace(/\s+/g, ' '), max);
  const { text, value, about } = choice;
  return {
    text: line(text, width),
    value,
    ...(about === undefined ? {} : { description: line(about, LIMITS.optionDescription) }),
  };
}

function chosen(options: readonly PlainTextOption[], values: readonly string[] = []) {
  return options.filter(({ value }) => value !== undefined && values.includes(value));
}

/** More options than fit into one list are put into groups, named by their first and last option. */
function grouped(options: PlainTextOption[]) {
  if (options.length <= LIMITS.options) return { options };
  const groups = [];
  for (let from = 0; from < options.length; from += LIMITS.options) {
    const group = options.slice(from, from + LIMITS.options);
    const [first, last] = [group[0], group.at(-1)].map((option) => option?.text.text ?? EMPTY);
    const label = `${clip(first ?? EMPTY, 35)} – ${clip(last ?? EMPTY, 35)}`;
    groups.push({ label: plain(label, LIMITS.optionText), options: group });
  }
  return { option_groups: groups };
}

interface FileField extends Field {
  /** Extensions without the dot. */
  filetypes: readonly string[];
  /** At most 10. */
  maxFiles: number;
}

/** The value is the list of file ids. */
export function fileInput(field: FileField): KnownBlock {
  return input(field, {
    type: 'file_input',
    action_id: field.id,
    filetypes: [...field.filetypes],
    max_files: field.maxFiles,
  });
}
