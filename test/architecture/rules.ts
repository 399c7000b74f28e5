import { readdirSync, readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import {
  GUARDED_PACKAGES,
  HTTP_FILES,
  PURE_PARTS,
  ROOMS,
  type GuardedPackage,
  type Room,
} from './matrix.ts';

export const LINT_FILE = new URL('../../.oxlintrc.json', import.meta.url);
const SRC = new URL('../../src/', import.meta.url);
const RULE = 'no-restricted-imports';

interface Override {
  files: string[];
  rules: Record<string, unknown>;
}

/** The lint configuration with the import rules that the matrix gives, as text. */
export async function lintConfiguration(): Promise<string> {
  const current = JSON.parse(readFileSync(LINT_FILE, 'utf8')) as { overrides: Override[] };
  const others = current.overrides.filter(({ rules }) => !(RULE in rules));
  const text = JSON.stringify({ ...current, overrides: [...importRules(), ...others] });
  const options = await resolveConfig(LINT_FILE);
  return format(text, { ...options, parser: 'json', objectWrap: 'collapse' });
}

function importRules(): Override[] {
  return [
    ...Object.entries(ROOMS).map(([name, room]) => ruleOf(name, room)),
    ...HTTP_FILES.map((file) => httpRule(file)),
    ...Object.entries(PURE_PARTS).map(([part, { imports }]) => pureRule(part, imports)),
    ...featureRules(),
    ...sandboxRules(),
    standInTests(),
  ];
}

const isFile = (room: string): boolean => room.endsWith('.ts');

function ruleOf(name: string, room: Room): Override {
  const says = `${name} imports ${room.imports.join(', ') || 'no other room'} (test/architecture/matrix.ts)`;
  const files = [isFile(name) ? `src/${name}` : `src/${name}/**`];
  return restricting(files, says, [
    closedRooms(name, room.imports, isFile(name) ? '^\\./' : '\\.\\./'),
    ...packagePattern(room.packages ?? []),
  ]);
}

/** Paths to the rooms that are closed to this one. */
function closedRooms(name: string, open: readonly string[], up: string): string {
  const closed = [...Object.keys(ROOMS), 'sandbox'].filter(
    (other) => other !== name && !open.includes(other),
  );
  const folders = closed.filter((one) => !isFile(one)).map((one) => `${one}/`);
  const files = closed.filter(isFile).map((one) => `${one.replace('.', '\\.')}$`);
  return `${up}(${[...folders, ...files].join('|')})`;
}

function packagePattern(open: readonly GuardedPackage[]): string[] {
  const closed = GUARDED_PACKAGES.filter((one) => !open.includes(one));
  return closed.length === 0
    ? []
    : [`^(${closed.map((one) => (one.endsWith('/') ? one : `${one}$`)).join('|')})`];
}

function httpRule(file: string): Override {
  const { imports } = ROOMS['platform']!;
  return restricting([file], 'platform/ knows nothing of Slack, Redis or jobs', [
    closedRooms('platform', imports, '\\.\\./'),
    ...packagePattern(['undici']),
  ]);
}

function pureRule(part: string, imports: readonly string[]): Override {
  return restricting(
    [`src/${part}/**`],
    `${part} is pure: it imports ${imports.join(', ')} and its own files`,
    ['^\\.\\./[a-z]', closedRooms('', imports, '\\.\\./'), ...packagePattern([])],
  );
}

/** A feature imports no other feature: code that two features share lies below them. */
function featureRules(): Override[] {
  const names = readdirSync(new URL('features/', SRC), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const room = ROOMS['features']!;
  return names.map((name) => {
    const siblings = names.filter((other) => other !== name).join('|');
    return restricting([`src/features/${name}/**`], 'a feature imports no other feature', [
      closedRooms('features', room.imports, '\\.\\./'),
      `^\\.\\./(${siblings})/`,
      ...packagePattern(room.packages ?? []),
    ]);
  });
}

/** The stand-ins share nothing with the bot: a wrong name must not be wrong on both sides. */
function sandboxRules(): Override[] {
  return [0, 1, 2, 3].map((depth) =>
    restricting(
      [`src/sandbox/${'*/'.repeat(depth)}*`],
      'the stand-in shares nothing with the bot',
      [`^(\\.\\./){${depth + 1}}`, '^(@slack/|bullmq$|undici$|zod$)'],
    ),
  );
}

function standInTests(): Override {
  const folders = Object.keys(ROOMS).filter((name) => !isFile(name));
  return restricting(
    ['test/contract/sandbox/**'],
    'the stand-ins follow the specifications, not the code of the bot',
    [`/src/(${folders.join('|')}|[a-z-]+\\.ts)`],
  );
}

function restricting(files: string[], message: string, patterns: readonly string[]): Override {
  const rule = ['error', { patterns: patterns.map((regex) => ({ regex, message })) }];
  return { files, rules: { [RULE]: rule } };
}
