import type {
  InputBlock,
  KnownBlock,
  PlainTextElement,
  PlainTextOption,
  StaticSelect,
} from '@slack/types';
import { plural } from '../../lib/text.ts';
import { section } from './blocks.ts';
import { clip, EMPTY, given, LIMITS, mrkdwn, plain, tidy } from './text.ts';

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
    ...given({
      dispatch_action: field.refills,
      optional: field.optional || undefined,
      hint: plainOf(field.hint, LIMITS.label),
    }),
  };
}

function plainOf(text: string | undefined, max: number): PlainTextElement | undefined {
  return text === undefined ? undefined : plain(text, max);
}

/** With an initial value that it does not take, Slack refuses the whole form: such a value is left out. */
interface TypedField extends Field {
  placeholder?: string;
  initial?: string;
}

function placeholderOf({ placeholder }: { placeholder?: string }) {
  return given({ placeholder: plainOf(placeholder, LIMITS.placeholder) });
}

export function focused(blocks: readonly KnownBlock[]): KnownBlock[] {
  const first = blocks.findIndex(({ type }) => type === 'input');
  return blocks.map((block, at) =>
    at === first && block.type === 'input'
      ? { ...block, element: { ...block.element, focus_on_load: true } as InputBlock['element'] }
      : block,
  );
}

/** At most 3,000 characters, which is also the default. */
export function textInput(
  field: TypedField & { multiline?: true; maxLength?: number },
): KnownBlock {
  const max = Math.min(field.maxLength ?? LIMITS.inputText, LIMITS.inputText);
  const initial = clip(tidy(field.initial ?? ''), max);
  return input(field, {
    type: 'plain_text_input',
    action_id: field.id,
    max_length: max,
    ...given({ multiline: field.multiline, initial_value: initial || undefined }),
    ...placeholderOf(field),
  });
}

const WHOLE = /^-?\d{1,30}$/;
const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/;

/** `initial` is in decimal notation, as the value comes back, and not below `min`. */
export function numberInput(field: TypedField & { min?: string; decimals?: boolean }): KnownBlock {
  const { initial = '', min = '', decimals = false } = field;
  const pattern = decimals ? DECIMAL : WHOLE;
  const least = pattern.test(min) ? min : undefined;
  const starts = pattern.test(initial) && (least === undefined || Number(initial) >= Number(least));
  return input(field, {
    type: 'number_input',
    action_id: field.id,
    is_decimal_allowed: decimals,
    ...given({ min_value: least, initial_value: starts ? initial : undefined }),
    ...placeholderOf(field),
  });
}

const IS_ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** Slack checks the address. */
export function emailInput(field: TypedField): KnownBlock {
  const initial = tidy(field.initial ?? '').trim();
  return input(field, {
    type: 'email_text_input',
    action_id: field.id,
    ...given({ initial_value: IS_ADDRESS.test(initial) ? initial : undefined }),
    ...placeholderOf(field),
  });
}

/** `initial` is a day as `2026-12-31`. */
export function dateInput(field: TypedField): KnownBlock {
  const { initial = '' } = field;
  return input(field, {
    type: 'datepicker',
    action_id: field.id,
    ...given({ initial_date: isDay(initial) ? initial : undefined }),
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
  placeholder?: string;
  options: readonly Choice[];
}

/** A field to choose one option; `initial` is a value. */
export function select(field: ChoiceField & { initial?: string }): KnownBlock {
  return choiceOf(field, undefined, (options) => ({
    type: 'static_select',
    action_id: field.id,
    ...grouped(options),
    ...given({ initial_option: options.find(({ value }) => value === field.initial) }),
  }));
}

/** As `select`, for several options; `initial` are values. */
export function multiSelect(field: ChoiceField & { initial?: readonly string[] }): KnownBlock {
  return choiceOf(field, undefined, (options) => ({
    type: 'multi_static_select',
    action_id: field.id,
    ...grouped(options),
    ...chosen(options, field.initial),
  }));
}

/** At most ten; `initial` are the values of the ticked ones. */
export function checkboxes(
  field: Omit<ChoiceField, 'placeholder'> & { initial?: readonly string[] },
): KnownBlock {
  return choiceOf(field, LIMITS.checkboxes, (options) => ({
    type: 'checkboxes',
    action_id: field.id,
    options,
    ...chosen(options, field.initial),
  }));
}

function chosen(options: readonly PlainTextOption[], values: readonly string[] = []) {
  const initial = options.filter(({ value }) => value !== undefined && values.includes(value));
  return given({ initial_options: initial.length === 0 ? undefined : initial });
}

/** Options beyond Slack's limits are counted in the hint. Without options it is a line of text without a value. */
function choiceOf(
  field: ChoiceField,
  max: number | undefined,
  elementOf: (options: PlainTextOption[]) => InputBlock['element'],
): KnownBlock {
  const { shown, left } = fit(field.options, max);
  if (shown.length === 0) {
    const none = 'there is nothing to choose from.';
    const why = left === 0 ? none : 'no value is short enough to choose.';
    return section(mrkdwn`*${field.label}*: ${why}`);
  }
  const rest = left === 0 ? '' : `${plural(left, 'value')} not shown: too long, or too many.`;
  const hint = [field.hint ?? '', rest].filter((part) => part !== '').join(' ');
  const element = { ...elementOf(shown), ...placeholderOf(field) };
  return input({ ...field, ...given({ hint: hint || undefined }) }, element);
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
  return {
    type: 'static_select',
    action_id: menu.action,
    options: shown.length === 0 ? [optionOf({ text: EMPTY, value: EMPTY })] : shown,
    ...given({ initial_option: shown.find(({ value }) => value === menu.initial) }),
    placeholder: plain(menu.placeholder, LIMITS.placeholder),
  };
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

function optionOf(
  { text, value, about }: Choice,
  width: number = LIMITS.optionText,
): PlainTextOption {
  const description = plainOf(about?.replace(/\s+/g, ' '), LIMITS.optionDescription);
  return { text: plain(text.replace(/\s+/g, ' '), width), value, ...given({ description }) };
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

/** The value is the list of file ids; `filetypes` are extensions without the dot, `maxFiles` at most 10. */
export function fileInput(
  field: Field & { filetypes: readonly string[]; maxFiles: number },
): KnownBlock {
  return input(field, {
    type: 'file_input',
    action_id: field.id,
    filetypes: [...field.filetypes],
    max_files: field.maxFiles,
  });
}
