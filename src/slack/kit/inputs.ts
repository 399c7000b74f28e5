import type { KnownBlock } from '@slack/types';
import { tidy } from './escape.ts';
import { input, placeholderOf } from './field.ts';
import type { Field } from './field.ts';
import { LIMITS } from './limits.ts';
import { clip } from './plain.ts';

interface TextField extends Field {
  placeholder?: string;
  initial?: string;
  multiline?: boolean;
  /** At most 3,000, which is also the default. */
  maxLength?: number;
}

/** A field to type into. */
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
  /** Parts of one may be typed; else only whole numbers. */
  decimals?: boolean;
}

const WHOLE = /^-?\d{1,30}$/;
const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/;

/** A field for a number. Slack refuses a form that starts with less than `min`, so this one does not. */
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

/** A field for an e-mail address; Slack itself says so when it is none. */
export function emailInput(field: Field & { placeholder?: string; initial?: string }): KnownBlock {
  const initial = tidy(field.initial ?? '').trim();
  return input(field, {
    type: 'email_text_input',
    action_id: field.id,
    ...(IS_ADDRESS.test(initial) ? { initial_value: initial } : {}),
    ...placeholderOf(field),
  });
}

/** What Slack takes to start with: with anything less it would refuse the whole form. */
const IS_ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** A field for a day; `initial` is one as `2026-12-31`, and anything else is left out. */
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
