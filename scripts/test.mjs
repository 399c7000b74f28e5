// node scripts/test.mjs [--all] [what vitest takes: files, -t, ...]
// Runs the tests in one or more parts, says what it left out, and ends with the one line that counts.
// TEST_NODE is the path of the Node to run them on (in .ci/run the image's); default: this one.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { failedFilesOf, mergedWith, summaryOf } from './test-summary.mjs';

/** The run of a newcomer: properties have a tenth of their runs here, and a fifth with `--all`. */
const FIRST = ['unit', 'contract'];
const A_FIFTH = { PROPERTY_RUNS: '5' };
/** The remaining projects. */
const REST = ['scenarios', 'chaos', 'security'];
/** With `--all` and another TEST_NODE, these run on this Node as well: they are fast and cover most code. */
const ON_BOTH = ['unit'];
/**
 * With `--all`, so many files may fail and be run once more by themselves: what passes then depends on how
 * busy the machine is, and is listed as unsteady. More of them are no accident.
 */
const SECOND_TRIES = 3;
/** The tests of a scenario need nothing of each other, so they run in a mixed order. */
const MIXED = ['--sequence.shuffle.tests', '--sequence.seed=17'];
const LEFT_OUT = `Left out, and in npm run test:all: more runs of properties, the scenarios (crashes,
races, settings, every kind of change and outcome), what is large (*.large.test.ts), and short runs of chaos
and of attacks.`;
const LONG = `Left out, with scripts of their own: npm run test:alerts, test:chaos, test:load, test:model,
test:mutation, test:security, test:weeks.`;

/** Vitest over some projects on a Node; the tests by file, and whether vitest itself was content. */
function run(node, projects, words, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'purser-tests-'));
  const report = join(folder, 'report.json');
  const started = Date.now();
  const { status } = spawnSync(
    node.path,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.flatMap((name) => ['--project', name]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...words,
    ],
    { stdio: 'inherit', env: { ...env, ...process.env, PATH: node.searched } },
  );
  const files = readFiles(report);
  rmSync(folder, { recursive: true });
  const seconds = Math.round((Date.now() - started) / 1_000);
  console.log(`${projects.join(', ')} on Node ${node.version}: ${seconds} s\n`);
  return { files, isWell: status === 0, node: node.version };
}

/** The same; where few files failed, with what came of these when they ran once more by themselves. */
function runTwice(node, projects, words, env) {
  const first = run(node, projects, words, env);
  const failed = failedFilesOf(first);
  if (failed.length === 0 || failed.length > SECOND_TRIES) return first;
  console.log(`Once more, by themselves: ${failed.join(', ')}`);
  return mergedWith(first, run(node, projects, [...words, ...failed], env));
}

/** The Node at a path, or this one; the programs that tests start by name (`npm start`) find it first. */
function nodeAt(path) {
  const { PATH = '' } = process.env;
  if (!path) return { path: process.execPath, version: process.versions.node, searched: PATH };
  const { stdout, error } = spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (error) throw new Error(`TEST_NODE is not a Node executable: ${path}`, { cause: error });
  return { path, version: stdout.trim(), searched: `${dirname(path)}${delimiter}${PATH}` };
}

/** None when the run died before it could write its report. */
function readFiles(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return [];
  }
}

function main([mode, ...others]) {
  const isAll = mode === '--all';
  const words = isAll || mode === undefined ? others : [mode, ...others];
  const isPart = words.length > 0;
  const [here, chosen] = [nodeAt(), nodeAt(process.env.TEST_NODE)];
  const runs = [];
  if (isPart) {
    runs.push(run(chosen, [...FIRST, ...REST], words));
  } else if (isAll) {
    runs.push(runTwice(chosen, FIRST, [], A_FIFTH), runTwice(chosen, REST, MIXED, A_FIFTH));
    if (chosen.version !== here.version) runs.push(runTwice(here, ON_BOTH, []));
  } else {
    runs.push(run(chosen, FIRST, []));
  }

  // A suite that looks away must not look green; who names files or tests skips the others on purpose.
  const { skipped, unsteady, failed, line, isRed } = summaryOf(
    runs,
    Boolean(process.env.CI) && !isPart,
  );
  if (!isPart) {
    for (const name of skipped) console.log(`skipped: ${name}`);
    if (!isAll) console.log(LEFT_OUT);
    console.log(LONG);
  }
  for (const one of unsteady) console.log(`unsteady: ${one}`);
  for (const one of failed) console.log(`failed: ${one}`);
  console.log(line);
  if (isRed) process.exitCode = 1;
}

main(process.argv.slice(2));
