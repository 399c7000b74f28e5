// npm run catalogue [-- --check | --update | --missing [PATH]]
// Writes everything that Purser can say to one page, and prints its path. --check compares it with the
// snapshot and looks for missing sentences (exit 1 and the difference); --update takes it over as the snapshot.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missingSentences, watchViews } from './missing.ts';

const PAGE = fileURLToPath(new URL('../../.tmp/catalogue.html', import.meta.url));
const SNAPSHOT = fileURLToPath(new URL('snapshot/', import.meta.url));
const TAKE_OVER = 'If the words are meant to change: npm run catalogue -- --update';

async function main([mode, path = '']: readonly string[]): Promise<number> {
  const views = await watchViews();
  // Not before: the functions that run are counted from here on.
  const [{ AREAS }, { renderAll }, { differences, writeSnapshots }] = await Promise.all([
    import('./areas.ts'),
    import('./render.ts'),
    import('./snapshot.ts'),
  ]);
  const { areas, problems } = await renderAll(AREAS);
  for (const problem of problems) console.error(problem);
  const count = areas.reduce((sum, { entries }) => sum + entries.length, 0);
  const missing = [...(await views.missing()), ...missingSentences(areas)];

  if (mode === '--missing') {
    const there = missing.filter(({ at }) => at.startsWith(path));
    for (const { at, what } of there) console.log(`${at}  ${what}`);
    console.log(`${there.length} missing below ${path || 'src'}`);
    return there.length + problems.length === 0 ? 0 : 1;
  }
  if (mode === '--update') {
    // Entries that are too long stay in the snapshot.
    if (problems.some((problem) => !problem.includes(' is too long: '))) return 1;
    writeSnapshots(SNAPSHOT, areas);
    console.log(`${count} entries in ${SNAPSHOT}`);
    return 0;
  }
  const changed = differences(SNAPSHOT, areas);
  if (mode === '--check') {
    for (const entry of changed) console.error(entry);
    for (const { at, what } of missing) console.error(`${at}  ${what}`);
    console.log(
      `${count} entries, ${changed.length} changed, ${missing.length} missing, ${problems.length} broken`,
    );
    if (changed.length > 0) console.error(TAKE_OVER);
    return changed.length + missing.length + problems.length === 0 ? 0 : 1;
  }
  const { pageOf } = await import('./page.ts');
  mkdirSync(fileURLToPath(new URL('.', `file://${PAGE}`)), { recursive: true });
  writeFileSync(PAGE, await pageOf(areas));
  console.log(PAGE);
  if (changed.length > 0)
    console.log(`${changed.length} entries are not as in the snapshot. ${TAKE_OVER}`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
