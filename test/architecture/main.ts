import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import {
  barrels,
  circles,
  crossRoom,
  depsOf,
  measure,
  single,
  topFloor,
  type Measure,
} from './measures.ts';
import { drawing, PAGE, readPage, roomTable, walkTable, withPart } from './page.ts';
import { lintConfiguration, LINT_FILE } from './rules.ts';
import { readBot } from './source.ts';
import { filesOfWalk, WALKS } from './walk.ts';

/**
 * `npm run architecture`: counts of the code. `-- --at FOLDER` counts another checkout; `-- --list` prints the names
 * that are counted; `-- walk [NAME]` the files that a flow passes; `-- --update` writes the lint rules and the
 * generated parts of the page of the architecture (the walks start a bot and take a minute).
 */
const [command, name] = process.argv.slice(2);
const files = readBot();

if (command === 'walk') {
  for (const walk of WALKS.filter((one) => name === undefined || one.name === name)) {
    const passed = await filesOfWalk(walk);
    console.log(`${walk.name}: ${passed.length} files\n${walk.what}`);
    for (const path of passed) console.log(`  src/${path}`);
  }
} else {
  for (const one of measure(command === '--at' ? name : undefined)) console.log(lineOf(one));
  if (command === '--list') list();
  if (command === '--update') await update();
}

function lineOf({ what, value }: Measure): string {
  return `${String(value).padStart(7)}  ${what}`;
}

function list(): void {
  const knots = circles(files).map((knot) => knot.join(' '));
  const all = { Deps: depsOf(files), 'cross-room': crossRoom(files), single: single(files) };
  for (const [what, found] of Object.entries({ ...all, circles: knots, barrels: barrels(files) })) {
    console.log(`\n${what}\n${found.map((one) => `  ${one}`).join('\n')}`);
  }
}

async function update(): Promise<void> {
  writeFileSync(LINT_FILE, await lintConfiguration());
  const parts: Record<string, string> = {
    rooms: roomTable(files),
    drawing: drawing(topFloor(files)),
  };
  for (const walk of WALKS) parts[`walk ${walk.name}`] = walkTable(await filesOfWalk(walk));
  const page = Object.entries(parts).reduce(
    (text, [part, now]) => withPart(text, part, now),
    readPage(),
  );
  writeFileSync(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
}
