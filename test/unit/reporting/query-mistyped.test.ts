import { describe, expect, it } from 'vitest';
import { outcomeOf } from './query-typed.ts';

describe('a mistyped query is answered with a suggestion', () => {
  it.each([
    ['lst month', '/charges last month'],
    ['lastmonth', '/charges last month'],
    ['"lst month" by gvc', '/charges last month by gvc'],
    ['last mnth', '/charges last month'],
    ['this yaer', '/charges this year'],
    ['yesterdya', '/charges yesterday'],
    ['last 3 dyas by gvc', '/charges last 3 days by gvc'],
    ['last 30d', '/charges last 30 days'],
    ['last 1w', '/charges last 1 week'],
    ['30 days', '/charges last 30 days'],
    ['org acme 7d', '/charges org acme last 7 days'],
    ['month', '/charges this month'],
    ['last month day', '/charges last month step day'],
    ['step days', '/charges step day'],
    ['2026-10-01 to 2026-10-15', '/charges 2026-10-01..2026-10-15'],
    ['2026-10-15..2026-10-01', '/charges 2026-10-01..2026-10-15'],
    ['2026-10-01T06:00Z', '/charges 2026-10-01T06:00:00Z..2026-10-01T07:00:00Z'],
    ['"step" day', '/charges step day'],
    ['gvc', '/charges by gvc'],
    ['gvc prod', '/charges where gvc=prod'],
    ['last month GVC "my shop" by org', '/charges last month where gvc="my shop" by org'],
    ['gvc last month', '/charges by gvc last month'],
    ['gvc workload', '/charges by gvc,workload'],
    ['CPU', '/charges of cpu'],
    ['by org gvc', '/charges by org,gvc'],
    ['of cpu memory today', '/charges of cpu,memory today'],
    ['org acme globex', '/charges org acme,globex'],
    ['by org acme', '/charges org acme'],
    ['itme egress', '/charges item egress'],
    ['last month items egress', '/charges last month item egress'],
    ['item egress memory', '/charges item egress,memory'],
    ['item egress ingress today', '/charges item egress,ingress today'],
    ['egress item', '/charges item egress'],
    ['item "cpu" "memory"', '/charges item "cpu", "memory"'],
    ['item "a,b" "c,d" today', '/charges item "a,b", "c,d" today'],
    ['item cpu "My disk"', '/charges item cpu, "My disk"'],
    ['item "My disk" memory', '/charges item "My disk", memory'],
    ['item=cpu', '/charges item cpu'],
    ['last month Items=cpu,memory by gvc', '/charges last month item cpu,memory by gvc'],
    ['item="My disk"', '/charges item "My disk"'],
    ['by=gvc', '/charges by gvc'],
    ['step=day', '/charges step day'],
    ['org=acme', '/charges where org=acme'],
    ['"item=cpu"', '/charges where "item=cpu"'],
    ['cpu item egress', '/charges of cpu item egress'],
    ['last month cpu items', '/charges last month item cpu'],
    ['"My Item" item step day', '/charges item "My Item" step day'],
    ['of cpu itme byok-cpu', '/charges of cpu item byok-cpu'],
    ['by gcv, org', '/charges by gvc,org'],
    ['of memroy', '/charges of memory'],
    ['by org gvc=shop', '/charges by org where gvc=shop'],
    ['"gvc=my shop"', '/charges where "gvc=my shop"'],
    ['where gcv=shop', '/charges where gvc=shop'],
    ['where gvc=my shop', '/charges where gvc="my shop"'],
    ['where gvc=/a b/', '/charges where gvc="/a b/"'],
    ['where gvc = shop today', '/charges where gvc=shop today'],
    ['where gvc= shop', '/charges where gvc=shop'],
    ['where gvc =shop', '/charges where gvc=shop'],
    ["'last month' by gvc", '/charges last month by gvc'],
    ["where gvc='my shop' today", '/charges where gvc="my shop" today'],
    ['where gvc=‘shop’', '/charges where gvc=shop'],
    ["where 'gvc=my shop'", '/charges where gvc="my shop"'],
    ['where gvc=shop GVC=data today', '/charges where gvc=/^(shop|data)$/ today'],
    ['by `gvc`', '/charges by gvc'],
    ["item 'General purpose SSD'", '/charges item "General purpose SSD"'],
    ["item 'My disk', 'egress'", '/charges item "My disk", egress'],
    ["item 'My disk','your disk'", '/charges item "My disk","your disk"'],
    ["org 'acme', 'globex'", '/charges org acme, globex'],
    ["where gvc='a' workload='b c'", '/charges where gvc=a workload="b c"'],
    ["org 'acme','globex'", '/charges org acme,globex'],
    ['previous month', '/charges last month'],
    ['past 7 days', '/charges last 7 days'],
    ['current week', '/charges this week'],
    ['last two weeks', '/charges last 2 weeks'],
    ['last quarter', '/charges last 3 months'],
    ['last 2 years', '/charges last 24 months'],
    ['mtd by gvc', '/charges this month by gvc'],
    ['Oct 2026', '/charges 2026-10'],
    ['2026', '/charges 2026-01..2026-12'],
    ['2026-10-1', '/charges 2026-10-01'],
    ['2026/10', '/charges 2026-10'],
    ['10/2026', '/charges 2026-10'],
    ['05.10.2026', '/charges 2026-10-05'],
    ['2026-10-01–2026-10-15', '/charges 2026-10-01..2026-10-15'],
    ['2026-10-01…2026-10-15', '/charges 2026-10-01..2026-10-15'],
    ['from 2026-10-01 to 2026-10-15', '/charges 2026-10-01..2026-10-15'],
    ['between 2026-10-01 and 2026-10-15', '/charges 2026-10-01..2026-10-15'],
    ['by day', '/charges step day'],
    ['by gvc,month last 3 months', '/charges by gvc step month last 3 months'],
    ['last month per day', '/charges last month step day'],
    ['step hourly', '/charges step hour'],
    ['step daily', '/charges step day'],
    ['by service', '/charges by workload'],
    ['of ram', '/charges of memory'],
    ['where region=aws-eu', '/charges where location=aws-eu'],
    ['by gvc and workload', '/charges by gvc,workload'],
    ['where gvc=shop and workload=api', '/charges where gvc=shop workload=api'],
    ['where gvc=a or gvc=b', '/charges where gvc=/^(a|b)$/'],
    ['for org acme', '/charges org acme'],
    ['org acme us', '/charges org acme,us'],
    ['org acme top 5', '/charges org acme'],
    ['by workload top 5', '/charges by workload'],
    ['by workload sort by charge', '/charges by workload'],
    ['this month compared to last month', '/charges this month'],
    ['how much did cpu cost last month', '/charges of cpu last month'],
  ])('%s', (line, suggestion) => {
    expect(outcomeOf(line)).toMatchObject({ suggestion });
    expect(outcomeOf(suggestion.replace('/charges ', ''))).toHaveProperty('query');
  });

  it.each([
    ['whre gcv=shop', '/charges where gvc=shop'],
    ['lst mnth by gcv stp day', '/charges last month by gvc step day'],
    ['lst month item <@U1|a b>', '/charges last month item <@U1|a,b>'],
    ['for last month grouped by gvc and workload', '/charges last month by gvc,workload'],
    ['where gvc=shop or gvc=data in org acme', '/charges where gvc=/^(shop|data)$/ org acme'],
    ['last month by gvc,Day', '/charges last month by gvc step day'],
    ['by month last year', '/charges step month last year'],
    ['by gvc 2026', '/charges by gvc 2026-01..2026-12'],
  ])('every mistake at once: %s', (line, suggestion) => {
    expect(outcomeOf(line)).toMatchObject({ suggestion });
    expect(outcomeOf(suggestion.replace('/charges ', ''))).toHaveProperty('query');
  });

  it('with nothing where a later mistake has no remedy', () => {
    expect(outcomeOf('lst month by shelf')).toMatchObject({ suggestion: undefined });
  });
});

const EXCLUDING =
  'A filter says what matches, with "=": nothing can be excluded, not even by an expression.';
const TAGS =
  'usual are org, gvc, workload, location, metric, feature, locationType, performanceClass.';

describe('a query that cannot be read gets one sentence', () => {
  it.each([
    ['by', '`TAG` is missing after `by`.'],
    ['by last month', '`TAG` is missing after `by`.'],
    ['of org acme', '`METRIC` is missing after `of`.'],
    ['where', '`TAG=VALUE` is missing after `where`.'],
    ['where by gvc', '`TAG=VALUE` is missing after `where`.'],
    ['org today', '`NAME` is missing after `org`.'],
    ['item', '`NAME` is missing after `item`.'],
    ['item last month', '`NAME` is missing after `item`.'],
    ['item a item b', '`item` is there twice: join them by commas.'],
    ['item egress,,cpu', '`NAME` is missing after `item`: put one on each side of a comma.'],
    ['step', '`STEP` is missing after `step`: hour, day, week or month.'],
    ['step year', '"year" is not a step: hour, day, week or month.'],
    ...[
      'where gvc<x',
      'where gvc!=x',
      'where gvc != x',
      'gvc!=x',
      'where gvc<>x',
      'where gvc>=x',
      'where gvc≠x',
    ].map((line): [string, string] => [line, EXCLUDING]),
    ['where gvc', '"gvc" has no value: write TAG=VALUE, without spaces.'],
    ['where =shop', '"=shop" names no tag: write TAG=VALUE, such as gvc=shop.'],
    ['by org,,gvc', '`TAG` is missing after `by`: put one on each side of a comma.'],
    ['org acme, by gvc', '`NAME` is missing after `org`: put one on each side of a comma.'],
    ['org ""', '`NAME` is missing after `org`: put one on each side of a comma.'],
    ['by org by gvc', '`by` is there twice: join them by commas.'],
    ['of cpu of gpu', '`of` is there twice: join them by commas.'],
    ['org a org b', '`org` is there twice: join them by commas.'],
    ['step day step day', '`step` is there twice: keep one.'],
    ['today last month', '"today" and "last month" are two ranges: keep one.'],
    [
      'where gvc=/a/ GVC=b',
      '`gvc=` is there twice: write one filter for several values, such as /^(a|b)$/.',
    ],
    ['of cpu where metric=cpu', '"of" and "where metric=" both choose metrics: keep one.'],
    ['org acme where org=globex', '"org" and "where org=" both choose orgs: keep one.'],
    ['by shelf', `"shelf" is not a tag: ${TAGS}`],
    ['where shelf=top', `"shelf" is not a tag: ${TAGS}`],
    ['by gvcc', `"gvcc" is not a tag: ${TAGS}`],
    [`by gvcc where gvc=${'x'.repeat(90)}`, '"gvcc" is not a tag.'],
    [
      'of memroy',
      '"memroy" is not a metric: usual are cpu, memory, gpu, replicas, egress, cross-zone-traffic, public-ip-external-traffic, load-balancer-processed-bytes.',
    ],
    ['item=cpu', 'After "item" comes a space, not "=".'],
    ['item=', 'After "item" comes a space, not "=".'],
    ['gvc=shop', '"gvc=shop" is a filter: put "where" before it.'],
    ['"today please"', 'I don’t know `today please`.'],
    ['everything', 'I don’t know `everything`.'],
    ['2026-02-30', 'There is no 2026-02-30 in the calendar.'],
  ])('%s', (line, sentence) => {
    expect(outcomeOf(line)).toMatchObject({ sentence });
  });

  it('suggests nothing where no one can ask for that', () => {
    expect(outcomeOf('where gvc!=x')).toMatchObject({ suggestion: undefined });
    expect(outcomeOf('gvc!=x')).toMatchObject({ suggestion: undefined });
  });

  it.each(["where gvc=o'neil", "where gvc=/it's/", '"where" x', "where gvc='tis", '"gvc=\'a\'"'])(
    'takes a single quotation mark for itself that is no pair: %s',
    (line) => {
      expect(outcomeOf(line)).not.toMatchObject({ sentence: expect.stringMatching(/double/) });
    },
  );

  it.each(['where gvc=a where gvc=b', 'where gvc=a org=b gvc=c'])(
    'joins no filters that are apart: %s',
    (line) => {
      expect(outcomeOf(line)).toMatchObject({ suggestion: undefined });
    },
  );

  it('repeats only the beginning of a long word', () => {
    expect(outcomeOf(`by ${'x'.repeat(4_000)}`)).toEqual({
      sentence: expect.stringMatching(/^"x{59}…" is not a tag: .{1,100}$/),
      suggestion: undefined,
    });
  });
});
