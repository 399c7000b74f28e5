import type { KnownBlock } from '@slack/types';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { checkReport } from '../../../../src/features/workload/check-report.ts';
import { checkAnswer } from '../../../../src/features/workload/check-view.ts';
import { checkManifest } from '../../../../src/platform/workload/check.ts';
import type { Checked, Finding } from '../../../../src/platform/workload/finding.ts';
import { spoken } from '../../../support/answer.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { messageProblems } from '../../../contract/money/slack-invariants.ts';
import { hostile } from '../../slack/hostile.ts';

/** The report about a manifest, line by line, with the content behind its button. */
function linesAbout(text: string): string[] {
  const result = checkManifest(text, 'svc');
  if ('unreadable' in result) throw new Error(result.unreadable.says);
  return linesOf(result);
}

function linesOf(checked: Checked): string[] {
  const { blocks, rest } = checkAnswer({ checked, prefix: 'svc' });
  return textsOf(rest?.blocks ?? blocks);
}

function textsOf(blocks: readonly KnownBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'section') return block.text?.text.split('\n') ?? [];
    return block.type === 'context'
      ? block.elements.map((element) => ('text' in element ? element.text : ''))
      : [];
  });
}

const NO_FIELDS = { total: 0, unchecked: [] };

const isFlawed = (findings: readonly Finding[]) =>
  findings.some(({ severity }) => severity !== 'note');

/** A result with these findings, and no others. */
const withFindings = (...findings: Finding[]): Checked => ({
  findings,
  workloads: ['web'],
  flawed: { workloads: isFlawed(findings) ? ['web'] : [], others: [] },
  fields: NO_FIELDS,
  others: [],
});

/** Of a workload in which nothing was found. */
const ofFields = (total: number, unchecked: readonly string[]): Checked => ({
  ...withFindings(),
  fields: { total, unchecked },
});

const finding = (over: Partial<Finding> = {}): Finding => ({
  severity: 'warning',
  path: 'spec.a',
  line: 1,
  what: 'is odd',
  ...over,
});

describe('/workload check', () => {
  it.each([
    [
      'error',
      ['error', 'warning', 'warning', 'note'],
      'would be refused*: 1 error, 2 warnings, 1 note',
    ],
    ['warning', ['warning', 'note', 'note'], 'is worth a second look*: 1 warning, 2 notes'],
    ['note', ['note'], 'is valid*: 1 note'],
  ] as const)('says that a manifest would be refused of errors only: %s', (_, all, words) => {
    const findings = all.map((severity) => finding({ severity }));
    const [head = ''] = linesOf({
      ...withFindings(...findings),
      fields: { total: 4, unchecked: [] },
    });

    expect(head).toContain(words);
    expect(head.includes(':white_check_mark:')).toBe(words.startsWith('is valid'));
  });

  it('ticks only a manifest that was checked as a whole', () => {
    const [whole] = linesOf(ofFields(26, []));
    const part = linesOf(ofFields(26, ['spec.extras.affinity', 'spec.extras.tolerations']));

    expect(whole).toBe(':white_check_mark: *Manifest of web is valid*');
    expect(part.slice(0, 2)).toEqual([
      '*Manifest of web is valid as far as it was checked*',
      '24 of 26 fields checked · not checked: `spec.extras.affinity`, `spec.extras.tolerations`.',
    ]);
    expect(linesAbout('name: web\ntags: {a: b}')[0]).toBe('*Manifest of web is valid*');
  });

  it('names many fields of a list as one, with how many there are, and counts the rest', () => {
    const each = Array.from({ length: 41 }, (_, at) => `spec.containers[${at}].extra`);
    const others = Array.from({ length: 30 }, (_, at) => `spec.extras.x${at}`);

    expect(linesOf(ofFields(99, [...each, 'spec.b']))[1]).toBe(
      '57 of 99 fields checked · not checked: `spec.containers[].extra` ×41, `spec.b`.',
    );
    expect(linesOf(ofFields(99, others))[1]).toMatch(/`spec\.extras\.x19`, 10 more\.$/);
  });

  it('has names as code, and the contents of a manifest as text, whatever is in them', () => {
    const odd = '`*<!here>*` `tag`';
    const cut = `${'x'.repeat(395)} \`name-that-is-cut\``;

    expect(linesAbout(`tags:\n  svc/protocol: '${odd}'`)[2]).toMatch(
      /^• Line 2: `tags\["svc\/protocol"\]` is `?"ˋ\*&lt;!here&gt;\*ˋ`? ˋtagˋ", but takes http, http2, grpc or tcp\. Write `http`, `http2`, `grpc` or `tcp`\.$/,
    );
    expect(linesOf(withFindings(finding({ what: cut })))[2]).toMatch(/x ˋnam\.$/);
  });

  it('writes out what is not seen, when a name is wrong for that alone', () => {
    const lines = linesAbout(
      'tags: {"svc/\u200Bprotocol": http}\nspec:\n  type: "standard\u00A0"\n  "\u200Bextra": 1',
    ).join('\n');

    expect(lines).toContain('`tags["svc/⟨U+200B⟩protocol"]` is not a special tag');
    expect(lines).toContain('is "standard⟨U+00A0⟩", but takes');
    expect(lines).toContain('not checked: `spec["⟨U+200B⟩extra"]`');
  });

  it('counts the findings that do not fit', () => {
    const findings = (['note', 'warning', 'error'] as const).flatMap((severity) =>
      Array.from({ length: 300 }, (_, at) =>
        finding({ severity, line: at + 1, what: 'x'.repeat(80) }),
      ),
    );
    const others = Array.from({ length: 20 }, (_, at) => `gvc shop-${at}`);
    const checked = { ...withFindings(...findings), others };
    const lines = linesOf(checked);
    const shown = lines.filter((line) => line.startsWith('•')).length;

    expect(shown).toBeGreaterThan(400);
    expect(lines).toContain(
      `… and more: ${600 - shown} warnings, 300 notes. Check a part of the manifest to see them.`,
    );
    expect(lines).not.toContain('*Notes*, good to know');
    expect(checkAnswer({ checked, prefix: 'svc' }).rest).toMatchObject({
      button: `Show ${shown} of 900`,
      title: `${shown} of 900 findings`,
    });
    expect(lines.at(-2)).toMatch(/`gvc shop-11`, 8 more\. They were read/);
  });

  it('shows all findings, the errors first; a button opens those that do not fit into a message', () => {
    const of = (count: number) =>
      (['note', 'error'] as const).flatMap((severity) =>
        Array.from({ length: count }, () => finding({ severity, what: 'x'.repeat(90) })),
      );
    const check = (count: number) =>
      checkAnswer({ checked: withFindings(...of(count)), prefix: 'svc' });
    const linesIn = (blocks: readonly KnownBlock[]) =>
      textsOf(blocks).filter((line) => line.startsWith('•'));
    const few = check(9);
    const many = check(100);

    expect(textsOf(few.blocks).slice(0, 3)).toEqual([
      ':large_orange_circle: *Manifest of web would be refused*: 9 errors, 9 notes',
      '*Errors*',
      expect.stringMatching(/^• Line 1: `spec.a` x/),
    ]);
    expect(linesIn(few.blocks)).toHaveLength(18);
    expect(few.rest).toBeUndefined();
    expect(many.rest).toMatchObject({ button: 'Show all (200)', title: 'All findings' });
    expect(linesIn(many.rest?.blocks ?? [])).toHaveLength(200);
  });

  it('keeps Slack’s limits whatever is in the manifest, and no one speaks through it', () => {
    const anyFinding = fc.record({
      severity: fc.constantFrom('error' as const, 'warning' as const, 'note' as const),
      path: hostile,
      line: fc.nat(),
      what: hostile,
      fix: hostile,
      document: hostile,
    });
    const anyChecked = fc.record({
      findings: fc.array(anyFinding, { maxLength: 60 }),
      workloads: fc.array(hostile, { maxLength: 6 }),
      flawed: fc.record({
        workloads: fc.array(hostile, { maxLength: 6 }),
        others: fc.array(hostile, { maxLength: 6 }),
      }),
      fields: fc.record({
        total: fc.integer({ min: 200, max: 1e9 }),
        unchecked: fc.array(hostile, { maxLength: 200 }),
      }),
      others: fc.array(hostile, { maxLength: 30 }),
    });
    fc.assert(
      fc.property(anyChecked, (checked) => {
        const answer = checkAnswer({ checked, prefix: 'svc' });
        const { blocks, rest } = answer;

        expect(messageProblems(spoken(answer), blocks)).toEqual([]);
        expect(createBlockChecker().blocks(rest?.blocks ?? [], 'modal')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

it('shows no value of a variable, a header or an argument: it may be a password, and people share answers', () => {
  const secret = 'hunter2';
  const text = [
    'kind: workload',
    'name: web-api',
    'spec:',
    '  containers:',
    '    - name: main',
    `      args: --password=${secret}`,
    '      env:',
    `        - PASSWORD=${secret}`,
    '        - { name: PIN, value: 739105 }',
    `        - { name: A, valeu: ${secret} }`,
    `        - { name: DB, value: "postgres://ann:${secret}@db.example.com/shop" }`,
    `    - { name: other, env: "PASSWORD=${secret}" }`,
    '    - { name: third, livenessProbe: { httpGet: { httpHeaders: [{ name: A, value: 739105 }] } } }',
  ].join('\n');
  const shown = JSON.stringify(checkReport({ text, prefix: 'svc' }));

  expect(shown).toContain('.env[1].value` is a number, but takes text. Put it in quotes');
  expect(shown).toContain('.env[0]` is text, but takes');
  expect(shown).not.toMatch(/hunter2|739105/);
});

it.each(['a', 'web-', '1web', 'Web', 'web_api', 'web-headless'])(
  'a refused name does not have all that the answer asks for: %s',
  (name) => {
    const text = `kind: workload\nname: ${name}\nspec:\n  type: standard\n`;
    const shown = JSON.stringify(checkReport({ text, prefix: 'svc' }));

    expect(shown).toContain(
      'a name of 2 to 49 lower-case letters, digits and hyphens that starts with a letter, and ends with a letter or a digit and not with -headless',
    );
  },
);
