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

/** What is said of a manifest, line by line, with what a button opens. */
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
  'Checked: the names of all fields, and the values of runtime options, of `svc/` tags and of ephemeral storage. `/workload tags` lists the tags.';

const NO_FIELDS = { total: 0, unchecked: [] };

/** What was found, and nothing else. */
const withFindings = (...findings: Finding[]): Checked => ({
  findings,
  workloads: ['web'],
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
  it('tells errors, warnings and notes apart, each with line, path, what is wrong and the fix', () => {
    expect(
      linesAbout(
        'name: web\ngvc: shop\ntags:\n  svc/multiZone: true\nspec:\n  defaultOptions:\n    timeoutSeconds: 900\n    suspend: true',
      ),
    ).toEqual([
      ':large_orange_circle: *Manifest of web is not valid*: 1 error, 1 warning, 1 note',
      '*Errors*',
      '• Line 7: `spec.defaultOptions.timeoutSeconds` is 900, but takes 1 to 600 seconds, as a whole number. Write `600` or less, or use the tag `svc/timeoutSecondsOverride` for up to 3600 seconds.',
      '*Warnings*, worth a second look',
      '• Line 4: `tags["svc/multiZone"]` is deprecated. Use `spec.defaultOptions.multiZone` in its place.',
      '*Notes*, good to know',
      '• Line 8: `spec.defaultOptions.suspend` stops serving immediately, the same as a minimum and maximum scale of 0.',
      'Both fields are checked.',
      BASIS,
    ]);
  });

  it('has names as code, and what a manifest says as text, whatever stands in it', () => {
    const odd = '`*<!here>*` `tag`';
    const cut = `${'x'.repeat(395)} \`name-that-is-cut\``;

    expect(linesAbout(`tags:\n  svc/protocol: '${odd}'`)[2]).toMatch(
      /^• Line 2: `tags\["svc\/protocol"\]` is `?"ˋ\*&lt;!here&gt;\*ˋ`? ˋtagˋ", but takes http, http2, grpc or tcp\. Write `http`, `http2`, `grpc` or `tcp`\.$/,
    );
    expect(linesOf(withFindings(finding({ what: cut })))[2]).toMatch(/x ˋnam\.$/);
  });

  it('says that a manifest is likely to be refused where a field is not known', () => {
    const head = (text: string) => linesAbout(text)[0];

    expect(head('kind: workload\nname: web\nspecs: {type: cron}')).toBe(
      ':large_orange_circle: *Manifest of web is likely to be refused*: 1 unknown field',
    );
    expect(head('name: web\ncpu: 5\ntags: {svc/multiZone: true}\nspec: {typo: 1}')).toBe(
      ':large_orange_circle: *Manifest of web is likely to be refused*: 2 unknown fields, 1 other warning',
    );
    expect(head('name: web\nspecs: 5\ntags: {svc/largeDisk: 5}')).toBe(
      ':large_orange_circle: *Manifest of web is not valid*: 1 error, 1 warning',
    );
  });

  it('says how many fields were checked, and names all others, without a tick', () => {
    const text =
      'name: web\nspec:\n  type: standard\n  identityLink: //identity/web\n  localOptions:\n    - {location: a, spot: true}\n  defaultOptions: {timeoutSeconds: 30}';
    const top = spoken(
      checkAnswer({ checked: ofFields(26, ['spec.containers[0].cpu']), prefix: 'svc' }),
    );

    expect(linesAbout(text)).toEqual([
      '*Manifest of web is valid as far as it was checked*: 2 of 5 fields checked · not checked: `spec.identityLink`, `spec.localOptions[0].location`, `spec.localOptions[0].spot`.',
      BASIS,
    ]);
    expect(top).toBe(
      'Manifest of web is valid as far as it was checked: 25 of 26 fields checked\nnot checked: `spec.containers[0].cpu`.',
    );
    expect(linesOf(ofFields(2, ['spec.job.schedule']))[0]).toBe(
      '*Manifest of web is valid as far as it was checked*: 1 of 2 fields checked · not checked: `spec.job.schedule`.',
    );
    expect(linesOf(ofFields(1, ['spec.job.schedule']))[0]).toBe(
      '*Manifest of web was not checked*: 0 of 1 field checked · not checked: `spec.job.schedule`.',
    );
  });

  it('names what is no workload, and does not tick beside it', () => {
    const gvc = 'kind: gvc\nname: shop\nspec: {loadBalancer: {dedicated: false}}';
    const zones = (enabled: boolean) =>
      linesAbout(
        `${gvc}\n---\nname: web\nspec: {defaultOptions: {multiZone: {enabled: ${enabled}}}}`,
      );

    expect(zones(false)[0]).toBe(
      '*Manifest of web is valid as far as it was checked*: the only field is checked.',
    );
    expect(zones(false)).toContain('Not checked, because it is not a workload: `gvc shop`.');
    expect(zones(true)).toContain(
      'Not checked, because it is not a workload: `gvc shop` (except its load balancer).',
    );
  });

  it('has no tick without fields', () => {
    expect(linesAbout('name: web\ntags: {a: b}')[0]).toBe(
      '*Manifest of web is valid*: it has no fields below `spec`.',
    );
    expect(linesAbout('name: web\ntags: {svc/largeDisk: 5}')).toHaveLength(4);
  });

  it('names many fields of a list as one, with how many there are', () => {
    const each = (count: number, field: string) =>
      Array.from({ length: count }, (_, at) => `spec.containers[${at}].${field}`);
    expect(linesOf(ofFields(99, each(40, 'cpu')))[0]).toContain(
      '`spec.containers[38].cpu`, `spec.containers[39].cpu`.',
    );
    expect(linesOf(ofFields(99, [...each(41, 'cpu'), 'spec.type']))[0]).toMatch(
      /checked · not checked: `spec\.containers\[\*\]\.cpu` ×41, `spec\.type`\.$/,
    );
  });

  it('goes on with the names in further paragraphs', () => {
    const long = Array.from({ length: 60 }, (_, at) => `spec.extras.${'x'.repeat(90)}${at}`);
    const [first = '', ...others] = linesOf(ofFields(99, long));

    expect(first).toBe(
      '*Manifest of web is valid as far as it was checked*: 39 of 99 fields checked · not checked:',
    );
    expect(others.slice(0, -1).join(', ')).toBe(long.map((path) => `\`${path}\``).join(', '));
    expect(others.slice(0, -1)).toHaveLength(3);

    expect(linesOf({ ...ofFields(99, long), findings: [finding()] }).slice(3, 7)).toEqual([
      '39 of 99 fields checked · not checked:',
      ...others.slice(0, -1),
    ]);
  });

  it('counts fields by where they stand when there is no room for their names', () => {
    const long = Array.from({ length: 100 }, (_, at) => `spec.extras.${'x'.repeat(90)}${at}`);
    const odd = Array.from({ length: 300 }, (_, at) => `spec.${'y'.repeat(90)}${at}`);

    expect(linesOf(ofFields(200, [...long, 'spec.job.schedule']))[0]).toMatch(
      /checked · not checked: `spec\.extras` \(100 fields\), `spec\.job` \(1 field\)\.$/,
    );
    const [line = ''] = linesOf(ofFields(300, odd));
    const named = line.match(/\(1 field\)/g)?.length ?? 0;
    expect(named).toBeGreaterThan(20);
    expect(line).toContain(`, ${300 - named} more fields.`);
  });

  it('tells several workloads apart, those of one name being counted', () => {
    const suspended = (name: string) => `${name}\nspec: {defaultOptions: {suspend: 1}}`;
    const about = (...names: string[]) => linesAbout(names.map(suspended).join('\n---\n'));
    const several = about('name: web', 'name: <!here>', 'name: web', 'kind: workload');

    expect(several[0]).toBe(
      ':large_orange_circle: *Manifests of 2 workloads named web, &lt;!here&gt; and 1 workload without a name are not valid*: 4 errors',
    );
    expect(several.slice(2, 6).map((line) => line.split(':  ')[0]?.split(' `')[0])).toEqual([
      '• *web*, line 2:',
      '• *&lt;!here&gt;*, line 5:',
      '• *web*, line 8:',
      '• Line 11:',
    ]);
    expect(about('name: web', 'name: web', 'name: web')[0]).toContain(
      '*Manifests of 3 workloads named web are not valid*',
    );
    expect(about('name: web', 'name: web')[2]).toContain('• Line 2:');
    expect(about('kind: workload')[0]).toBe(
      ':large_orange_circle: *A manifest without a name is not valid*: 1 error',
    );
  });

  it('counts what it has no room for', () => {
    const findings = (['note', 'warning', 'error'] as const).flatMap((severity) =>
      Array.from({ length: 300 }, (_, at) =>
        finding({ severity, line: at + 1, what: 'x'.repeat(80) }),
      ),
    );
    const others = Array.from({ length: 20 }, (_, at) => ({ name: `gvc shop-${at}` }));
    const lines = linesOf({ ...withFindings(...findings), others });
    const shown = lines.filter((line) => line.startsWith('•')).length;

    expect(shown).toBeGreaterThan(400);
    expect(lines).toContain(`… and ${600 - shown} more warnings, 300 more notes`);
    expect(lines).not.toContain('*Notes*, good to know');
    expect(lines.at(-2)).toMatch(/`gvc shop-11`, 8 more\.$/);
  });

  it('shows all findings, the errors first; a button opens what a message does not take', () => {
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
      ':large_orange_circle: *Manifest of web is not valid*: 9 errors, 9 notes',
      '*Errors*',
      expect.stringMatching(/^• Line 1: `spec.a` x/),
    ]);
    expect(linesIn(few.blocks)).toHaveLength(18);
    expect(few.rest).toBeUndefined();
    expect(many.rest).toMatchObject({ button: 'Show all (200)', title: 'All findings' });
    expect(linesIn(many.rest?.blocks ?? [])).toHaveLength(200);
  });

  it.each([
    ['a', '{defaultOptions: {timeoutSeconds: 30}}', ': the only field is checked.'],
    ['a', '{defaultOptions: {suspend: true, timeoutSeconds: 5}}', ': both fields are checked.'],
    ['a', '{identityLink: a, identityLink: b}', '; no value below `spec` could be checked'],
  ])('ticks what was checked as a whole: %s %s', (name, spec, words) => {
    const [head] = linesAbout(`name: ${name}\nspec: ${spec}`);
    expect(head).toContain(words);
    expect(head?.startsWith(':white_check_mark:')).toBe(words.endsWith('checked.'));
  });

  it('names three workloads and counts the others', () => {
    const named = ['a', 'b', 'c', 'd', 'e'].map((name) => `name: ${name}\nspec: {}`);
    expect(linesAbout(named.join('\n---\n'))[0]).toContain('*Manifests of a, b, c and 2 more are');
  });

  it('says what a workload looks like where there is none', () => {
    expect(linesAbout('kind: gvc\nname: shop')).toEqual([
      expect.stringContaining('There is no workload in it'),
      'Not checked, because it is not a workload: `gvc shop`.',
    ]);
  });

  it('can be shared by those who may see orgs, and another one checked', () => {
    expect(checkAnswer({ checked: withFindings(), prefix: 'svc' })).toMatchObject({
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
      fields: fc.record({
        total: fc.integer({ min: 200, max: 1e9 }),
        unchecked: fc.array(hostile, { maxLength: 200 }),
      }),
      others: fc.array(fc.record({ name: hostile, except: fc.constant('its load balancer') }), {
        maxLength: 30,
      }),
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
