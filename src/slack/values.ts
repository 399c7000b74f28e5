import type { FormValues } from './routes.ts';

/** What an element holds, as Slack tells it; every member may be absent. */
type Held = Readonly<Record<string, unknown>>;

/**
 * The value of a clicked or filled-in element: what was typed, the value of an option, a date, a
 * person; several of them as a list, of files their ids; undefined for nothing.
 */
export function valueOf(element: unknown): string | readonly string[] | undefined {
  const held = asObject(element);
  const several = held['selected_options'] ?? held['selected_users'];
  if (Array.isArray(several)) return several.flatMap((one) => textOf(one) ?? []);
  const { files } = held;
  if (Array.isArray(files)) return files.flatMap((file) => textOf(asObject(file)['id']) ?? []);
  const single =
    held['value'] ?? held['selected_option'] ?? held['selected_date'] ?? held['selected_user'];
  return textOf(single);
}

/** What was filled into a view, by block id. @param values `view.state.values` */
export function formValues(values: unknown): FormValues {
  return Object.fromEntries(
    Object.entries(asObject(values)).map(([blockId, actions]) => [
      blockId,
      valueOf(Object.values(asObject(actions))[0]),
    ]),
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { value: inOption } = asObject(value);
  return typeof inOption === 'string' ? inOption : undefined;
}

function asObject(value: unknown): Held {
  return typeof value === 'object' && value !== null ? (value as Held) : {};
}
