import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import type { Change } from '../../../../src/changes/change.ts';
import { AlertMemory, alertNotices, endedMonth } from '../../../../src/features/alert/compare.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import { spendOf } from '../../../../src/reporting/spend.ts';
import { changeOf } from '../../../support/changes.ts';
import { alert, charges, NOVEMBER } from './scenario.ts';

const STEPS = [50, 75, 90, 100];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TURN = Date.UTC(2026, 11, 1);
const FIFTH = Date.UTC(2026, 10, 5);

interface Seen {
  /** Of the 500 that the alert is at; null: the charges could not be read. */
  readonly spent?: number | null;
  /** The charges of the month before; null: it could not be read. */
  readonly ended?: number | null;
  /** Null: nothing is there. */
  readonly alert?: Alert | null;
  /** In the middle of a month, unless a test names a moment. */
  readonly month?: string;
  readonly now?: number;
  /** Purser sent a change to these settings just before. */
  readonly isOwn?: boolean;
  readonly sent?: readonly Change[];
}

const UNREAD = { unread: new PlatformError('unavailable', 'no answer', { status: 503 }) };
const factOf = (total: number | null) =>
  total === null ? UNREAD : { value: spendOf(charges({ org: 'acme', total }), 'USD', NOVEMBER) };

/** A change that Purser sent; `amount` null: a deletion. */
const sent = (amount: number | null, sentAt: number, changes: Partial<Change> = {}): Change =>
  changeOf({
    order:
      amount === null ? { kind: 'alert.delete' } : { kind: 'alert.replace', amount, enabled: true },
    state: 'succeeded',
    sentAt,
    id: `sent${sentAt}`,
    ...changes,
  });

/** An alert that is monitored; each run gives the keys that it posts, and the keys that they cover. */
function watched(first?: Seen) {
  let memory: AlertMemory | undefined;
  let turns = 0;
  const look = (seen: Seen) => {
    const { spent = 0, alert: there = alert(), month = '2026-11', isOwn = false } = seen;
    const now = seen.now ?? Date.parse(`${month}-11`) + (turns += 10 * MINUTE);
    const order = there && {
      kind: 'alert.replace' as const,
      amount: there.amount?.toNumber() ?? 0,
      enabled: there.enabled === true,
    };
    const own = isOwn ? [sent(null, now - MINUTE, order ? { order } : {})] : [];
    const { memory: after, notices } = alertNotices(memory, {
      now,
      alert: there ?? undefined,
      spend: factOf(spent),
      ended: seen.ended === undefined ? undefined : factOf(seen.ended),
      steps: STEPS,
      sent: seen.sent ?? own,
    });
    // As Redis keeps it.
    memory = AlertMemory.parse(JSON.parse(JSON.stringify(after)));
    return notices.map(({ key, covers }) => [key, ...covers].join(' for '));
  };
  if (first !== undefined) look(first);
  return Object.assign(look, {
    reads: (now: number) => endedMonth(memory, { now, steps: STEPS }) !== undefined,
  });
}

const at = (amount: number, changes: Partial<Alert> = {}): Alert =>
  alert({ amount: new BigNumber(amount), ...changes });
const fired = (times: number, ms: number, changes: Partial<Alert> = {}): Alert =>
  alert({ lastTriggered: ms, alertedTimes: times, lastModified: ms + 1_000, ...changes });

describe('the steps of a month', () => {
  it('are reported once each, the highest of several, and not again after a revision takes one back', () => {
    const look = watched({ spent: 200 });

    expect(look({ spent: 249.99 })).toEqual([]);
    expect(look({ spent: 250 })).toEqual(['2026-11/50']);
    expect(look({ spent: 300 })).toEqual([]);
    expect(look({ spent: 460 })).toEqual(['2026-11/90']);
    expect(look({ spent: 200 })).toEqual([]);
    expect(look({ spent: null })).toEqual([]);
    expect(look({ spent: 460 })).toEqual([]);
    expect(look({ spent: 900 })).toEqual(['2026-11/100']);
  });

  it('that were reached before the first check are reported by it, the highest alone', () => {
    const look = watched();

    expect(look({ spent: 400 })).toEqual(['2026-11/75']);
    expect(look({ spent: 400 })).toEqual([]);
    expect(look({ spent: 450 })).toEqual(['2026-11/90']);
  });

  it('are reported at once with another amount where it makes them higher than before', () => {
    const look = watched({ spent: 260, alert: null });

    expect(look({ spent: 260 })).toEqual(['2026-11/changed', '2026-11/50']);
    expect(look({ spent: 260, alert: at(280), isOwn: true })).toEqual(['2026-11/90']);
    expect(look({ spent: 260, alert: at(500), isOwn: true })).toEqual([]);
  });

  it('begin anew with the next one, whose first check may find them reached', () => {
    const look = watched({ spent: 0 });

    expect(look({ spent: 260 })).toEqual(['2026-11/50']);
    expect(look({ spent: 10, month: '2026-12' })).toEqual([]);
    expect(look({ spent: 260, month: '2026-12' })).toEqual(['2026-12/50']);
    expect(look({ spent: 380, month: '2027-01' })).toEqual(['2027-01/75']);
  });

  it('begin, with a new amount, above the spend so far', () => {
    const look = watched({ spent: 0 });
    const own = { alert: at(1_000), isOwn: true };

    expect(look({ spent: 400 })).toEqual(['2026-11/75']);
    expect(look({ spent: 600, ...own })).toEqual([]);
    expect(look({ spent: 740, ...own })).toEqual([]);
    // The step comes a second time in this month, and is another message.
    expect(look({ spent: 750, ...own })).toEqual(['2026-11/75/2']);
  });

  it.each([
    ['is off', alert({ enabled: false })],
    ['is at nothing', at(0)],
    ['omits its amount', alert({ amount: undefined })],
    ['is not there', null],
  ])('are absent where the alert %s', (_, seen) => {
    expect(watched({ alert: seen })({ spent: 900, alert: seen })).toEqual([]);
  });
});

describe('that the alert fired', () => {
  it('stands for the step that the same look sees', () => {
    const look = watched({ spent: 460 });
    expect(look({ spent: 510, alert: fired(1, FIFTH) })).toEqual(['2026-11/fired for 2026-11/100']);
    expect(look({ spent: 520, alert: fired(1, FIFTH) })).toEqual([]);
  });

  it('is reported without the charges', () => {
    expect(watched({})({ spent: null, alert: fired(1, FIFTH) })).toEqual(['2026-11/fired']);
  });

  it('is reported where the platform says how often alone', () => {
    expect(watched({})({ alert: alert({ alertedTimes: 1 }) })).toEqual(['2026-11/fired']);
  });

  it('before the first check is adopted in silence', () => {
    const look = watched({ alert: fired(1, FIFTH) });
    expect(look({ alert: fired(1, FIFTH) })).toEqual([]);
    expect(look({ alert: fired(2, FIFTH + HOUR) })).toEqual(['2026-11/fired']);
  });

  it('at the end of a month belongs to it, whenever it is seen, and is no step of the next', () => {
    const look = watched({});
    const last = Date.UTC(2026, 10, 30, 23, 50);

    expect(look({ alert: fired(1, FIFTH) })).toEqual(['2026-11/fired']);
    expect(look({ spent: 260, alert: fired(2, last), month: '2026-12' })).toEqual([
      '2026-11/fired/2',
      '2026-12/50',
    ]);
    expect(look({ spent: 500, alert: fired(3, last + 9 * HOUR), month: '2026-12' })).toEqual([
      '2026-12/fired for 2026-12/100',
    ]);
  });
});

describe('that the alert is armed again', () => {
  it('is reported when one that fired this month is saved as it was, and it may fire once more', () => {
    const look = watched({ alert: fired(1, FIFTH) });
    const saved = fired(1, FIFTH, { lastModified: FIFTH + HOUR });

    expect(look({ alert: saved })).toEqual(['2026-11/armed']);
    expect(look({ alert: saved })).toEqual([]);
    expect(look({ alert: fired(2, FIFTH + 2 * HOUR) })).toEqual(['2026-11/fired']);
    expect(look({ alert: fired(2, FIFTH + 2 * HOUR, { lastModified: FIFTH + 3 * HOUR }) })).toEqual(
      ['2026-11/armed/2'],
    );
  });

  it('is part of a change, unless Purser made that', () => {
    const saved = { lastModified: FIFTH + HOUR, amount: new BigNumber(900) };
    const seen = { alert: fired(1, FIFTH, saved) };

    expect(watched({ alert: fired(1, FIFTH) })(seen)).toEqual([
      '2026-11/changed for 2026-11/armed',
    ]);
    expect(watched({ alert: fired(1, FIFTH) })({ ...seen, isOwn: true })).toEqual([
      '2026-11/armed',
    ]);
  });

  it.each([
    ['was switched off', fired(1, FIFTH, { lastModified: FIFTH + HOUR, enabled: false }), true],
    ['has not fired', alert({ lastModified: FIFTH }), false],
  ])('is not reported of one that %s', (_, seen, hadFired) => {
    const look = watched({ alert: hadFired ? fired(1, FIFTH) : alert() });
    expect(look({ alert: seen, isOwn: true })).toEqual([]);
  });

  it('is not reported of one that fired in an earlier month: every month arms it', () => {
    const look = watched({ alert: fired(1, FIFTH) });
    const saved = fired(1, FIFTH, { lastModified: FIFTH + 40 * 24 * HOUR });
    expect(look({ alert: saved, month: '2026-12' })).toEqual([]);
  });
});

describe('a change outside of Purser', () => {
  it.each([
    ['another amount', alert(), at(600)],
    ['on and off', alert(), alert({ enabled: false })],
    ['a new alert', null, alert()],
    ['an alert that was deleted', alert(), null],
  ])('is reported: %s', (_, before, after) => {
    const look = watched({ alert: before });

    expect(look({ alert: after })).toEqual(['2026-11/changed']);
    expect(look({ alert: after })).toEqual([]);
    expect(look({ alert: before })).toEqual(['2026-11/changed/2']);
  });

  it('is that a setting is no longer reported, and not that it is reported again', () => {
    const look = watched({ alert: alert() });

    expect(look({ alert: alert({ amount: undefined }) })).toEqual(['2026-11/changed']);
    expect(look({ alert: alert() })).toEqual([]);
  });

  it('is nothing where Purser made it, or where the amount is written differently alone', () => {
    const look = watched({});
    expect(look({ alert: at(600), isOwn: true })).toEqual([]);
    expect(look({ alert: alert({ amount: new BigNumber('600.00') }) })).toEqual([]);
  });
});

describe('a step that was crossed after the last run of a month', () => {
  const LAST_RUN = { now: TURN - 5 * MINUTE };

  it('is posted for that month by the first run of the next, which reads it as a whole', () => {
    const look = watched({ spent: 380, ...LAST_RUN });
    expect(look.reads(TURN + MINUTE)).toBe(true);

    expect(look({ spent: 0, ended: 460, now: TURN + MINUTE })).toEqual(['2026-11/90']);
    expect(look.reads(TURN + 11 * MINUTE)).toBe(false);
    expect(look({ spent: 260, now: TURN + 11 * MINUTE })).toEqual(['2026-12/50']);
  });

  it('is posted later if that month could not be read at first', () => {
    const look = watched({ spent: 380, ...LAST_RUN });

    expect(look({ ended: null, now: TURN + MINUTE })).toEqual([]);
    expect(look.reads(TURN + 11 * MINUTE)).toBe(true);
    expect(look({ ended: 505, now: TURN + 11 * MINUTE })).toEqual(['2026-11/100']);
    expect(look({ ended: 505, now: TURN + 21 * MINUTE })).toEqual([]);
  });

  it('is part of the firing of that month', () => {
    const look = watched({ spent: 460, ...LAST_RUN });
    const alertThen = fired(1, TURN - 2 * MINUTE);

    expect(look({ ended: 505, alert: alertThen, now: TURN + MINUTE })).toEqual([
      '2026-11/fired for 2026-11/100',
    ]);
  });

  it.each([
    ['the last step was posted', { spent: 500 }],
    ['the alert was off', { alert: alert({ enabled: false }) }],
    ['there was no alert', { alert: null }],
    ['the month before that one was the last run', { now: TURN - 40 * 24 * HOUR }],
  ])('is not looked for where %s', (_, before) => {
    expect(watched({ ...LAST_RUN, ...before }).reads(TURN + MINUTE)).toBe(false);
  });
});

describe('firing and a save between two runs', () => {
  it('are one message', () => {
    const saved = fired(1, FIFTH, { lastModified: FIFTH + 4 * MINUTE });
    const look = watched({ alert: alert() });

    expect(look({ alert: saved })).toEqual(['2026-11/fired for 2026-11/armed']);
    expect(look({ alert: saved })).toEqual([]);
  });

  it('are only a firing where the firing itself saved the record, even if the next run sees that', () => {
    const look = watched({ alert: alert() });

    expect(look({ alert: fired(1, FIFTH, { lastModified: FIFTH - 9 * HOUR }) })).toEqual([
      '2026-11/fired',
    ]);
    expect(look({ alert: fired(1, FIFTH, { lastModified: FIFTH + 3_000 }) })).toEqual([]);
    expect(look({ alert: fired(1, FIFTH, { lastModified: FIFTH + 5_001 }) })).toEqual([
      '2026-11/armed',
    ]);
  });
});

describe('whose change it was', () => {
  const NOON = Date.UTC(2026, 10, 12, 12);
  const at600 = at(600, { lastModified: NOON + 10 * MINUTE });

  it('is Purser’s by the time of sending, however long the run before is past', () => {
    const look = watched({ now: NOON - 40 * HOUR });
    const seen = { alert: at600, now: NOON + 15 * MINUTE };

    expect(look({ ...seen, sent: [sent(600, NOON + 10 * MINUTE)] })).toEqual([]);
  });

  it('is Purser’s also if the alert fired since, which saved it', () => {
    const look = watched({ now: NOON });
    const then = NOON + 30 * MINUTE;
    const seen = at(600, { lastTriggered: then, alertedTimes: 1, lastModified: then + 1_000 });
    const own = [sent(600, NOON + MINUTE)];

    expect(look({ alert: seen, now: then + MINUTE, sent: own })).toEqual(['2026-11/fired']);
  });

  it.each([
    ['was sent before the last run', sent(600, NOON - 10 * MINUTE)],
    ['was refused', sent(600, NOON + 10 * MINUTE, { state: 'failed' })],
    ['set another amount', sent(700, NOON + 10 * MINUTE)],
  ])('is another’s if that of Purser %s', (_, change) => {
    const look = watched({ now: NOON });

    expect(look({ alert: at600, now: NOON + 15 * MINUTE, sent: [change] })).toEqual([
      '2026-11/changed',
    ]);
  });

  it.each([0, 2 * HOUR])('is another’s if they delete it after Purser did, %d ms later', (gap) => {
    const look = watched({ now: NOON });
    const deleted = [sent(null, NOON + 10 * MINUTE)];
    const later = NOON + 11 * MINUTE + gap;

    expect(look({ alert: null, now: NOON + 10.5 * MINUTE, sent: deleted })).toEqual([]);
    expect(look({ alert: at600, now: later, sent: deleted })).toEqual(['2026-11/changed']);
    expect(look({ alert: null, now: later + MINUTE, sent: deleted })).toEqual([
      '2026-11/changed/2',
    ]);
  });
});
