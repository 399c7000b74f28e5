import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { checkAnswer } from '../../../../src/features/workload/check-view.ts';
import { checkManifest } from '../../../../src/platform/workload/check.ts';
import type { Checked, Finding } from '../../../../src/platform/workload/finding.ts';
import { messageProblems } from '../../../contract/money/slack-law.ts';
import { hostile } from '../../slack/hostile.ts';

/** What is said of a manifest, line by line. */
function linesAbout(text: string): string[] {
  const result = checkManifest(text, 'svc');
  if ('unreadable' in result) throw new Error(result.unreadable.says);
  return linesOf(result);
}

function linesOf(checked: Checked): string[] {
  const { blocks } = checkAnswer({ checked, prefix: 'svc' });
  return blocks.flatMap((block) => {
    if (block.type === 'section') return block.text?.text.split('\n') ?? [];
    return block.type === 'context'
      ? block.elements.map((element) => ('text' in element ? element.text : ''))
      : [];
  });
}

const BASIS =
  'Checked: 11 runtime options, 32 tags of `svc/`, and ephemeral storage against cpu. `/workload tags` lists the tags.';

const finding = (over: Partial<Finding> = {}): Finding => ({
  severity: 'warning',
  path: 'spec.a',
  line: 1,
  what: 'is odd',
  ...over,
});

describe('/workload check', () => {
  it('tells errors, warnings and notes apart, each with line, path, what is wrong and the fix', () => {
    expect(
      linesAbout(
        'name: web\ngvc: shop\ntags:\n  svc/multiZone: true\nspec:\n  defaultOptions:\n    timeoutSeconds: 900\n    suspend: true',
      ),
    ).toEqual([
      '*Manifest of web*: 1 error, 1 warning, 1 note',
      ':no_entry: *Errors*: to be mended',
      '• Line 7: `spec.defaultOptions.timeoutSeconds` is 900, but takes 1 to 600 seconds, as a whole number. Write `600` or less, or use the tag `svc/timeoutSecondsOverride` for up to 3600 seconds.',
      ':warning: *Warnings*: worth a second look',
      '• Line 4: `tags["svc/multiZone"]` is deprecated. Use `spec.defaultOptions.multiZone` in its place.',
      ':information_source: *Notes*: good to know',
      '• Line 8: `spec.defaultOptions.suspend` stops serving immediately, the same as a minimum and maximum scale of 0.',
      'Not covered: `gvc`',
      BASIS,
    ]);
  });

  it('has names as code, and what a manifest says as text, whatever stands in it', () => {
    const odd = '`*<!here>*` `tag`';
    const cut = `${'x'.repeat(395)} \`name-that-is-cut\``;

    expect(linesAbout(`tags:\n  svc/protocol: '${odd}'`)[2]).toBe(
      '• Line 2: `tags["svc/protocol"]` is "ˋ*&lt;!here&gt;*ˋ ˋtagˋ", but takes http, http2, grpc or tcp. Write `http`, `http2`, `grpc` or `tcp`.',
    );
    expect(
      linesOf({ findings: [finding({ what: cut })], workloads: ['a'], notCovered: [] })[2],
    ).toMatch(/x ˋnam\.$/);
  });

  it('says in one line that nothing is wrong, and what was looked at', () => {
    expect(linesAbout('name: web\nspec: {defaultOptions: {timeoutSeconds: 30}}')).toEqual([
      ':white_check_mark: *Manifest of web*: nothing is wrong with what can be checked.',
      BASIS,
    ]);
    expect(linesAbout('name: web\nspec: {defaultOptions: {suspend: true}}')[0]).toBe(
      ':white_check_mark: *Manifest of web*: nothing is wrong with what can be checked, and something to know.',
    );
  });

  it('says what a workload looks like where there is none', () => {
    expect(linesAbout('kind: gvc\nname: shop')).toEqual([
      ':grey_question: There is no workload in it: a manifest has `kind: workload`, or at least `spec` or `tags` at its top.',
      'Not covered: `gvc shop`',
    ]);
  });

  it('names three workloads and counts the others', () => {
    const named = ['a', 'b', 'c', 'd', 'e'].map((name) => `name: ${name}\nspec: {}`);

    expect(linesAbout(named.join('\n---\n'))[0]).toContain('*Manifest of a, b, c, 2 more*');
  });

  it('tells several workloads apart, those of one name being counted', () => {
    const suspended = (name: string) => `${name}\nspec: {defaultOptions: {suspend: 1}}`;
    const about = (...names: string[]) => linesAbout(names.map(suspended).join('\n---\n'));
    const several = about('name: web', 'name: <!here>', 'name: web', 'kind: workload');

    expect(several[0]).toBe(
      '*Manifest of 2 workloads named web, &lt;!here&gt;, 1 workload without a name*: 4 errors',
    );
    expect(several.slice(2, 6).map((line) => line.split(':  ')[0]?.split(' `')[0])).toEqual([
      '• *web*, line 2:',
      '• *&lt;!here&gt;*, line 5:',
      '• *web*, line 8:',
      '• Line 11:',
    ]);
    expect(about('name: web', 'name: web', 'name: web')[0]).toContain(
      '*Manifest of 3 workloads named web*',
    );
    expect(about('name: web', 'name: web')[2]).toContain('• Line 2:');
    expect(about('kind: workload')[0]).toBe('*A manifest without a name*: 1 error');
  });

  it('counts what it has no room for', () => {
    const findings = (['note', 'warning', 'error'] as const).flatMap((severity) =>
      Array.from({ length: 80 }, (_, at) =>
        finding({ severity, line: at + 1, what: 'x'.repeat(80) }),
      ),
    );
    const notCovered = Array.from({ length: 20 }, (_, at) => `spec.field${at}`);
    const lines = linesOf({ findings, workloads: ['web'], notCovered });
    const shown = lines.filter((line) => line.startsWith('•')).length;

    expect(shown).toBeGreaterThan(100);
    expect(lines).toContain(
      `… and ${160 - shown} warnings, 80 notes more, for which there is no room: they show once these are mended.`,
    );
    expect(lines).not.toContain(':information_source: *Notes*: good to know');
    expect(lines.at(-2)).toMatch(/`spec\.field11`, 8 more$/);
  });

  it('shows forty findings as they are', () => {
    const findings = Array.from({ length: 40 }, (_, at) => finding({ line: at + 1 }));
    const lines = linesOf({ findings, workloads: ['web'], notCovered: [] });

    expect(lines.filter((line) => line.startsWith('•'))).toHaveLength(40);
    expect(lines.join('\n')).not.toContain('… and');
  });

  it('can be shared by those who may see orgs, and another one checked', () => {
    const checked = { findings: [], workloads: ['web'], notCovered: [] };

    expect(checkAnswer({ checked, prefix: 'svc' })).toMatchObject({
      shareable: true,
      needs: 'orgs',
      buttons: [{ action_id: 'workload.check', text: { text: 'Check another' } }],
    });
  });

  it('keeps Slack’s limits whatever is in the manifest, and nobody speaks through it', () => {
    const anyFinding = fc.record({
      severity: fc.constantFrom('error' as const, 'warning' as const, 'note' as const),
      path: hostile,
      line: fc.nat(),
      what: hostile,
      fix: hostile,
      workload: hostile,
    });
    const anyChecked = fc.record({
      findings: fc.array(anyFinding, { maxLength: 60 }),
      workloads: fc.array(hostile, { maxLength: 6 }),
      notCovered: fc.array(hostile, { maxLength: 30 }),
    });
    fc.assert(
      fc.property(anyChecked, (checked) => {
        const { text, blocks } = checkAnswer({ checked, prefix: 'svc' });

        expect(messageProblems(text, blocks)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
