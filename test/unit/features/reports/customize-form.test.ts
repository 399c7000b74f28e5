import { describe, expect, it } from 'vitest';
import { filterTags } from '../../../../src/features/reports/customize.ts';
import { fieldOf, fieldsOf, formOf, queryOf, shownIn } from './customize-support.ts';

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
