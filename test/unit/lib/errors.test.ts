import { describe, expect, it } from 'vitest';
import { errorMessage, PurserError } from '../../../src/lib/errors.ts';

class DoorError extends PurserError<'locked' | 'missing'> {}

describe('an error that callers act on', () => {
  it('carries its reason, its kind, its cause and whether another try makes sense', () => {
    const cause = new Error('no key');
    const error = new DoorError('the door is locked', { reason: 'locked', retryable: true, cause });

    expect(error).toMatchObject({ name: 'DoorError', reason: 'locked', retryable: true, cause });
  });

  it('is not worth another try unless it says so', () => {
    expect(new DoorError('no door', { reason: 'missing' }).retryable).toBe(false);
  });
});

describe('one line about whatever was thrown', () => {
  it.each([
    [new Error('plain'), 'plain'],
    ['a text', 'a text'],
    [{ token: 'x' }, 'unknown error'],
    [undefined, 'unknown error'],
    [
      new AggregateError([new Error('connect ECONNREFUSED ::1:6379')]),
      'connect ECONNREFUSED ::1:6379',
    ],
    [Object.assign(new Error(''), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
    [new TypeError(''), 'TypeError'],
  ])('%o', (thrown, expected) => {
    expect(errorMessage(thrown)).toBe(expected);
  });
});
