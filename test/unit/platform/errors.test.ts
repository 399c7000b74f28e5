import { expect, test } from 'vitest';

import { errorOf, plainError, PlatformError, sentenceOf } from '../../../src/platform/errors.ts';
import { parseRetryAfter } from '../../../src/platform/answer.ts';
import { DEFAULT_LIMITS } from '../../../src/platform/http.ts';

const NOW = Date.UTC(2026, 9, 5, 12);

test.each([
  ['{"code":401,"error":"unauthorized"}', 'unauthorized'],
  ['{"status":404,"message":"no such gvc","code":"NOT_FOUND"}', 'no such gvc'],
  ['{"error":"","message":"the second says it"}', 'the second says it'],
  ['{"error":{"code":5},"message":"the second says it"}', 'the second says it'],
  [' the start is missing \n', 'the start is missing'],
  ['{"statusCode":400,"error":"Bad Request","message":"org.name is taken"}', 'org.name is taken'],
  ['{"error":{"code":400,"message":"org.name is taken"}}', 'org.name is taken'],
  ['{"errors":[{"message":"org.name is taken"}]}', 'org.name is taken'],
  ['["org.name is taken"]', 'org.name is taken'],
  ['"org.name is taken"', 'org.name is taken'],
  ['{"code":400,"error":"Bad Request"}', 'Bad Request'],
  ['[1]', undefined],
  ['{"message":""}', undefined],
  ['{"message":7}', undefined],
  ['{"error":"   "}', undefined],
  ['{}', undefined],
  ['{"message":"cut o', undefined],
  ['<html><body>502</body></html>', undefined],
  ['', undefined],
])('of the body %j the sentence is %j', (body, sentence) => {
  expect(sentenceOf(body, (text) => text)).toBe(sentence);
});

test('a long sentence is cut to 300 characters, and none of them in half', () => {
  const sentence = sentenceOf('🚀'.repeat(1_000), (text) => text) ?? '';

  expect(Array.from(sentence)).toHaveLength(300);
  expect(sentence).not.toMatch(/\p{Surrogate}/u);
});

test.each([
  ['0', 0],
  ['12', 12_000],
  [new Date(NOW + 30_000).toUTCString(), 30_000],
  [new Date(NOW - 30_000).toUTCString(), 0],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is a pause of %j ms', (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

test('a call has at least 30 seconds in all', () => {
  expect(DEFAULT_LIMITS.totalMs).toBeGreaterThanOrEqual(30_000);
});

test.each([true, false])(
  'an error that crosses to another thread still says whether its call was not sent: %s',
  (isUnsent) => {
    const error = new PlatformError('timeout', 'too late', { isUnsent });

    const crossed = errorOf(structuredClone(plainError(error)));

    expect(crossed).toBeInstanceOf(PlatformError);
    expect(crossed).toMatchObject({ reason: 'timeout', message: 'too late', isUnsent });
  },
);
