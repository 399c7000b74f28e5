import { describe, expect, it } from 'vitest';

import { findInvoice } from '../../../../src/features/invoices/find.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { invoice, line, NOW } from './scenario.ts';

/** A platform with one invoice a month from `years` years back on, the first of them number `first`. */
function platform({
  years = 6,
  first = 1,
  skipped = 0,
  unread = undefined as Error | undefined,
  unnumbered = undefined as number | undefined,
} = {}) {
  const asked: { start: string; end: string }[] = [];
  const all = Array.from({ length: years * 12 }, (_, index) =>
    invoice({
      id: `in_${index}`,
      number: first + index === unnumbered ? undefined : first + index,
      startTime: Date.UTC(2026 - years, 10 + index),
      endTime: Date.UTC(2026 - years, 11 + index),
    }),
  );
  const listInvoices = async (range: { start: string; end: string }) => {
    asked.push(range);
    const overlaps = ({ startTime = 0, endTime = 0 }) =>
      startTime < Date.parse(range.end) && endTime > Date.parse(range.start);
    return { value: { items: all.filter(overlaps).toReversed(), skipped }, readAt: NOW };
  };
  const getInvoice = async (id: string) => {
    if (unread !== undefined) throw unread;
    const value = all.find((one) => one.id === id);
    if (value === undefined) throw new PlatformError('not-found', 'no such invoice');
    return { value: { ...value, credits: [line()] }, readAt: NOW };
  };
  const find = async (number: number) =>
    (await findInvoice({ listInvoices, getInvoice }, { number }, NOW)).value;
  return { asked, find };
}

describe('an invoice by its number', () => {
  it('is looked for further and further back, each month once', async () => {
    const { asked, find } = platform();

    expect((await find(1)).id).toBe('in_0');
    expect(asked.map(({ start }) => start.slice(0, 7))).toEqual(['2025-12', '2023-12', '2019-12']);
    expect(asked.slice(1).map(({ end }) => end)).toEqual(
      asked.slice(0, -1).map(({ start }) => start),
    );
  });

  it('is read itself, because a list may be incomplete', async () => {
    expect((await platform().find(72)).credits).toHaveLength(1);
  });

  it('is not taken from the list where it cannot be read: its credits may be missing there', async () => {
    const unread = new PlatformError('timeout', 'no');
    await expect(platform({ unread }).find(72)).rejects.toBe(unread);
    const absent = platform({ unread: new PlatformError('not-found', 'no') });
    await expect(absent.find(72)).rejects.toThrow('There is no invoice with the id "in_71"');
  });

  it('that is not there ends with the first invoice, and names the existing numbers', async () => {
    const { asked, find } = platform({ years: 2 });
    await expect(find(99)).rejects.toThrow('There is no invoice 99: they go from 1 to 24.');
    expect(asked.length).toBe(2);
  });

  it('ends at the beginning of time where no invoice is the first', async () => {
    const { asked, find } = platform({ years: 2, first: 5000 });

    await expect(find(99)).rejects.toThrow('they go from 5000 to 5023.');
    expect(asked.at(-1)?.start).toBe('2010-01-01T00:00:00Z');
    expect(asked.length).toBeLessThan(7);
  });

  it('may be one that cannot be read', async () => {
    await expect(platform({ skipped: 1 }).find(99)).rejects.toThrow(
      'There is no invoice 99 among those that can be read, and some cannot',
    );
  });

  it('may be one that says no number of itself', async () => {
    await expect(platform({ unnumbered: 71 }).find(71)).rejects.toThrow(
      'There is no invoice 71 among those that can be read, and some cannot',
    );
  });
});
