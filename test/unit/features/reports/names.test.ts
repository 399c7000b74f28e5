import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { newState, openRow, State } from '../../../../src/features/reports/question.ts';
import { columnTitle, lineName } from '../../../../src/features/reports/words.ts';
import { readQuestion } from '../../../../src/slack/replies/shelf.ts';
import { rangeInFileName, rangeWords, resolveRange } from '../../../../src/reporting/range.ts';
import { later, openQuery } from './support.ts';

const span = (start: string, end: string) => ({
  startMs: Date.parse(`${start}:00Z`),
  endMs: Date.parse(`${end}:00Z`),
});

describe('a span', () => {
  it.each([
    ['2026-11-01T00:00', '2026-12-01T00:00', '2026-11'],
    ['2026-11-05T00:00', '2026-11-06T00:00', '2026-11-05'],
    ['2026-11-01T00:00', '2026-11-30T00:00', '2026-11-01-to-2026-11-29'],
    ['2026-10-01T00:00', '2026-12-01T00:00', '2026-10-01-to-2026-11-30'],
    ['2026-11-05T10:00', '2026-11-05T14:00', '2026-11-05T10-to-2026-11-05T14'],
  ])('from %s to %s is %s in the name of a file', (start, end, name) => {
    expect(rangeInFileName(span(start, end))).toBe(name);
  });

  it('is the same again when its words are read', () => {
    const hour = fc.integer({ min: 420_000, max: 500_000 });
    fc.assert(
      fc.property(hour, fc.integer({ min: 1, max: 9_000 }), (start, hours) => {
        const range = { startMs: start * 3_600_000, endMs: (start + hours) * 3_600_000 };

        expect(resolveRange(rangeWords(range), later)).toEqual(range);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the question of an answer', () => {
  it('is read back as it was kept', () => {
    const state = newState({ ...openQuery, by: ['gvc'], where: { gvc: '' } }, later);
    expect(readQuestion(State, JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it.each([
    ['nothing', undefined],
    ['something of another version', { page: 1 }],
  ])('is too old when it is %s', (_, kept) => {
    expect(() => readQuestion(State, kept)).toThrow(
      'This answer is too old: run the command again.',
    );
  });
});

describe('a row that is opened', () => {
  const asked = (query = {}) => newState({ ...openQuery, step: 'day', ...query }, later);

  it.each([
    ['org', { org: 'acme' }, ['gvc'], {}, ['acme']],
    ['gvc', { gvc: 'shop' }, ['workload'], { gvc: 'shop' }, []],
    ['gvc', { gvc: 'shop', org: 'acme' }, ['workload'], { gvc: 'shop' }, ['acme']],
    ['workload', { workload: '/api/' }, ['metric'], { workload: '/^(/api/)$/' }, []],
    ['location', { location: '' }, undefined, { location: '' }, []],
  ])('of %s %j is the same question by the next finer tag', (tag, row, by, where, orgs) => {
    expect(openRow(asked(), [tag], row as Record<string, string>)).toEqual(
      asked({ by, where, orgs }),
    );
  });

  it('replaces a filter that chose several, and keeps the others', () => {
    const where = { org: '/^a/', metric: 'cpu' };
    expect(openRow(asked({ where }), ['org'], { org: 'acme' }).query).toMatchObject({
      where: { metric: 'cpu' },
      orgs: ['acme'],
    });
  });
});

describe('names', () => {
  it.each([
    [['org'], ['acme'], 'acme'],
    [['org', 'gvc', 'workload'], ['acme', 'shop', 'api'], 'shop/api (acme)'],
    [['workload', 'metric'], ['api', 'cpu'], 'api, cpu'],
    [['metric', 'org'], ['', 'acme'], '(none) (acme)'],
    [[], [], 'all'],
  ])('of %j %j are %s', (columns, labels, name) => {
    expect(lineName({ labels }, columns)).toBe(name);
  });

  it.each([
    ['org', 'Org'],
    ['gvc', 'GVC'],
    ['locationType', 'Location type'],
    ['gpuModel', 'GPU model'],
    ['dimension.location', 'Location'],
    ['my tag', 'My tag'],
  ])('of the column of %s are %s', (tag, title) => expect(columnTitle(tag)).toBe(title));
});
