import { describe, expect, it } from 'vitest';
import {
  EMPTY_BOOK,
  withFailure,
  withoutFailure,
  withRefusal,
  type Cause,
  type OutageBook,
  type OutageStep,
} from '../../../src/monitors/outage.ts';
import * as fc from '../../support/fast-check.ts';

const MINUTE = 60_000;
const CAUSES: readonly Cause[] = [
  { name: 'platform', kind: 'platform' },
  { name: 'token', kind: 'token' },
];
const PLACES = ['alert', 'invoices', 'report/1', 'report/2'];

/** A monitor fails for one of the causes, works, or is gone. */
const happening = fc.record({
  place: fc.constantFrom(...PLACES),
  what: fc.constantFrom('token', 'platform', 'platform', 'works', 'works', 'gone'),
  minutes: fc.integer({ min: 0, max: 40 }),
});

describe('outages of monitors', () => {
  it('open at the third failure in a row for one cause, and end when none fails for it', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        let book: OutageBook = EMPTY_BOOK;
        let now = 0;
        const rows = new Map<string, { name: string; times: number }>();
        const open = new Map<number, string>();
        for (const { place, what, minutes } of happenings) {
          now += minutes * MINUTE;
          const cause = CAUSES.find(({ name }) => name === what);
          const step: OutageStep =
            cause === undefined
              ? withoutFailure(book, place, what === 'works' ? ['news'] : undefined)
              : withFailure(book, { place, what: place }, cause, now, ['C0BILLING']);
          const row = rows.get(place);
          if (cause === undefined) rows.delete(place);
          else rows.set(place, { name: what, times: row?.name === what ? row.times + 1 : 1 });

          // A value: the stored book must not change when the next step runs.
          expect(JSON.parse(JSON.stringify(step.book))).toEqual(step.book);
          for (const { outage, isOver } of step.outages) {
            if (isOver) open.delete(outage.number);
            else open.set(outage.number, outage.cause.name);
          }
          const failing = (name: string) => [...rows.values()].some((one) => one.name === name);
          const isDue = (name: string) =>
            [...rows.values()].some((one) => one.name === name && one.times >= 3);
          for (const { name } of CAUSES) {
            const numbers = [...open].filter(([, one]) => one === name);
            // Between the two, one that was opened before may last.
            const [least, most] = isDue(name) ? [1, 1] : [0, failing(name) ? 1 : 0];
            expect(numbers.length).toBeGreaterThanOrEqual(least);
            expect(numbers.length).toBeLessThanOrEqual(most);
          }
          book = step.book;
        }
      }),
    );
  });

  it('do not count reads that the token is not allowed, until they succeed', () => {
    const [cause] = CAUSES;
    const fail = (before: OutageBook, place: string, minute: number) =>
      withFailure(before, { place, what: place }, cause!, minute * MINUTE, []).book;
    let book = withRefusal(fail(EMPTY_BOOK, 'tokens', 0), 'tokens').book;
    expect(withRefusal(book, 'tokens').book).toBe(book);
    for (const minute of [10, 20, 30]) book = fail(book, 'tokens', minute);
    expect([book.failing, book.open]).toEqual([{}, {}]);

    for (const minute of [40, 50, 60]) book = fail(fail(book, 'tokens', minute), 'alert', minute);
    expect(Object.keys(book.open['platform']?.was ?? {})).toEqual(['alert']);
    book = withoutFailure(book, 'tokens', []).book;
    book = fail(book, 'tokens', 70);
    expect(Object.keys(book.open['platform']?.was ?? {})).toEqual(['alert', 'tokens']);
  });

  it('end for a monitor that fails for another reason by now', () => {
    let book = EMPTY_BOOK;
    for (const name of ['token', 'token', 'token', 'platform', 'platform', 'platform'] as const) {
      const cause = { name, kind: name };
      book = withFailure(book, { place: 'alert', what: 'alert' }, cause, 0, []).book;
    }
    expect(Object.keys(book.open)).toEqual(['platform']);
  });

  it('name in other channels than that of operators only failures that have lasted an hour', () => {
    let book = EMPTY_BOOK;
    const [cause] = CAUSES;
    const known: string[][] = [];
    for (const minute of [0, 10, 20, 59, 60]) {
      for (const [place, channel] of [
        ['alert', undefined],
        ['report/1', 'C0TEAM'],
      ] as const) {
        const subject = { place, what: place, channel };
        book = withFailure(book, subject, cause!, minute * MINUTE, ['C0BILLING']).book;
      }
      known.push(Object.values(book.open).flatMap(({ channels }) => channels));
    }
    expect(known).toEqual([[], [], [], [], ['C0BILLING', 'C0TEAM']]);
  });

  it('count a token that is refused everywhere, also where it lacked a right before', () => {
    const [platform, token] = CAUSES;
    let book = withRefusal(EMPTY_BOOK, 'tokens').book;
    const fail = (cause: Cause, times: number) => {
      for (let time = 0; time < times; time += 1) {
        book = withFailure(book, { place: 'tokens', what: 'tokens' }, cause, 0, []).book;
      }
      return Object.keys(book.open);
    };
    expect(fail(platform!, 3)).toEqual([]);
    expect(fail(token!, 3)).toEqual(['token']);
  });
});
