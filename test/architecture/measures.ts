import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERYWHERE, PROCESS } from './matrix.ts';
import {
  countLines,
  filesBelow,
  lineKinds,
  readBot,
  ROOT,
  roomOf,
  type SourceFile,
} from './source.ts';

/** One count of the code as it is today. No test limits it. */
export interface Measure {
  readonly what: string;
  readonly value: number;
}

/** The graph of the top floor: each room with the rooms that it imports. */
export type Floor = ReadonlyMap<string, ReadonlySet<string>>;

/** All counts, in the order in which they are printed. @param root the checkout */
export function measure(root = ROOT): Measure[] {
  const files = readBot(root);
  const floor = topFloor(files);
  const kinds = files.map(({ path, text }) => lineKinds(path, text));
  return [
    { what: 'files of the bot', value: files.length },
    { what: 'lines of the bot', value: sum(files.map(({ lines }) => lines)) },
    ...(['code', 'comments', 'imports', 'blank'] as const).map((kind) => ({
      what: `  of them ${kind}`,
      value: sum(kinds.map((one) => one[kind])),
    })),
    { what: 'lines of the sandbox', value: linesBelow('src/sandbox', root) },
    ...testCounts(root),
    { what: 'interfaces named …Deps', value: depsOf(files).length },
    { what: 'files imported from another room', value: crossRoom(files).length },
    { what: 'exported names with one importing file', value: single(files).length },
    { what: 'files that only pass names on', value: barrels(files).length },
    { what: 'circles of imports, types included', value: circles(files).length },
    { what: 'arrows of the drawing', value: drawnArrows(floor).length },
    { what: 'levels of the top floor', value: Math.max(...levels(floor).values()) },
  ];
}

/** Lines of the tests: all, those that are helpers, and each kind. The snapshots of the catalogue are data. */
function testCounts(root: string): Measure[] {
  const paths = filesBelow('test', root);
  const linesOf = (some: readonly string[]) =>
    sum(some.map((path) => countLines(readFileSync(join(root, 'test', path), 'utf8'))));
  const kinds = [...new Set(paths.filter((path) => path.includes('/')).map(roomOf))];
  return [
    { what: 'lines of tests', value: linesOf(paths) },
    {
      what: '  of them helpers and scenes',
      value: linesOf(paths.filter((path) => !path.endsWith('.test.ts'))),
    },
    ...kinds.map((kind) => {
      const own = paths.filter((path) => roomOf(path) === kind);
      return { what: `  ${kind} (${own.length} files)`, value: linesOf(own) };
    }),
  ];
}

function linesBelow(folder: string, root: string): number {
  const texts = filesBelow(folder, root).map((path) =>
    readFileSync(join(root, folder, path), 'utf8'),
  );
  return sum(texts.map(countLines));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** "path Name" of every interface whose name ends in Deps. */
export function depsOf(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/\binterface (\w*Deps)\b/g)].map(([, name]) => `${path} ${name}`),
  );
}

/** Files that another room imports. */
export function crossRoom(files: readonly SourceFile[]): string[] {
  const targets = files.flatMap(({ path, imports }) =>
    [...imports.keys()].filter((target) => roomOf(target) !== roomOf(path)),
  );
  return [...new Set(targets)].toSorted();
}

/** "path#name" of every exported name that exactly one file of the bot imports. */
export function single(files: readonly SourceFile[]): string[] {
  const uses = new Map<string, number>();
  for (const { imports } of files) {
    for (const [target, names] of imports) {
      for (const name of names)
        uses.set(`${target}#${name}`, (uses.get(`${target}#${name}`) ?? 0) + 1);
    }
  }
  return files
    .flatMap(({ path, exports }) => [...exports].map((name) => `${path}#${name}`))
    .filter((name) => uses.get(name) === 1);
}

/** Files that have nothing of their own. */
export function barrels(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ exports, passedOn }) => passedOn > 0 && exports.size === 0)
    .map(({ path }) => path);
}

/** The rooms with their imports. */
export function topFloor(files: readonly SourceFile[]): Floor {
  const floor = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const room = roomOf(path);
    const known = floor.get(room) ?? new Set();
    floor.set(room, known);
    for (const target of imports.keys()) if (roomOf(target) !== room) known.add(roomOf(target));
  }
  return floor;
}

/**
 * The arrows that are drawn: those between rooms, where the files of the process are one room. What serves all rooms
 * is left out.
 */
export function drawnArrows(floor: Floor): string[] {
  const nodeOf = (room: string): string => (PROCESS.includes(room) ? 'process' : room);
  const arrows = [...floor].flatMap(([room, targets]) =>
    [...targets]
      .filter((target) => !EVERYWHERE.includes(target) && nodeOf(target) !== nodeOf(room))
      .map((target) => `${nodeOf(room)}-->${nodeOf(target)}`),
  );
  return [...new Set(arrows)].toSorted();
}

/** The level of each room: one that imports no other is on level 1, one in a circle has none (infinity). */
export function levels(floor: Floor): Map<string, number> {
  const known = new Map<string, number>();
  const levelOf = (room: string): number => {
    const level = known.get(room);
    if (level !== undefined) return level;
    known.set(room, Infinity);
    known.set(room, 1 + Math.max(0, ...[...(floor.get(room) ?? [])].map(levelOf)));
    return known.get(room)!;
  };
  for (const room of floor.keys()) levelOf(room);
  return known;
}

/** Files that import each other over however many steps, a list for each knot (Tarjan). */
export function circles(files: readonly SourceFile[]): string[][] {
  const graph = new Map(files.map(({ path, imports }) => [path, [...imports.keys()]]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): void => {
    index.set(path, index.size);
    low.set(path, index.get(path)!);
    stack.push(path);
    for (const next of graph.get(path) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path)!, low.get(next)!));
    }
    if (low.get(path) !== index.get(path)) return;
    const knot = stack.splice(stack.indexOf(path));
    if (knot.length > 1) found.push(knot);
  };
  for (const path of graph.keys()) if (!index.has(path)) visit(path);
  return found;
}
