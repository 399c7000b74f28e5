import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { isScalar, isSeq, parse, parseDocument, stringify } from 'yaml';
import { secretVariables } from '../../src/config/variables.ts';
import type { MetricDefinition } from '../../src/lib/metrics.ts';
import { METRICS } from '../../src/metrics.ts';
import { BOT_SCOPES } from '../../src/slack/scopes.ts';
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
    ['docs/metrics.md', await pageWith('docs/metrics.md', 'metrics', metricTables())],
    ['docs/scopes.md', await pageWith('docs/scopes.md', 'scopes', scopeTables())],
    ['docs/commands.md', await pageWith('docs/commands.md', 'commands', commandList(helps))],
    ['deploy/kubernetes/monitoring/prometheus-rule.yaml', await prometheusRule()],
  ]);
}

/** The rules of Prometheus as the resource of its operator. */
async function prometheusRule(): Promise<string> {
  const rules = new URL('deploy/prometheus/purser.rules.yaml', ROOT);
  const { groups } = existsSync(rules)
    ? (parse(readFileSync(rules, 'utf8')) as { groups: unknown[] })
    : { groups: [] };
  const text = stringify({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'purser',
      namespace: 'purser',
      labels: { 'app.kubernetes.io/name': 'purser' },
    },
    spec: { groups },
  });
  const head = '# Made by npm run docs from deploy/prometheus/purser.rules.yaml.\n';
  return format(head + text, { ...(await resolveConfig(fileURLToPath(rules))), parser: 'yaml' });
}

/** A page with one part replaced: the text between its two marks. */
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

/** A row for each metric, and its labels with their values below. */
function metricTables(): string {
  const all: readonly MetricDefinition[] = Object.values(METRICS);
  const rows = all.map(({ name, type, labels, help, example }) => {
    const names = Object.keys(labels).map((label) => `\`${label}\``);
    const cells = [`\`${name}\``, type, names.join(', '), `${help}.`, `\`${example}\``];
    return `| ${cells.map(inCell).join(' | ')} |`;
  });
  const labels = all.flatMap(({ name, labels: closed }) =>
    Object.entries(closed).map(([label, values]) => {
      const known = values.map((value) => `\`${value}\``).join(', ');
      return `| \`${name}\` | \`${label}\` | ${known || 'one value, of this process'} |`;
    }),
  );
  return [
    '## All metrics',
    '',
    '| Metric | Type | Labels | Meaning | Example |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## All values of the labels',
    '',
    '| Metric | Label | Values |',
    '| --- | --- | --- |',
    ...labels,
  ].join('\n');
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

/** A variable to fill in is no comment; the rest shows its default or an example. */
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
    ...Object.entries(COMPOSE_SETTINGS).flatMap(([name, { does, example }]) => [
      `# ${plain(does)}`,
      example === undefined ? `${name}=` : `# ${name}=${example}`,
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

/** Each scope of the manifest with the comment of its line as its use; the doctor's words for the loss without it. */
function scopeTables(): string {
  const manifest = parseDocument(readFileSync(new URL('manifest.yml', ROOT), 'utf8'));
  const rowsOf = (list: string): string[] => {
    const scopes = manifest.getIn(['oauth_config', 'scopes', list]);
    if (!isSeq(scopes)) throw new Error(`manifest.yml has no list ${list}`);
    return scopes.items.filter(isScalar).map(({ value, comment }) => {
      const loss = BOT_SCOPES.find(({ scope }) => scope === value)?.without ?? '';
      return `| \`${String(value)}\` | ${inCell(sentence(comment ?? ''))} | ${inCell(sentence(loss))} |`;
    });
  };
  const head = ['| Scope | Use | Without it |', '| --- | --- | --- |'];
  return [
    '## Required',
    '',
    ...head,
    ...rowsOf('bot'),
    '',
    '## Optional',
    '',
    ...head,
    ...rowsOf('bot_optional'),
  ].join('\n');
}

function sentence(text: string): string {
  const words = text.trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
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

/** A help text is plain: Markdown's own characters stay as they are. */
function escaped(text: string): string {
  return text.replaceAll(/[*_<`\\|]/g, '\\$&');
}
