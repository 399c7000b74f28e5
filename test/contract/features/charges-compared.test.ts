import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { formatChange } from '../../../src/reporting/amounts.ts';
import { textOf } from '../../support/answer.ts';
import { startCharges, type Read } from './charges-support.ts';
import { startUsage } from './usage-support.ts';

/** The comparison of a charge, against the stand-in platform at 2026-10-15T12:00Z. */
describe('a month is compared with the month before', () => {
  it('so that its change adds up from two answers', async () => {
    const { ask } = await startCharges();

    const september = await ask('2026-09');
    const august = await ask('2026-08');

    expect(lines(september)[1]).toMatch(/ vs August$/);
    expect(changeIn(september)).toBe(formatChange(totalOf(september), totalOf(august)));
    for (const [org, charge, change] of september.rows.slice(1)) {
      const before = august.rows.find(([name]) => name === org)?.[1];
      expect([org, change]).toEqual([org, formatChange(amount(charge), amount(before))]);
    }
  });

  it('while it runs with the same days of that month', async () => {
    const { ask } = await startCharges();

    const running = await ask('this month');
    const sameDays = await ask('2026-09-01T00:00:00Z..2026-09-15T12:00:00Z');

    expect(lines(running)[1]).toMatch(/ so far, .* vs 1-15 September$/);
    expect(changeIn(running)).toBe(formatChange(totalOf(running), totalOf(sameDays)));
  });

  it('also when its days are no longer kept', async () => {
    const { ask } = await startCharges();

    const october = await ask('2025-10');
    const september = await ask('2025-09');
    const withDays = await ask('2025-10 step day');

    expect(changeIn(october)).toBe(formatChange(totalOf(october), totalOf(september)));
    expect(changeIn(withDays)).toBe(changeIn(october));
    expect(lines(withDays)[1]).toMatch(/ vs September$/);
  });

  it('and a year with the year before, of which months are kept longer than hours', async () => {
    const { ask } = await startCharges();

    const year = await ask('this year');
    const months = await ask('2025-01..2025-09');
    const rest = await ask('2025-10-01T00:00:00Z..2025-10-15T12:00:00Z');

    expect(lines(year)[1]).toMatch(/ so far, .* vs 1 January to 15 October 2025$/);
    const before = totalOf(months).plus(totalOf(rest));
    expect(changeIn(year)).toBe(formatChange(totalOf(year), before));
  });

  it('and usage likewise', async () => {
    const { ask } = await startUsage();

    const answer = await ask('2025-09 of cpu by org');
    const year = await ask('this year of cpu by org');

    expect(textOf(answer)).toContain('Change vs August');
    expect(textOf(year)).toContain('Change vs 1 January to 15 October 2025');
  });
});

it.each([
  ['last week', '28 September to 4 October'],
  ['2026-10-01..2026-10-07', '24-30 September'],
  ['last 30 days', '16 August to 14 September'],
])(
  'another span than a month is compared with an equally long one before: %s',
  async (words, span) => {
    const { ask } = await startCharges();

    expect((await ask(words)).said).toContain(`% vs ${span}`);
  },
);

describe('usage whose price takes a tag that is not grouped by', () => {
  it('is priced, because every tag that an item prices on is asked for', async () => {
    const { ask, calls } = await startCharges();

    const { rows } = await ask('last month of gpu by org');

    const { body } = (await calls()).findLast(({ path }) => path.endsWith('/charges/-query'))!;
    expect(JSON.stringify(body)).toContain('gpuModel');
    expect(amount(rows[1]?.[1]).gt(0)).toBe(true);
  });

  it('may be missing where the items cannot be read, which the answer says', async () => {
    const { ask, fault, press } = await startCharges();
    await fault({ path: 'chargeable_items', status: 500 });

    const answer = await ask('last month of gpu by org');
    const detail = await press(answer, 'Tiers');

    expect(answer.text).toContain('the sums may be too low');
    expect(detail.text).toContain('the sums may be too low');
  });

  it('may be missing where there is no item at all', async () => {
    const { ask, fault } = await startCharges();
    await fault({ path: 'chargeable_items', status: 200, body: [] });

    expect((await ask('last month')).text).toContain('Not all chargeable items could be read');
  });

  it('is all there where they can be read', async () => {
    const { ask } = await startCharges();

    expect((await ask('last month')).text).not.toContain('too low');
  });
});

/** The lines of an answer; the question and the total of the headline are two. */
function lines({ said }: Read): string[] {
  const [headline = '', ...others] = said.split('\n');
  const [asked, range, ...total] = headline.split(' · ');
  return [`${asked} · ${range}`, ...(total.length > 0 ? [total.join(' · ')] : []), ...others];
}

function totalOf(read: Read): BigNumber {
  return amount(/^(?<total>\$[\d,]+\.\d\d)/.exec(lines(read)[1] ?? '')?.groups?.['total']);
}

/** "+2.0%" of "$5.00 so far, +2.0% vs August". */
function changeIn(read: Read): string | undefined {
  return /^\$[\d,]+\.\d\d(?: so far)?, (?<change>.+) vs /.exec(lines(read)[1] ?? '')?.groups?.[
    'change'
  ];
}

function amount(text = ''): BigNumber {
  return new BigNumber(text.replace(/[$,]/g, ''));
}
