import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  parseWatch,
  type WatchWords,
  createReportGrammar,
} from '../../../../src/features/reports/grammar.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { splitWords } from '../../../../src/lib/words.ts';
import { parseQuery } from '../../../../src/reporting/query.ts';
import { CADENCES } from '../../../../src/reporting/schedule.ts';
import {
  readScheduleForm,
  SCHEDULE_FIELDS,
} from '../../../../src/features/reports/saved-routes.ts';
import type { Saved } from '../../../../src/features/reports/saved.ts';

/** The words after `/charges watch`, as Slack sends them. */
function wordsOf(line: string) {
  const split = splitWords(line);
  if ('problem' in split) throw new UsageError(split.problem);
  return split.words;
}

function watch(line: string, currency: string | undefined = 'USD'): WatchWords {
  return parseWatch(wordsOf(line), { command: '/charges', currency });
}

/** The sentence of the refusal, and the suggestion. */
function refusal(read: () => unknown): [sentence: string, suggestion: string | undefined] {
  const { message, suggestion } = failure(read);
  return [message, suggestion];
}

function failure(read: () => unknown): UsageError {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error('it was read');
}

const query = (line: string) => parseQuery(wordsOf(line));

describe('the words of a new schedule', () => {
  it('has a question, a time and a channel', () => {
    expect(watch('last month by workload weekly at 9:05 in <#C0FIN123|finance>')).toEqual({
      query: query('last month by workload'),
      every: 'weekly',
      at: '09:05',
      channel: 'C0FIN123',
    });
  });

  it('needs no time where it is about an amount', () => {
    expect(watch('where gvc=shop over $1,500.50')).toEqual({
      query: query('where gvc=shop'),
      over: '1500.5',
    });
  });

  it.each([
    ['daily by gvc', 'yesterday by gvc'],
    ['weekly', 'last week'],
    ['monthly where gvc=shop', 'last month where gvc=shop'],
    ['this month monthly', 'this month'],
    ['over 500', 'this month'],
    ['over 500 daily', 'this month'],
    ['last month by org daily', 'last month by org'],
    ['by gvc, org daily last week', 'last week by gvc,org'],
    ['by item at 09:00 daily', 'yesterday by item'],
    ['by gvc org daily weekly', 'last week by gvc org daily'],
  ])('%s is about %s', (line, asked) => {
    expect(watch(line).query).toEqual(query(asked));
  });

  it.each([
    ['over 500 USD daily', '500'],
    ['daily over 500 by org', '500'],
    ['daily over usd500', '500'],
  ])('%s is over 500', (line, over) => {
    expect(watch(line).over).toBe(over);
  });

  it('may be of an org whose name is a word of a schedule', () => {
    expect(watch('org daily, at daily').query).toEqual(query('yesterday org daily,at'));
  });

  const anyParts = fc
    .record({
      parts: fc.shuffledSubarray([
        'last 3 months',
        'by gvc,workload',
        'of cpu, memory',
        'where workload=api location=/^(a|b)$/',
        'org over,monthly',
        'item "at 9, in daily"',
        'step day',
      ]),
      every: fc.constantFrom(...CADENCES),
      at: fc.option(fc.constantFrom('00:00', '09:30', '23:59'), { nil: undefined }),
      over: fc.option(fc.constantFrom('0.01', '500'), { nil: undefined }),
      channel: fc.option(fc.constantFrom('C0FIN123', 'G0SECRET'), { nil: undefined }),
      order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    })
    .map(({ parts, order, ...schedule }) => {
      const { every, at, over, channel } = schedule;
      const own = [
        every.toUpperCase(),
        ...(at === undefined ? [] : [`at ${at}`]),
        ...(over === undefined ? [] : [`Over ${over}`]),
        ...(channel === undefined ? [] : [`in <#${channel}|a>`]),
      ];
      const all = [...parts, ...own].map((text, index) => ({ text, rank: order[index] ?? 0 }));
      const line = all.toSorted((a, b) => a.rank - b.rank).map(({ text }) => text);
      return { line: line.join(' '), question: parts.join(' '), schedule };
    });

  it('is read in any order of its parts', () => {
    fc.assert(
      fc.property(anyParts, ({ line, question, schedule }) => {
        const read = watch(line);
        const usual = { daily: 'yesterday', weekly: 'last week', monthly: 'last month' };
        const range = schedule.over === undefined ? usual[schedule.every] : undefined;
        expect(read.query).toEqual(parseQuery(wordsOf(question), { range }));
        expect(read).toMatchObject(
          Object.fromEntries(Object.entries(schedule).filter(([, value]) => value !== undefined)),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('mistakes in the words of a schedule', () => {
  it.each([
    ['by workload', 'Say how often: daily, weekly or monthly; or over which amount.', 'daily'],
    ['by workload dayly', 'I don’t know `dayly`.', 'by workload daily'],
    ['by workload daily weekly', '`daily, weekly or monthly` is there twice', undefined],
    ['daily at 25:00', '`25:00` is not a time of day', undefined],
    ['daily at', '`TIME` is missing after `at`', undefined],
    ['daily over lots', '`lots` is not an amount', undefined],
    ['daily over', '`AMOUNT` is missing after `over`', undefined],
    ['daily over -5', '`-5` is not an amount', undefined],
    ['daily over 500 over 600', '`over` is there twice', undefined],
    ['over 500 EUR', 'The amount is in USD: over 500.', undefined],
    ['over 500€', 'The amount is in USD: over 500.', undefined],
    ['daily in #finance', 'Slack did not recognise that channel', undefined],
  ])('%s', (line, sentence, suggested) => {
    const [said, suggestion] = refusal(() => watch(line));
    expect(said).toContain(sentence);
    expect(suggestion ?? '').toContain(suggested ?? '');
  });

  it.each(['over lots', 'over 500 EUR', 'over'])('%s has an example with an amount', (line) => {
    expect(() => watch(line)).toThrow(expect.objectContaining({ wanted: 'over 500' }));
  });

  it.each([
    ['daily over 1.500', 'daily over 1.5', 'daily over 1,500'],
    ['daily over $1.500 by gvc', 'daily over $1.5 by gvc', 'daily over $1,500 by gvc'],
    ['over 12.345', 'over 12.3450', 'over 12,345'],
  ])('%s is asked about: each reading is one that is read', (line, ...readings) => {
    const error = failure(() => watch(line));
    const meant = readings.map((reading) => `/charges watch ${reading}`);

    expect([error.suggestion, error.other]).toEqual(meant);
    for (const reading of readings) expect(watch(reading).over).toBeDefined();
  });

  it.each([
    ['daily at 9am', 'daily at 09:00'],
    ['daily at 9', 'daily at 09:00'],
    ['daily at 0930', 'daily at 09:30'],
    ['daily at 12am', 'daily at 00:00'],
    ['daily 09:00', 'at 09:00 daily'],
    ['every day by gvc', 'daily by gvc'],
    ['every Monday at 9:00', 'weekly at 9:00'],
    ['weekly on Monday', 'weekly'],
    ['monthly on the 1st', 'monthly'],
    ['where gvc=shop above 500', 'where gvc=shop over 500'],
    ['of cpu > 500', 'of cpu over 500'],
    ['where gvc=shop dayly', 'where gvc=shop daily'],
  ])('%s is answered with %s', (line, meant) => {
    const command = createReportGrammar('charges', 'USD');
    const { suggestion } = failure(() => command.parse(wordsOf(`watch ${line}`)));

    expect(suggestion).toBe(`/charges watch ${meant}`);
    expect(watch(meant)).toBeDefined();
  });

  it('keeps the schedule in the suggestion', () => {
    const [, suggestion] = refusal(() => watch('by workloda weekly at 09:00 in <#C0FIN123|f>'));
    expect(suggestion).toBe('/charges watch by workload weekly at 09:00 in C0FIN123');
  });

  it('is a quantity in a currency', () => {
    const [said] = refusal(() =>
      parseWatch(wordsOf('of cpu over $500'), { command: '/usage', currency: undefined }),
    );
    expect(said).toBe('The amount is a number alone: over 500.');
  });
});

const unwatch = (line: string) =>
  createReportGrammar('charges', 'USD').parse(wordsOf(`unwatch ${line}`));

describe('the number of the schedule to end', () => {
  it.each([
    ['3', '3'],
    ['#003', '3'],
  ])('%s', (line, number) => {
    expect(unwatch(line)).toEqual({ kind: 'unwatch', number });
  });

  it.each([
    ['', '`N` is missing after `unwatch`.', undefined],
    ['three', '`three` is not a number: `/charges watches` shows it.', undefined],
    ['-1', '`-1` is not a number: `/charges watches` shows it.', undefined],
    ['3 4', '`4` is too much here.', '/charges unwatch 3'],
  ])('"%s" is no schedule', (line, message, suggestion) => {
    expect(refusal(() => unwatch(line))).toEqual([message, suggestion]);
  });
});

const answer: Saved['trigger'] = {
  kind: 'answer',
  every: 'daily',
  at: '09:00',
  zone: 'Asia/Tokyo',
};
const budget: Saved['trigger'] = { kind: 'over', amount: '500', unit: 'GiB-hours', size: '3600' };
const raw: Saved['trigger'] = { kind: 'over', amount: '500' };

it.each<[string, Saved['trigger'], string, string, object]>([
  ['the zone of a time', answer, '9:00', '', { ...answer, every: 'weekly' }],
  ['no zone of another time', answer, '9:30', '', { every: 'weekly', at: '09:30' }],
  ['the unit of an amount', budget, '', '500.0', budget],
  ['raw units of an amount', raw, '', '500', raw],
  ['no unit of another amount', budget, '', '600', { over: '600' }],
])('a changed question keeps %s', (_, trigger, at, over, kept) => {
  const values = {
    [SCHEDULE_FIELDS.every]: over === '' ? 'weekly' : 'never',
    [SCHEDULE_FIELDS.at]: at,
    [SCHEDULE_FIELDS.over]: over,
  };
  const read = readScheduleForm(values, { query: parseQuery([]), currency: undefined, trigger });
  expect(read).toEqual({ query: parseQuery([]), channel: '', trigger: kept });
});

it.each([
  ['whether it is the amount or the cadence', '500', 'posted only when it is crossed'],
  ['which amount it is', '1.500', '1.500 can be read in two ways. Type 1500 or 1.5.'],
])('asks under the field %s', (_, over, sentence) => {
  const values = { [SCHEDULE_FIELDS.every]: 'daily', [SCHEDULE_FIELDS.over]: over };
  const asked = { query: parseQuery([]), currency: 'USD', trigger: undefined };
  expect(readScheduleForm(values, asked)).toEqual({
    errors: { [SCHEDULE_FIELDS.over]: expect.stringContaining(sentence) },
  });
});
