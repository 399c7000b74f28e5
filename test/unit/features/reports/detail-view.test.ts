import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import {
  chosenLine,
  detailView,
  offeredLines,
} from '../../../../src/features/reports/detail-view.ts';
import type { Detail, Tier } from '../../../../src/features/reports/source.ts';
import { flaw, note } from '../../../../src/features/reports/words.ts';
import { lineId, type Line } from '../../../../src/reporting/amounts.ts';
import { mrkdwn, type Mrkdwn } from '../../../../src/slack/kit/text.ts';
import { tableOf } from '../../../support/answer.ts';
import { found, headOf, later, line, october, question } from './support.ts';

interface Draft extends Partial<
  Omit<Tier, 'from' | 'to' | 'units' | 'rate' | 'amount' | 'currency'>
> {
  readonly from?: string;
  readonly to?: string;
}

function tier({ from, to, ...draft }: Draft = {}): Tier {
  return {
    period: october,
    ratePlan: 'standard-2026',
    ratePlanItem: 'cpu-tiers',
    item: 'cpu',
    unit: 'core-seconds',
    units: new BigNumber('3600000'),
    rate: new BigNumber('0.000012'),
    amount: new BigNumber('43.2'),
    currency: 'USD',
    from: from === undefined ? undefined : new BigNumber(from),
    to: to === undefined ? undefined : new BigNumber(to),
    ...draft,
  };
}

function detail(lines: readonly Line[], tiersOf: Detail['tiersOf']): Detail {
  return { ...found(lines), tiersOf, caveatsOf: () => [] };
}

function show(answer: Detail, row?: string, page = 1, caveats: readonly Mrkdwn[] = []) {
  const asked = { name: 'charges', question: question(), detail: answer, caveats } as const;
  const line = chosenLine(answer, row);
  const built = detailView({ ...asked, line, page, now: later });
  return {
    ...built,
    head: headOf(built),
    rows: tableOf(built),
  };
}

const [acme, globex] = [line('acme', '43.2'), line('globex', '1')];
const november = { startMs: october.endMs, endMs: Date.parse('2026-12-01T00:00:00Z') };

describe('the pricing tiers', () => {
  it('are those of the largest line, the charge first, and their rate plan in a line', () => {
    const tiers = [
      tier({ from: '0', to: '3600000' }),
      tier({ from: '3600000', to: '36000000' }),
      tier({ from: '36000000' }),
    ];
    const { head, rows } = show(detail([acme, globex], (one) => (one === acme ? tiers : [])));

    expect(head[1]).toBe('Tiers of *acme* · *$43.20* · 3 pricing tiers in 1 billing period');
    expect(rows).toEqual([
      ['Item', 'Charge', 'Tier', 'Usage', 'Rate'],
      ...['0 to 1,000 core-hours', '1,000 to 10,000 core-hours', 'above 10,000 core-hours'].map(
        (bounds) => ['cpu', '$43.20', bounds, '1,000 core-hours', '$0.0432 per core-hour'],
      ),
    ]);
    expect(head[2]).toBe('Rate plan `standard-2026 · cpu-tiers`');
  });

  it('have their bounds in full, also of a metric whose unit is not known', () => {
    const bounds = (unit: string | undefined) => {
      const tiers = [tier({ unit, from: '1000', to: '5000' }), tier({ unit, from: '5000' })];
      return show(detail([acme], () => tiers))
        .rows.slice(1)
        .map((row) => row[2]);
    };
    expect(bounds(undefined)).toEqual(['1,000 to 5,000', 'above 5,000']);
    expect(bounds('samples')).toEqual(['1,000 to 5,000 samples', 'above 5,000 samples']);
  });

  it('have usage and bounds in the unit of their rate', () => {
    const tiers = [
      {
        ...tier({ unit: 'bytes', from: '100000000000', to: '5000000000000' }),
        units: new BigNumber('3710532027726'),
        rate: new BigNumber('9e-11'),
        amount: new BigNumber('333.94788249534'),
      },
    ];
    expect(show(detail([acme], () => tiers)).rows[1]?.slice(1)).toEqual([
      '$333.95',
      '93.13 to 4,656.6 GiB',
      '3,455.7 GiB',
      '$0.096637 per GiB',
    ]);
  });

  it('have the same rate in each billing period', () => {
    const rate = new BigNumber('0.03429333333');
    const [one, ten] = [
      { ...tier(), units: new BigNumber(3_600), rate, amount: new BigNumber('123.46') },
      { ...tier(), units: new BigNumber(36_000), rate, amount: new BigNumber('1234.56') },
    ];
    const { rows } = show(detail([acme], () => [one, ten]));
    expect(rows.slice(1).map((row) => row[4])).toEqual(Array(2).fill('$123.456 per core-hour'));
  });

  it('of several rate plans name the plan of each', () => {
    const plans = [
      tier({ ratePlanItem: 'standard-2026/cpu' }),
      tier({ ratePlanItem: 'cpu-tiers' }),
      { ...tier(), ratePlanItem: undefined },
      { ...tier(), ratePlan: undefined, ratePlanItem: undefined },
    ];

    const { head, rows } = show(detail([acme], () => plans));

    expect(head).toHaveLength(2);
    expect(rows.map((row) => row.at(-1))).toEqual([
      'Rate plan',
      'standard-2026/cpu',
      'standard-2026 · cpu-tiers',
      'standard-2026',
      '(none)',
    ]);
  });

  it('come with the notes about their lines, and first with a warning of unread rows', () => {
    const unread = { ...detail([acme], () => [tier()]), skipped: 2 };
    const { blocks, notes } = show(unread, undefined, 1, [
      note(mrkdwn`Tiers differ.`),
      flaw(mrkdwn`No items.`),
    ]);

    expect(blocks.at(-1)).toMatchObject({
      elements: [
        {
          text: [
            '⚠ Incomplete: 2 rows of the platform’s answer could not be read.',
            '⚠ No items.',
          ].join('\n'),
        },
      ],
    });
    expect(notes).toEqual(['ℹ Tiers differ.']);
  });

  it('of another line are shown when it is chosen from the menu', () => {
    const answer = detail([acme, globex], () => []);

    expect(offeredLines(answer)).toEqual([
      { text: '$43.20 · acme', id: lineId(acme) },
      { text: '$1.00 · globex', id: lineId(globex) },
    ]);
    expect(show(answer, lineId(globex)).head[1]).toBe(
      'Tiers of *globex* · *$1.00* · not priced, so without pricing tiers',
    );
  });

  it('name the billing period where there are several', () => {
    const tiers = [tier({ from: '0' }), tier({ from: '0', period: november })];
    const { head, rows } = show(detail([acme], () => tiers));

    expect(head[1]).toContain('2 pricing tiers in 2 billing periods');
    expect(rows.map((row) => row.at(-1))).toEqual([
      'Billing period',
      'October 2026',
      'November 2026',
    ]);
  });
});
