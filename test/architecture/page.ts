import { readFileSync } from 'node:fs';
import { ROOMS } from './matrix.ts';
import { drawnArrows, levels, topFloor, type Floor } from './measures.ts';
import { roomOf, type SourceFile } from './source.ts';

/** The page of the architecture: some parts are generated, between marks, and the rest is written by hand. */
export const PAGE = new URL('../../docs/architecture.md', import.meta.url);

export const readPage = (): string => readFileSync(PAGE, 'utf8');

const beginOf = (part: string): string =>
  `<!-- begin ${part}: npm run architecture -- --update -->`;
const endOf = (part: string): string => `<!-- end ${part} -->`;

/** The page with another text between the marks of a part. */
export function withPart(page: string, part: string, text: string): string {
  const [before = ''] = page.split(beginOf(part));
  const [, after = ''] = page.split(endOf(part));
  return `${before}${beginOf(part)}\n\n${text}\n\n${endOf(part)}${after}`;
}

/** The rooms, lowest first, with their purpose. */
export function roomTable(files: readonly SourceFile[]): string {
  const level = levels(topFloor(files));
  const rows = Object.entries(ROOMS)
    .map(([name, { purpose }]) => ({ name, purpose, level: level.get(name) ?? 0 }))
    .toSorted((a, b) => b.level - a.level || (a.name < b.name ? -1 : 1))
    .map(({ name, purpose, level: at }) => `| ${at} | \`src/${name}\` | ${purpose} |`);
  return ['| level | room | what it is for |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The arrows between the rooms as a Mermaid drawing. */
export function drawing(floor: Floor): string {
  const lines = drawnArrows(floor).map((arrow) => `  ${arrow.replace('.ts', '')}`);
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}

/** The files that a walk passes: a row for each room, in the order of the flow from people to the platform. */
export function walkTable(passed: readonly string[]): string {
  const rooms = Object.keys(ROOMS).filter((room) => passed.some((path) => roomOf(path) === room));
  const rows = rooms.toReversed().map((room) => {
    const own = passed.filter((path) => roomOf(path) === room);
    // Without marks of code: a file that is renamed fails no test of the docs.
    const names = own.map((path) => (path === room ? path : path.slice(room.length + 1)));
    return `| src/${room} | ${names.join(', ')} |`;
  });
  return [`${passed.length} files.`, '', '| room | files |', '| --- | --- |', ...rows].join('\n');
}
