import { readFileSync } from 'node:fs';
import { ROOMS } from './matrix.ts';
import { levels, topFloor, type Floor, type Measure } from './measures.ts';
import type { SourceFile } from './source.ts';

/** The page of the architecture: parts of it are generated, between marks, and the rest is written by hand. */
export const PAGE = new URL('../../docs/architecture.md', import.meta.url);

export const readPage = (): string => readFileSync(PAGE, 'utf8');

const beginOf = (part: string): string =>
  `<!-- begin ${part}: npm run architecture -- --update -->`;
const endOf = (part: string): string => `<!-- end ${part} -->`;

/** The text between the marks of a part. @throws when the page has no such part */
export function partOf(page: string, part: string): string {
  const [, after] = page.split(beginOf(part));
  const [text] = after?.split(endOf(part)) ?? [];
  if (text === undefined) throw new Error(`docs/architecture.md has no part ${part}`);
  return text.trim();
}

/** The page with another text between the marks of a part. */
export function withPart(page: string, part: string, text: string): string {
  const [before = ''] = page.split(beginOf(part));
  const [, after = ''] = page.split(endOf(part));
  return `${before}${beginOf(part)}\n\n${text}\n\n${endOf(part)}${after}`;
}

/** The rooms, lowest first, with what they are for. */
export function roomTable(files: readonly SourceFile[]): string {
  const level = levels(topFloor(files));
  const rows = Object.entries(ROOMS)
    .map(([name, { purpose }]) => ({ name, purpose, level: level.get(name) ?? 0 }))
    .toSorted((a, b) => b.level - a.level || (a.name < b.name ? -1 : 1))
    .map(({ name, purpose, level: at }) => `| ${at} | \`src/${name}\` | ${purpose} |`);
  return ['| level | room | what it is for |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The arrows of the top floor as a Mermaid drawing. \`lib\`, which everything imports, is left out. */
export function drawing(floor: Floor): string {
  const arrows = [...floor].flatMap(([room, targets]) =>
    [...targets].filter((target) => target !== 'lib').map((target) => [room, target] as const),
  );
  const lines = arrows.map(([from, to]) => `  ${nodeOf(from)} --> ${nodeOf(to)}`).toSorted();
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}

function nodeOf(room: string): string {
  return room.endsWith('.ts') ? `${room.replace('.ts', '')}(${room})` : room;
}

/** The measures as a table: today, at most, and aimed at. */
export function measureTable(measures: readonly Measure[]): string {
  const rows = measures.map(
    ({ what, value, atMost, aim }) => `| ${what} | ${value} | ${atMost} | ${aim} |`,
  );
  return ['| measure | today | at most | aim |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The numbers of such a table, by what they measure. */
export function measuresIn(table: string): Map<string, number> {
  const rows = [...table.matchAll(/^\| (.+?) +\| +(\d+) +\| +\d+ +\| +\d+ +\|$/gm)];
  return new Map(rows.map(([, what = '', value]) => [what.trim(), Number(value)]));
}

/** The files of a walk as the page lists them: "1. `src/slack/router.ts` reads the words". */
export function filesListed(part: string): string[] {
  return [...part.matchAll(/^\d+\. `src\/([^`]+)`/gm)].map(([, path = '']) => path);
}
