import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document, isMap, isScalar, visit } from 'yaml';
import type { RenderedArea } from './render.ts';

/** A map of this length at most stands on one line. */
const LINE = 90;

/** What is sent, area by area, as YAML that reads well in a review: a changed word is a changed line. */
export function snapshotOf({ title, entries }: RenderedArea): string {
  const document = new Document(
    Object.fromEntries(entries.map(({ id, kind, when, sent }) => [id, { kind, when, ...sent }])),
    { aliasDuplicateObjects: false },
  );
  visit(document, {
    Map(_, node) {
      const isLeaf = node.items.every(
        (pair) => isScalar(pair.value) && !String(pair.value.value).includes('\n'),
      );
      if (isLeaf && JSON.stringify(node).length <= LINE) node.flow = true;
      return isMap(node) && node.flow ? visit.SKIP : undefined;
    },
  });
  document.commentBefore = ` ${title}`;
  return document.toString({ lineWidth: 0 });
}

/** Writes the snapshot of every area into a folder, and takes away what belongs to none. */
export function writeSnapshots(folder: string, areas: readonly RenderedArea[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const area of areas) writeFileSync(pathOf(folder, area.id), snapshotOf(area));
}

/** What is different from the snapshots in a folder, entry by entry; none when all is the same. */
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

/** What is between the first and the last line in which the two differ: old ones with `-`, new ones with `+`. */
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
