import { expect, test } from 'vitest';
import { eagerReports } from '../../../src/sandbox/bot.ts';

test.each([
  ['2026-10-05T12:00:00.000Z', '12:02'],
  ['2026-10-05T12:00:59.999Z', '12:02'],
  ['2026-10-05T23:58:30.000Z', '00:00'],
])('the digest of a demo that starts at %s is due at %s', (start, due) => {
  expect(eagerReports(Date.parse(start))['DIGEST_TIME']).toBe(due);
});
