import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { unitsOf } from '../../../../src/features/invoices/sheet.ts';
import type { Invoice, LineItem } from '../../../../src/platform/billing/invoices.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/charge-rows.ts';
import type { ChargesClient } from '../../../../src/platform/billing/charges.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { proseOf, rowsOf, tableOf } from '../../../support/answer.ts';
import { invoice, line, period, shared } from './scenario.ts';

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
  it('of an org called “surcharges” are reported from surcharges', () => {
    const one = withLines(line({ org: 'surcharges' }), line({ org: '', charge: new BigNumber(7) }));
    expect(proseOf(shown(one))).toContain('= surcharges $1.00 + (surcharges) $0.07');
  });

  it('have the unit of their item where the description omits it', () => {
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

  it('of an org none of which can be read have no sum', () => {
    const answer = shown(withLines(tier(1, '1', 100), tier(1, '1', undefined, 'globex')));
    expect(proseOf(answer)).toContain('All lines: *$1.00*\\n⚠ The charge of 1 line');
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

describe('the units of lines that omit them', () => {
  const bare = withLines(line({ description: 'acme: CPU, Quantity: 7200' }));
  const items = [{ name: 'cpu', unit: 'cores * seconds' }] as ChargeableItem[];
  const read = (chargeableItems: () => Promise<unknown>, one = bare) =>
    unitsOf({ chargeableItems } as Pick<ChargesClient, 'chargeableItems'>, one);

  it('are those of the chargeable items, in any case', async () => {
    const unitOf = await read(async () => ({ value: { items, skipped: 0 }, readAt: 0 }));
    expect(['CPU', 'gpu'].map(unitOf)).toEqual(['cores * seconds', undefined]);
  });

  it('are unknown without the items, but a defect of ours is one', async () => {
    const unitOf = await read(() => Promise.reject(new PlatformError('timeout', 'no answer')));
    expect(unitOf('CPU')).toBeUndefined();
    await expect(read(() => Promise.reject(new TypeError('oops')))).rejects.toThrow('oops');
  });

  it('are not asked for where every line says its own, or is a surcharge', async () => {
    const unasked = () => Promise.reject(new TypeError('not expected'));
    await expect(read(unasked, withLines(line(), line({ org: '' })))).resolves.toBeDefined();
  });
});
