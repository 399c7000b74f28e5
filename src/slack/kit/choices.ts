import type { KnownBlock, PlainTextOption, StaticSelect } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { section } from './blocks.ts';
import { mrkdwn } from './escape.ts';
import { input, placeholderOf } from './field.ts';
import type { Field } from './field.ts';
import { LIMITS } from './limits.ts';
import { clip, EMPTY, plain } from './plain.ts';

/** One thing to choose. A value over 75 characters, or an empty one, cannot be sent: it is left out. */
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
 * A field to choose one option of; `initial` is a value. What finds no room, by Slack's limits, is
 * counted in the hint. With no options at all it is a line that says so, and gives no value.
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

/** Boxes to tick, at most ten; `initial` are the values of those that are ticked. */
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

/** Buttons of which one is chosen, at most ten; `initial` is a value. */
export function radios(field: ChoiceField & { initial?: string }): KnownBlock {
  const fitting = fit(field.options, LIMITS.radios);
  const initial = fitting.shown.find(({ value }) => value === field.initial);
  if (fitting.shown.length === 0) return nothingToChoose(field, fitting.left);
  return input(withRest(field, fitting.left), {
    type: 'radio_buttons',
    action_id: field.id,
    options: fitting.shown,
    ...(initial === undefined ? {} : { initial_option: initial }),
  });
}

/**
 * A menu for a row of buttons; what is chosen counts at once. At most 100 options, shortened where
 * they are many; none at all become one that means nothing, since Slack refuses an empty menu.
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

/** The options that Slack takes, each value once and in their order, and how many others there are. */
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

/** More options than fit into one list come in groups that are named by their ends. */
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
