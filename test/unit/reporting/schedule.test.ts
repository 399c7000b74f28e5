import { describe, expect, it } from 'vitest';
import * as schedules from '../../../src/reporting/schedule.ts';
import type { Cadence, Schedule, Slot } from '../../../src/reporting/schedule.ts';
import * as fc from '../../support/fast-check.ts';

const {
  CADENCES,
  describeSchedule,
  formatTime,
  isZone,
  lastSlot,
  nextSlot,
  readTime,
  reportOfSlot,
} = schedules;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** Zones whose clocks have changed in unusual ways, and when. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2026-01-01T00:00Z'],
  'Europe/Berlin': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'America/New_York': ['2026-03-08T07:00Z', '2026-11-01T06:00Z'],
  // From +05:30 to +05:45.
  'Asia/Kathmandu': ['1985-12-31T18:30Z'],
  // By half an hour.
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
  // By two hours.
  'Antarctica/Troll': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  // The day after 2011-12-29, and after 1993-08-20, was left out.
  'Pacific/Apia': ['2011-12-30T10:00Z'],
  'Pacific/Kwajalein': ['1993-08-21T12:00Z'],
  // From 00:00 to 01:00, and back from 24:00 to 23:00.
  'America/Santiago': ['2026-04-05T03:00Z', '2026-09-06T04:00Z'],
  // Back from 00:01 to 23:01 of the day before; at the 1st of a month back to 17:00 of the day before.
  'America/St_Johns': ['2010-11-07T02:31Z'],
  'Antarctica/Vostok': ['1994-01-31T17:00Z'],
  // From 23:00 to 00:00 of the next day.
  'America/Nuuk': ['2025-03-30T01:00Z'],
  // By 44 minutes and 30 seconds.
  'Africa/Monrovia': ['1972-01-07T00:44:30Z'],
};

const anyMoment = fc.integer({ min: Date.UTC(1970, 1), max: Date.UTC(2060, 0) });
const nearChange = fc
  .constantFrom(...Object.entries(CHANGES).flatMap(([zone, all]) => all.map((at) => [zone, at])))
  .chain(([zone = '', at = '']) =>
    fc.record({
      zone: fc.constant(zone),
      nowMs: fc
        .integer({ min: -2 * DAY, max: 2 * DAY })
        .map((distance) => Date.parse(at) + distance),
    }),
  );
const anywhere = fc.record({
  zone: fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
  nowMs: anyMoment,
});
/** Often one that some clock skips or shows twice. */
const anyTime = fc
  .oneof(
    fc.nat(24 * 60 - 1),
    fc.constantFrom(0, 1, 15, 30, 44, 60, 119, 120, 135, 150, 180, 1_020, 1_380, 1_410, 1_439),
  )
  .map((minutes) => ({ hour: Math.floor(minutes / 60), minute: minutes % 60 }));

function anyCase(cadence: fc.Arbitrary<Cadence> = fc.constantFrom(...CADENCES)) {
  return fc
    .tuple(fc.oneof(nearChange, anywhere), anyTime, cadence)
    .map(([{ zone, nowMs }, time, every]) => ({ schedule: { every, time, zone }, nowMs }));
}

describe('any schedule', () => {
  it('has its last slot up to now and its next one after it', () => {
    fc.assert(
      fc.property(anyCase(), ({ schedule, nowMs }) => {
        expect(lastSlot(schedule, nowMs).at).toBeLessThanOrEqual(nowMs);
        expect(nextSlot(schedule, nowMs).at).toBeGreaterThan(nowMs);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the same slots, whenever it is asked', () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyCase(), part, ({ schedule, nowMs }, part) => {
        const [last, next] = [lastSlot(schedule, nowMs), nextSlot(schedule, nowMs)];
        const between = Math.floor(last.at + part * (next.at - 1 - last.at));
        for (const ms of [last.at, between, next.at - 1]) {
          expect([lastSlot(schedule, ms), nextSlot(schedule, ms)]).toEqual([last, next]);
        }
        expect(lastSlot(schedule, next.at)).toEqual(next);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that is daily has one slot for each day that the clock shows', () => {
    fc.assert(
      fc.property(anyCase(fc.constant('daily')), ({ schedule, nowMs }) => {
        const slots = slotsFrom(schedule, nowMs - 3 * DAY, 8);
        const [first = '', last = ''] = [slots.at(0)?.day, slots.at(-1)?.day];

        expect(slots.map(({ day }) => day)).toEqual(
          daysShown(schedule.zone, nowMs).filter((day) => day >= first && day <= last),
        );
        expect(areRising(slots)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('that is weekly has one slot for each Monday', () => {
    fc.assert(
      fc.property(anyCase(fc.constant('weekly')), ({ schedule, nowMs }) => {
        const slots = slotsFrom(schedule, nowMs - 21 * DAY, 8);
        const monday = Date.parse(slots.at(0)?.day ?? '');

        expect(new Date(monday).getUTCDay()).toBe(1);
        expect(slots.map(({ day }) => day)).toEqual(
          slots.map((_, n) => dayOf(monday + n * 7 * DAY)),
        );
        expect(areRising(slots)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('that is monthly has one slot for each 1st', () => {
    fc.assert(
      fc.property(anyCase(fc.constant('monthly')), ({ schedule, nowMs }) => {
        const slots = slotsFrom(schedule, nowMs, 14);
        const [year = 0, month = 0] = (slots.at(0)?.day ?? '').split('-').map(Number);
        const firsts = slots.map((_, n) => dayOf(Date.UTC(year, month - 1 + n)));

        expect(slots.map(({ day }) => day)).toEqual(firsts);
        expect(areRising(slots)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is done when the clock first shows its time, or leaps over it', () => {
    fc.assert(
      fc.property(anyCase(), ({ schedule, nowMs }) => {
        const { day, at } = nextSlot(schedule, nowMs);
        const wanted = `${day} ${formatTime(schedule.time)}:00`;
        const shown = clock(schedule.zone, at);
        const before = Array.from({ length: 24 * 60 }, (_, minutes) => at - 1 - minutes * MINUTE);

        expect(shown >= wanted).toBe(true);
        // In a gap it is the moment of the leap: a second before it the clock is short of the time.
        expect(before.filter((ms) => clock(schedule.zone, ms) >= wanted)).toEqual([]);
        expect(shown === wanted || leapMs(schedule.zone, at) > 1_000).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a schedule', () => {
  it.each<[what: string, Cadence, time: string, zone: string, after: string, slots: string[]]>([
    [
      'is done once at a time that the clock shows twice, the first time',
      ...(['daily', '02:30', 'Europe/Berlin', '2026-10-24T12:00Z'] as const),
      ['2026-10-25 2026-10-25T00:30', '2026-10-26 2026-10-26T01:30', '2026-10-27 2026-10-27T01:30'],
    ],
    [
      'is done at the end of what the clock shows twice',
      ...(['daily', '03:00', 'Europe/Berlin', '2026-10-24T12:00Z'] as const),
      ['2026-10-25 2026-10-25T02:00'],
    ],
    [
      'is done at the first moment after a gap that its time falls into',
      ...(['daily', '02:30', 'Europe/Berlin', '2026-03-28T00:00Z'] as const),
      ['2026-03-28 2026-03-28T01:30', '2026-03-29 2026-03-29T01:00', '2026-03-30 2026-03-30T00:30'],
    ],
    [
      'keeps its time of day over the change of the clock',
      ...(['weekly', '09:00', 'Europe/Berlin', '2026-10-19T07:00Z'] as const),
      ['2026-10-26 2026-10-26T08:00', '2026-11-02 2026-11-02T08:00'],
    ],
    [
      'uses the month of its zone, not that of UTC',
      ...(['monthly', '23:00', 'America/New_York', '2027-01-01T02:00Z'] as const),
      ['2027-01-01 2027-01-02T04:00', '2027-02-01 2027-02-02T04:00', '2027-03-01 2027-03-02T04:00'],
    ],
    [
      'is done on a 1st on which the clock changes',
      ...(['monthly', '09:00', 'America/New_York', '2026-11-01T04:30Z'] as const),
      ['2026-11-01 2026-11-01T14:00'],
    ],
    [
      'has no slot for a day that the calendar left out',
      ...(['daily', '09:00', 'Pacific/Apia', '2011-12-29T00:00Z'] as const),
      ['2011-12-29 2011-12-29T19:00', '2011-12-31 2011-12-30T19:00'],
    ],
    [
      'has no slot at midnight of a day that the calendar left out',
      ...(['daily', '00:00', 'Pacific/Apia', '2011-12-29T12:00Z'] as const),
      ['2011-12-31 2011-12-30T10:00', '2012-01-01 2011-12-31T10:00'],
    ],
    [
      'has one slot where the clock skips midnight',
      ...(['daily', '00:00', 'America/Santiago', '2026-09-05T12:00Z'] as const),
      ['2026-09-06 2026-09-06T04:00', '2026-09-07 2026-09-07T03:00'],
    ],
    [
      'has one slot where the clock goes back at midnight',
      ...(['daily', '00:00', 'America/Santiago', '2026-04-04T12:00Z'] as const),
      ['2026-04-05 2026-04-05T04:00'],
    ],
    [
      'has one slot in the hour before midnight that comes twice',
      ...(['daily', '23:30', 'America/Santiago', '2026-04-04T12:00Z'] as const),
      ['2026-04-04 2026-04-05T02:30', '2026-04-05 2026-04-06T03:30'],
    ],
    [
      'belongs to its day where the clock skips the end of the day',
      ...(['daily', '23:30', 'America/Nuuk', '2025-03-29T12:00Z'] as const),
      ['2025-03-29 2025-03-30T01:00', '2025-03-30 2025-03-31T00:30'],
    ],
    [
      'follows a clock that is set by half an hour',
      ...(['daily', '02:15', 'Australia/Lord_Howe', '2026-10-03T00:00Z'] as const),
      ['2026-10-04 2026-10-03T15:30', '2026-10-05 2026-10-04T15:15'],
    ],
    [
      'follows an odd offset',
      ...(['daily', '09:00', 'Asia/Kathmandu', '2026-10-14T00:00Z'] as const),
      ['2026-10-14 2026-10-14T03:15'],
    ],
  ])('%s', (_what, every, time, zone, after, slots) => {
    expect(reported(schedule(every, time, zone), after, slots.length)).toEqual(slots);
  });

  it('has its last slot in the month of its zone, not in that of UTC', () => {
    const late = schedule('monthly', '23:00', 'America/New_York');

    // 21:00 of the 31st of December there.
    expect(lastSlot(late, Date.parse('2027-01-01T02:00Z')).day).toBe('2026-12-01');
  });

  it('stays done for a day that the clock goes back from', () => {
    const midnight = schedule('daily', '00:00', 'America/St_Johns');
    // The clock shows 23:15 of the 6th, for the second time.
    const again = Date.parse('2010-11-07T02:45Z');

    expect(lastSlot(midnight, again)).toEqual({
      day: '2010-11-07',
      at: Date.parse('2010-11-07T02:30Z'),
    });
    expect(nextSlot(midnight, again).day).toBe('2010-11-08');
  });

  it('is refused in an unknown zone', () => {
    expect(() => lastSlot(schedule('daily', '09:00', 'Berlin'), 0)).toThrow(RangeError);
  });
});

describe('the name of a zone', () => {
  it('is one that the machine knows, in any case', () => {
    const names = ['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/UTC', 'Etc/GMT+3', 'US/Eastern'];
    expect(names.filter((name) => !isZone(name))).toEqual([]);
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isZone(name))).toEqual([]);
  });

  it('is no offset, no city and nothing that only looks like a name', () => {
    expect(isZone('Asia/Kolkata')).toBe(true);
    const names = ['', 'Berlin', 'CEST', '+02:00', '+0530', ' UTC', 'UTC\n', 'Asia/\u212Aolkata'];
    expect(names.filter((name) => isZone(name))).toEqual([]);
  });
});

it('a schedule in words says when and where', () => {
  expect(CADENCES.map((every) => describeSchedule(schedule(every, '9:05', 'UTC')))).toEqual([
    'daily at 09:05 UTC',
    'every Monday at 09:05 UTC',
    'on the 1st of each month at 09:05 UTC',
  ]);
  expect(describeSchedule(schedule('daily', '09:00', 'Europe/Berlin'))).toBe(
    'daily at 09:00 Europe/Berlin',
  );
  expect(describeSchedule(schedule('daily', '09:00', 'Etc/UTC'))).toBe('daily at 09:00 UTC');
});

describe('a time of day', () => {
  it('is read as it is written, and without the first zero', () => {
    fc.assert(
      fc.property(anyTime, (time) => {
        expect(readTime(formatTime(time))).toEqual(time);
        expect(readTime(formatTime(time).replace(/^0/, ''))).toEqual(time);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is nothing else', () => {
    const texts = ['24:00', '9:60', '9am', '9', '9:5', '009:00', '', ' 9:00', '9:00\n', '-1:00'];
    expect(texts.filter((text) => readTime(text) !== undefined)).toEqual([]);
  });
});

describe('the answer of a slot', () => {
  const SYDNEY = ['09:00', 'Australia/Sydney', '2026-10-31T12:00Z'] as const;
  const TOKYO = ['08:30', 'Asia/Tokyo', '2026-10-31T12:00Z'] as const;
  const NEW_YORK = ['21:00', 'America/New_York', '2026-11-01T12:00Z'] as const;

  it.each([
    ['last month', SYDNEY, '2026-10-01 to 2026-11-01 at 2026-11-01T00:00'],
    ['last 2 months', SYDNEY, '2026-09-01 to 2026-11-01 at 2026-11-01T00:00'],
    ['yesterday', TOKYO, '2026-10-31 to 2026-11-01 at 2026-11-01T00:00'],
    ['last week', TOKYO, '2026-10-19 to 2026-10-26 at 2026-10-31T23:30'],
    // It is the 2nd of November there, by UTC.
    ['yesterday', NEW_YORK, '2026-10-31 to 2026-11-01 at 2026-11-02T02:00'],
    ['this month', SYDNEY, '2026-10-01 to 2026-11-01 at 2026-10-31T22:00'],
    ['last 24 hours', SYDNEY, '2026-10-30 to 2026-10-31 at 2026-10-31T22:00'],
  ])('%s of %s is of %s', (words, [time, zone, after], expected) => {
    const slot = nextSlot(schedule('daily', time, zone), Date.parse(after));
    const { range, dueAt } = reportOfSlot(words, slot);
    const at = new Date(dueAt).toISOString().slice(0, 16);
    expect(`${dayOf(range.startMs)} to ${dayOf(range.endMs)} at ${at}`).toBe(expected);
  });
});

function schedule(every: Cadence, time: string, zone: string): Schedule {
  return { every, time: readTime(time) ?? { hour: -1, minute: -1 }, zone };
}

/** The slots after a moment, one from the other. */
function slotsFrom(schedule: Schedule, afterMs: number, count: number): Slot[] {
  const slots: Slot[] = [];
  while (slots.length < count) slots.push(nextSlot(schedule, slots.at(-1)?.at ?? afterMs));
  return slots;
}

/** The slots after a moment: the day of each and when it is. */
function reported(schedule: Schedule, after: string, count: number): string[] {
  return slotsFrom(schedule, Date.parse(after), count).map(
    ({ day, at }) => `${day} ${new Date(at).toISOString().slice(0, 16)}`,
  );
}

function areRising(slots: readonly Slot[]): boolean {
  return slots.slice(1).every(({ at }, index) => at > (slots[index]?.at ?? 0));
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The local days around a moment of which the clock shows something, in order. */
function daysShown(zone: string, ms: number): string[] {
  const moments = Array.from({ length: 20 * 48 }, (_, index) => ms + (index / 48 - 10) * DAY);
  return [...new Set(moments.map((one) => clock(zone, one).slice(0, 10)))].toSorted();
}

/** How far the clock moves in the second before a moment: a second, unless it is set. */
function leapMs(zone: string, ms: number): number {
  const [before = 0, after = 0] = [ms - 1_000, ms].map((one) => Date.parse(`${clock(zone, one)}Z`));
  return after - before;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** "2026-10-14 09:00:00", the clock of a zone at a moment in ms since the epoch. */
function clock(zone: string, ms: number): string {
  const known =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(zone, known);
  return known.format(ms);
}
