import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { generated } from '../../scripts/docs/generate.ts';
import { SETTINGS, type Setting } from '../../scripts/docs/settings.ts';
import { secretVariables, variables, type VariableName } from '../../src/config/variables.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every Markdown file that is ours: at the root and anywhere in our folders. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'src', 'test', 'scripts', '.ci', '.github'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join(folder, path)),
  ),
];

/** Names files of another repository. */
const VENDORED = 'test/support/slack-manifest-schema/README.md';

/** The matches of a pattern's first group, each once. */
function caught(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

/** A document without the code between fences, where a `#` begins no heading. */
function prose(text: string): string {
  return text.replaceAll(/^( *)```[^]*?^\1```$/gm, '');
}

/** GitHub's anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(root, target))) return false;
  if (anchor === undefined) return true;
  return caught(prose(read(target)), /^#+ (.+)$/gm)
    .map(anchorOf)
    .includes(anchor);
}

describe.each(documents)('%s', (document) => {
  const text = read(document);

  test('links to existing places', () => {
    const links = caught(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));

    expect(links.filter((link) => !leadsSomewhere(document, link))).toEqual([]);
  });

  test('names npm scripts that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [
      ...caught(text, /\bnpm run (?:-s )?([a-z][\w:-]*)/g),
      ...caught(text, /\bnpm (start|test)\b/g),
    ];

    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test.each(documents.filter((path) => path !== VENDORED))(
  '%s names files and folders that are there',
  (document) => {
    const text = read(document);
    // A file by its ending, a folder by the slash at its end or the place that it begins with.
    const files = caught(text, /`((?:[\w.@-]+\/)*[\w.@-]+\.(?:tsx?|mjs|json|ya?ml|md|png))`/g);
    const folders = caught(text, /`((?:(?:src|test|docs|scripts|\.ci)\/)[\w./-]+|[\w./-]+\/)`/g);
    const names = [...files, ...folders].filter((name) => !name.startsWith('dist/'));
    const places = ['', dirname(document)];

    const lost = names.filter((name) => places.every((at) => !existsSync(join(root, at, name))));
    expect(lost).toEqual([]);
  },
);

/** Variables of others, and texts that only look like a variable. */
const OTHERS: Readonly<Record<string, string>> = {
  DEMO_PORT: 'src/sandbox/main.ts',
  CHROMIUM_PATH: 'test/support/browser.ts',
  TEST_NODE: 'scripts/test.mjs',
  CHAOS_SEED: 'test/chaos',
  SECURITY_SEED: 'test/security',
  NODE_IMAGE: 'Dockerfile',
  PROPERTY_RUNS: 'test/support/fast-check.ts',
  NODE_EXTRA_CA_CERTS: 'Node',
  OTEL_EXPORTER_OTLP_HEADERS: 'the exporter of OpenTelemetry',
  REDIS_PASSWORD: 'compose.yaml',
  REDISCLI_AUTH: 'redis-cli',
  PURSER_IMAGE: 'compose.yaml',
  SVC_TOKEN: 'the platform',
  NAME_FILE: 'any secret',
  BILLING_TOKEN_FILE: 'a secret',
};

/** The pages that the README leads to; the review of the catalogue is a list of work. */
const pages = documents.filter((path) => /^docs\/[^/]+\.md$/.test(path));

/** Whatever looks like a variable there is one; the specification has those of workloads, too. */
const naming = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages].filter(
  (path) => path !== 'docs/specification.md',
);

test.each(naming)('%s names variables that there are', (page) => {
  const named = caught(read(page), /\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b/g);

  expect(named.filter((name) => !(name in variables) && !(name in OTHERS))).toEqual([]);
});

const settings = Object.entries(SETTINGS) as [VariableName, Setting][];

describe('the generated parts', async () => {
  test.each([...(await generated())])('%s is up to date: else run "npm run docs"', (path, text) => {
    expect(read(path)).toBe(text);
  });

  test.each(settings.filter(([, { fallback }]) => fallback !== undefined))(
    '%s has the default of the page',
    (name, { fallback }) => {
      expect(variables[name].parse(fallback)).toEqual(variables[name].parse(undefined));
    },
  );

  test.each(settings.filter(([, { example }]) => example !== undefined))(
    '%s has an example that can be read',
    (name, { example }) => {
      expect(variables[name].safeParse(example)).toMatchObject({ success: true });
    },
  );

  test.each(settings)('%s begins with "Required" exactly if it is required', (name, { does }) => {
    expect(does.startsWith('Required: ')).toBe(!variables[name].safeParse(undefined).success);
  });

  test('marks every secret that may come from a file', () => {
    const marked = caught(read('docs/configuration.md'), /^\| `([A-Z_]+)` 🔑/gm);

    expect(marked.toSorted()).toEqual(secretVariables.toSorted());
  });
});

describe('README.md', () => {
  const readme = read('README.md');

  test('can be read in six minutes: at most 1,300 words', () => {
    expect(readme.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(1_300);
  });

  test('has a part for each reader, and a cheat sheet of ten commands', () => {
    const headings = caught(prose(readme), /^## (.+)$/gm);
    const [, sheet = ''] = readme.split('## Cheat sheet');

    expect(headings).toEqual(
      expect.arrayContaining([
        'For the channel',
        'For finance',
        'For approvers',
        'For operators',
        'Cheat sheet',
      ]),
    );
    expect(caught(sheet, /^\| `(\/[^`]+)`/gm)).toHaveLength(10);
  });

  test('leads to every page', () => {
    const linked = caught(readme, /\]\((docs\/\w+\.md)(?:#[^)]*)?\)/g);

    expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
  });

  test('fills in the values that .env.example leaves open', () => {
    const open = caught(read('.env.example'), /^([A-Z_]+)=$/gm);

    expect(caught(readme, /^ *([A-Z_]+)=\S/gm)).toEqual(open);
  });
});

describe('docs/troubleshooting.md', () => {
  /** Messages that Slack shows by itself. */
  const ofSlack = ['dispatch_failed', '/charges is not a valid command'];
  const quoted = caught(read('docs/troubleshooting.md'), /(?<![\w`{=])"([^"\n]+)"/g);

  const said = ['src', 'test/catalogue/snapshot']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(ts|yaml)$/.test(path))
        .map((path) => read(join(folder, path))),
    )
    .join('\n')
    .replaceAll("'", '’');

  test.each(quoted.filter((words) => !ofSlack.includes(words)))(
    'quotes words that exist: %s',
    (words) => {
      const parts = words
        .replaceAll("'", '’')
        .split('…')
        .map((part) => part.trim());

      expect(parts.filter((part) => !said.includes(part))).toEqual([]);
    },
  );
});

test('the records of decisions are numbered without a gap', () => {
  const numbers = readdirSync(join(root, 'docs/adr'))
    .toSorted()
    .map((name) => name.slice(0, 4));

  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
});
