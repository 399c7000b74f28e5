import { describe, expect, it } from 'vitest';
import { filterTags } from '../../../../src/features/reports/customize-form.ts';
import { fieldOf, fieldsOf, formOf, optionsOf, queryOf, shownIn } from './customize-support.ts';

const LOADING = { orgs: undefined, items: undefined, values: {} };

describe('The form of Customize', () => {
  it('shows the query that was asked', () => {
    const query = queryOf(
      'last 3 days by gvc,org of cpu item egress,"My disk" where gvc=shop workload=/^(a|b)$/ location=/^aws/ org acme step day',
    );

    const form = formOf({ query, detailed: true });

    expect(form).toMatchObject({ title: 'Customize charges', submit: 'Show', state: 'state-1' });
    expect(shownIn(form, 'Range')).toEqual(['Last 3 days']);
    expect(shownIn(form, 'Group by')).toEqual(['gvc', 'org']);
    expect(shownIn(form, 'Metrics')).toEqual(['cpu']);
    expect(shownIn(form, 'Items')).toEqual(['egress', 'My disk']);
    expect(shownIn(form, 'Orgs')).toEqual(['acme']);
    expect(shownIn(form, 'Step')).toEqual(['day']);
    expect(shownIn(form, 'Filter by gvc')).toEqual(['shop']);
    expect(shownIn(form, 'Filter by workload')).toEqual(['a', 'b']);
    expect(shownIn(form, 'Filter by location')).toEqual([]);
    expect(fieldOf(form, 'More filters').element.initial_value).toBe('location=/^aws/');
    expect(shownIn(form, 'Pricing tiers')).toHaveLength(1);
  });

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

  it('can be used before the values are there, and keeps its fields when they come', () => {
    const query = queryOf('where gvc=shop');

    const first = formOf({ query, ...LOADING });
    const gvc = fieldOf(first, 'Filter by gvc');

    expect(gvc.element.placeholder?.text).toBe('Being read …');
    expect(optionsOf(gvc).map(({ value }) => value)).toEqual(['shop']);
    expect(optionsOf(fieldOf(first, 'Filter by workload')).length).toBeGreaterThan(0);
    expect(JSON.stringify(first.blocks)).toContain('*Orgs*: Being read');
    expect(JSON.stringify(first.blocks)).toContain('*Items*: Being read');
    expect(fieldOf(formOf({ query }), 'Filter by gvc').block_id).toBe(gvc.block_id);
    expect(optionsOf(fieldOf(formOf({ query }), 'Filter by gvc'))).toHaveLength(3);
  });

  it('shows the default grouping of the command', () => {
    expect(shownIn(formOf({ by: ['workload'] }), 'Group by')).toEqual(['workload']);
    const { element } = fieldOf(formOf({ by: ['workload'] }), 'Group by');
    expect(element.placeholder?.text).toBe('By workload');
  });

  it('keeps an item where the others cannot be read, and says where to type them', () => {
    const form = formOf({ query: queryOf('item egress'), items: 'unread' });
    expect(shownIn(form, 'Items')).toEqual(['egress']);
    expect(fieldOf(form, 'Items').hint?.text).toBe(
      'The values could not be read: type them in the command, such as item NAME.',
    );
  });

  it('offers the chargeable items, those first that are asked for', () => {
    const form = formOf({ query: queryOf('item egress') });
    const names = optionsOf(fieldOf(form, 'Items')).map(({ value }) => value);

    expect(names).toEqual(['egress', 'cpu', 'Memory, hosted']);
    expect(fieldOf(formOf(), 'Items').element.placeholder?.text).toBe('All');
  });

  it('has no list of items where no one can know any, but shows those that are asked for', () => {
    expect(JSON.stringify(formOf({ items: [] }).blocks)).not.toContain('Items');
    expect(shownIn(formOf({ query: queryOf('item egress'), items: [] }), 'Items')).toEqual([
      'egress',
    ]);
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
