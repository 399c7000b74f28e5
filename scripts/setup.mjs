// Puts in place what Purser needs and this machine lacks: packages, a Redis server and, with
// --browser, Chromium, with --promtool the checker of alert rules. Silent when nothing is missing. Plain JavaScript for any Node from 18 on,
// since it runs before anything is installed and has to say so when Node is too old.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  installPlan,
  missingMessage,
  nodeProblem,
  packagesAreOutdated,
  PROMTOOL,
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
  if (process.argv.includes('--promtool') && !unpackPromtool()) {
    if (process.env.CI) return NO_PROMTOOL;
    console.warn(`THE TESTS OF THE ALERTS WILL BE SKIPPED. ${NO_PROMTOOL}`);
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

const NO_PROMTOOL =
  'promtool is missing and could not be unpacked from the Debian package prometheus: put promtool on the PATH, or set PROMTOOL_PATH.';

/** Only unpacked, as an installed package would start a server on port 9090, which Purser uses. */
function unpackPromtool() {
  const unpacked = fileURLToPath(new URL(PROMTOOL, root));
  if (process.env.PROMTOOL_PATH || machine.has('promtool') || machine.has(unpacked)) return true;
  if (!machine.has('apt-get') || !machine.has('dpkg')) return false;
  console.log('Unpacking promtool from the package prometheus, which is not installed ...');
  const folder = fileURLToPath(new URL('.tmp/promtool/', root));
  mkdirSync(folder, { recursive: true });
  const download = ['apt-get', 'download', 'prometheus', '-qq'];
  if (!run(download, folder)) {
    run(['apt-get', 'update', '-qq']);
    if (!run(download, folder)) return false;
  }
  const file = readdirSync(folder).find((name) => /^prometheus_.*\.deb$/.test(name));
  if (file === undefined || !run(['dpkg', '-x', file, '.'], folder)) return false;
  rmSync(join(folder, file));
  return machine.has(unpacked);
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

/** The record of npm about packages, or nothing when it is absent or incomplete. */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
  } catch {
    return undefined;
  }
}

function run([program, ...args], cwd = root) {
  return spawnSync(program, args, { cwd, stdio: 'inherit' }).status === 0;
}

const problem = main();
if (problem) {
  console.error(problem);
  process.exitCode = 1;
}
