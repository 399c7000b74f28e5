import { BigNumber } from 'bignumber.js';
import { describe, expect, it, test } from 'vitest';
import { formatMoney } from '../../../src/reporting/amounts.ts';
import {
  formatInUnit,
  formatPriced,
  priceUnit,
  unitInDescription,
  unitSize,
  unitsOfMetrics,
} from '../../../src/reporting/quantity.ts';
import { KNOWN_METRICS } from '../../../src/reporting/query-words.ts';
import * as fc from '../../support/fast-check.ts';

const documented = unitsOfMetrics();
const inUnit = (value: string, unit: string | undefined) =>
  formatInUnit(new BigNumber(value), unit);

/** Any quantity that is not below 0. */
const values = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 0, max: 24 }))
  .map(([digits, decimals]) => new BigNumber(String(digits)).shiftedBy(-decimals));

const KiB = 1_024;
/** How many of the smallest unit one is. */
const THINGS: Readonly<Record<string, number>> = Object.fromEntries([
  ...['byte', 'KB', 'MB', 'GB', 'TB'].map((name, at) => [name, 1_000 ** at]),
  ...['KiB', 'MiB', 'GiB', 'TiB'].map((name, at) => [name, KiB ** (at + 1)]),
  ['megabyte', 1e6],
  ['terabyte', 1e12],
  ['mebibyte', KiB ** 2],
  ['gibibyte', KiB ** 3],
  ...['core', 'vCPU', 'GPU', 'replica', 'request', ''].map((name) => [name, 1]),
  ['millicore', 0.001],
]);
const TIMES = { second: 1, minute: 60, hour: 3_600, day: 86_400, month: 1, '': 1 };

/** Units in words as a catalogue may have them, and how many of the smallest unit one is. */
const units = fc
  .tuple(
    fc.constantFrom(...Object.entries(THINGS)),
    fc.constantFrom(...Object.entries(TIMES)),
    fc.constantFrom(' * ', '*', '-', ' ', '_', ' × '),
    fc.record({ isPlural: fc.boolean(), isTurned: fc.boolean(), isLoud: fc.boolean() }),
  )
  .filter(([[thing], [time]]) => thing !== '' || time !== '')
  .map(([[thing, size], [time, seconds], between, { isPlural, isTurned, isLoud }]) => {
    const words = [thing, time].filter(Boolean).map((word) => (isPlural ? `${word}s` : word));
    const text = (isTurned ? words.toReversed() : words).join(between);
    return { text: isLoud ? text.toUpperCase() : text, factor: size * seconds };
  });

/** The quantity of a text, in smallest units; 0 for "<0.001 bytes". */
function readBack(text: string): BigNumber {
  const [, bound, digits = '', unit = ''] =
    /^(<?)([\d,]+(?:\.\d+)?) ([A-Za-z-]+)$/.exec(text) ?? [];
  const sizes: Readonly<Record<string, number>> = { ...THINGS, ...TIMES };
  const factors = unit.split('-').map((part) => sizes[part] ?? sizes[part.replace(/s$/, '')] ?? 1);
  const factor = factors.reduce((product, one) => product * one, 1);
  return bound ? new BigNumber(0) : new BigNumber(digits.replaceAll(',', '')).times(factor);
}

describe('the description of an invoice line', () => {
  test.each([
    [
      'my-org: memory (bytes * seconds), Quantity: 13950729216000, Rate: 0.0000000000068',
      'memory',
      'bytes * seconds',
    ],
    ['my-org: memory (fast) (bytes * seconds), Quantity: 1', 'memory (fast)', 'bytes * seconds'],
    ['my-org: memory, Quantity: 1, Rate: 2', 'memory', undefined],
    ['Support: gold', 'Support: gold', undefined],
    ['(bytes)', undefined, 'bytes'],
    ['memory ()', 'memory', undefined],
    ['((((', '((((', undefined],
    [', Quantity: 3', undefined, undefined],
  ])('%j', (description, item, unit) => {
    expect(unitInDescription(description)).toEqual({ item, unit });
  });

  it('names back the item and the unit of which it was made', () => {
    const word = fc.stringMatching(/^[a-z][a-z -]{0,20}[a-z]$/);
    fc.assert(
      fc.property(word, word, values, (item, unit, value) => {
        const description = `acme: ${item} (${unit}), Quantity: ${value.toFixed()}, Rate: 0.1`;

        expect(unitInDescription(description)).toEqual({ item, unit });
      }),
    );
  });

  it('is read whatever it is', () => {
    const parts = fc.oneof(
      fc.constantFrom('(', ')', ', Quantity:', ', Rate:', ': ', ' '),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 200 }), (texts) => {
        const description = texts.join('');
        const { item = '', unit = '' } = unitInDescription(description);

        expect(description).toContain(item);
        expect(description).toContain(unit);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the units of the chargeable items', () => {
  const unitsOf = (...said: readonly (readonly [metric: string, unit: string])[]) =>
    unitsOfMetrics(
      said.map(([metric, unit]) => ({ consumptionTags: metric === '' ? {} : { metric }, unit })),
    );

  it('are those of metrics that no one documented', () => {
    const unitOf = unitsOf(['iops', 'requests'], ['', 'months'], ['backups', '  ']);
    expect(unitOf('iops')).toBe('requests');
    expect(['backups', 'something', ''].map(unitOf)).toEqual([undefined, undefined, undefined]);
  });

  it('never replace a documented unit: the names of two metrics show otherwise', () => {
    const unitOf = unitsOf(['volume-set-capacity-bytes', 'bytes * seconds']);
    expect(unitOf('volume-set-capacity-bytes')).toBe('GiB-seconds');
  });

  it('are nothing where two of them contradict one another, also when a third agrees', () => {
    const [bytes, held] = ['bytes', 'bytes * seconds'];
    const unitOf = unitsOf(['x', bytes], ['x', held], ['x', bytes], ['y', 'widgets'], ['y', 'w']);
    expect(['x', 'y'].map(unitOf)).toEqual([undefined, undefined]);
  });

  it('may have different words', () => {
    const unitOf = unitsOf(['x', ''], ['x', 'bytes * seconds'], ['x', 'Byte-Seconds']);
    expect(unitOf('x')).toBe('bytes * seconds');
  });
});

describe('a metered value', () => {
  test.each([
    ['cpu', '7200', '2 core-hours'],
    ['memory', '13950729216000', '3.609 GiB-hours'],
    ['memory', '11132555231232000', '2,880 GiB-hours'],
    ['memory', '47721553424547840', '12,345.6 GiB-hours'],
    ['egress', '5000000000', '4.657 GiB'],
    ['cross-zone-traffic', '536870912', '512 MiB'],
    ['public-ip-external-traffic', '10000000000000000', '9,094.9 TiB'],
    ['load-balancer-processed-bytes', '1536', '1.5 KiB'],
    ['load-balancer-seconds', '7200', '2 hours'],
    ['replicas', '5400', '1.5 replica-hours'],
    ['gpu', '3600', '1 GPU-hour'],
    ['volume-set-capacity-bytes', '36000', '10 GiB-hours'],
    ['volume_set_capacity', '36000', '10 GB-hours'],
    ['snapshot-storage', '25920000', '7,200 GiB-hours'],
    ['snapshot-capacity', '3600', '1 snapshot-hour'],
    ['logs-storage', '3600', '1 GB-hour'],
    ['metrics-storage', '1800', '0.5 GB-hours'],
    ['tracing-storage', '36', '0.01 GB-hours'],
    ['metrics-samples', '1234567', '1,234,567 samples'],
    ['cores-under-management', '46080000', '12,800 core-hours'],
    // Small ones.
    ['cpu', '0', '0 core-hours'],
    ['cpu', '90', '0.025 core-hours'],
    ['cpu', '20', '20 core-seconds'],
    ['cpu', '1', '1 core-second'],
    ['cpu', '0.0004', '<0.001 core-seconds'],
    ['cpu', '1e-40', '<0.001 core-seconds'],
    ['cpu', '-3600', '−1 core-hour'],
    ['cpu', '-0.0004', '>−0.001 core-seconds'],
    ['memory', '1000000000', '0.2649 MiB-hours'],
    ['egress', '0', '0 bytes'],
    ['egress', '1', '1 byte'],
    ['egress', '-5000000000', '−4.657 GiB'],
    // Unknown ones stay raw.
    ['requests-per-moon', '11132555231232000.5', '11,132,555,231,232,000.5'],
    ['constructor', '1', '1'],
  ])('of %s, %s, is %s', (metric, value, text) => {
    expect(inUnit(value, documented(metric))).toBe(text);
  });

  it('has a unit for every metric that is offered', () => {
    expect(KNOWN_METRICS.filter((metric) => documented(metric) === undefined)).toEqual([]);
  });

  it('is 1 in the unit that it is reported in', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(...KNOWN_METRICS), (value, metric) => {
        const raw = documented(metric);
        const [, unit = ''] = formatInUnit(value, raw).split(' ');
        const one = formatInUnit(unitSize(value, raw), raw, value);

        expect(one).toBe(`1 ${unit.replace(/(?<!B)s$/, '')}`);
      }),
      { numRuns: 2_000 },
    );
    expect(unitSize(new BigNumber(5), documented('unheard-of')).toFixed()).toBe('1');
  });

  it('can be in the unit of another one', () => {
    const [top, part] = [new BigNumber(1.2 * KiB ** 4), new BigNumber(0.2 * KiB ** 4)];

    expect(formatInUnit(part, 'bytes')).toBe('204.8 GiB');
    expect(formatInUnit(part, 'bytes', top)).toBe('0.2 TiB');
  });
});

describe('a quantity in words', () => {
  test.each([
    ['bytes * seconds', '13950729216000', '3.609 GiB-hours'],
    ['Core Seconds', '7200', '2 core-hours'],
    ['seconds × cores', '7200', '2 core-hours'],
    ['vCPU * hours', '2', '2 vCPU-hours'],
    ['(GiB * hours)', '2', '2 GiB-hours'],
    ['MB * days', '1', '0.024 GB-hours'],
    ['minutes', '90', '1.5 hours'],
    ['gigabytes-hours', '1', '1 GB-hour'],
    ['millicores', '1500', '1.5 cores'],
    ['requests', '12345', '12,345 requests'],
    ['GB * months', '1234.5', '1,234.5 GB-months'],
    ['bytes * months', '536870912', '0.5 GiB-months'],
    ['cores * months', '0.001', '0.001 core-months'],
    ['months', '1', '1 month'],
    // Not understood: they follow the full number.
    ['bytes * bytes', '1234567.5', '1,234,567.5 bytes * bytes'],
    ['seconds seconds', '1234567.5', '1,234,567.5 seconds seconds'],
    ['bytes / second', '1234567.5', '1,234,567.5 bytes / second'],
    ['GB * years', '1234567.5', '1,234,567.5 GB * years'],
    ['months * hours', '1234567.5', '1,234,567.5 months * hours'],
    ['w'.repeat(50), '1234567.5', `1,234,567.5 ${'w'.repeat(39)}…`],
    ['constructor', '1234567.5', '1,234,567.5 constructor'],
    [' <!here> ', '1234567.5', '1,234,567.5 <!here>'],
    [' ', '1234567.5', '1,234,567.5'],
    [undefined, '1234567.5', '1,234,567.5'],
  ])('%s: %s is %s', (unit, value, text) => {
    expect(inUnit(value, unit)).toBe(text);
  });

  it('is the raw number again, within rounding, in any unit and any spelling', () => {
    fc.assert(
      fc.property(values, units, (value, { text, factor }) => {
        const reported = formatInUnit(value, text);
        const smallest = value.times(factor);
        const allowed = reported.startsWith('<') ? '0.001' : smallest.times('0.005');

        expect(readBack(reported).minus(smallest).abs().lte(allowed)).toBe(true);
        expect(reported.startsWith('0 ')).toBe(value.isZero());
        expect(reported).not.toMatch(/ \* |e[+-]?\d|NaN|Infinity/);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is priced by 1 of something that people read', () => {
    fc.assert(
      fc.property(units, ({ text }) => {
        const price = priceUnit(text);

        expect(formatInUnit(price?.size ?? new BigNumber(0), text)).toBe(`1 ${price?.name}`);
        expect(price?.name).not.toMatch(/byte|second|KB|KiB|MB|MiB|TB|TiB/);
      }),
    );
  });
});

const priced = (quantity: BigNumber, rate: BigNumber, charge: BigNumber, unit?: string) =>
  formatPriced({ quantity, rate, charge }, 'USD', unit);

/** The figure in front of a unit, and the number of units that a price is for. */
function figuresIn({ quantity = '', rate = '' }: ReturnType<typeof priced>) {
  const numberIn = (text: string) =>
    new BigNumber(text.replace('−', '-').replaceAll(/[$,<>]/g, ''));
  const [, price = '', count = '1'] =
    /^(?:about )?(−?\$[\d.,]+) per (?:([\d,]+) )?/.exec(rate) ?? [];
  return {
    quantity: numberIn(quantity.split(' ')[0] ?? ''),
    price: numberIn(price),
    count: numberIn(count),
  };
}

describe('the quantity and the rate of a charge', () => {
  const units = fc.constantFrom('core-seconds', 'bytes * seconds', 'bytes', 'requests', undefined);
  const numbers = fc
    .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: -6, max: 21 }))
    .map(([digits, decimals]) => new BigNumber(digits).shiftedBy(-decimals));

  test.each([
    // The platform's rate, and a charge that differs from the one at four digits of the rate.
    ['5566277615616000', '5.57823e-14', '310.50', '1,440 GiB-hours', '$0.215625 per GiB-hour'],
    ['5566277615616000', '5.57823e-14', '310.51', '1,440 GiB-hours', 'about $0.2156 per GiB-hour'],
    ['0', '5.57823e-14', '0', '0 GiB-hours', '$0.2156 per GiB-hour'],
    ['1', '5.57823e-14', '0.00000001', '<0.001 GiB-hours', '$0.2156 per GiB-hour'],
  ])('%s at %s for %s are %s and %s', (quantity, rate, charge, used, at) => {
    const [amount, price, sum] = [quantity, rate, charge].map((one) => new BigNumber(one));
    expect(priced(amount!, price!, sum!, 'byte-seconds')).toEqual({ quantity: used, rate: at });
  });

  test.each([
    ['0.000012', 'core-seconds', '$0.0432 per core-hour'],
    ['0.000000000000003', 'bytes * seconds', 'about $0.0116 per GiB-hour'],
    ['0.00000000008', 'bytes', '$0.08589934592 per GiB'],
    ['0.00000003858', 'gibibytes * seconds', '$0.138888 per 1,000 GiB-hours'],
    ['0.09', 'GB * months', '$0.09 per GB-month'],
    ['0.000006944444444', 'seconds', 'about $0.025 per hour'],
    ['0.0000001', 'samples', '$0.10 per 1,000,000 samples'],
    ['0.0000004', 'apples / pears', '$0.40 per 1,000,000 units'],
    ['1.5', undefined, '$1.50 per unit'],
    ['0.00000000000001', undefined, '$0.00001 per 1,000,000,000 units'],
    ['-0.0001', 'samples', '−$0.10 per 1,000 samples'],
    ['0', 'core-seconds', '$0.00 per core-hour'],
  ])('a rate of %s for %s alone is %s', (rate, unit, words) => {
    const alone = { quantity: undefined, rate: new BigNumber(rate), charge: undefined };
    expect(formatPriced(alone, 'USD', unit).rate).toBe(words);
  });

  it('have as many digits as the charge takes, the longest of several at one rate', () => {
    const rate = new BigNumber('123.456');
    const long = { rate, quantity: new BigNumber('2.3456789'), charge: new BigNumber('289.59') };
    const short = { rate, quantity: new BigNumber(1), charge: new BigNumber('123.46') };

    expect(formatPriced(long, 'USD', 'GB').quantity).toBe('2.34568 GB');
    expect(formatPriced(short, 'USD', 'GB').rate).toBe('$123.46 per GB');
    for (const one of [short, long]) {
      expect(formatPriced(one, 'USD', 'GB', [short, long]).rate).toBe('$123.456 per GB');
    }
  });

  it('are in one unit, and multiply to the charge to the cent, or the rate is an approximate one', () => {
    const charges = fc.constantFrom('exact', 'to the cent', 'another');
    let exact = 0;
    fc.assert(
      fc.property(numbers, numbers, units, charges, (quantity, rate, unit, kind) => {
        const product = quantity.times(rate);
        const charge =
          kind === 'exact' ? product : kind === 'to the cent' ? product.dp(2) : product.plus(1);
        const shown = priced(quantity, rate, charge, unit);
        const { quantity: used, price, count } = figuresIn(shown);
        const multiplied = used.times(price).shiftedBy(1 - count.toFixed().length);
        const isExact = formatMoney(multiplied, 'USD') === formatMoney(charge, 'USD');
        if (isExact) exact += 1;
        expect(isExact || shown.rate?.startsWith('about ')).toBe(true);
        const [, name = ''] = / per (?:[\d,]+ )?(\S+)$/.exec(shown.rate ?? '') ?? [];
        expect(shown.quantity).toContain(unit === undefined ? '' : name.replace(/s$/, ''));
      }),
      { numRuns: 3_000 },
    );
    expect(exact).toBeGreaterThan(0);
  });

  it('are exact for a charge of up to a million that is their product, unless the quantity is tiny', () => {
    const quantity = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 9 }))
      .map(([digits, decimals]) => new BigNumber(digits).shiftedBy(-decimals));
    fc.assert(
      fc.property(quantity, numbers, units, (used, rate, unit) => {
        const charge = used.times(rate);
        fc.pre(charge.lt(1_000_000));
        // Half a cent is rounded the other way by the smallest difference.
        fc.pre(charge.times(100).mod(1).minus('0.5').abs().gt('0.01'));

        const shown = priced(used, rate, charge, unit);
        fc.pre(shown.quantity?.startsWith('<') === false);
        expect(shown.rate).not.toContain('about');
      }),
      { numRuns: 2_000 },
    );
  });
});
