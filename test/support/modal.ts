import type { ElementState, PageView, StateValues } from '../../src/sandbox/slack/page-protocol.ts';

/** The entries of fields, by their labels: a text, an option or several by their words, a tick. */
export type Entries = Readonly<Record<string, string | boolean | readonly string[]>>;

/** A modal as a person sees it. */
export interface Form {
  readonly view: PageView;
  /** All words of the form, line by line; the labels are not among them. */
  readonly text: string;
  /** The value of each field, by its label: a text, the label of the chosen option, '' when empty. */
  readonly fields: Readonly<Record<string, string>>;
}

type Json = Record<string, unknown>;
type Option = { text: { text: string }; value: string };

interface Field {
  readonly label: string;
  readonly blockId: string;
  readonly actionId: string;
  readonly element: Json;
}

export function readForm(view: PageView): Form {
  const inputs = new Set<object>(view.blocks.filter(({ type }) => type === 'input'));
  return {
    view,
    text: view.blocks
      .filter((block) => !inputs.has(block))
      .flatMap(wordsOf)
      .join('\n'),
    fields: Object.fromEntries(fieldsOf(view).map((field) => [field.label, initialOf(field)])),
  };
}

/**
 * The state of the form once these entries are made; fields without an entry stay as they are. @throws for an unknown
 * label
 */
export function stateOf({ view }: Form, entries: Entries): StateValues {
  return Object.fromEntries(
    Object.entries(entries).map(([label, entry]) => {
      const field = fieldNamed(view, label);
      return [field.blockId, { [field.actionId]: heldBy(field, entry) }];
    }),
  );
}

/** The payload that the bot gets when an option is chosen. */
export function withChosen(form: Form, label: string, option: string) {
  const { blockId, actionId } = fieldNamed(form.view, label);
  const state = stateOf(form, { [label]: option });
  return { field: blockId, element: { actionId, state: state[blockId]?.[actionId] }, state };
}

export function errorsByLabel({ view }: Form, errors: Readonly<Record<string, string>>) {
  const labels = new Map(fieldsOf(view).map(({ blockId, label }) => [blockId, label]));
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [labels.get(id) ?? id, error]),
  );
}

function fieldsOf(view: PageView): Field[] {
  return view.blocks
    .filter(({ type }) => type === 'input')
    .map((block) => {
      const element = block['element'] as Json;
      return {
        label: (block['label'] as { text: string }).text,
        blockId: String(block['block_id']),
        actionId: String(element['action_id']),
        element,
      };
    });
}

function fieldNamed(view: PageView, label: string): Field {
  const fields = fieldsOf(view);
  const found = fields.find((field) => field.label === label);
  if (found !== undefined) return found;
  const labels = fields.map((field) => field.label).join(', ');
  throw new Error(`no field ${label} in "${view.title}", which has: ${labels}`);
}

function heldBy(field: Field, entry: Entries[string]): ElementState {
  const type = String(field.element['type']);
  const options = optionsOf(field);
  const named = (words: string): Option => {
    const option = options.find(({ text, value }) => text.text === words || value === words);
    if (option === undefined) throw new Error(`no option ${words} in ${field.label}`);
    return option;
  };
  const held = (members: object) => ({ type, ...members }) as ElementState;
  if (typeof entry === 'boolean')
    return held({ selected_options: entry ? options.slice(0, 1) : [] });
  if (typeof entry !== 'string') return held({ selected_options: entry.map(named) });
  if (type === 'datepicker') return held({ selected_date: entry === '' ? null : entry });
  if (type === 'checkboxes' || type.startsWith('multi_')) {
    return held({ selected_options: [named(entry)] });
  }
  if (options.length > 0) return held({ selected_option: named(entry) });
  return held({ value: entry === '' ? null : entry });
}

function optionsOf({ element }: Field): Option[] {
  const groups = (element['option_groups'] ?? []) as { options: Option[] }[];
  return [...((element['options'] ?? []) as Option[]), ...groups.flatMap(({ options }) => options)];
}

function initialOf({ element }: Field): string {
  const options = [element['initial_option'] ?? [], element['initial_options'] ?? []].flat();
  if (options.length > 0) return (options as Option[]).map(({ text }) => text.text).join(', ');
  const { initial_value: text, initial_date: day } = element as Record<string, string | undefined>;
  return text ?? day ?? '';
}

/** Every text of a block, in any member. */
function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'text' && typeof member === 'string' ? [member] : wordsOf(member),
  );
}
