import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { AlertMemory, alertNotices } from '../../../../src/features/alert/pace.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import { spendOf } from '../../../../src/reporting/spend.ts';
import { alert, charges, NOVEMBER } from './scenario.ts';

const STEPS = [50, 75, 90, 100];
const HOUR = 3_600_000;
const FIFTH = Date.UTC(2026, 10, 5);

interface Seen {
  /** Of the 500 that the alert is at; null: the charges could not be read. */
  readonly spent?: number | null;
  /** Null: there is none. */
  readonly alert?: Alert | null;
  readonly month?: string;
  readonly isOwn?: boolean;
}

/** An alert that is looked at again and again; each look gives the keys that it tells, and what they stand for. */
function watched(first?: Seen) {
  let memory: AlertMemory | undefined;
  const look = ({ spent = 0, alert: seen = alert(), month = '2026-11', isOwn = false }: Seen) => {
    const said = spent === null ? undefined : charges({ org: 'acme', total: spent });
    const { memory: after, notices } = alertNotices(memory, {
      alert: seen ?? undefined,
      spend: said && spendOf(said, 'USD', NOVEMBER),
      month,
      steps: STEPS,
      isOwn,
    });
    // As Redis keeps it.
    memory = AlertMemory.parse(JSON.parse(JSON.stringify(after)));
    return notices.map(({ key, covers }) => [key, ...covers].join(' for '));
  };
  if (first !== undefined) look(first);
  return look;
}

const at = (amount: number, changes: Partial<Alert> = {}): Alert =>
  alert({ amount: new BigNumber(amount), ...changes });
const fired = (times: number, ms: number, changes: Partial<Alert> = {}): Alert =>
  alert({ lastTriggered: ms, alertedTimes: times, lastModified: ms + 1_000, ...changes });

describe('the steps of a month', () => {
  it('are told once each, the highest of several, and what a revision takes back is not told again', () => {
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

  it('that were reached before the first look are told by it, the highest alone', () => {
    const look = watched();

    expect(look({ spent: 400 })).toEqual(['2026-11/75']);
    expect(look({ spent: 400 })).toEqual([]);
    expect(look({ spent: 450 })).toEqual(['2026-11/90']);
  });

  it('are told at once with another amount where it makes them higher than before', () => {
    const look = watched({ spent: 260, alert: null });

    expect(look({ spent: 260 })).toEqual(['2026-11/changed', '2026-11/50']);
    expect(look({ spent: 260, alert: at(280), isOwn: true })).toEqual(['2026-11/90']);
    expect(look({ spent: 260, alert: at(500), isOwn: true })).toEqual([]);
  });

  it('begin anew with the next one, whose first look may find them reached', () => {
    const look = watched({ spent: 0 });

    expect(look({ spent: 260 })).toEqual(['2026-11/50']);
    expect(look({ spent: 10, month: '2026-12' })).toEqual([]);
    expect(look({ spent: 260, month: '2026-12' })).toEqual(['2026-12/50']);
    expect(look({ spent: 380, month: '2027-01' })).toEqual(['2027-01/75']);
  });

  it('begin, with a new amount, above what it has come to already', () => {
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
    ['does not say its amount', alert({ amount: undefined })],
    ['is not there', null],
  ])('are none where the alert %s', (_, seen) => {
    expect(watched({ alert: seen })({ spent: 900, alert: seen })).toEqual([]);
  });
});

describe('that the alert fired', () => {
  it('stands for the step that the same look sees', () => {
    const look = watched({ spent: 460 });
    expect(look({ spent: 510, alert: fired(1, FIFTH) })).toEqual(['2026-11/fired for 2026-11/100']);
    expect(look({ spent: 520, alert: fired(1, FIFTH) })).toEqual([]);
  });

  it('is told without the charges', () => {
    expect(watched({})({ spent: null, alert: fired(1, FIFTH) })).toEqual(['2026-11/fired']);
  });

  it('is told where the platform says how often alone', () => {
    expect(watched({})({ alert: alert({ alertedTimes: 1 }) })).toEqual(['2026-11/fired']);
  });

  it('before the first look is adopted in silence', () => {
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
  it('is told when one that fired this month is saved as it was, and it may fire once more', () => {
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
  ])('is not said of one that %s', (_, seen, hadFired) => {
    const look = watched({ alert: hadFired ? fired(1, FIFTH) : alert() });
    expect(look({ alert: seen, isOwn: true })).toEqual([]);
  });

  it('is not said of one that fired in an earlier month: every month arms it', () => {
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
  ])('is told: %s', (_, before, after) => {
    const look = watched({ alert: before });

    expect(look({ alert: after })).toEqual(['2026-11/changed']);
    expect(look({ alert: after })).toEqual([]);
    expect(look({ alert: before })).toEqual(['2026-11/changed/2']);
  });

  it('is none where Purser made it, or where the amount is written differently alone', () => {
    const look = watched({});
    expect(look({ alert: at(600), isOwn: true })).toEqual([]);
    expect(look({ alert: alert({ amount: new BigNumber('600.00') }) })).toEqual([]);
  });
});
