import * as fc from 'fast-check';
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
      ':no_entry: *Errors*: the platform cannot do that',
      '• Line 7: `spec.defaultOptions.timeoutSeconds` is 900, but takes 1 to 600 seconds, as a whole number. Write 600 or less, or use the tag svc/timeoutSecondsOverride for up to 3600 seconds.',
      ':warning: *Warnings*: it can, and it is likely not meant',
      '• Line 4: `tags["svc/multiZone"]` is deprecated. Use spec.defaultOptions.multiZone in its place.',
      ':information_source: *Notes*: good to know',
      '• Line 8: `spec.defaultOptions.suspend` stops serving immediately, the same as a minimum and maximum scale of 0.',
      'Not covered: `gvc`',
      BASIS,
    ]);
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

  it('counts what it has no room for', () => {
    const findings = Array.from({ length: 40 }, (_, at) => finding({ line: at + 1 }));
    const notCovered = Array.from({ length: 20 }, (_, at) => `spec.field${at}`);
    const lines = linesOf({ findings, workloads: ['web'], notCovered });

    expect(lines).toContain('… and 25 more');
    expect(lines.at(-2)).toMatch(/`spec\.field11`, 8 more$/);
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
