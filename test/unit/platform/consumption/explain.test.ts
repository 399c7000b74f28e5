import { describe, expect, test } from 'vitest';
import { explainQuery } from '../../../../src/platform/consumption/query.ts';
import { sentenceOf } from '../../../../src/platform/errors.ts';
import { explainUsage } from '../../../../src/platform/usage.ts';
import * as fc from '../../../support/fast-check.ts';

const EARLIEST = Date.UTC(2025, 9, 1);
const NOW = Date.UTC(2026, 9, 15, 12);
const PATH = '/org/acme/query';
/** A question that is too old as a whole. */
const SENT = {
  startTime: '2024-01-01T10:00:00Z',
  endTime: '2024-02-01T10:00:00Z',
  timeStep: 'day',
};

const REFUSED = { status: 400, sentence: '', body: '', path: PATH, sent: SENT, nowMs: NOW };

/** The meaning of a refusal with this body; the sentence is found as the HTTP layer finds it. */
function explain(status: number, body: string, sent: unknown = SENT) {
  return explainQuery({
    status,
    sentence: sentenceOf(body, (text) => text) ?? '',
    body,
    path: PATH,
    sent,
    nowMs: NOW,
  });
}

const json = (members: object) => JSON.stringify({ code: 400, ...members });

test.each([
  'startTime and endTime must be aligned with an hour boundary',
  'the given metering query groups by gvc, but consumption query 1 does not aggregate by gvc',
  'invalid timeStep "year"',
  'error parsing regexp: missing closing ): `(a`',
  'the filter of gvc is not a valid regular expression',
])('a 500 that names a fault of the question is the caller’s mistake: %s', (sentence) => {
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
      startTime: '2024-01-01T10:00:00Z',
      endTime: '2024-02-01T10:00:00Z',
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
    'startTime 2024-01-01T10:00:00Z is before the earliest available time 2025-10-01T00:00:00Z',
  ],
  [
    'before the echoed start',
    'retention: 2025-10-01T00:00:00Z is later than startTime 2024-01-01T10:00:00Z',
  ],
  ['written as Go writes times', 'data is retained since 2025-10-01 00:00:00 +0000 UTC'],
  ['with an offset', 'the earliest available start is 2025-10-01T02:00:00+02:00'],
  ['as a day', 'the earliest available day is 2025-10-01'],
  ['as a range', 'data available from 2025-10-01 to 2026-10-15'],
  ['under another name', json({ error: 'too old', minStartTime: '2025-10-01T00:00:00Z' })],
  ['in another place', json({ error: 'no', data: [{ firstAvailableStart: '2025-10-01' }] })],
  ['in words, day first', json({ error: 'the earliest start is 01 October 2025 00:00:00 UTC' })],
  ['in words with a time', 'nothing is kept before Oct. 1, 2025 at 00:00'],
  ['in seconds since the epoch', json({ error: 'too old', earliest: EARLIEST / 1000 })],
  ['in milliseconds since the epoch', `the earliest start is ${EARLIEST}.`],
  [
    'behind a bare phrase',
    json({ error: 'Bad Request', message: 'retained from 2025-10-01T00:00:00Z' }),
  ],
  [
    'beside the time of the answer',
    json({ timestamp: '2026-10-15T12:34:56.789Z', error: 'too old, from 2025-10-01T00:00:00Z' }),
  ],
  [
    'beside the question as the platform aligned it',
    'from 2024-01-01T00:00:00Z to 2024-02-02T00:00:00Z is too old: 2025-10-01T00:00:00Z',
  ],
])('the earliest start is found: %s', (_where, body) => {
  expect(explain(400, body)).toEqual({ reason: 'bad-request', earliestStart: EARLIEST });
});

test.each([
  ['only the caller’s own start is named', 'startTime 2024-01-01T10:00:00Z is too early'],
  [
    'the question is echoed and nothing else',
    json({ error: 'data is too old', startTime: '2024-01-01T10:00:00Z' }),
  ],
  ['no time is named', 'the startTime is too early'],
  ['it is a bound of the end', 'endTime must not be before 2025-10-01T00:00:00Z'],
  ['it is the latest time', json({ error: 'in the future', latest: '2026-10-15T00:00:00Z' })],
  ['it is the time of the answer', json({ error: 'no', timestamp: '2026-10-15T12:34:56.789Z' })],
  ['only the range is named', '2024-01-01T10:00:00Z/2024-02-01T10:00:00Z is too old'],
  [
    'only the aligned range is named',
    '2024-01-01 00:00:00 +0000 UTC to 2024-02-02 00:00:00 +0000 UTC is too old',
  ],
  ['the value is no time', json({ error: 'too old', earliestStart: 'tomorrow' })],
  ['it is the time of the answer in words', 'too old, Thu, 15 Oct 2026 12:34:56 GMT'],
  ['a month is no day', 'the earliest is October 2025'],
  ['a day that no calendar has', 'the earliest available day is 2025-99-99'],
])('none is made up when %s', (_why, body) => {
  expect(explain(400, body)).toEqual({ reason: 'bad-request' });
});

describe('a refusal for retention that names no time', () => {
  const wordings = ['hour', 'day', 'week'].map(
    (step) => `consumption data at timeStep=${step} is retained for 12 months`,
  );

  test.each([
    ...wordings,
    ...wordings.map((error) => json({ error })),
    json({ status: 400, message: 'older than the retention', startTime: SENT.startTime }),
    'startTime 2024-01-01T10:00:00Z is out of retention',
  ])('means the 12 whole months before this one, in plain text and in JSON: %s', (body) => {
    expect(explain(400, body)).toEqual({ reason: 'bad-request', earliestStart: EARLIEST });
    expect(explainUsage('acme', 'bearer')({ ...REFUSED, body })).toEqual({
      reason: 'bad-request',
      earliestStart: EARLIEST,
    });
  });

  test('is the caller’s mistake also as the 500 that billing has for those', () => {
    expect(explain(500, wordings[0] ?? '')).toEqual({
      reason: 'bad-request',
      earliestStart: EARLIEST,
    });
    expect(explain(500, 'the retention worker has crashed')).toEqual({});
  });

  test('means as many months as it says', () => {
    const earliestStart = Date.UTC(2026, 3, 1);

    expect(explain(400, 'hourly data is retained for 6 months').earliestStart).toBe(earliestStart);
    expect(explain(400, 'retention is 6 whole months').earliestStart).toBe(earliestStart);
  });

  test('in a leap year and in a long month is still the first of a month', () => {
    const at = (nowMs: number) =>
      explainQuery({ ...REFUSED, body: wordings[1] ?? '', nowMs }).earliestStart;

    expect(at(Date.UTC(2028, 1, 29, 23, 59))).toBe(Date.UTC(2027, 1, 1));
    expect(at(Date.UTC(2026, 11, 31, 23, 59))).toBe(Date.UTC(2025, 11, 1));
    expect(at(Date.UTC(2026, 0, 1))).toBe(Date.UTC(2025, 0, 1));
  });

  test('has no earliest start for a question that begins later, or that has no range', () => {
    const sent = { ...SENT, startTime: '2025-10-01T00:00:00Z', endTime: '2026-10-01T00:00:00Z' };

    expect(explain(400, wordings[1] ?? '', sent)).toEqual({ reason: 'bad-request' });
    expect(explain(400, wordings[1] ?? '', {})).toEqual({ reason: 'bad-request' });
  });
});

test('the earliest start may be the very end that was asked for', () => {
  const sent = { ...SENT, endTime: '2025-10-01T00:00:00Z' };

  const echo = json({ error: 'too old', ...sent });
  const answer = json({ error: 'too old', earliestStartTime: '2025-10-01T00:00:00Z' });

  expect(explain(400, echo, sent)).toEqual({ reason: 'bad-request' });
  expect(explain(400, answer, sent)).toEqual({ reason: 'bad-request', earliestStart: EARLIEST });
});

test.each([
  ['values of a tag', { startTime: SENT.startTime, endTime: SENT.endTime, tag: 'gvc' }, EARLIEST],
  ['an org', { org: { name: 'acme' } }, undefined],
  ['nothing', undefined, undefined],
])('only a question with a range can begin too early: %s', (_what, sent, earliestStart) => {
  const refused = {
    status: 400,
    sentence: 'too old',
    body: 'from 2025-10-01',
    path: PATH,
    nowMs: NOW,
  };

  expect(explainQuery({ ...refused, sent }).earliestStart).toBe(earliestStart);
});

test('whatever a body is, it is explained without an error', () => {
  const words = fc.constantFrom(
    'earliest',
    'retained',
    'startTime',
    '2025-10-01T00:00:00Z',
    '2023-10-01',
    '1759276800',
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
      const { earliestStart = EARLIEST } = explain(status, body);

      expect(earliestStart).toBeGreaterThan(Date.parse(SENT.startTime));
    }),
  );
});

test('a body of 64 KB of times is explained at once', () => {
  const body = 'retained 2025-10-01T00:00:00Z '.repeat(2_200);

  expect(explain(400, body)).toEqual({ reason: 'bad-request', earliestStart: EARLIEST });
});

test('the usage API’s 401 and 403 say their likely cause', () => {
  const refused = (status: number) =>
    explainUsage(
      'acme',
      'workload',
    )({
      status,
      sentence: 'Unauthorized',
      body: '',
      path: PATH,
      nowMs: NOW,
    });

  expect(refused(401).hint).toMatch(/acme.*readMetrics .*readUsage does not .*5 minutes.*deactiv/);
  expect(refused(403).hint).toContain('only inside of that workload');
  expect(refused(400)).not.toHaveProperty('hint');
});
