import type { KnownBlock } from '@slack/types';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
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

const BASIS =
  'Checked against published facts: the fields of `spec` with their values, and `svc/` tags. `/workload tags` lists the tags.';

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
  it('counts errors, warnings and notes, each with line, path, sentence and fix', () => {
    expect(
      linesAbout(
        'name: web\ngvc: shop\ntags:\n  svc/multiZone: true\nspec:\n  defaultOptions:\n    timeoutSeconds: 900\n    suspend: true',
      ),
    ).toEqual([
      ':large_orange_circle: *Manifest of web would be refused*: 1 error, 1 warning, 1 note',
      '*Errors*',
      '• Line 7: `spec.defaultOptions.timeoutSeconds` is 900, but takes 1 to 600 seconds, as a whole number. Write `600` or less, or use the tag `svc/timeoutSecondsOverride` for up to 3600 seconds.',
      '*Warnings*, worth a second look',
      '• Line 4: `tags["svc/multiZone"]` is deprecated. Use `spec.defaultOptions.multiZone` in its place.',
      '*Notes*, good to know',
      '• Line 8: `spec.defaultOptions.suspend` stops serving immediately, the same as a minimum and maximum scale of 0.',
      'All 2 fields are checked.',
      BASIS,
    ]);
  });

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

  it('names the documents that are no workloads', () => {
    const text =
      'kind: gvc\nname: shop\n---\nname: web\nspec: {rolloutOptions: {minReadySeconds: 5}}';

    expect(linesAbout(text)).toContain(
      'Not checked, because it is not a workload: `gvc shop`. It was read only for what the workloads need.',
    );
  });

  it('names many fields of a list as one, with how many there are, and counts the rest', () => {
    const each = Array.from({ length: 41 }, (_, at) => `spec.containers[${at}].extra`);
    const others = Array.from({ length: 30 }, (_, at) => `spec.extras.x${at}`);

    expect(linesOf(ofFields(99, [...each, 'spec.b']))[1]).toBe(
      '57 of 99 fields checked · not checked: `spec.containers[].extra` ×41, `spec.b`.',
    );
    expect(linesOf(ofFields(99, others))[1]).toMatch(/`spec\.extras\.x19`, 10 more\.$/);
  });

  it('distinguishes several workloads, those of one name being counted', () => {
    const suspended = (name: string) => `${name}\nspec: {defaultOptions: {suspend: 1}}`;
    const about = (...names: string[]) => linesAbout(names.map(suspended).join('\n---\n'));
    const several = about('name: web', 'name: <!here>', 'name: web', 'spec: 1');

    expect(several[0]).toMatch(
      /^:large_orange_circle: \*Manifests of 2 workloads named web, &lt;!here&gt; and 1 workload without a name would be refused\*: \d errors/,
    );
    expect(
      several.filter((line) => /^• \*(web|&lt;!here&gt;)\*, line \d: /.test(line)).length,
    ).toBeGreaterThan(2);
    expect(about('name: web', 'name: web', 'name: web')[0]).toContain(
      '*Manifests of 3 workloads named web would be refused*',
    );
  });

  it('has names as code, and the contents of a manifest as text, whatever is in them', () => {
    const odd = '`*<!here>*` `tag`';
    const cut = `${'x'.repeat(395)} \`name-that-is-cut\``;

    expect(linesAbout(`tags:\n  svc/protocol: '${odd}'`)[2]).toMatch(
      /^• Line 2: `tags\["svc\/protocol"\]` is `?"ˋ\*&lt;!here&gt;\*ˋ`? ˋtagˋ", but takes http, http2, grpc or tcp\. Write `http`, `http2`, `grpc` or `tcp`\.$/,
    );
    expect(linesOf(withFindings(finding({ what: cut })))[2]).toMatch(/x ˋnam\.$/);
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

  it('names only the manifests with the worst findings', () => {
    const of = (timeout: number, type = 'standard') =>
      `spec:\n  type: ${type}\n  defaultOptions: {timeoutSeconds: ${timeout}}`;
    const about = (...all: string[]) => linesAbout(all.join('\n---\n'));
    const cart = `name: cart\n${of(60)}`;
    const stock = `name: stock\n${of(7200)}`;

    expect(about(cart, stock, `name: pay\n${of(60)}`)[0]).toBe(
      ':large_orange_circle: *1 of 3 manifests would be refused: stock* · 1 error',
    );
    expect(about(stock, `name: pay\n${of(7200)}`, cart)[0]).toMatch(
      /^:large_orange_circle: \*2 of 3 manifests would be refused: stock and pay\* · 2 errors/,
    );
    expect(about(cart, 'name: pay\nspec: {}\nspec: {}')[0]).toBe(
      '*1 of 2 manifests is worth a second look: pay* · 1 warning',
    );
  });

  it('does not blame a workload for a document of Kubernetes beside it', () => {
    const lines = linesAbout(
      'apiVersion: v1\nkind: Service\nmetadata: {name: cart}\n---\nname: cart\nspec: {rolloutOptions: {minReadySeconds: 5}}',
    );

    expect(lines[0]).toBe(
      ':large_orange_circle: *1 of 2 manifests would be refused: Service cart* · 1 error',
    );
    expect(lines[2]).toMatch(/^• \*Service cart\*, line 1: `apiVersion` is "v1"/);
  });

  it('names three workloads and counts the others', () => {
    const named = ['aa', 'bb', 'cc', 'dd', 'ee'].map((name) => `name: ${name}\nspec: {}`);
    expect(linesAbout(named.join('\n---\n'))[0]).toContain(
      '*Manifests of aa, bb, cc and 2 more are',
    );
  });

  it('explains the form of a workload where the manifest has none', () => {
    expect(linesAbout('kind: gvc\nname: shop')).toEqual([
      expect.stringContaining('There is no workload in it'),
      'Not checked, because it is not a workload: `gvc shop`.',
    ]);
  });

  it('can be shared by members with access to orgs, and another manifest checked', () => {
    expect(checkAnswer({ checked: withFindings(), prefix: 'svc' })).toMatchObject({
      shareable: true,
      needs: 'orgs',
      buttons: [{ action_id: 'workload.check', text: { text: 'Check another' } }],
    });
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
