import type { ElementState, OptionObject, StateValues } from '../page-protocol.ts';
import { isObject, type Json, objectsOf, stringOf } from './json.ts';

/** An element that a person can use, with the ids Slack names it by. */
export type Field = {
  readonly blockId: string;
  readonly actionId: string;
  readonly element: Json;
};

/** Every interactive element of a list of blocks, top to bottom. */
export function fieldsOf(blocks: readonly Json[]): Field[] {
  return blocks.flatMap((block) => {
    const blockId = stringOf(block['block_id']);
    const single = [block['element'], block['accessory']].filter(isObject);
    const elements = [
      ...single,
      ...(block['type'] === 'actions' ? objectsOf(block['elements']) : []),
    ];
    return elements
      .filter((element) => typeof element['action_id'] === 'string')
      .map((element) => ({ blockId, actionId: stringOf(element['action_id']), element }));
  });
}

/** Types that only ever act and hold nothing. */
const stateless = new Set(['button', 'overflow', 'image']);

/**
 * The values of all fields in the shape of Slack's `view.state.values`: what the person entered, where
 * they did, else what the bot set as the initial value.
 */
export function stateValues(blocks: readonly Json[], edits: StateValues): StateValues {
  const values: Record<string, Record<string, ElementState>> = {};
  for (const { blockId, actionId, element } of fieldsOf(blocks)) {
    const type = stringOf(element['type']);
    if (stateless.has(type)) continue;
    const edit = edits[blockId]?.[actionId];
    const held = edit?.type === type ? edit : initialState(element);
    (values[blockId] ??= {})[actionId] = held;
  }
  return values;
}

/** The value of an untouched element. */
export function initialState(element: Json): ElementState {
  const type = stringOf(element['type']);
  const option = isObject(element['initial_option']) ? asOption(element['initial_option']) : null;
  const options = objectsOf(element['initial_options']).map(asOption);
  switch (type) {
    case 'static_select':
      return { type, selected_option: option };
    case 'multi_static_select':
    case 'checkboxes':
      return { type, selected_options: options };
    case 'datepicker':
      return { type, selected_date: textOrNull(element['initial_date']) };
    case 'file_input':
      return { type, files: [] };
    default:
      return { type, value: textOrNull(element['initial_value']) };
  }
}

/** An option as the page hands it back: just as it came. */
export const asOption = (option: Json): OptionObject => option as unknown as OptionObject;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
