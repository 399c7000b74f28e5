import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file of the bot with its imports and exports. Paths are below `src`. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly text: string;
  /** Files of the bot, with the names that are imported from each. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files and packages that are loaded when it is: of imports of types alone there is nothing to load. */
  readonly loads: ReadonlySet<string>;
  /** Names that it declares and exports. */
  readonly exports: ReadonlySet<string>;
  /** How many names of other files it passes on. */
  readonly passedOn: number;
}

/** The room of a file: its folder of `src`, or itself. */
export function roomOf(path: string): string {
  return path.split('/', 1)[0] ?? path;
}

/** Paths of the TypeScript files below a folder, from there. @param root the checkout */
export function filesBelow(folder: string, root = ROOT): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .toSorted();
}

/** The files of the bot, without the sandbox. */
export function readBot(root = ROOT): SourceFile[] {
  const paths = filesBelow('src', root).filter((path) => roomOf(path) !== 'sandbox');
  return paths.map((path) => readSource(path, readFileSync(join(root, 'src', path), 'utf8')));
}

export const countLines = (text: string): number => text.split('\n').length - 1;

/** Lines of a file by kind; a line with code and a comment is code. */
export interface LineKinds {
  readonly code: number;
  readonly comments: number;
  readonly imports: number;
  readonly blank: number;
}

export function lineKinds(path: string, text: string): LineKinds {
  const { module, comments } = parseSync(path, text);
  const kinds = text
    .split('\n')
    .slice(0, -1)
    .map((line): string => (line.trim() === '' ? 'blank' : 'code'));
  const starts = lineStarts(text);
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset);
  const mark = ({ start, end }: { start: number; end: number }, kind: string): void => {
    const isAlone = text.slice(starts[lineOf(start)], start).trim() === '';
    if (isAlone) kinds.fill(kind, lineOf(start), lineOf(end) + 1);
  };
  for (const comment of comments) mark(comment, 'comments');
  for (const one of module.staticImports) mark(one, 'imports');
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  return {
    code: count('code'),
    comments: count('comments'),
    imports: count('imports'),
    blank: count('blank'),
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function readSource(path: string, text: string): SourceFile {
  const { module } = parseSync(path, text);
  const imports = new Map<string, Set<string>>();
  const note = (from: string, name: string): void => {
    if (!from.startsWith('.')) return;
    const target = targetOf(path, from);
    imports.set(target, (imports.get(target) ?? new Set()).add(name));
  };
  const loads = new Set<string>();
  for (const { moduleRequest, entries } of module.staticImports) {
    const isLoaded = entries.length === 0 || entries.some(({ isType }) => !isType);
    if (isLoaded) loads.add(targetOf(path, moduleRequest.value));
    if (entries.length === 0) note(moduleRequest.value, '');
    for (const { importName } of entries) note(moduleRequest.value, importName.name ?? '*');
  }
  const exports = new Set<string>();
  let passedOn = 0;
  for (const entry of module.staticExports.flatMap(({ entries }) => entries)) {
    if (entry.moduleRequest === null) exports.add(entry.exportName.name ?? 'default');
    else {
      passedOn += 1;
      note(entry.moduleRequest.value, entry.importName.name ?? '*');
    }
  }
  return { path, text, lines: countLines(text), imports, loads, exports, passedOn };
}

/** The target of a module specifier: a path below `src`, or a package as it is written. */
function targetOf(path: string, from: string): string {
  return from.startsWith('.') ? relative('.', join(dirname(path), from)) : from;
}

/** The packages that are loaded with a file, over however many files. */
export function packagesFrom(path: string, files: readonly SourceFile[]): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const visit = (one: string): void => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const target of byPath.get(one)?.loads ?? []) visit(target);
  };
  visit(path);
  return new Set([...seen].filter((one) => !byPath.has(one)));
}
