import { describe, expect, it } from 'vitest';
import { get, membersOf } from '../../../../src/platform/workload/node.ts';
import { readManifest } from '../../../../src/platform/workload/read.ts';
import { checked } from './check-support.ts';

/** Why a text is not read: "3: is indented by a tab …"; empty when it is. */
function whyNot(text: string): string {
  const read = readManifest(text);
  return 'unreadable' in read ? `${read.unreadable.line}: ${read.unreadable.says}` : '';
}

const TOO_LONG = 'timeoutSeconds: 900';
/** Where a timeout that is too long is found: "4 spec.defaultOptions.timeoutSeconds". */
const found = (text: string): string[] =>
  checked(text)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ line, path }) => `${line} ${path}`);

const PATH = 'spec.defaultOptions.timeoutSeconds';

describe('a manifest is read', () => {
  it.each<[string, string, number]>([
    ['block style', `spec:\n  defaultOptions:\n    ${TOO_LONG}\n`, 3],
    ['Windows line ends', `spec:\r\n  defaultOptions:\r\n    ${TOO_LONG}\r\n`, 3],
    ['a byte order mark', `\uFEFFspec:\n  defaultOptions:\n    ${TOO_LONG}`, 3],
    ['flow style', `spec: { defaultOptions: { ${TOO_LONG} } }`, 1],
    ['JSON', '{\n  "spec": {\n    "defaultOptions": {"timeoutSeconds": 900}\n  }\n}', 3],
    ['JSON with tabs', '{\n\t"spec": {\n\t\t"defaultOptions": {"timeoutSeconds":\t900}}}', 3],
    ['JSON with a comma too many', '{"spec": {"defaultOptions": {"timeoutSeconds": 900,},},}', 1],
    [
      'the marks of a block of code',
      `\`\`\`yaml\nspec:\n  defaultOptions: {${TOO_LONG}}\n\`\`\``,
      3,
    ],
    ['comments', `# a\nspec: # b\n  defaultOptions:\n    # c\n    ${TOO_LONG} # d`, 5],
    [
      'a block of text before',
      `description: |\n  spec:\n\n  more\nspec: {defaultOptions: {${TOO_LONG}}}`,
      5,
    ],
    [
      'a merge',
      `x: &d\n  ${TOO_LONG}\nspec:\n  defaultOptions:\n    <<: *d\n    suspend: false`,
      2,
    ],
    [
      'a merge of several',
      `x: &d {${TOO_LONG}}\nspec: {defaultOptions: {<<: [*d, {timeoutSeconds: 5}]}}`,
      1,
    ],
    ['names in quotes', `"spec":\n  'defaultOptions':\n    "timeoutSeconds": 900`, 3],
    ['explicit names', '? spec\n: ? defaultOptions\n  : ? timeoutSeconds\n    : 900', 3],
    ['tags of YAML', `!workload\nspec: !!map\n  defaultOptions: {timeoutSeconds: !!int "900"}`, 3],
    [
      'names that are no text',
      `1: a\ntrue: b\n? [c]\n: d\nspec: {defaultOptions: {${TOO_LONG}}}`,
      5,
    ],
  ])('in %s', (_, text, line) => {
    expect(found(text)).toEqual([`${line} ${PATH}`]);
  });

  it('with aliases at their places, also those of whole parts', () => {
    const text = `x: &d {${TOO_LONG}}\nspec:\n  defaultOptions: *d\n---\nspec: &s {defaultOptions: {timeoutSeconds: &t 900}}\ny: *s\nz: *t`;

    expect(found(text)).toEqual([`1 ${PATH}`, `5 ${PATH}`]);
  });

  it('of several documents, of lists, and of lists in lists', () => {
    const one = `{spec: {defaultOptions: {${TOO_LONG}}}}`;

    expect(found(`${one}\n---\n---\n${one}\n...\n`)).toEqual([`1 ${PATH}`, `4 ${PATH}`]);
    expect(found(`- ${one}\n- ${one}`)).toEqual([`1 [0].${PATH}`, `2 [1].${PATH}`]);
    expect(found(`kind: list\nitems:\n  - ${one}\n  - items:\n    - ${one}`)).toEqual([
      `3 items[0].${PATH}`,
      `5 items[1].items[0].${PATH}`,
    ]);
  });

  it('as a workload by its kind, or without one by its fields', () => {
    const spec = `spec: {defaultOptions: {${TOO_LONG}}}`;

    expect(found(`kind: workload\n${spec}`)).toContain('2 spec.defaultOptions.timeoutSeconds');
    expect(found(`kind: domain\n${spec}`)).toEqual([]);
    expect(checked(`kind: domain\nname: shop\n${spec}`)).toEqual({
      findings: [],
      workloads: [],
      flawed: { workloads: [], others: [] },
      fields: { total: 0, unchecked: [] },
      others: ['domain shop'],
    });
    expect(checked('a: b').others).toEqual(['line 1 (no kind)']);
    expect(checked('tags: {}').workloads).toEqual(['']);
  });

  it('with duplicate names, of which the last one counts', () => {
    const twice = (text: string): string[] =>
      checked(text)
        .findings.filter(({ what }) => what.startsWith('appears here for the second time'))
        .map(({ line, path }) => `${line} ${path}`);

    expect(
      twice(
        `spec:\n  defaultOptions:\n    timeoutSeconds: 900\n    timeoutSeconds: 9\n  defaultOptions:\n    suspend: false`,
      ),
    ).toEqual(['5 spec.defaultOptions']);
    expect(
      twice('spec:\n  defaultOptions:\n    multiZone:\n      enabled: true\n      enabled: false'),
    ).toEqual(['5 spec.defaultOptions.multiZone.enabled']);
    expect(
      twice(
        'spec:\n  containers:\n  - cpu: 1\n    cpu: 2\n    ports:\n    - protocol: http\n      protocol: tcp',
      ),
    ).toEqual(['4 spec.containers[0].cpu', '7 spec.containers[0].ports[0].protocol']);
    expect(
      twice('spec:\n  firewallConfig:\n    internal: {inboundAllowType: none}\n    internal: {}'),
    ).toEqual(['4 spec.firewallConfig.internal']);
  });

  it('with fields being counted from their workload on, wherever that is', () => {
    const container = '{name: web, image: "a:1", ephemeralStorage: 5Gi}';
    const { findings, fields } = checked(
      `- spec: {containers: [${container}]}\n- spec: {rolloutOptions: {maxSurge: 1}}`,
    );

    expect(findings.map(({ path }) => path)).toEqual([
      '[0].spec.containers[0].ephemeralStorage',
      '[1].spec.rolloutOptions.maxSurge',
    ]);
    expect(fields).toEqual({
      total: 4,
      unchecked: ['spec.containers[0].ephemeralStorage', 'spec.rolloutOptions.maxSurge'],
    });
  });

  it('with names that mean something elsewhere', () => {
    const read = readManifest('__proto__: {polluted: true}\nconstructor: 1\nspec: {toString: 2}');
    const [document] = 'documents' in read ? read.documents : [];

    expect(membersOf(document).map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
      'spec',
    ]);
    expect(get(document, 'spec.hasOwnProperty')).toBeUndefined();
    expect('polluted' in {}).toBe(false);
  });
});

describe('a text that is no manifest is reported with its line', () => {
  it.each<[string, string, string]>([
    ['nothing', ' \n\t\n', '1: is empty'],
    ['more than 512 KB', `a: ${'x'.repeat(512 * 1024)}`, '1: is the first of more than 512 KB'],
  ])('%s', (_, text, why) => {
    expect(whyNot(text)).toContain(why);
  });

  it.each<[string, string, RegExp]>([
    ['lists in lists', `${'['.repeat(60_000)}${']'.repeat(60_000)}`, /nested|too long/],
    ['mappings in mappings', '{a: '.repeat(20_000), /nested/],
    ['items in items', '- '.repeat(40_000), /nested/],
    ['names in names', '? '.repeat(40_000), /nested/],
    [
      'a staircase',
      Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
      /nested/,
    ],
    ['commas', `[${','.repeat(400_000)}`, /too long/],
    ['quotes', '"'.repeat(400_000), /too long/],
    ['documents', '---\n'.repeat(100_000), /too long/],
    ['aliases of aliases', bomb(), /more than 100,000 values/],
    ['merges of merges', mergedAgain(), /more than 100,000 values, its aliases and merges written/],
  ])('%s without end', (_, text, why) => {
    expect(whyNot(text)).toMatch(why);
  });
});

/** Fifty mappings, each with all of the one before: a merge copies them to each place anew. */
function mergedAgain(): string {
  const first = Array.from({ length: 300 }, (_, at) => `  n${at}: {a: 1}`).join('\n');
  const others = Array.from({ length: 50 }, (_, at) => `a${at + 1}: &a${at + 1} {<<: *a${at}}`);
  return `a0: &a0\n${first}\n${others.join('\n')}`;
}

/** Nine times nine times nine …: some hundred characters that are billions of values. */
function bomb(): string {
  const names = 'abcdefghij'.split('');
  const lines = names.map((name, at) => {
    const before = names[at - 1];
    const item = before === undefined ? 'x' : `*${before}`;
    return `${name}: &${name} [${Array(9).fill(item).join(', ')}]`;
  });
  return lines.join('\n');
}
