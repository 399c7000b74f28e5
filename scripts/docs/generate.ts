import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { secretVariables } from '../../src/config/variables.ts';
import type { CommandHelp } from '../../src/slack/routing/routes.ts';
import { allCommands } from './routes.ts';
import { COMPOSE_SETTINGS, GROUPS, SETTINGS, type Setting } from './settings.ts';

const ROOT = new URL('../../', import.meta.url);

/** The documents that are made from the code, by their paths, as they ought to be. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  const helps = (await allCommands()).map(({ help }) => help);
  return new Map([
    ['.env.example', environmentExample()],
    ['docs/configuration.md', await pageWith('docs/configuration.md', 'settings', settingTables())],
    ['docs/commands.md', await pageWith('docs/commands.md', 'commands', commandList(helps))],
  ]);
}

/** A page with one part replaced: what stands between its two marks. */
async function pageWith(path: string, name: string, now: string): Promise<string> {
  const file = fileURLToPath(new URL(path, ROOT));
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- begin ${name}: npm run docs -->`, `<!-- end ${name} -->`];
  const [before, rest] = page.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${path} has no part ${name}`);
  const text = `${before}${begin}\n\n${now}\n\n${end}${after}`;
  return format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
}

type Row = readonly [name: string, setting: Setting];

/** Every group with its settings, in order. */
function groups(): readonly (readonly [title: string, rows: readonly Row[]])[] {
  const rows = Object.entries(SETTINGS);
  return Object.entries(GROUPS).map(([group, title]) => [
    title,
    rows.filter(([, setting]) => setting.group === group),
  ]);
}

/** What waits to be filled in is no comment; the rest shows its default or an example. */
function environmentExample(): string {
  const head = `# Made by npm run docs from scripts/docs/settings.ts. Copy it to .env and fill in the lines without #.
# Each setting is explained in docs/configuration.md; a line with # shows the default or an example.
# A secret can come from a file instead: NAME_FILE=/run/secrets/name.
`;
  const parts = groups().map(([title, rows]) =>
    [
      `# --- ${plain(title)} ---`,
      ...rows.flatMap(([name, { does, fallback, example, toFillIn }]) => [
        `# ${plain(does)}`,
        `${toFillIn ? '' : '# '}${name}=${fallback ?? example ?? ''}`,
      ]),
    ].join('\n'),
  );
  const compose = [
    '# --- compose.yaml ---',
    ...Object.entries(COMPOSE_SETTINGS).flatMap(([name, { does }]) => [
      `# ${plain(does)}`,
      `${name}=`,
    ]),
  ].join('\n');
  return `${[head.trimEnd(), ...parts, compose].join('\n\n')}\n`;
}

/** Dotenv files are read by many programs, not all of which know more than ASCII. */
function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll('…', '...');
}

function settingTables(): string {
  const secrets: ReadonlySet<string> = new Set(secretVariables);
  return groups()
    .map(([title, rows]) => {
      const lines = rows.map(([name, { does, fallback, example }]) => {
        const shown = fallback ?? (example && `e.g. ${example}`);
        const value = shown === undefined ? '' : shown.replace(/^(e\.g\. )?(.*)$/, '$1`$2`');
        const secret = secrets.has(name) ? ' 🔑' : '';
        return `| \`${name}\`${secret} | ${inCell(does)} | ${inCell(value)} |`;
      });
      return [
        `### ${title}`,
        '',
        '| Variable | Meaning | Default or example |',
        '| --- | --- | --- |',
        ...lines,
      ].join('\n');
    })
    .join('\n\n');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Commands in the order of the manifest, each with all ways of writing it. */
function commandList(helps: readonly CommandHelp[]): string {
  const manifest = parse(readFileSync(new URL('manifest.yml', ROOT), 'utf8')) as {
    features: { slash_commands: { command: string }[] };
  };
  return manifest.features.slash_commands
    .map(({ command }) => helps.find((help) => help.command === command))
    .filter((help) => help !== undefined)
    .map(({ command, summary, usages, notes = [], examples }) =>
      [
        `### \`${command}\``,
        '',
        summary,
        '',
        ...usages.map(({ text, does }) => `- \`${text}\`: ${escaped(does)}`),
        '',
        ...notes.flatMap((note) => [`${escaped(note)}.`, '']),
        `For example: ${examples.map((example) => `\`${example}\``).join(', ')}`,
      ].join('\n'),
    )
    .join('\n\n');
}

/** A help text is plain: what Markdown would take for its own stands as it is. */
function escaped(text: string): string {
  return text.replaceAll(/[*_<`\\|]/g, '\\$&');
}
