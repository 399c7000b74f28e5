import { elementsOf } from './block-rules.ts';
import { asJson, asText, type Json } from './json.ts';

/** `state.values`: block_id -> action_id -> what the element holds. */
export type State = Record<string, Record<string, Json>>;

const given = (element: Json, name: string, fallback: unknown = null): unknown =>
  element[name] ?? fallback;

/** The value of an untouched element; undefined for elements that hold nothing (buttons, overflow). */
function initialState(element: Json): Json | undefined {
  const kind = asText(element['type']) ?? '';
  const as = (members: Json): Json => ({ type: kind, ...members });
  switch (kind) {
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
      return as({ value: given(element, 'initial_value') });
    case 'static_select':
      return as({ selected_option: given(element, 'initial_option') });
    case 'checkboxes':
    case 'multi_static_select':
      return as({ selected_options: given(element, 'initial_options', []) });
    case 'datepicker':
      return as({ selected_date: given(element, 'initial_date') });
    case 'file_input':
      return as({ files: [] });
    default:
      return undefined;
  }
}

/** The full state of these blocks: what the person entered, else the initial values. */
export function completeState(blocks: readonly Json[], entered: unknown): State {
  const state: State = {};
  for (const block of blocks) {
    const blockId = asText(block['block_id']) ?? '';
    for (const element of elementsOf(block)) {
      const initial = initialState(element);
      if (!initial) continue;
      const actionId = asText(element['action_id']) ?? '';
      const value = asJson(asJson(entered)[blockId])[actionId];
      (state[blockId] ??= {})[actionId] = value === undefined ? initial : { ...asJson(value) };
    }
  }
  return state;
}

function isEmpty(held: Json): boolean {
  return Object.entries(held).every(
    ([key, value]) =>
      key === 'type' ||
      value === null ||
      value === undefined ||
      value === '' ||
      (Array.isArray(value) && value.length === 0),
  );
}

function complaint(element: Json, held: Json): string | undefined {
  const value = asText(held['value']) ?? '';
  const within = (name: string) =>
    element[name] === undefined ? undefined : Number(element[name]);
  switch (element['type']) {
    case 'plain_text_input': {
      const min = within('min_length') ?? 0;
      const max = within('max_length') ?? Infinity;
      if (value.length < min) return `Enter at least ${min} characters.`;
      return value.length > max ? `Enter at most ${max} characters.` : undefined;
    }
    case 'number_input': {
      const number = Number(value);
      if (!Number.isFinite(number)) return 'Enter a number.';
      if (element['is_decimal_allowed'] !== true && !Number.isInteger(number)) {
        return 'Enter a whole number.';
      }
      const min = within('min_value') ?? -Infinity;
      const max = within('max_value') ?? Infinity;
      if (number < min) return `Enter a number that is at least ${min}.`;
      return number > max ? `Enter a number that is at most ${max}.` : undefined;
    }
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'Enter a valid email address.';
    default:
      return undefined;
  }
}

/** Errors that Slack itself finds before it asks the app, keyed by block_id. */
export function inputErrors(blocks: readonly Json[], state: State): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of blocks.filter(({ type }) => type === 'input')) {
    const blockId = asText(block['block_id']) ?? '';
    const element = asJson(block['element']);
    const held = state[blockId]?.[asText(element['action_id']) ?? ''] ?? {};
    if (isEmpty(held)) {
      if (block['optional'] !== true) errors[blockId] = 'Please complete this required field.';
      continue;
    }
    const problem = complaint(element, held);
    if (problem) errors[blockId] = problem;
  }
  return errors;
}
