import { describe, expect, it } from 'vitest';
import { parseQuery, writeQuery, type ReportQuery } from '../../../src/reporting/query.ts';
import { typedQuery } from './query-typed.ts';

const nothingAsked: ReportQuery = {
  range: 'this month',
  by: undefined,
  of: [],
  items: [],
  where: {},
  orgs: [],
  step: undefined,
};

describe('a typed query', () => {
  it('is this month when it is empty', () => {
    expect(typedQuery('')).toEqual(nothingAsked);
    expect(parseQuery([])).toEqual(nothingAsked);
  });

  it.each<[line: string, query: Partial<ReportQuery>]>([
    ['last month', { range: 'last month' }],
    ['last "month"', { range: 'last month' }],
    ['"last month"', { range: 'last month' }],
    ['“Last 7 Days”', { range: 'last 7 days' }],
    ['LAST 1 DAYS', { range: 'last 1 day' }],
    ['2026-10-01 .. 2026-10-15', { range: '2026-10-01..2026-10-15' }],
    [
      '2026-10-01T02:00+02:00..2026-10-01t12:00:00z',
      { range: '2026-10-01T00:00:00Z..2026-10-01T12:00:00Z' },
    ],
    ['BY org , GVC', { by: ['org', 'gvc'] }],
    ['by org ,gvc, workload', { by: ['org', 'gvc', 'workload'] }],
    ['by gvc, org org acme', { by: ['gvc', 'org'], orgs: ['acme'] }],
    ['by gvc,gvc', { by: ['gvc'] }],
    ['by item', { by: ['item'] }],
    ['by Item,org item cpu org acme', { by: ['item', 'org'], items: ['cpu'], orgs: ['acme'] }],
    ['by org, item item "my disk"', { by: ['org', 'item'], items: ['my disk'] }],
    ['by "shelf",LOCATIONTYPE,"a b"', { by: ['shelf', 'locationType', 'a b'] }],
    [
      'by performanceclass of Volume_Set_Capacity',
      { by: ['performanceClass'], of: ['volume_set_capacity'] },
    ],
    ['by "shelf", org of "shelf-metres"', { by: ['shelf', 'org'], of: ['shelf-metres'] }],
    ['by "shelf","My Tag"', { by: ['shelf', 'My Tag'] }],
    ['org Acme, globex', { orgs: ['Acme', 'globex'] }],
    ['org "by"', { orgs: ['by'] }],
    ['ITEM Egress , cpu', { items: ['Egress', 'cpu'] }],
    ['item egress,egress', { items: ['egress'] }],
    ['item "General purpose SSD", egress', { items: ['General purpose SSD', 'egress'] }],
    ['item "Memory, hosted","item"', { items: ['Memory, hosted', 'item'] }],
    ['item "today" today', { items: ['today'], range: 'today' }],
    ['of cpu item byok-cpu', { of: ['cpu'], items: ['byok-cpu'] }],
    ['step DAY today', { step: 'day', range: 'today' }],
  ])('%s', (line, query) => {
    expect(typedQuery(line)).toEqual({ ...nothingAsked, ...query });
  });
});

describe('the values of a filter', () => {
  it.each<[line: string, where: Record<string, string>]>([
    ['where gvc=Shop', { gvc: 'Shop' }],
    ['where gvc="my shop" org=acme', { gvc: 'my shop', org: 'acme' }],
    ['where "gvc=my shop"', { gvc: 'my shop' }],
    ['where gvc=/^(a|b)$/ VOLUMEINDEX=/^0$/', { gvc: '/^(a|b)$/', volumeIndex: '/^0$/' }],
    ['where gvc=', { gvc: '' }],
    ['where gvc="" last month', { gvc: '' }],
    ['where name=a=b', { name: 'a=b' }],
    ['where name=<b>&amp;', { name: '<b>&amp;' }],
    ['where gvc=a by org where workload=b', { gvc: 'a', workload: 'b' }],
    ['where "shelf=top"', { shelf: 'top' }],
    ['where metric=cpu', { metric: 'cpu' }],
  ])('%s', (line, where) => {
    expect(typedQuery(line).where).toEqual(where);
  });

  it('can be of a tag with a name that means something else to a program', () => {
    const { where } = typedQuery('where "__proto__=x"');

    expect(Object.entries(where)).toEqual([['__proto__', 'x']]);
    expect(writeQuery(typedQuery('where "__proto__=x"'))).toBe('this month where "__proto__=x"');
  });
});

describe('a query written down', () => {
  it('is as one would type it', () => {
    expect(writeQuery(nothingAsked)).toBe('this month');
    expect(
      writeQuery(
        typedQuery(
          'STEP week WHERE Gvc="my shop" name= BY org , gvc, "shelf" org acme of CPU item egress "last month"',
        ),
      ),
    ).toBe(
      'last month by org, gvc, "shelf" of cpu item egress where gvc="my shop" name= org acme step week',
    );
  });

  it('quotes names that would otherwise be read as a keyword or a range', () => {
    expect(writeQuery({ ...nothingAsked, orgs: ['acme', 'today', 'step', 'my org'] })).toBe(
      'this month org acme, "today", "step", "my org"',
    );
  });

  it('quotes the name of an item that is more than one plain word', () => {
    const items = ['egress', 'Memory, hosted', 'item', '2026-10'];

    expect(writeQuery({ ...nothingAsked, items })).toBe(
      'this month item egress, "Memory, hosted", "item", "2026-10"',
    );
  });

  it('has dots for characters that cannot be typed', () => {
    const query = { ...nothingAsked, where: { gvc: 'a"b\u202Ec' } };

    expect(writeQuery(query)).toBe('this month where gvc=a.b.c');
  });

  it('has filters in a list as filters, and quotes a comma at the end of a value', () => {
    const { where } = typedQuery('where gvc=shop, workload="my api", location=a,b');

    expect(where).toEqual({ gvc: 'shop', workload: 'my api', location: 'a,b' });
    expect(writeQuery({ ...nothingAsked, where: { gvc: 'shop,' } })).toBe(
      'this month where "gvc=shop,"',
    );
  });

  it('leaves out an empty list', () => {
    expect(writeQuery({ ...nothingAsked, by: [] })).toBe('this month');
  });
});
