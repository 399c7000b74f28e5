import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, visit } from 'yaml';
import type { RenderedArea } from './render.ts';

/** The longest value on one line, in characters. */
const LINE = 110;

/** The payloads of an area, as YAML that reads well in a review: a changed word is a changed line. */
function snapshotOf({ title, entries }: RenderedArea): string {
  const document = new Document(
    Object.fromEntries(
      entries.map(({ id, kind, when, sent, also }) => [
        id,
        { kind, when, ...(also.length === 0 ? {} : { also: namesOf(also) }), ...shortened(sent) },
      ]),
    ),
    { aliasDuplicateObjects: false },
  );
  visit(document, {
    Collection(key, node) {
      const json = JSON.stringify(node);
      // An entry is never one line, however short.
      if (key === null || json.length > LINE || json.includes('\\n')) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  document.commentBefore = ` ${title}`;
  return document.toString({ lineWidth: 0 });
}

/**
 * The usual texts as what they say: mrkdwn without links of its own as a string, plain text as
 * `plain: …`, a cell of a table as a string, a line of rich text as HTML would have it, a menu as its
 * words with their actions, the button of a row without its label. Whatever is unusual stays as it is, so nothing is lost.
 */
function shortened(sent: object): object {
  return JSON.parse(JSON.stringify(sent), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((cell) => withoutUsualLabel(cell, value[0]));
    if (isRichLine(value)) return value.elements.map(markedUp).join('');
    if (isOfLines(value, '{"type":"rich_text_list","style":"bullet"}')) {
      return value.elements.map((line) => `• ${line}`).join('\n');
    }
    if (isOfLines(value, '{"type":"rich_text"}')) {
      return { type: 'rich_text', text: value.elements.join('\n') };
    }
    const { type, text, ...rest } = value as { type?: unknown; text?: unknown };
    const others = JSON.stringify(rest);
    if (type === 'mrkdwn' && others === '{"verbatim":true}') return text;
    if (type === 'plain_text' && others === '{"emoji":false}') return { plain: text };
    if (type === 'raw_text' && others === '{}') return text;
    return menuIn(value) ?? value;
  }) as object;
}

/** A button in the row of a table, whose label for screen readers is its text and the name of the row. */
function withoutUsualLabel(cell: unknown, first: unknown): unknown {
  const { type, element, ...rest } = Object(cell) as { type?: unknown; element?: Labelled };
  if (type !== 'action_cell' || element === undefined) return cell;
  const { accessibility_label: label, ...others } = element;
  const { text: name = first } = Object(first) as { text?: unknown };
  if (label !== `${others.text?.plain}: ${String(name)}`) return cell;
  return { type, element: others, ...rest };
}

type Labelled = { text?: { plain?: string }; accessibility_label?: string };

/** `Details: deployments.details`; undefined for another element, or an unusual menu. */
function menuIn(value: object): object | undefined {
  const { options, ...others } = value as { options?: Option[] };
  if (JSON.stringify(others) !== '{"type":"overflow","action_id":"menu"}') return undefined;
  const menu = Object.fromEntries(
    options?.map(({ text, value: action }) => [text?.plain, action]) ?? [],
  );
  const whole = Object.entries(menu).map(([plain, action]) => ({ text: { plain }, value: action }));
  return JSON.stringify(whole) === JSON.stringify(options) ? { menu } : undefined;
}

type Option = { text?: { plain?: string }; value?: string };

type Run = { type: string; text?: string; style?: object } & Readonly<Record<string, unknown>>;

function isRichLine(value: object): value is { elements: Run[] } {
  return (
    'type' in value &&
    value.type === 'rich_text_section' &&
    'elements' in value &&
    (value.elements as Run[]).every((run) => markedUp(run) !== undefined)
  );
}

/** Whether its elements are lines already, and all else in it is as usual. */
function isOfLines(value: object, usual: string): value is { elements: string[] } {
  const { elements, ...others } = value as { elements?: unknown[] };
  return (
    JSON.stringify(others) === usual && elements?.every((one) => typeof one === 'string') === true
  );
}

/** Undefined for an unusual run. */
function markedUp(run: Run): string | undefined {
  const text = run.text?.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const { timestamp, format, fallback, user_id: user } = run;
  if (run.type === 'user') return `<@${String(user)}>`;
  if (run.type === 'date') return `<!date^${[timestamp, format].join('^')}|${String(fallback)}>`;
  if (run.type !== 'text') return undefined;
  if (run.style === undefined) return text;
  const style = JSON.stringify(run.style);
  if (style === '{"code":true}') return `<code>${text}</code>`;
  return style === '{"bold":true}' ? `<b>${text}</b>` : undefined;
}

function namesOf(also: RenderedArea['entries'][number]['also']): Record<string, string> {
  return Object.fromEntries(also.map(({ id, when }) => [id, when]));
}

/** Writes the snapshot of every area into a folder, and takes away what belongs to none. */
export function writeSnapshots(folder: string, areas: readonly RenderedArea[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const area of areas) writeFileSync(pathOf(folder, area.id), snapshotOf(area));
}

/** Differences from the snapshots in a folder, entry by entry; empty when all is the same. */
export function differences(folder: string, areas: readonly RenderedArea[]): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  const before = new Map(texts.flatMap(entriesOf));
  const after = new Map(areas.map(snapshotOf).flatMap(entriesOf));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const lines = changedLines(before.get(id) ?? [], after.get(id) ?? []);
    return lines.length === 0 ? [] : [[id, ...lines].join('\n  ')];
  });
}

function pathOf(folder: string, area: string): string {
  return join(folder, `${area}.yaml`);
}

/** The lines of each entry, by its id. */
function entriesOf(text: string): [string, string[]][] {
  return text
    .split(/^(?=[a-z\d-]+:$)/m)
    .slice(1)
    .map((entry) => {
      const [head = '', ...lines] = entry.trimEnd().split('\n');
      return [head.slice(0, -1), lines];
    });
}

/** The lines between the first and the last difference: old ones with `-`, new ones with `+`. */
function changedLines(before: readonly string[], after: readonly string[]): string[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  return [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)];
}
