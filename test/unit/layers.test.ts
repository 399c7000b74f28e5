import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * The rules of the house are lint rules; here wrong imports are put into a house of probe files to
 * see that the real configuration finds each of them, and that it leaves the right ones alone.
 */

/** Which rooms a room may import from, besides itself: the arrows of the design, all of them. */
const mayImport = {
  lib: [],
  store: ['lib'],
  platform: ['lib'],
  access: ['lib'],
  figures: ['lib', 'platform'],
  slack: ['lib', 'store'],
  notify: ['lib', 'store', 'slack'],
  rollouts: ['lib', 'store', 'platform', 'slack', 'notify'],
  changes: ['lib', 'store', 'platform', 'access', 'figures', 'slack', 'notify'],
  jobs: ['lib', 'store'],
  features: [
    'lib',
    'store',
    'platform',
    'access',
    'figures',
    'slack',
    'notify',
    'rollouts',
    'changes',
    'jobs',
  ],
  sandbox: [],
} satisfies Record<string, string[]>;

const roomsWithPackage: Record<string, string[]> = {
  '@slack/web-api': ['lib', 'slack', 'notify', 'rollouts', 'changes', 'features'],
  bullmq: ['jobs'],
  ioredis: ['store', 'slack', 'notify', 'rollouts', 'changes', 'jobs', 'sandbox'],
  undici: [],
};

type Room = keyof typeof mayImport;
const rooms = Object.keys(mayImport) as Room[];
const roots = ['app.ts', 'main.ts', 'config.ts', 'config-variables.ts'];

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

for (const room of rooms) {
  const allowed: string[] = mayImport[room];
  for (const [folder, up] of [
    ['', '../'],
    ['deep/', '../../'],
    ['deep/deeper/', '../../../'],
  ] as const) {
    const file = `src/${room}/${folder}probe.ts`;
    for (const other of rooms) {
      if (other === room) continue;
      const wrong = !allowed.includes(other);
      probe(file, `import '${up}${other}/target.ts';`, wrong ? imports : undefined);
      probe(file, `import type {} from '${up}${other}/a/t.ts';`, wrong ? imports : undefined);
    }
    for (const root of roots) probe(file, `export * from '${up}${root}';`, imports);
    for (const [name, at] of Object.entries(roomsWithPackage)) {
      probe(file, `import '${name}';`, at.includes(room) ? undefined : imports);
    }
  }
}

for (const root of roots) {
  const file = `src/${root}`;
  probe(file, `import './sandbox/target.ts';`, imports);
  probe(file, `import 'undici';`, imports);
  probe(file, `import './lib/target.ts';`, undefined);
}

for (const caller of ['src/platform/http.ts', 'src/platform/bare-http.ts']) {
  probe(caller, `import 'undici';`, undefined);
  probe(caller, `import 'bullmq';`, imports);
}

// The state machine is lists in and states out, the messages are pure as well, whatever the rest of their room does.
const engine = 'src/rollouts/engine/probe.ts';
const messages = 'src/rollouts/messages/probe.ts';
for (const other of rooms) {
  const wrong = !['lib', 'platform'].includes(other);
  probe(engine, `import '../../${other}/target.ts';`, wrong ? imports : undefined);
}
for (const part of ['gvc-store.ts', 'poll.ts', 'watches.ts', 'messages/publish.ts']) {
  probe(engine, `import type {} from '../${part}';`, imports);
}
for (const dependency of ['@slack/types', ...Object.keys(roomsWithPackage)]) {
  probe(engine, `import '${dependency}';`, imports);
}
probe(engine, `import type {} from './advance.ts';`, undefined);
probe(messages, `import type {} from '../engine/advance.ts';`, undefined);
probe(messages, `import type {} from '../watches.ts';`, undefined);
for (const part of ['../poll.ts', '../gvc-store.ts', '../../store/redis.ts', 'ioredis']) {
  probe(messages, `import type {} from '${part}';`, imports);
}
probe('src/rollouts/probe.ts', `import './engine/advance.ts';`, undefined);
probe('src/rollouts/probe.ts', `import './gvc-store.ts';`, undefined);

// The stand-ins have folders that are named like rooms of the bot.
probe('src/sandbox/main.ts', `import './platform/target.ts';`, undefined);
probe('src/sandbox/platform/probe.ts', `import '../slack/target.ts';`, undefined);
probe('src/sandbox/slack/page/view.tsx', `import '../../platform/target.ts';`, undefined);
probe('src/sandbox/slack/page/view.tsx', `import '../../../platform/target.ts';`, imports);
probe('src/sandbox/slack/page/view.tsx', `export default function View() {}`, 'no-default-export');
probe('src/sandbox/platform/probe.ts', `import 'zod';`, imports);

for (const standIn of ['sandbox-platform', 'sandbox-slack']) {
  const file = `test/contract/${standIn}/probe.ts`;
  probe(file, `import '../../../src/platform/target.ts';`, imports);
  probe(file, `import type {} from '../../../src/config.ts';`, imports);
  probe(file, `import '../../../src/sandbox/target.ts';`, undefined);
}

probe('src/lib/loop.ts', `import './pool.ts';`, 'no-cycle');
probe('src/lib/pool.ts', `import './loop.ts';`, 'no-cycle');

probe('src/main.ts', 'process.exit(2);', undefined);
probe('src/app.ts', 'process.exit(2);', 'no-process-exit');
probe('src/sandbox/main.ts', 'process.exit(2);', 'no-process-exit');
probe('src/config.ts', 'export const port = process.env;', undefined);
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

const repository = new URL('../../', import.meta.url);

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
  const run = spawnSync(oxlint, ['--format', 'json'], { cwd: house, encoding: 'utf8' });
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
  const watched = [...new Set(probes.flatMap(({ rule }) => rule ?? []))];
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
  test('refuse every import against the arrows, and what only one file may do', () => {
    expect(surprises(true)).toEqual([]);
  });

  test('leave every import along the arrows alone', () => {
    expect(surprises(false)).toEqual([]);
  });
});
