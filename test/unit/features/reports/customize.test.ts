import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { readCustomize, filterTags } from '../../../../src/features/reports/customize.ts';
import {
  anyQuery,
  filledIn,
  formOf,
  hostile,
  queryOf,
  untouched,
  fieldOf,
  fieldsOf,
  shownIn,
} from './customize-support.ts';

type Changes = Parameters<typeof filledIn>[1];

/** The form of a typed query, read back after changes by label. */
function submitted(line: string, changes: Changes) {
  const query = queryOf(line);
  return readCustomize(filledIn(formOf({ query }), changes), query, ['org']);
}

describe('Customize, filled in', () => {
  it.each<[asked: string, changes: Changes, meant: string]>([
    ['', { Range: 'last month' }, 'last month'],
    [
      '',
      { Range: 'last month', 'Other range': '2026-10-01..2026-10-05' },
      '2026-10-01..2026-10-05',
    ],
    ['', { 'Other range': ' Last 3 Weeks ' }, 'last 3 weeks'],
    ['', { 'Group by': ['org', 'gvc'] }, 'by org,gvc'],
    ['by gvc,org', { 'Group by': ['org', 'workload', 'gvc'] }, 'by gvc,org,workload'],
    ['by gvc', { 'Group by': [] }, ''],
    ['', { 'Group by': ['item', 'org'] }, 'by org,item'],
    ['of cpu org acme step day', { Metrics: [], Orgs: [], Step: 'none' }, ''],
    [
      '',
      { Metrics: ['cpu', 'memory'], Orgs: ['acme'], Step: 'week' },
      'of cpu,memory org acme step week',
    ],
    ['', { Items: ['egress', 'Memory, hosted'] }, 'item egress,"Memory, hosted"'],
    ['item cpu,egress of cpu', { Items: ['egress'] }, 'of cpu item egress'],
    ['item "not offered"', { Items: [] }, ''],
    ['', { 'Filter by gvc': ['shop'] }, 'where gvc=shop'],
    ['', { 'Filter by gvc': ['shop', 'shop.eu'] }, String.raw`where gvc=/^(shop|shop\.eu)$/`],
    ['', { 'Filter by gvc': ['(none)'] }, 'where gvc='],
    ['where gvc=shop', { 'Filter by gvc': [] }, ''],
    ['where gvc=/^s/', { 'More filters': '' }, ''],
    ['', { 'More filters': 'GVC=/^s/ locationtype=byok' }, 'where gvc=/^s/ locationType=byok'],
    ['', { 'More filters': 'where gvc="a & <b>"' }, 'where gvc="a &amp; &lt;b&gt;"'],
    ['', { 'More filters': 'gvc=&amp;' }, 'where gvc=&amp;amp;'],
  ])('%s changed by %j is: %s', (asked, changes, meant) => {
    expect(submitted(asked, changes)).toEqual({ query: queryOf(meant), detailed: false });
  });

  it('asks for pricing tiers', () => {
    expect(submitted('', { 'Pricing tiers': ['detailed'] })).toMatchObject({ detailed: true });
  });

  it.each<[asked: string, changes: Changes, field: string, sentence: RegExp]>([
    [
      '',
      { 'Other range': 'lst month' },
      'other-range',
      /^This field takes a range only.* Did you mean last month\?$/,
    ],
    ['', { 'Other range': '2026-02-30' }, 'other-range', /2026-02/],
    ['', { 'Other range': 'last month by gvc' }, 'other-range', /^This field takes a range only/],
    ['', { 'Other range': 'a "b' }, 'other-range', /^This field takes a range only/],
    ['', { 'Other range': 'last 0 days' }, 'other-range', /ask for 1 or more/],
    ['', { 'More filters': 'gvc' }, 'more-filters', /no value/],
    ['', { 'More filters': 'gvx=a' }, 'more-filters', /"gvx" is not a tag/],
    ['', { 'More filters': 'gvc=a of cpu' }, 'more-filters', /^This field takes filters only/],
    ['', { 'More filters': 'gvc=a last month' }, 'more-filters', /^This field takes filters only/],
    ['', { 'More filters': 'gvc=a', 'Filter by gvc': ['shop'] }, 'more-filters', /gvc is chosen/],
    ['', { 'More filters': 'metric=cpu', Metrics: ['memory'] }, 'of', /keep one/],
    ['', { 'More filters': 'org=acme', Orgs: ['globex'] }, 'orgs', /keep one/],
  ])('%s changed by %j: %s has an error', (asked, changes, field, sentence) => {
    const read = submitted(asked, changes);
    const errors = 'errors' in read ? read.errors : {};

    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]).toMatch(sentence);
  });
});

describe('The form of Customize, submitted as it opened', () => {
  it.each([
    '',
    'last month by org,gvc of cpu,memory item egress,"Memory, hosted" where gvc=shop org acme,globex step day',
    '2026-10-01..2026-10-15 where workload=/^web/ locationType=byok gvc=',
    String.raw`yesterday where gvc="my shop" workload=/^(a|b\.c)$/`,
    'today where "__proto__"=shop "constructor"=',
  ])('asks again: %s', (line) => {
    const query = queryOf(line);
    expect(readCustomize(untouched(formOf({ query })), query, ['org'])).toEqual({
      query,
      detailed: false,
    });
  });

  it('gives an equal query, whatever was asked, before and after the values are read', () => {
    const values = fc.constantFrom(undefined, 'unread' as const, ['', 'shop', '(none)']);
    const choices = fc.oneof(values, fc.array(hostile, { maxLength: 20 }));
    fc.assert(
      fc.property(anyQuery, choices, choices, fc.boolean(), (query, orgs, gvc, detailed) => {
        const form = formOf({ query, detailed, orgs, items: gvc, values: { gvc, workload: gvc } });
        expect(readCustomize(untouched(form), query, ['org'])).toEqual({ query, detailed });
      }),
      { numRuns: 500 },
    );
  });
});

describe('The form of Customize', () => {
  it('has a list for every tag that is filtered by, and no label twice', () => {
    const query = queryOf('where performanceClass=ssd "my tag=x" volumeIndex=/^(0)$/');

    const labels = fieldsOf(formOf({ query })).map(({ label }) => label.text);

    expect(filterTags(query)).toEqual([
      'gvc',
      'workload',
      'location',
      'performanceClass',
      'volumeIndex',
    ]);
    expect(labels).toContain('Filter by performanceClass');
    expect(new Set(labels).size).toBe(labels.length);
    expect(fieldOf(formOf({ query }), 'More filters').element.initial_value).toBe('"my tag=x"');
  });

  it('stays within a view of Slack with thousands of long values, and offers the chosen ones', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `${'n'.repeat(66)}-${at}`);
    const others = ['provider', 'driver', 'name', 'volumeSet', 'gpuModel', 'snapshotName'];
    const filters = others.map((tag) => `${tag}=x`).join(' ');
    const query = queryOf(`where gvc=/^(${many.at(-1)}|${many.at(-2)})$/ ${filters}`);
    const values = Object.fromEntries(filterTags(query).map((tag) => [tag, many]));

    const form = formOf({ query, orgs: many, items: many, values });

    expect(Buffer.byteLength(JSON.stringify(form.blocks))).toBeLessThan(250_000);
    expect(filterTags(query)).toHaveLength(6);
    expect(fieldOf(form, 'More filters').element.initial_value).toContain('gpuModel=x');
    expect(shownIn(form, 'Filter by gvc')).toEqual([many.at(-1), many.at(-2)]);
    expect(fieldOf(form, 'Filter by gvc').hint?.text).toMatch(/^[\d,]+ values not offered/);
  });
});
