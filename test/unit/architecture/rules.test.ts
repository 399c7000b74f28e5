import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUARDED_PACKAGES, HTTP_FILES, ROOMS } from '../../architecture/matrix.ts';
import { lintConfiguration, LINT_FILE } from '../../architecture/rules.ts';

/**
 * The arrows of the house are lint rules, generated from one matrix. These tests put wrong imports into a house of
 * probe files: the real configuration has to find each one, and to leave the right ones alone.
 */
interface Probe {
  file: string;
  line: string;
  rule: string | undefined;
}

const probes: Probe[] = [];
const imports = 'no-restricted-imports';

function probe(file: string, line: string, rule: string | undefined): void {
  probes.push({ file, line, rule });
}

const isFile = (room: string): boolean => room.endsWith('.ts');
const rooms = Object.entries(ROOMS);
const packageOf = (name: string): string => (name === '@slack/' ? '@slack/web-api' : name);

for (const [room, { imports: open, packages = [] }] of rooms) {
  const places = isFile(room)
    ? [{ file: `src/${room}`, up: './' }]
    : [
        { file: `src/${room}/probe.ts`, up: '../' },
        { file: `src/${room}/deep/probe.ts`, up: '../../' },
        { file: `src/${room}/deep/deeper/probe.ts`, up: '../../../' },
      ];
  for (const { file, up } of places) {
    for (const other of [...Object.keys(ROOMS), 'sandbox']) {
      if (other === room) continue;
      const wrong = open.includes(other) ? undefined : imports;
      const target = isFile(other) ? other : `${other}/target.ts`;
      probe(file, `import '${up}${target}';`, wrong);
      // One finding for each module of a file: a type comes from another one.
      if (!isFile(other)) probe(file, `import type {} from '${up}${other}/a/t.ts';`, wrong);
    }
    for (const name of GUARDED_PACKAGES) {
      probe(file, `import '${packageOf(name)}';`, packages.includes(name) ? undefined : imports);
    }
  }
}

for (const caller of HTTP_FILES) {
  probe(caller, `import 'undici';`, undefined);
  probe(caller, `import 'bullmq';`, imports);
}

// The state machine is lists in and states out, whatever the rest of its room does.
const watch = 'src/rollouts/watch/probe.ts';
for (const other of Object.keys(ROOMS)) {
  if (isFile(other)) continue;
  const wrong = ['lib', 'platform'].includes(other) ? undefined : imports;
  probe(watch, `import '../../${other}/target.ts';`, wrong);
}
for (const part of ['poll.ts', 'watches.ts', 'render/messages.ts']) {
  probe(watch, `import type {} from '../${part}';`, imports);
}
for (const name of GUARDED_PACKAGES) probe(watch, `import '${packageOf(name)}';`, imports);
probe(watch, `import type {} from './advance.ts';`, undefined);
probe('src/rollouts/probe.ts', `import './watch/advance.ts';`, undefined);

probe('src/features/alert/probe.ts', `import '../billing/target.ts';`, imports);
probe('src/features/alert/probe.ts', `import '../feature.ts';`, undefined);
probe('src/features/alert/probe.ts', `import '../../changes/target.ts';`, undefined);

// The stand-ins have folders that are named like rooms of the bot.
probe('src/sandbox/main.ts', `import './platform/target.ts';`, undefined);
probe('src/sandbox/platform/probe.ts', `import '../slack/target.ts';`, undefined);
probe('src/sandbox/slack/page/view.tsx', `import '../../platform/target.ts';`, undefined);
probe('src/sandbox/slack/page/view.tsx', `import '../../../platform/target.ts';`, imports);
probe('src/sandbox/slack/page/view.tsx', `export default function View() {}`, 'no-default-export');
probe('src/sandbox/platform/probe.ts', `import 'zod';`, imports);

for (const standIn of ['platform', 'slack']) {
  const file = `test/contract/sandbox/${standIn}/probe.ts`;
  probe(file, `import '../../../../src/platform/target.ts';`, imports);
  probe(file, `import type {} from '../../../../src/config/config.ts';`, imports);
  probe(file, `import '../../../../src/sandbox/target.ts';`, undefined);
}

probe('src/lib/loop.ts', `import './pool.ts';`, 'no-cycle');
probe('src/lib/pool.ts', `import './loop.ts';`, 'no-cycle');

probe('src/main.ts', 'process.exit(2);', undefined);
probe('src/app.ts', 'process.exit(2);', 'no-process-exit');
probe('src/sandbox/main.ts', 'process.exit(2);', 'no-process-exit');
probe('src/config/config.ts', 'export const port = process.env;', undefined);
probe('src/app.ts', 'export const port = process.env;', 'no-process-env');
probe('src/lib/log.ts', 'console.log(1);', 'no-console');

interface Report {
  diagnostics: {
    code?: string;
    message: string;
    filename: string;
    labels: { span: { line: number } }[];
  }[];
}

const repository = new URL('../../../', import.meta.url);

/** Writes one file per probed path, a line per probe, and answers `path:line rule` for each finding. */
function lintHouse(house: string): Set<string> {
  const config = JSON.parse(readFileSync(new URL('.oxlintrc.json', repository), 'utf8')) as object;
  // The rules under test read syntax alone: leaving the types out keeps this test under a second.
  const fast = { ...config, options: { typeAware: false } };
  writeFileSync(join(house, '.oxlintrc.json'), JSON.stringify(fast));
  for (const file of new Set(probes.map((one) => one.file))) {
    const lines = probes.filter((one) => one.file === file).map(({ line }) => line);
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), lines.join('\n'));
  }

  const oxlint = fileURLToPath(new URL('node_modules/.bin/oxlint', repository));
  const run = spawnSync(oxlint, ['--format', 'json'], {
    cwd: house,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const { diagnostics } = JSON.parse(run.stdout) as Report;
  return new Set(
    diagnostics.map(({ code, message, filename, labels }) => {
      if (code === undefined) throw new Error(`${filename} cannot be read: ${message}`);
      return `${filename}:${labels[0]?.span.line} ${code}`;
    }),
  );
}

let house: string;
let findings: Set<string>;

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'purser-layers-'));
  findings = lintHouse(house);
});

afterAll(() => rmSync(house, { recursive: true }));

/** The probes whose verdict is not the expected one, in words. */
function surprises(expectFinding: boolean): string[] {
  // The probes of the files of the top floor import each other, which no real file does.
  const watched = [...new Set(probes.flatMap(({ rule }) => rule ?? []))].filter(
    (rule) => rule !== 'no-cycle',
  );
  const lineOf = new Map<string, number>();
  return probes.flatMap(({ file, line, rule }) => {
    const number = (lineOf.get(file) ?? 0) + 1;
    lineOf.set(file, number);
    if ((rule !== undefined) !== expectFinding) return [];
    const hit = (rule === undefined ? watched : [rule]).some((name) =>
      [...findings].some(
        (found) => found.startsWith(`${file}:${number} `) && found.endsWith(`(${name})`),
      ),
    );
    return hit === expectFinding ? [] : [`${file}: ${line}`];
  });
}

describe('the lint rules of the house', () => {
  test('are those of the matrix: npm run architecture -- --update writes them', async () => {
    expect(readFileSync(LINT_FILE, 'utf8')).toBe(await lintConfiguration());
  });

  test('refuse every import against the arrows, and each use that is limited to one file', () => {
    expect(surprises(true)).toEqual([]);
  });

  test('leave every import along the arrows alone', () => {
    expect(surprises(false)).toEqual([]);
  });
});
