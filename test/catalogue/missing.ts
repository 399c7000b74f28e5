import { readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RenderedArea } from './render.ts';
import { folded, sentencesIn } from './sentences.ts';
import { UNSAID } from './unsaid.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
/** Rooms whose texts reach people; a log, a script for Redis and the environment's errors are no messages. */
const ROOMS = /^(access|changes|features|grammar|notify|platform|reporting|rollouts|slack)\//;
/** Files with texts for people, or with a small view of their own. */
const VIEWS =
  /(^|[/-])(view|words|forms?)(-[a-z]+)?\.ts$|messages\/messages\.ts$|changes\/(home|show|review)\.ts$|deployments\/home\.ts$|billing\/lists\.ts$|invoices\/reconcile\.ts$|forms\/review\.ts$/;
const NO_VIEWS =
  /^(lib|platform|reporting)\/|form-(routes|changes|frame)\.ts$|forms\/(request-)?form\.ts$/;

/** A function of a view that never ran, or a text of the code that nothing in the catalogue says. */
export interface Missing {
  /** Below `src`, with its line where that is known. */
  readonly at: string;
  readonly what: string;
}

/**
 * Texts that may reach people and are in no entry, except those that `unsaid.ts` explains; and explanations
 * there of texts that are shown, or that no longer exist.
 */
export function missingSentences(areas: readonly RenderedArea[]): Missing[] {
  const texts = areas.flatMap(({ entries }) => entries.flatMap(({ sent }) => textsOf(sent)));
  const shown = folded(texts.join('\n'));
  const unshown = sources()
    .filter((path) => ROOMS.test(path))
    .flatMap((path) =>
      sentencesIn(path, readFileSync(join(SRC, path), 'utf8')).map((one) => ({ path, ...one })),
    )
    .filter(({ text }) => !shown.includes(text) && !shown.includes(begun(text)));
  const unsaid = Object.values(UNSAID).flatMap((files) =>
    Object.entries(files).flatMap(([path, beginnings]) =>
      (beginnings.length === 0 ? [''] : beginnings).map((text) => ({ path, text: folded(text) })),
    ),
  );
  const isMeant = (one: Unshown, two: Unshown) =>
    one.path === two.path && two.text.startsWith(one.text);
  return [
    ...unshown
      .filter((one) => !unsaid.some((known) => isMeant(known, one)))
      .map(({ path, line, text }) => ({ at: `${path}:${line}`, what: `not shown: ${text}` })),
    ...unsaid
      .filter((known) => known.text !== '' && !unshown.some((one) => isMeant(known, one)))
      .map(({ path, text }) => ({ at: path, what: `unsaid without need: ${text}` })),
  ];
}

interface Unshown {
  /** Below `src`. */
  readonly path: string;
  readonly text: string;
}

/** As the beginning of a sentence, which some views make of a text. */
function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** Watches which functions of the views run, from now on: call it before they are imported. */
export async function watchViews(): Promise<{ missing(): Promise<Missing[]> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async missing() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      session.disconnect();
      const loaded = new Map(result.map((script) => [pathOf(script.url), script]));
      return sources()
        .filter((path) => VIEWS.test(path) && !NO_VIEWS.test(path))
        .flatMap((path) => idleIn(path, loaded.get(path)));
    },
  };
}

function idleIn(path: string, script: Profiler.ScriptCoverage | undefined): Missing[] {
  if (script === undefined) return [{ at: path, what: 'never loaded' }];
  return script.functions
    .filter(
      ({ functionName, ranges }) => functionName !== '' && ranges.every(({ count }) => count === 0),
    )
    .map(({ functionName }) => ({ at: path, what: `never ran: ${functionName}()` }));
}

/** The path below `src`; a file elsewhere gets a path that no source has. */
function pathOf(url: string): string {
  return url.startsWith('file:') ? relative(SRC, fileURLToPath(url.replace(/\?.*$/, ''))) : url;
}

function sources(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('sandbox/'))
    .toSorted();
}
