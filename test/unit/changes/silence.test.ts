import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import { move } from '../../../src/changes/states.ts';
import { isSilentTooLong } from '../../../src/changes/times.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const approved = changeOf({ state: 'approved' });

/** Somebody asked at that time, ms after the request, and was not answered. */
function asked(change: Change, at: number, silent?: true): Change {
  const until = REQUESTED_AT + at + 10 * SECOND;
  const event = { kind: 'wait', at: REQUESTED_AT + at, until, ...(silent && { silent }) } as const;
  return move(change, event) ?? change;
}

describe('a silence', () => {
  const first = asked(approved, 0, true);

  it('begins with the first question that nobody answers', () => {
    expect(first.silentSince).toBe(REQUESTED_AT);
    expect(asked(approved, 0).silentSince).toBeUndefined();
  });

  it('goes on as long as somebody asks in time', () => {
    expect(asked(first, 10 * SECOND, true).silentSince).toBe(REQUESTED_AT);
    expect(asked(first, 70 * SECOND, true).silentSince).toBe(REQUESTED_AT);
  });

  it('begins anew after a time in which nobody asked, and ends with a word', () => {
    const late = 70 * SECOND + 1;
    expect(asked(first, late, true).silentSince).toBe(REQUESTED_AT + late);
    expect(asked(first, 10 * SECOND).silentSince).toBeUndefined();
    const claimed = move(first, { kind: 'claim', at: REQUESTED_AT, marks: {} });
    expect(claimed?.silentSince).toBeUndefined();
  });

  it('is too long after 15 minutes, if somebody asks in time', () => {
    const since = { ...first, retryAt: REQUESTED_AT + 15 * MINUTE };
    const at = REQUESTED_AT + 15 * MINUTE;

    expect(isSilentTooLong(since, at)).toBe(true);
    expect(isSilentTooLong(since, at - 1)).toBe(false);
    expect(isSilentTooLong({ ...since, retryAt: at - 61 * SECOND }, at)).toBe(false);
    expect(isSilentTooLong({ ...approved, retryAt: at }, at)).toBe(false);
  });
});
