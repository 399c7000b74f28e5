import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { explainQuery } from '../../../src/platform/consumption/explain.ts';
import { sentenceOf } from '../../../src/platform/errors.ts';
import { explainUsage } from '../../../src/platform/usage/explain.ts';

const EARLIEST = Date.UTC(2025, 9, 1);

/** What a refusal with this body means; the sentence is found as the HTTP layer finds it. */
function explain(status: number, body: string) {
  return explainQuery({ status, sentence: sentenceOf(body) ?? '', body });
}

const json = (members: object) => JSON.stringify({ code: 400, ...members });

test.each([
  'startTime and endTime must be aligned with an hour boundary',
  'the given metering query groups by gvc, but consumption query 1 does not aggregate by gvc',
  'invalid timeStep "year"',
  'error parsing regexp: missing closing ): `(a`',
  'the filter of gvc is not a valid regular expression',
])('a 500 that names what is wrong with the question is the caller’s mistake: %s', (sentence) => {
  expect(explain(500, sentence)).toEqual({ reason: 'bad-request' });
  expect(explain(500, json({ error: sentence }))).toEqual({ reason: 'bad-request' });
});

test.each(['internal server error', 'connection to the store timed out', ''])(
  'any other 500 is the server’s: %s',
  (sentence) => {
    expect(explain(500, sentence)).toEqual({});
  },
);

test.each([
  [
    'a member named so',
    json({ error: 'too old, see retention', earliestStartTime: '2025-10-01T00:00:00Z' }),
  ],
  [
    'a member further in',
    json({
      error: 'startTime is out of retention',
      details: { earliestAvailable: '2025-10-01T00:00:00.000Z' },
    }),
  ],
  [
    'beside the echo of the question',
    json({
      error: 'retained for 12 months',
      startTime: '2024-01-01T00:00:00Z',
      endTime: '2024-02-01T00:00:00Z',
      earliest: '2025-10-01T00:00:00Z',
    }),
  ],
  [
    'in the sentence of a JSON body',
    json({
      error:
        'consumption data at timeStep=hour is retained for 12 months: the earliest startTime is 2025-10-01T00:00:00Z',
    }),
  ],
  [
    'in plain text',
    'consumption data at timeStep=hour is retained for 12 months, startTime must not be before 2025-10-01T00:00:00Z',
  ],
  [
    'after the echoed start',
    'startTime 2024-01-01T00:00:00Z is before the earliest available time 2025-10-01T00:00:00Z',
  ],
  [
    'before the echoed start',
    'retention: 2025-10-01T00:00:00Z is later than startTime 2024-01-01T00:00:00Z',
  ],
  ['written as Go writes times', 'data is retained since 2025-10-01 00:00:00 +0000 UTC'],
  ['with an offset', 'the earliest available start is 2025-10-01T02:00:00+02:00'],
  ['as a day', 'the earliest available day is 2025-10-01'],
])('the earliest start is found: %s', (_where, body) => {
  expect(explain(400, body)).toEqual({ reason: 'bad-request', earliestStart: EARLIEST });
});

test.each([
  ['only the caller’s own start is said', 'startTime 2024-01-01T00:00:00Z is out of retention'],
  [
    'the question is echoed and nothing else',
    json({ error: 'data is retained for 12 months', startTime: '2024-01-01T00:00:00Z' }),
  ],
  ['no time is said', 'consumption data at timeStep=hour is retained for 12 months'],
  ['it is no refusal for retention', 'endTime must not be before 2025-10-01T00:00:00Z'],
  ['what stands there is no time', json({ error: 'retention', earliestStart: 'tomorrow' })],
  ['a day that no calendar has', 'the earliest available day is 2025-99-99'],
])('none is made up when %s', (_why, body) => {
  expect(explain(400, body)).toEqual({ reason: 'bad-request' });
});

test('whatever a body is, it is explained without an error', () => {
  const words = fc.constantFrom(
    'earliest',
    'retained',
    'startTime',
    '2025-10-01T00:00:00Z',
    '{',
    '"',
    '2025-',
  );
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.array(words).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(fc.constantFrom(400, 401, 404, 500), body, (status, body) => {
      const { earliestStart = 0 } = explain(status, body);

      expect(Number.isFinite(earliestStart)).toBe(true);
    }),
  );
});

test('a body of 64 KB of times is explained at once', () => {
  const body = 'retained 2025-10-01T00:00:00Z '.repeat(2_200);

  expect(explain(400, body)).toEqual({ reason: 'bad-request', earliestStart: EARLIEST });
});

test('the usage API’s 401 and 403 say their likely cause', () => {
  const refused = (status: number) => explainUsage({ status, sentence: 'Unauthorized', body: '' });

  expect(refused(401).hint).toMatch(/readMetrics .*readUsage does not .*5 minutes.*deactivated/);
  expect(refused(403).hint).toContain('only inside of that workload');
  expect(refused(400)).not.toHaveProperty('hint');
});
