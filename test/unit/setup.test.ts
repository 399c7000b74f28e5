import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  installPlan,
  nodeProblem,
  packagesAreOutdated,
  tools,
  type Lockfile,
} from '../../scripts/setup-plan.mjs';
import { failedFilesOf, mergedWith, summaryOf } from '../../scripts/test-summary.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));

describe('the version of Node', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1'])('%s will do', (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  test.each(['18.20.8', '20.18.3'])('%s is named in one sentence', (version) => {
    expect(nodeProblem(version)).toBe(
      `Purser needs Node 20.19 or newer, and this is Node ${version}.`,
    );
  });
});

describe('installed packages', () => {
  const lock = {
    packages: {
      '': { optionalDependencies: { tsx: '4.23.15' } },
      'node_modules/pino': { version: '10.4.0', integrity: 'sha512-a' },
      'node_modules/tsx': { version: '4.23.15', optional: true },
      'node_modules/@esbuild/aix-ppc64': { version: '0.28.2', optional: true },
    },
  };

  const installedBut = (change: Record<string, object | undefined>) => {
    const merged = { ...lock.packages, ...change };
    const kept = Object.entries(merged).filter((entry) => entry[1] !== undefined);
    return { packages: Object.fromEntries(kept) as typeof lock.packages };
  };

  test('are fine when they are those of the lockfile', () => {
    expect(packagesAreOutdated(lock, lock)).toBe(false);
  });

  test('are fine without those of another platform', () => {
    const other = installedBut({ 'node_modules/@esbuild/aix-ppc64': undefined });

    expect(packagesAreOutdated(lock, other)).toBe(false);
  });

  test.each([
    ['nothing was ever installed', undefined],
    ['one is missing', installedBut({ 'node_modules/pino': undefined })],
    ['one has another version', installedBut({ 'node_modules/pino': { version: '10.3.0' } })],
    [
      'one has other contents',
      installedBut({ 'node_modules/pino': { version: '10.4.0', integrity: 'sha512-b' } }),
    ],
    ['tsx was left out as optional', installedBut({ 'node_modules/tsx': undefined })],
  ])('are renewed when %s', (_reason, installed) => {
    expect(packagesAreOutdated(lock, installed)).toBe(true);
  });
});

describe('the way to a missing Redis', () => {
  const machine = (programs: string[], isRoot = false, isInteractive = true) => ({
    has: (program: string) => programs.includes(program),
    isRoot,
    isInteractive,
  });

  test('is apt-get with fresh lists for root', () => {
    const plan = installPlan(tools.redis, machine(['apt-get'], true));

    expect(plan?.announcement).toBe('Installing Redis with apt-get ...');
    expect(plan?.refresh).toEqual(['apt-get', 'update', '-qq']);
    expect(plan?.attempts[0]).toEqual(expect.arrayContaining(['apt-get', 'redis-server']));
  });

  test('goes through sudo for anyone else, which never waits for a password no one can type', () => {
    const atTerminal = installPlan(tools.redis, machine(['apk', 'sudo']));
    const inScript = installPlan(tools.redis, machine(['apk', 'sudo'], false, false));

    expect(atTerminal?.attempts[0]?.slice(0, 2)).toEqual(['sudo', 'apk']);
    expect(inScript?.attempts[0]?.slice(0, 3)).toEqual(['sudo', '-n', 'apk']);
  });

  test('is Homebrew without sudo', () => {
    expect(installPlan(tools.redis, machine(['brew', 'sudo']))?.attempts).toEqual([
      ['brew', 'install', '--quiet', 'redis'],
    ]);
  });

  test('tries Valkey where a distribution no longer has Redis', () => {
    const plan = installPlan(tools.redis, machine(['dnf'], true));

    expect(plan?.attempts.map((command) => command.at(-1))).toEqual(['valkey', 'redis']);
  });

  test.each([
    ['no package manager', ['sudo']],
    ['neither root nor sudo', ['apt-get']],
  ])('does not exist with %s', (_reason, programs) => {
    expect(installPlan(tools.redis, machine(programs))).toBeUndefined();
  });
});

describe('scripts/setup.mjs', () => {
  let house: string;

  /** A program on the PATH of the house that runs these shell lines. */
  const program = (name: string, ...lines: string[]) => {
    const path = join(house, 'bin', name);
    writeFileSync(path, ['#!/bin/sh', ...lines].join('\n'));
    chmodSync(path, 0o755);
  };

  const setup = (args: string[] = [], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(house, 'scripts/setup.mjs'), ...args],
      { cwd: house, encoding: 'utf8', env: { PATH: join(house, 'bin'), HOUSE: house, ...env } },
    );
    return { status, said: stdout + stderr };
  };

  /** A shell line that installs: it puts an executable of this name on the PATH of the house. */
  const put = (name: string) => `/bin/cp "$HOUSE/bin/sudo" "$HOUSE/bin/${name}"`;

  beforeEach(() => {
    house = mkdtempSync(join(tmpdir(), 'purser-setup-'));
    mkdirSync(join(house, 'bin'));
    mkdirSync(join(house, 'node_modules'));
    cpSync(join(repository, 'scripts'), join(house, 'scripts'), { recursive: true });
    const lock = JSON.stringify({ packages: { 'node_modules/pino': { version: '10.4.0' } } });
    writeFileSync(join(house, 'package-lock.json'), lock);
    writeFileSync(join(house, 'node_modules/.package-lock.json'), lock);
    symlinkSync('/usr/bin/env', join(house, 'bin/env'));
    program('sudo', '[ "$1" != -n ] || shift', 'exec "$@"');
  });

  afterEach(() => rmSync(house, { recursive: true }));

  test('prints and installs nothing when nothing is missing', () => {
    program('redis-server');
    program('chromium');

    expect(setup(['--browser'])).toEqual({ status: 0, said: '' });
  });

  test('prints nothing in this very repository, where the tests are running', () => {
    const run = spawnSync(process.execPath, ['scripts/setup.mjs'], {
      cwd: repository,
      encoding: 'utf8',
    });

    expect({ status: run.status, said: run.stdout + run.stderr }).toEqual({ status: 0, said: '' });
  });

  test('takes the Redis and the browser that the environment names', () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:6380', CHROMIUM_PATH: '/opt/chromium' };

    expect(setup(['--browser'], env)).toEqual({ status: 0, said: '' });
  });

  test('installs packages when npm has not, with everything that the demo needs', () => {
    program('redis-server');
    program('npm', 'echo "$@" > "$HOUSE/npm.log"');
    rmSync(join(house, 'node_modules'), { recursive: true });

    expect(setup()).toEqual({ status: 0, said: 'Installing packages with npm ci ...\n' });
    expect(readFileSync(join(house, 'npm.log'), 'utf8')).toMatch(
      /^ci --include=dev --include=optional/,
    );
  });

  test('stops when the packages cannot be installed', () => {
    program('npm', 'exit 1');
    rmSync(join(house, 'node_modules'), { recursive: true });

    const { status, said } = setup();

    expect(status).toBe(1);
    expect(said).toContain('npm ci failed');
  });

  test('installs Redis after a refresh of the lists, even when that fails, and says so in one line', () => {
    program(
      'apt-get',
      'echo "$@" >> "$HOUSE/apt.log"',
      '[ "$1" = install ] || exit 1',
      put('redis-server'),
    );

    const { status, said } = setup();

    expect(status).toBe(0);
    expect(said).toMatch(/^Installing Redis with .*apt-get \.\.\.\n$/);
    expect(readFileSync(join(house, 'apt.log'), 'utf8')).toMatch(
      /^update.*\ninstall.*redis-server\n$/,
    );
    expect(existsSync(join(house, 'bin/redis-server'))).toBe(true);
  });

  test('installs Valkey when there is no package of Redis', () => {
    program('apk', 'case "$*" in *valkey) ;; *) exit 1 ;; esac', put('valkey-server'));

    expect(setup().status).toBe(0);
  });

  test('names the three ways out when Redis is not to be had', () => {
    const { status, said } = setup();

    expect(status).toBe(1);
    expect(said).toMatch(/install redis-server.*REDIS_URL.*root or with sudo/s);
  });

  test('goes on loudly without a browser, but not in CI', () => {
    program('redis-server');

    const atHome = setup(['--browser']);
    const inCi = setup(['--browser'], { CI: 'true' });

    expect(atHome.status).toBe(0);
    expect(atHome.said).toContain('THE BROWSER TESTS WILL BE SKIPPED');
    expect(inCi.status).toBe(1);
    expect(inCi.said).toContain('CHROMIUM_PATH');
  });

  test('unpacks promtool from its package without installing it, once', () => {
    program('redis-server');
    program('apt-get', 'echo "$@" >> "$HOUSE/apt.log"', '> prometheus_2.42_amd64.deb');
    program('dpkg', '/bin/mkdir -p usr/bin', '/bin/cp "$HOUSE/bin/redis-server" usr/bin/promtool');

    expect(setup(['--promtool'])).toEqual({
      status: 0,
      said: 'Unpacking promtool from the package prometheus, which is not installed ...\n',
    });
    expect(readFileSync(join(house, 'apt.log'), 'utf8')).toBe('download prometheus -qq\n');
    expect(setup(['--promtool'])).toEqual({ status: 0, said: '' });
  });

  test('without promtool leaves the alerts untested loudly, but not in CI', () => {
    program('redis-server');

    const atHome = setup(['--promtool']);
    const inCi = setup(['--promtool'], { CI: 'true' });

    expect(atHome.status).toBe(0);
    expect(atHome.said).toContain('THE TESTS OF THE ALERTS WILL BE SKIPPED');
    expect(inCi.status).toBe(1);
    expect(inCi.said).toContain('PROMTOOL_PATH');
  });
});

describe('scripts/lockfile.mjs', () => {
  const check = (...files: string[]) => {
    const script = join(repository, 'scripts/lockfile.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, ...files], {
      encoding: 'utf8',
    });
    return { status, said: stderr };
  };
  const lockfiles = ['package-lock.json', '.ci/node24/package-lock.json'].map((path) =>
    join(repository, path),
  );

  test('accepts the lockfiles of this repository', () => {
    expect(check(...lockfiles)).toEqual({ status: 0, said: '' });
  });

  test('refuses one whose packages npm would install unchecked, and names them', () => {
    const lock = JSON.parse(readFileSync(lockfiles[0]!, 'utf8')) as Lockfile;
    delete lock.packages['node_modules/pino']?.integrity;
    const folder = mkdtempSync(join(tmpdir(), 'purser-lockfile-'));
    const stripped = join(folder, 'package-lock.json');
    writeFileSync(stripped, JSON.stringify(lock));

    const { status, said } = check(stripped);
    rmSync(folder, { recursive: true });

    expect(status).toBe(1);
    expect(said.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      '  node_modules/pino',
    ]);
  });

  test('is part of the checks of every change', () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };

    expect(scripts['lint:lockfile']).toBe(
      'node scripts/lockfile.mjs package-lock.json .ci/node24/package-lock.json',
    );
    expect(scripts['check:code']).toContain('npm run lint:lockfile');
    expect(readFileSync(join(repository, '.ci/run'), 'utf8')).toContain('npm run check:code');
  });
});

describe('the last line of the tests', () => {
  const file = (status: string, ...tests: string[]) => ({
    name: 'a.test.ts',
    status,
    assertionResults: tests.map((one, index) => ({ fullName: `story ${index}`, status: one })),
  });
  const node = '24.11.1';
  const well = { files: [file('passed', 'passed')], isWell: true, node };

  test('counts the passed tests of all parts', () => {
    const other = { files: [file('passed', 'passed', 'passed')], isWell: true, node };

    expect(summaryOf([well, other], true)).toEqual({
      skipped: [],
      unsteady: [],
      failed: [],
      line: '3 passed, 0 failed',
      isRed: false,
    });
  });

  test.each([
    ['a test failed', [file('failed', 'passed', 'failed')], '2 passed, 1 failed'],
    [
      'a file could not be loaded',
      [file('passed', 'passed'), file('failed')],
      '2 passed, 1 failed',
    ],
    ['something broke between the tests', [file('passed', 'passed')], '2 passed, 1 failed'],
    ['a part died', [], '1 passed, 1 failed'],
  ])('is red when %s', (_reason, files, line) => {
    expect(summaryOf([well, { files, isWell: false, node }], true)).toMatchObject({
      line,
      isRed: true,
    });
  });

  test('comes after the failed tests and the beginning of why, for a log is often read from its end', () => {
    const because = {
      name: 'b.test.ts',
      status: 'failed',
      assertionResults: [
        {
          fullName: 'a story',
          status: 'failed',
          failureMessages: ['expected 1 to be 2\n  at b:1'],
        },
      ],
    };
    const unread = { ...file('failed'), message: 'no such file' };

    const { failed } = summaryOf([{ files: [because, unread], isWell: false, node }], true);

    expect(failed).toEqual([
      'b.test.ts: a story\n    expected 1 to be 2\n      at b:1',
      'a.test.ts\n    no such file',
    ]);
  });

  test('counts a failure on either Node, and names the Node', () => {
    const older = { files: [file('failed', 'failed')], isWell: false, node: '20.19.0' };

    expect(summaryOf([well, older], true)).toMatchObject({
      failed: ['Node 20.19.0: a.test.ts: story 0'],
      line: '1 passed, 1 failed',
      isRed: true,
    });
  });

  describe('of a file that ran once more', () => {
    const first = {
      files: [
        file('passed', 'passed'),
        { ...file('failed', 'passed', 'failed'), name: 'b.test.ts' },
      ],
      isWell: false,
      node,
    };
    const again = (...statuses: string[]) => ({
      files: [
        {
          ...file(statuses.includes('failed') ? 'failed' : 'passed', ...statuses),
          name: 'b.test.ts',
        },
      ],
      isWell: !statuses.includes('failed'),
      node,
    });

    test('is green with a test that passes then, which is named', () => {
      expect(failedFilesOf(first)).toEqual(['b.test.ts']);
      expect(summaryOf([mergedWith(first, again('passed', 'passed'))], true)).toMatchObject({
        unsteady: ['b.test.ts: story 1'],
        line: '3 passed, 0 failed',
        isRed: false,
      });
    });

    test('is red with a test that fails again, or never ran', () => {
      const red = { unsteady: [], line: '2 passed, 1 failed', isRed: true };
      const died = { files: [], isWell: false, node };

      expect(summaryOf([mergedWith(first, again('passed', 'failed'))], true)).toMatchObject(red);
      expect(summaryOf([mergedWith(first, died)], true)).toMatchObject(red);
    });
  });

  test('is red in CI when a test was skipped, and says so elsewhere', () => {
    const runs = [{ files: [file('passed', 'passed', 'pending', 'todo')], isWell: true, node }];
    const line = '1 passed, 0 failed, 2 skipped';

    expect(summaryOf(runs, true)).toMatchObject({ line, isRed: true });
    expect(summaryOf(runs, false)).toMatchObject({ line, isRed: false });
  });
});
