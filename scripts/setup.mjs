// Puts in place what Purser needs and this machine lacks: packages, a Redis server and, with
// --browser, Chromium. Silent when nothing is missing. Plain JavaScript for any Node from 18 on,
// since it runs before anything is installed and has to say so when Node is too old.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import {
  installPlan,
  missingMessage,
  nodeProblem,
  packagesAreOutdated,
  tools,
} from './setup-plan.mjs';

const root = new URL('../', import.meta.url);

const machine = {
  has: (program) => locate(program) !== undefined,
  isRoot: process.getuid?.() === 0,
  isInteractive: process.stdin.isTTY,
};

function main() {
  const problem = nodeProblem(process.versions.node);
  if (problem) return problem;
  const lock = readLock('package-lock.json');
  if (!lock) return 'package-lock.json cannot be read: restore it from the repository.';
  if (packagesAreOutdated(lock, readLock('node_modules/.package-lock.json'))) {
    console.log('Installing packages with npm ci ...');
    // Someone's NODE_ENV=production must not leave out what the demo and the tests run on.
    if (!run(['npm', 'ci', '--include=dev', '--include=optional', '--ignore-scripts'])) {
      return 'npm ci failed: see above.';
    }
  }
  if (!provide(tools.redis)) return missingMessage(tools.redis);
  if (process.argv.includes('--browser') && !provide(tools.chromium)) {
    const message = missingMessage(tools.chromium);
    if (process.env.CI) return message;
    console.warn(`THE BROWSER TESTS WILL BE SKIPPED. ${message}`);
  }
  return undefined;
}

/** Whether the tool is there in the end: named by its variable, found, or installed now. */
function provide(tool) {
  if (process.env[tool.variable] || tool.programs.some(machine.has)) return true;
  const plan = installPlan(tool, machine);
  if (!plan) return false;
  console.log(plan.announcement);
  // A refresh that fails (offline, one dead mirror) may still leave lists that are good enough.
  if (plan.refresh) run(plan.refresh);
  return plan.attempts.some((command) => run(command) && tool.programs.some(machine.has));
}

function locate(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What npm wrote about packages, or nothing when it never did or was stopped while it wrote. */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
  } catch {
    return undefined;
  }
}

function run([program, ...args]) {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

const problem = main();
if (problem) {
  console.error(problem);
  process.exitCode = 1;
}
