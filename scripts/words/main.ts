import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import {
  countsOf,
  FAMILIES,
  hitsIn,
  passagesOfCode,
  passagesOfPage,
  rises,
  type Counts,
  type FamilyName,
  type Hit,
} from './count.ts';

/**
 * `npm run lint:words`: counts wording that the style guide replaces, per folder, and fails when a count rises
 * over the committed table. `-- --update` writes the table anew when nothing rose; `-- --raise` in any case;
 * `-- --list FOLDER` prints every place of a folder.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TABLE = new URL('counts.json', import.meta.url);
/** The style guide quotes the words that it replaces; the catalogue's snapshot is what src says. */
const LEFT_OUT =
  /^(docs\/style\.md|scripts\/words\/|test\/unit\/words\.test\.ts|test\/catalogue\/snapshot\/)/;
/** Places that are printed for one count. */
const MAX_PLACES = 15;

interface Place extends Hit {
  readonly path: string;
}

function folderOf(path: string): string {
  const [top = '', room = '', feature = ''] = path.split('/');
  if (path.endsWith('.md')) return 'docs';
  if (top === 'scripts' || !path.includes('/')) return 'scripts';
  if (!room.includes('.') && room === 'features' && !feature.includes('.')) {
    return `${top}/${room}/${feature}`;
  }
  return room.includes('.') ? top : `${top}/${room}`;
}

function paths(): string[] {
  const below = ['src', 'test', 'scripts', 'docs'].flatMap((top) =>
    readdirSync(`${ROOT}${top}`, { recursive: true, encoding: 'utf8' }).map(
      (one) => `${top}/${one}`,
    ),
  );
  return [...below, ...readdirSync(ROOT)]
    .map((path) => relative('.', path))
    .filter((path) => /\.(tsx?|mjs|md)$/.test(path) && !LEFT_OUT.test(path))
    .toSorted();
}

function placesByFolder(): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  for (const path of paths()) {
    const text = readFileSync(ROOT + path, 'utf8');
    const isCode = !path.endsWith('.md');
    const passages = isCode
      ? passagesOfCode(path, text, path.startsWith('src/'))
      : passagesOfPage(text);
    const hits = hitsIn(passages).map((hit) => ({ ...hit, path }));
    found.set(folderOf(path), [...(found.get(folderOf(path)) ?? []), ...hits]);
  }
  return found;
}

function print(places: readonly Place[], most = places.length): void {
  for (const { path, line, text, family } of places.slice(0, most)) {
    console.log(`  ${path}:${line} (${family}) ${text.slice(0, 120)}`);
  }
  if (places.length > most) console.log(`  and ${places.length - most} more`);
}

async function writeTable(table: Record<string, Counts>): Promise<void> {
  const options = await resolveConfig(fileURLToPath(TABLE));
  writeFileSync(TABLE, await format(JSON.stringify(table), { ...options, parser: 'json' }));
}

const [mode, folder = ''] = process.argv.slice(2);
const places = placesByFolder();
const folders = [...places.keys()].toSorted();
const now = Object.fromEntries(folders.map((name) => [name, countsOf(places.get(name) ?? [])]));
const table = JSON.parse(readFileSync(TABLE, 'utf8')) as Record<string, Counts>;
const risen = rises(table, now);

if (mode === '--list') {
  print(places.get(folder) ?? []);
} else if (mode === '--raise' || (mode === '--update' && risen.length === 0)) {
  await writeTable(now);
} else {
  for (const { folder: where, family, now: found, atMost } of risen) {
    const { instead } = FAMILIES[family];
    console.log(`${where}: "${family}" ${found} times, at most ${atMost}; better: ${instead}`);
    print(places.get(where)?.filter((one) => one.family === family) ?? [], MAX_PLACES);
  }
  if (risen.length > 0) process.exitCode = 1;
}

if (mode !== '--list') {
  const sum = (begins: string, family: FamilyName): number =>
    Object.entries(now)
      .filter(([name]) => name.startsWith(begins))
      .reduce((all, [, counts]) => all + (counts[family] ?? 0), 0);
  console.log(
    `${'family'.padEnd(10)}${['src', 'test', 'docs', 'scripts'].map((one) => one.padStart(8)).join('')}`,
  );
  for (const family of Object.keys(FAMILIES) as FamilyName[]) {
    const row = ['src', 'test', 'docs', 'scripts'].map((begins) =>
      String(sum(begins, family)).padStart(8),
    );
    console.log(`${family.padEnd(10)}${row.join('')}`);
  }
}
