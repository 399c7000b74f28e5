import { describe, expect, test } from 'vitest';

import type { ConsumptionQuery, TimeStep } from '../../../src/platform/consumption/query.ts';
import { CPU, rowsOf, startMetering, startsOf, sumOf, timeOf } from './consumption/support.ts';
import { failureOf } from './support.ts';

/** Twelve whole months before the October of the stand-in. */
const FIRST_DAY = '2025-10-01T00:00:00Z';

function query(timeStep: TimeStep, startTime: string, endTime: string): ConsumptionQuery {
  const consumptionQueries = [{ filterBy: CPU, aggregateBy: ['metric'] }];
  return { startTime, endTime, timeStep, groupBy: ['metric'], consumptionQueries };
}

describe('alignment', () => {
  test.each<[TimeStep, string, string, string[], string]>([
    [
      'hour',
      '2026-09-09T10:20:00Z',
      '2026-09-09T11:05:00Z',
      ['2026-09-09T10', '2026-09-09T11'],
      '2026-09-09T12:00:00Z',
    ],
    [
      'day',
      '2026-09-09T10:00:00Z',
      '2026-09-10T01:00:00Z',
      ['2026-09-09T00', '2026-09-10T00'],
      '2026-09-11T00:00:00Z',
    ],
    [
      'week',
      '2026-09-09T10:00:00Z',
      '2026-09-14T01:00:00Z',
      ['2026-09-07T00', '2026-09-14T00'],
      '2026-09-21T00:00:00Z',
    ],
    [
      'month',
      '2026-08-15T10:00:00Z',
      '2026-09-02T00:00:00Z',
      ['2026-08-01T00', '2026-09-01T00'],
      '2026-10-01T00:00:00Z',
    ],
  ])(
    'a query reaches out to whole steps in UTC, weeks from Monday: %s',
    async (timeStep, startTime, endTime, starts, end) => {
      const { usage } = await startMetering();
      const asked = query(timeStep, startTime, endTime);
      const aligned = query(timeStep, `${starts[0]}:00:00Z`, end);

      const { value: steps } = await usage.query('acme', { ...asked, aggregateByTimeStep: true });
      const { value: whole } = await usage.query('acme', asked);

      expect(startsOf(steps.periods)).toEqual(starts.map((hour) => `${hour}:00:00Z`));
      expect(timeOf(steps.periods.at(-1)?.endMs ?? 0)).toBe(end);
      expect(whole).toEqual((await usage.query('acme', aligned)).value);
      expect(sumOf(rowsOf(steps), 'value')).toBe(sumOf(rowsOf(whole), 'value'));
    },
  );

  test.each([
    ['startTime', '2026-09-01T00:00:00+02:00'],
    ['startTime', '2026-09-01T00:00:00'],
    ['endTime', '2026-10-01T00:00:00-07:00'],
    ['endTime', '2026-10-01T00:00:00+00:00'],
  ])(
    'a time with another offset than Z is refused before it misaligns days: %s',
    async (name, time) => {
      const { usage, refusedUnsent } = await startMetering();
      const september = query('day', '2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z');
      const tag = { ...september, tag: 'gvc', [name]: time };

      const sentences = [
        await refusedUnsent(usage.query('acme', { ...september, [name]: time })),
        await refusedUnsent(usage.tagValues('acme', tag)),
      ];

      const expected = `${name} must be an RFC 3339 time in UTC such as 2026-10-01T00:00:00Z`;
      expect(sentences).toEqual([expected, expected]);
    },
  );
});

describe('retention', () => {
  test.each<[TimeStep, string]>([
    ['hour', FIRST_DAY],
    ['day', FIRST_DAY],
    ['week', '2025-10-06T00:00:00Z'],
    ['month', '2025-08-01T00:00:00Z'],
  ])(
    'hours, days and weeks are kept for twelve whole months before this one, months for ever: %s',
    async (timeStep, startTime) => {
      const { usage } = await startMetering();

      const { value } = await usage.query(
        'acme',
        query(timeStep, startTime, '2026-10-12T00:00:00Z'),
      );

      expect(rowsOf(value)[0]?.value.gt(0)).toBe(true);
    },
  );

  test.each<[TimeStep, string]>([
    ['hour', '2025-09-30T23:00:00Z'],
    ['day', '2025-09-30T00:00:00Z'],
    ['week', '2025-09-22T00:00:00Z'],
  ])(
    'a start that is too old is refused with the earliest possible one: %s',
    async (timeStep, startTime) => {
      const { usage } = await startMetering();
      const from = (start: string) =>
        usage.query('acme', query(timeStep, start, '2026-10-12T00:00:00Z'));

      const { status, reason, earliestStart = 0 } = await failureOf(from(startTime));

      expect({ status, reason, earliest: timeOf(earliestStart) }).toEqual({
        status: 400,
        reason: 'bad-request',
        earliest: FIRST_DAY,
      });
      expect(rowsOf((await from(timeOf(earliestStart))).value)).toHaveLength(1);
    },
  );

  test('the window moves on with the month', async () => {
    const { usage, advance } = await startMetering();
    const october = query('day', FIRST_DAY, '2025-11-01T00:00:00Z');
    await usage.query('acme', october);

    await advance(17 * 86_400);

    const { earliestStart = 0 } = await failureOf(usage.query('acme', october));
    expect(timeOf(earliestStart)).toBe('2025-11-01T00:00:00Z');
  });
});
