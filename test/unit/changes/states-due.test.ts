import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import { dueOf, isSilentTooLong, move } from '../../../src/changes/states.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';
import { MINUTE, NOW, STAGES, UNTIL, type Stage } from './stages.ts';

const EXPIRES_AT = REQUESTED_AT + 8 * 60 * MINUTE;
const stages = Object.keys(STAGES) as Stage[];

describe('reminders', () => {
  const remindedAt = (reminders: number, minutes: number): number | undefined =>
    move(changeOf({ reminders }), { kind: 'remind', at: REQUESTED_AT + minutes * MINUTE })
      ?.reminders;

  it('come after 15, 30, 60, 120 and 240 minutes', () => {
    const due = [0, 1, 2, 3, 4].map((reminders) => dueOf(changeOf({ reminders })) ?? 0);
    expect(due.map((at) => (at - REQUESTED_AT) / MINUTE)).toEqual([15, 30, 60, 120, 240]);
    expect([15, 30, 60, 120, 240].map((at, before) => remindedAt(before, at))).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect([14.9, 29.9, 59.9, 119.9, 239.9].map((at, before) => remindedAt(before, at))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  it('end with the request', () => {
    expect(dueOf(changeOf({ reminders: 5 }))).toBe(EXPIRES_AT);
    expect(dueOf(changeOf({ expiresAt: REQUESTED_AT + 10 * MINUTE }))).toBe(
      REQUESTED_AT + 10 * MINUTE,
    );
  });

  it('that were missed are made up for by one', () => {
    expect([29.9, 30, 180, 240, 479].map((at) => remindedAt(0, at))).toEqual([1, 2, 4, 5, 5]);
    expect(remindedAt(2, 241)).toBe(5);
  });
});

describe('the time at which a change is due', () => {
  const later = NOW + 10_000;
  const due: { readonly [At in Stage]: number | undefined } = {
    pending: REQUESTED_AT + 15 * MINUTE,
    approved: NOW,
    executing: NOW,
    refused: undefined,
    succeeded: undefined,
    sealed: UNTIL,
    opening: NOW + MINUTE,
    revealed: undefined,
    lapsed: NOW,
    lost: NOW,
    'cleaned up': undefined,
    failed: undefined,
    unknown: undefined,
    rejected: undefined,
    expired: undefined,
    withdrawn: undefined,
    drifted: undefined,
  };

  it.each(stages)('when it is %s', (stage) => {
    expect(dueOf(STAGES[stage])).toBe(due[stage]);
  });

  it('is put off by waiting', () => {
    const { approved, executing, lapsed, lost } = STAGES;
    const waiting = [approved, executing, lapsed, lost];
    expect(waiting.map((change) => dueOf({ ...change, retryAt: later }))).toEqual(
      waiting.map(() => later),
    );
  });

  it('is counted from the last time that it was sent', () => {
    expect(dueOf({ ...STAGES.executing, resentAt: later })).toBe(later);
    expect(dueOf({ ...STAGES.executing, resentAt: later, retryAt: later + 1 })).toBe(later + 1);
  });

  it('is at once where the decision is not known', () => {
    const { decision: _, ...undecided } = STAGES.approved;
    expect(dueOf(undecided)).toBe(REQUESTED_AT);
  });
});

const SECOND = 1_000;
const approved = changeOf({ state: 'approved' });

/** A person asked at that time, ms after the request, and was not answered. */
function asked(change: Change, at: number, silent?: true): Change {
  const until = REQUESTED_AT + at + 10 * SECOND;
  const event = { kind: 'wait', at: REQUESTED_AT + at, until, ...(silent && { silent }) } as const;
  return move(change, event) ?? change;
}

describe('a silence', () => {
  const first = asked(approved, 0, true);

  it('begins with the first question that no one answers', () => {
    expect(first.silentSince).toBe(REQUESTED_AT);
    expect(asked(approved, 0).silentSince).toBeUndefined();
  });

  it('goes on as long as a person asks in time', () => {
    expect(asked(first, 10 * SECOND, true).silentSince).toBe(REQUESTED_AT);
    expect(asked(first, 70 * SECOND, true).silentSince).toBe(REQUESTED_AT);
  });

  it('begins anew after a time in which no one asked, and ends with a word', () => {
    const late = 70 * SECOND + 1;
    expect(asked(first, late, true).silentSince).toBe(REQUESTED_AT + late);
    expect(asked(first, 10 * SECOND).silentSince).toBeUndefined();
    const claimed = move(first, { kind: 'claim', at: REQUESTED_AT, baseline: {} });
    expect(claimed?.silentSince).toBeUndefined();
  });

  it('is too long after 15 minutes, if a person asks in time', () => {
    const since = { ...first, retryAt: REQUESTED_AT + 15 * MINUTE };
    const at = REQUESTED_AT + 15 * MINUTE;

    expect(isSilentTooLong(since, at)).toBe(true);
    expect(isSilentTooLong(since, at - 1)).toBe(false);
    expect(isSilentTooLong({ ...since, retryAt: at - 61 * SECOND }, at)).toBe(false);
    expect(isSilentTooLong({ ...approved, retryAt: at }, at)).toBe(false);
  });
});
