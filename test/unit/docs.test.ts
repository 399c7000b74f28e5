import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { secretVariables } from '../../src/config/variables.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every Markdown file that is ours: at the root, in docs and in the rooms. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join(folder, path)),
  ),
];

const readme = read('README.md');

/** What a pattern's first group catches, each once. */
function caught(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

/** GitHub's anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(root, target))) return false;
  if (anchor === undefined) return true;
  return caught(read(target), /^#+ (.+)$/gm)
    .map(anchorOf)
    .includes(anchor);
}

describe.each(documents)('%s', (document) => {
  const text = read(document);

  test('links to what is there', () => {
    const links = caught(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));

    expect(links.filter((link) => !leadsSomewhere(document, link))).toEqual([]);
  });

  test('names files and folders that are there', () => {
    // A file by its ending, a folder by the slash at its end or the place that it begins with.
    const files = caught(text, /`((?:[\w.@-]+\/)*[\w.@-]+\.(?:tsx?|mjs|json|ya?ml|md|png))`/g);
    const folders = caught(text, /`((?:(?:src|test|docs|scripts|\.ci)\/)[\w./-]+|[\w./-]+\/)`/g);
    const names = [...files, ...folders].filter((name) => !name.startsWith('dist/'));
    const places = ['', dirname(document)];

    const lost = names.filter((name) => places.every((at) => !existsSync(join(root, at, name))));
    expect(lost).toEqual([]);
  });

  test('names npm scripts that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [
      ...caught(text, /\bnpm run ([a-z][\w:-]*)/g),
      ...caught(text, /\bnpm (start|test)\b/g),
    ];

    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('README.md', () => {
  /** Lines of a Markdown table as its cells. */
  const rows = readme
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+`/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  test('has the variables of .env.example, in its words and order', () => {
    const lines = read('.env.example').split('\n');
    const variables = lines.flatMap((line, index) => {
      const [, name, value] = /^(?:# )?([A-Z_]+)=(.*)$/.exec(line) ?? [];
      if (name === undefined) return [];
      const comment = (lines[index - 1] ?? '').replace(/^# /, '');
      return [[`\`${name}\``, comment, value ? `\`${value}\`` : '']];
    });

    expect(variables.length).toBeGreaterThan(0);
    expect(rows).toEqual(variables);
  });

  test('names every secret that may come from a file', () => {
    const [, sentence = ''] = /That goes for ([^.]+)\./.exec(readme) ?? [];

    expect(caught(sentence, /`([A-Z_]+)`/g).toSorted()).toEqual(secretVariables.toSorted());
  });

  test('has every command of the manifest, and no other', () => {
    const manifest = parse(read('manifest.yml')) as {
      features: { slash_commands: { command: string }[] };
    };
    const commands = manifest.features.slash_commands.map(({ command }) => command);
    const named = caught(readme, /`(\/[a-z]+)(?=[ `])/g).filter((word) => word !== '/invite');

    expect(named.toSorted()).toEqual(commands.toSorted());
  });
});

test('the records of decisions are numbered without a gap', () => {
  const numbers = readdirSync(join(root, 'docs/adr'))
    .toSorted()
    .map((name) => name.slice(0, 4));

  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
});
