import { CHARGES_HELP, USAGE_HELP } from '../../../src/features/reports/grammar.ts';
import type { ReportFailed } from '../../../src/lib/threads.ts';
import { refusal, type Area, type Entry } from '../entry.ts';
import { startReports, type World } from './reports-bot.ts';

/** The rest of an id, the occasion, and the words after the command. */
type Line = readonly [id: string, when: string, words: string, world?: World];

/** The answers to unreadable lines. */
function lines(command: '/charges' | '/usage', all: readonly Line[]): Entry[] {
  const help = command === '/charges' ? CHARGES_HELP : USAGE_HELP;
  return all.map(([id, when, words, world]) =>
    refusal(
      `${command.slice(1)}-unreadable-${id}`,
      `${when.slice(0, -1)}: ${command} ${words}`,
      () => startReports(world).type(`${command} ${words}`),
      help,
    ),
  );
}

const RANGES: readonly Line[] = [
  ['last-alone', 'Nothing comes after "last".', 'last'],
  ['last-mistyped', 'The word after "last" is mistyped.', 'last mnth by gvc'],
  ['this-alone', 'Nothing comes after "this".', 'this'],
  ['this-mistyped', 'The word after "this" is mistyped.', 'this weak'],
  ['last-number-alone', 'A number has no unit.', 'last 3'],
  ['last-number-glued', 'A number and its unit are one word.', 'last 30d'],
  ['last-unknown-unit', 'A number has a unit that no one knows.', 'last 2 decades'],
  ['last-zero', 'The range is no time at all.', 'last 0 days'],
  ['last-too-many', 'The range reaches back too far.', 'last 200 months'],
  ['days-without-last', 'The word "last" is missing.', '30 days by gvc'],
  ['range-with-to', 'Two days are joined by a word.', '2026-10-01 to 2026-10-15'],
  ['no-such-month', 'There is no such month.', '2026-13'],
  ['no-such-day', 'There is no such day.', '2026-02-30..2026-03-02'],
  ['no-such-hour', 'There is no such hour.', '2026-10-05T25:00:00Z..2026-10-06T00:00:00Z'],
  ['half-hour', 'A range begins within an hour.', '2026-10-05T06:30:00Z..2026-10-05T12:00:00Z'],
  ['day-and-hour', 'One end is a day, the other one an hour.', '2026-10-01..2026-10-05T06:00:00Z'],
  ['one-hour', 'There is one hour without another.', '2026-10-05T06:00:00Z'],
  ['backwards', 'The range ends before it begins.', '2026-10-15..2026-10-01 by gvc'],
  ['no-length', 'The range ends where it begins.', '2026-10-05T06:00:00Z..2026-10-05T06:00:00Z'],
  ['too-early', 'The range is before the year 2000.', '1999-12'],
  ['no-date', 'A date is not written as one.', '2026-10-5'],
  ['two-ranges', 'There are two ranges.', 'last month 2026-10'],
];

const STEPS: readonly Line[] = [
  ['step-alone', 'Nothing comes after "step".', 'last month step'],
  ['step-mistyped', 'The step is mistyped.', 'last month step dya'],
  ['step-unknown', 'The step is one that there is not.', 'step quarter'],
  ['step-twice', 'There are two steps.', 'step day step week'],
  ['too-many-steps', 'There would be too many steps.', 'last 12 months step hour'],
  [
    'too-many-months',
    'There would be too many steps, whatever they are.',
    '2000-01..2099-12 step month',
  ],
];

const FILTERS: readonly Line[] = [
  ['where-alone', 'Nothing comes after "where".', 'where'],
  ['filter-without-value', 'A filter has no value.', 'where gvc'],
  ['filter-with-spaces', 'There are spaces around the "=".', 'where gvc = shop'],
  ['filter-excludes', 'A filter excludes something.', 'where gvc!=shop'],
  ['filter-without-where', 'A filter has no "where" before it.', 'gvc=shop'],
  ['filter-excludes-without-where', 'The same, and it excludes something.', 'gvc!=shop'],
  ['filter-without-tag', 'A filter has no tag.', 'where =shop'],
  ['filter-twice', 'A tag is filtered twice.', 'where gvc=shop gvc=data'],
  ['filter-mistyped-tag', 'The tag of a filter is mistyped.', 'where gcv=shop'],
  ['filter-unknown-tag', 'The tag of a filter is one that no one knows.', 'where team=blue'],
  ['filter-with-space', 'A value with a space has no quotes.', 'where gvc=my shop'],
  ['metrics-twice', 'Metrics are chosen in two ways.', 'of cpu where metric=memory'],
  ['orgs-twice', 'Orgs are chosen in two ways.', 'org acme where org=globex'],
  ['single-quotes', 'Words are in single quotes.', "where gvc='my shop'"],
  ['quote-open', 'A quotation mark is never closed.', 'where gvc="my shop'],
  ['volume-index', 'A volume’s number is filtered by an empty expression.', 'where volumeIndex=//'],
];

const NAMES: readonly Line[] = [
  ['by-alone', 'Nothing comes after "by".', 'by'],
  ['by-mistyped', 'A tag is mistyped.', 'last month by worklod'],
  ['by-unknown', 'A tag is one that no one knows.', 'by team'],
  ['by-step', 'A step is typed in place of a tag.', 'last month by day'],
  ['by-twice', 'There are two lists of tags.', 'by gvc by workload'],
  ['by-without-comma', 'The comma between two tags is missing.', 'by gvc workload'],
  ['by-name-missing', 'There is nothing between two commas.', 'by gvc,,workload'],
  ['by-org-name', 'The name of an org comes after "by org".', 'by org acme'],
  ['of-alone', 'Nothing comes after "of".', 'of'],
  ['of-mistyped', 'A metric is mistyped.', 'of memroy'],
  ['of-unknown', 'A metric is one that no one knows.', 'of joules'],
  ['of-twice', 'There are two lists of metrics.', 'of cpu of memory'],
  ['item-alone', 'Nothing comes after "item".', 'item'],
  ['item-twice', 'There are two lists of items.', 'item cpu item egress'],
  ['item-without-comma', 'The comma between two items is missing.', 'item cpu egress'],
  [
    'item-without-comma-quoted',
    'The comma between two items in quotes is missing.',
    'item "My disk" "egress"',
  ],
  ['item-equals', 'A "=" follows "item".', 'last month item=cpu'],
  ['item-after-name', 'The name comes before the word "item".', 'last month egress item'],
  ['item-mistyped', 'There is no such item, but one with a similar name.', 'today item egrss'],
  ['item-unknown', 'There is no such item.', 'item joules'],
  ['item-single-quotes', 'The name of an item is in single quotes.', "item 'my disk'"],
  ['org-alone', 'Nothing comes after "org".', 'org'],
  ['org-twice', 'There are two lists of orgs.', 'org acme org globex'],
  ['org-without-comma', 'The comma between two orgs is missing.', 'org acme globex'],
  ['org-mistyped', 'There is no such org, but one with a similar name.', 'last month org acmee'],
  ['org-unknown', 'There is no such org.', 'org umbrella'],
  ['org-all', 'All orgs are meant by the name of one.', 'last month org all'],
  [
    'org-unknown-of-many',
    'There is no such org, and there are more than can be named.',
    'org umbrella',
    { orgs: Array.from({ length: 14 }, (_, at) => `team-${at + 1}`) },
  ],
  ['org-unknown-of-none', 'There are no orgs at all.', 'org umbrella', { orgs: [] }],
  ['tag-alone', 'A tag is typed alone.', 'gvc'],
  ['tag-name', 'A tag is followed by a name.', 'gvc prod'],
  ['metric-alone', 'A metric is typed alone.', 'CPU'],
  ['month-alone', 'The word "month" is typed alone.', 'month'],
  ['day-alone', 'The word "day" is typed alone.', 'last month day'],
  ['keyword-mistyped', 'A keyword is mistyped.', 'whre gvc=shop'],
  ['nothing-known', 'A word means nothing.', 'everything'],
];

const LISTS: readonly Line[] = [
  ['tags-alone', 'Nothing comes after "tags".', 'tags'],
  ['tags-mistyped-tag', 'The tag is mistyped.', 'tags gcv last month'],
  ['tags-unknown-tag', 'The tag is one that no one knows.', 'tags team'],
  ['tags-by', 'The values of a tag are to be grouped.', 'tags gvc last month by org'],
  ['tags-step', 'The values of a tag are to be shown over time.', 'tags gvc last month step day'],
  ['tags-item', 'The values of a tag are asked for by item.', 'tags gvc last month item cpu'],
  ['tags-mistyped', 'The word "tags" is mistyped.', 'tgas gvc'],
  ['items-more', 'Something comes after "items".', 'items last month'],
  ['items-name', 'The name of an item comes after "items".', 'items cpu last month'],
  ['items-mistyped', 'The word "items" is mistyped.', 'itmes'],
];

const UNMADE: readonly (readonly [why: ReportFailed['reason'], when: string])[] = [
  ['too-large', 'The answer would take more memory or time than one may.'],
  ['busy', 'Many others have asked something large.'],
  ['stopped', 'Purser ends while the answer is made.'],
];

export const reportRefusals: Area = {
  id: 'report-refusals',
  title: '/charges and /usage: words that cannot be read',
  entries: [
    ...lines('/charges', [...RANGES, ...STEPS, ...FILTERS, ...NAMES, ...LISTS]),
    ...lines('/usage', [
      ['items', 'A person asks /usage for chargeable items.', 'items'],
      ['by-item', 'Usage is to be grouped by chargeable item.', 'last month by item'],
      ['items-name', 'The name of an item comes after "items".', 'items cpu'],
      ['tags-mistyped', 'The word "tags" is mistyped.', 'tgas gvc'],
      ['org-mistyped', 'There is no such org, but one with a similar name.', 'org acmee'],
      ['range', 'The range is mistyped.', 'lst month'],
    ]),
    refusal(
      'charges-refused-expression',
      'The platform does not take a regular expression.',
      () => startReports().type('/charges where gvc=/^(shop/'),
      CHARGES_HELP,
    ),
    ...UNMADE.map(([unmade, when]) =>
      refusal(
        `usage-refused-${unmade}`,
        when,
        () => startReports({ unmade }).type('/usage last 40 days by workload,gvc step hour'),
        USAGE_HELP,
      ),
    ),
    refusal(
      'charges-orgs-down',
      'The orgs are unknown, and then the platform does not answer either.',
      () =>
        startReports({ orgs: 'down', charges: [], before: 'down', values: 'down' }).type(
          '/charges tags gvc org acme',
        ),
      CHARGES_HELP,
    ),
  ],
};
