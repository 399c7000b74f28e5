import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import type {
  Invoice,
  InvoicePeriod,
  LineItem,
} from '../../../../src/platform/billing/invoices.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import * as fc from '../../../support/fast-check.ts';
import { proseOf, rowsOf, tableOf } from '../../../support/answer.ts';
import { invoice, line, OCTOBER, period, shared } from './scenario.ts';

const NOVEMBER = { startTime: OCTOBER.endTime, endTime: Date.UTC(2026, 11, 1) };
const impossible = { impossible: 'the platform does not answer.' };

const shown = (one: Invoice, changes = {}) =>
  invoiceAnswer({ invoice: one, reconciliation: impossible, ...shared, ...changes });
const withLines = (...items: LineItem[]) => invoice({ periods: [period({ items })] });
/** The lines of one period of tiers of acme: quantity in core-hours, rate per core-second, cents. */
const tier = (hours: number, rate: string, charge: number | undefined, org = 'acme') =>
  line({
    org,
    description: `${org}: cpu (cores * seconds), Quantity: ${hours * 3_600}, Rate: ${rate}`,
    quantity: new BigNumber(hours * 3_600),
    charge: charge === undefined ? undefined : new BigNumber(charge),
  });
const titlesOf = (answer: Answer) => tableOf(answer)[0];

describe('the lines of an invoice', () => {
  it('stay apart by tier, below their sum, the largest item first', () => {
    const answer = shown(
      withLines(
        tier(2, '0.000138888889', 100),
        tier(5, '0.0000277777778', 50),
        tier(1, '0.00111111111', 400, 'globex'),
      ),
    );

    expect(titlesOf(answer)).toEqual(['Org', 'Item', 'Charge', 'Quantity', 'Rate']);
    expect(rowsOf(answer)).toEqual([
      ['globex', 'cpu', '$4.00', '1 core-hour', '$4.00 per core-hour'],
      ['acme', 'cpu, 2 lines together', '$1.50', '7 core-hours', '–'],
      ['acme', 'cpu', '$1.00', '2 core-hours', '$0.50 per core-hour'],
      ['acme', 'cpu', '$0.50', '5 core-hours', '$0.10 per core-hour'],
    ]);
    expect(proseOf(answer)).toContain('All lines: *$5.50* = globex $4.00 + acme $1.50');
    expect(answer.notes).toEqual([
      '3 lines, one for each org, item, pricing tier and period; the largest item first; “together” is the sum of an item’s lines',
    ]);
  });

  it('stay apart by period, too', () => {
    const answer = shown(
      invoice({
        periods: [
          period({ items: [tier(2, '0.00001', 100)] }),
          period({ ...NOVEMBER, items: [tier(3, '0.00001', 7)] }),
        ],
      }),
    );
    expect(titlesOf(answer)).toEqual(['Org', 'Item', 'Charge', 'Period', 'Quantity', 'Rate']);
    expect(rowsOf(answer).map((row) => row.slice(1, 5))).toEqual([
      ['cpu, 2 lines together', '$1.07', '–', '5 core-hours'],
      ['cpu', '$1.00', 'October 2026', '2 core-hours'],
      ['cpu', '$0.07', 'November 2026', '3 core-hours'],
    ]);
  });

  it('that are the same are still two', () => {
    expect(rowsOf(shown(withLines(line(), line()))).slice(1)).toEqual([
      ['acme', 'cpu', '$1.00', '2 core-hours', 'about $0.036 per core-hour'],
      ['acme', 'cpu', '$1.00', '2 core-hours', 'about $0.036 per core-hour'],
    ]);
  });

  it('without an org are surcharges, with a sum of their own', () => {
    const answer = shown(withLines(line(), line({ org: '', description: 'Support, 3 %' })));
    expect(rowsOf(answer)).toContainEqual(['(surcharge)', 'Support, 3 %', '$1.00', '–', '–']);
    expect(proseOf(answer)).toContain('All lines: *$2.00* = (surcharges) $1.00 + acme $1.00');
  });

  it('of an org that cannot be read are no surcharges, and count', () => {
    const fifty = new BigNumber(50);
    const odd = line({
      org: undefined,
      description: 'Support',
      quantity: undefined,
      charge: fifty,
    });
    const nothing = line({
      description: '',
      quantity: undefined,
      charge: undefined,
      org: undefined,
    });
    const answer = shown(withLines(line(), nothing, odd, nothing, nothing));

    expect(rowsOf(answer)).toEqual([
      ['acme', 'cpu', '$1.00', '2 core-hours', 'about $0.036 per core-hour'],
      ['(not reported)', 'Support', '$0.50', '–', '–'],
      ['(not reported)', '–, 3 lines together', 'not readable', '–', '–'],
      ...Array.from({ length: 3 }, () => ['(not reported)', '–', 'not readable', '–', '–']),
    ]);
    expect(proseOf(answer)).toContain('All lines: *$1.50* = acme $1.00 + (not reported) $0.50');
    expect(proseOf(answer)).toContain('⚠ The charge of 3 lines is not readable');
    expect(JSON.stringify(answer)).not.toContain('surcharge');
  });

  it('of an org called “surcharges” are reported from surcharges', () => {
    const one = withLines(line({ org: 'surcharges' }), line({ org: '', charge: new BigNumber(7) }));
    expect(proseOf(shown(one))).toContain('= surcharges $1.00 + (surcharges) $0.07');
  });

  it('are shown also where no one understands them, and no quantity that is not reported', () => {
    const odd = line({ description: 'Flat fee', quantity: undefined });
    expect(rowsOf(shown(withLines(odd)))).toEqual([['acme', 'Flat fee', '$1.00', '–']]);
    expect(rowsOf(shown(withLines(odd, line())))).toEqual([
      ['acme', 'cpu', '$1.00', '2 core-hours', 'about $0.036 per core-hour'],
      ['acme', 'Flat fee', '$1.00', '–', '–'],
    ]);
  });

  it('have the unit of their item where the description is silent one', () => {
    const bare = line({ description: 'acme: cpu, Quantity: 7200, Rate: 0.00001' });
    const unitOf = (item: string) => (item === 'cpu' ? 'cores * seconds' : undefined);

    expect(rowsOf(shown(withLines(bare), { unitOf }))).toEqual([
      ['acme', 'cpu', '$1.00', '2 core-hours', 'about $0.036 per core-hour'],
    ]);
    expect(rowsOf(shown(withLines(bare)))).toEqual([
      ['acme', 'cpu', '$1.00', '7,200', 'about $0.01 per 1,000 units'],
    ]);
  });

  it.each([
    ['memory (bytes * seconds), Rate: 0.0000000000068', 'about $26.29 per GiB-hour'],
    ['egress (bytes), Quantity: 5, Rate: 1e-10', 'about $0.1074 per GiB'],
    ['egress (gigabytes), Rate: 0.09', 'about $0.09 per GB'],
    ['snapshots (gibibytes * seconds), RATE: 0.0000001', 'about $0.36 per 1,000 GiB-hours'],
    ['hosts (seconds), Rate: 0.25', 'about $900.00 per hour'],
    ['samples (samples), Rate: 12', 'about $12.00 per sample'],
    ['seats (seats), Rate: 12.5, per month', 'about $12.50 per unit'],
    ['Rate: 1, Rate: -2 (no unit)', 'about −$2.00 per unit'],
    // No one knows the meaning of a comma here.
    ['cpu (cores * seconds), Rate: 1,000', undefined],
    ['cpu (cores * seconds), Rate: 0.1.2', undefined],
    ['cpu (cores * seconds), Rate: free', undefined],
    ['cpu (cores * seconds), Rate: 1e999', undefined],
    // No one could read so many digits.
    ['cpu (cores * seconds), Rate: 1e99', undefined],
    ['cpu (cores * seconds), Rate: 1e-99', undefined],
    [`cpu (cores * seconds), Rate: ${'1'.repeat(60)}`, undefined],
    ['samples (samples), Rate: 1e30', `about $1${',000'.repeat(10)}.00 per sample`],
    ['samples (samples), Rate: 1e31', undefined],
    ['corporate: 7', undefined],
  ])('say the rate of "%s" as %s', (description, rate) => {
    const answer = shown(withLines(line({ description: `acme: ${description}` })));
    const [row] = rowsOf(answer);
    expect(titlesOf(answer)?.includes('Rate') === true ? row?.at(-1) : undefined).toBe(rate);
  });

  it('with a charge that cannot be read spoil no other line', () => {
    const answer = shown(
      withLines(tier(2, '0.00001', 100), tier(5, '0.00002', undefined), tier(1, '1', 7, 'globex')),
    );

    expect(rowsOf(answer).map((row) => [row[0], row[1], row[2]])).toEqual([
      ['acme', 'cpu, 2 lines together', 'not readable'],
      ['acme', 'cpu', '$1.00'],
      ['acme', 'cpu', 'not readable'],
      ['globex', 'cpu', '$0.07'],
    ]);
    expect(proseOf(answer)).toContain('All lines: *$1.07* = acme $1.00 + globex $0.07');
    expect(proseOf(answer)).toContain(
      '⚠ The charge of 1 line is not readable: sums are without it',
    );
    // The invoice's own total counts. The sums are short, and a warning above says so.
    expect(proseOf(answer)).not.toContain('add up to');
  });

  it('of an org none of which can be read have no sum', () => {
    const answer = shown(withLines(tier(1, '1', 100), tier(1, '1', undefined, 'globex')));
    expect(proseOf(answer)).toContain('All lines: *$1.00*\\n⚠ The charge of 1 line');
  });

  it('of which nothing can be read is there all the same', () => {
    const nothing = line({ description: '', quantity: undefined, charge: undefined, org: '' });
    const answer = shown(withLines(nothing));

    expect(rowsOf(answer)).toEqual([['(surcharge)', '–', 'not readable', '–']]);
    expect(proseOf(answer)).toContain('⚠ The charge of 1 line is not readable');
    expect(proseOf(answer)).not.toContain('All lines');
  });

  it('of a hundred thousand digits are read at once', () => {
    const digits = '1'.repeat(100_000);
    const start = performance.now();

    for (const rate of [`${digits}x1`, `1.${digits}x1`])
      shown(withLines(line({ description: `acme: cpu, Rate: ${rate}` })));

    // One try for each digit took minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('of many orgs have the sums of the largest ones, and of the others together', () => {
    const answer = shown(
      withLines(...Array.from({ length: 8 }, (_, at) => tier(1, '1', 100 + at, `org-${at}`))),
    );
    expect(proseOf(answer)).toContain(
      'All lines: *$8.28* = org-7 $1.07 + org-6 $1.06 + org-5 $1.05 + org-4 $1.04 + org-3 $1.03 + 3 others $3.03',
    );
  });
});

const drawnLine = fc.record({
  org: fc.constantFrom(undefined, '', 'acme', 'globex', 'initech', 'hooli', 'umbrella', 'stark'),
  item: fc.constantFrom('cpu', 'memory', 'egress'),
  tier: fc.nat({ max: 3 }),
  charge: fc.option(fc.integer({ min: -1_000, max: 1_000_000 }), { nil: undefined }),
});
const drawnPeriods = fc.array(fc.array(drawnLine, { maxLength: 12 }), {
  minLength: 1,
  maxLength: 3,
});

function periodsOf(
  drawn: readonly (readonly {
    org: string | undefined;
    item: string;
    tier: number;
    charge: number | undefined;
  }[])[],
): InvoicePeriod[] {
  return drawn.map((lines, month) =>
    period({
      startTime: Date.UTC(2026, month, 1),
      endTime: Date.UTC(2026, month + 1, 1),
      items: lines.map(({ org, item, tier, charge }) =>
        line({
          org,
          description: `${org}: ${item} (bytes), Quantity: 7200, Rate: ${tier + 1}`,
          charge: charge === undefined ? undefined : new BigNumber(charge),
        }),
      ),
    }),
  );
}

/** "-$1,234.56" in cents, by other means than the bot's. */
const centsIn = (text: string) =>
  Math.round(Number(text.replace('−', '-').replace(/[$,]/g, '')) * 100);

const SUM = /, (?<count>\d+) lines together$/;

/** "All lines: *$5.50* = globex $4.00 + acme $1.50" in cents; nothing where it is not reported. */
function sumsIn(answer: Answer): { sum: number; orgs: number } | undefined {
  const { sum, orgs } =
    /All lines: \*(?<sum>[^*]+)\*(?: = (?<orgs>[^"\\]+))?/.exec(proseOf(answer))?.groups ?? {};
  if (sum === undefined) return undefined;
  const parts = orgs?.split(' + ').map((org) => centsIn(org.split(' ').at(-1)!)) ?? [centsIn(sum)];
  return { sum: centsIn(sum), orgs: parts.reduce((all, part) => all + part) };
}

it('whatever the lines are, each is shown once, on some page, and the sums are those of the lines, to the cent', () => {
  fc.assert(
    fc.property(drawnPeriods, (drawn) => {
      const one = invoice({ periods: periodsOf(drawn) });
      const first = shown(one);
      const rows = Array.from({ length: first.pages ?? 1 }, (_, at) =>
        rowsOf(shown(one, { asked: { ...shared.asked, page: at + 1 } })),
      ).flat();

      const charges = drawn.flat().map(({ charge }) => charge);
      const inWords = (charge: number | undefined) =>
        charge === undefined ? 'not readable' : shared.money(new BigNumber(charge));
      const place = titlesOf(first)?.indexOf('Charge') ?? -1;
      const isLine = (row: string[]) => !SUM.test(row[1] ?? '');
      expect(sorted(rows.filter(isLine).map((row) => row[place]!))).toEqual(
        sorted(charges.map(inWords)),
      );
      const sum = charges.reduce<number>((all, charge) => all + (charge ?? 0), 0);
      const isSaid = charges.length > 1 && charges.some((charge) => charge !== undefined);
      expect(sumsIn(first)).toEqual(isSaid ? { sum, orgs: sum } : undefined);
    }),
    { numRuns: 500 },
  );
});

function sorted(texts: readonly string[]): string[] {
  return texts.toSorted((a, b) => (a < b ? -1 : 1));
}
