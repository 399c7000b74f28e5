import { expect, test } from 'vitest';

import {
  PlatformError,
  reasonOfStatus,
  sentenceOf,
  type PlatformReason,
} from '../../../src/platform/errors.ts';
import { parseRetryAfter } from '../../../src/platform/answer.ts';
import { DEFAULT_LIMITS } from '../../../src/platform/http.ts';

const NOW = Date.UTC(2026, 9, 5, 12);

test.each<[number, PlatformReason, boolean]>([
  [300, 'redirected', false],
  [308, 'redirected', false],
  [400, 'bad-request', false],
  [401, 'unauthorized', false],
  [403, 'forbidden', false],
  [404, 'not-found', false],
  [409, 'conflict', false],
  [418, 'bad-request', false],
  [429, 'rate-limited', true],
  [500, 'server-error', false],
  [501, 'server-error', false],
  [502, 'unavailable', true],
  [503, 'unavailable', true],
  [504, 'unavailable', true],
])('status %i means %s, worth another try: %s', (status, reason, retryable) => {
  expect(reasonOfStatus(status)).toBe(reason);
  expect(new PlatformError(reasonOfStatus(status), 'x').retryable).toBe(retryable);
});

test.each<[PlatformReason, boolean]>([
  ['unreachable', true],
  ['timeout', false],
  ['too-large', false],
  ['malformed', false],
])('%s is worth another try: %s', (reason, retryable) => {
  expect(new PlatformError(reason, 'x').retryable).toBe(retryable);
});

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
