import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { parseSync, Visitor } from 'oxc-parser';
import type { Area } from './entry.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Names and texts in the scenes that people and the platform choose: of GVCs, workloads, places, items, people, errors. */
const NAMES =
  /\b(shop|cart|checkout|search|etl|edge|storefront|payments|prod|orders-(?:db|api)|nightly-report|(?:aws|azure|gcp|onprem)-[a-z]+(?:-[a-z]+)?-?\d*|Goodwill|Support plan|OOMKilled|no answer|slow down|(?:ada|ben|cleo|dana|finn|books|audit|cfo)(?=@))\b/g;

/**
 * The scenes of the catalogue with other names: in every string of the files below `test`, also where it is
 * typed or a key. One bundle for all, which is loaded again for each way to rename.
 */
export async function hostileScenes(): Promise<{
  load: (rename: (name: string) => string) => Promise<readonly Area[]>;
  remove: () => void;
}> {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.tmp', 'hostile-'));
  await build({
    entryPoints: [join(ROOT, 'test/catalogue/areas.ts')],
    outfile: join(folder, 'areas.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    plugins: [renaming],
    logLevel: 'warning',
  });
  let loads = 0;
  return {
    load: async (rename) => {
      Object.assign(globalThis, {
        renamed: (text: string) => text.replaceAll(NAMES, rename),
      });
      loads += 1;
      const { AREAS } = (await import(`${join(folder, 'areas.mjs')}?${loads}`)) as {
        AREAS: readonly Area[];
      };
      return AREAS;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const renaming: Plugin = {
  name: 'rename',
  setup: (bundle) => {
    bundle.onLoad({ filter: /\/test\/.*\.ts$/ }, ({ path }) => ({
      contents: renamed(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** The source of a file whose strings are renamed when they are read. */
function renamed(path: string, source: string): string {
  const edits: { start: number; end: number; text: string }[] = [];
  const ignored: { start: number; end: number }[] = [];
  const ignore = ({ start, end }: { start: number; end: number }): void => {
    ignored.push({ start, end });
  };
  const edit = (start: number, end: number, text: string): void => {
    if (!ignored.some((one) => start >= one.start && end <= one.end))
      edits.push({ start, end, text });
  };
  new Visitor({
    ImportDeclaration: ignore,
    TSLiteralType: ignore,
    Property({ key, computed, shorthand }) {
      if (computed || shorthand) return;
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : '';
      if (typeof name !== 'string' || name.search(NAMES) < 0) return;
      edit(key.start, key.end, `[${call(name)}]`);
      ignore(key);
    },
    Literal({ value, start, end }) {
      if (typeof value === 'string' && value.search(NAMES) >= 0) edit(start, end, call(value));
    },
    // Its backtick or braces are in it, too.
    TemplateElement({ start, end }) {
      const raw = source.slice(start, end);
      const text = raw.replaceAll(NAMES, (name) => `\${${call(name)}}`);
      if (text !== raw) edit(start, end, text);
    },
  }).visit(parseSync(path, source).program);
  return edits
    .sort((one, two) => two.start - one.start)
    .reduce(
      (text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end),
      source,
    );
}

function call(text: string): string {
  return `globalThis.renamed(${JSON.stringify(text)})`;
}
