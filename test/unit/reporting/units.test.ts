import { BigNumber } from 'bignumber.js';
import { describe, expect, it, test } from 'vitest';
import {
  formatInUnit,
  priceUnit,
  unitInDescription,
  unitsOfMetrics,
} from '../../../src/reporting/quantity.ts';
import * as fc from '../../support/fast-check.ts';
import { KiB, readBack, values } from './quantity-read.ts';

describe('the description of an invoice line', () => {
  test.each([
    [
      'my-org: memory (bytes * seconds), Quantity: 13950729216000, Rate: 0.0000000000068',
      'memory',
      'bytes * seconds',
    ],
    ['my-org: memory (bytes * seconds)', 'memory', 'bytes * seconds'],
    ['my-org: memory (fast) (bytes * seconds), Quantity: 1', 'memory (fast)', 'bytes * seconds'],
    ['my-org: memory, Quantity: 1, Rate: 2', 'memory', undefined],
    ['Support: gold', 'Support: gold', undefined],
    ['(bytes)', undefined, 'bytes'],
    ['memory ()', 'memory', undefined],
    ['((((', '((((', undefined],
    [', Quantity: 3', undefined, undefined],
    ['', undefined, undefined],
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
    const texts = fc.array(
      fc.oneof(
        fc.constantFrom('(', ')', ', Quantity:', ', Rate:', ': ', ' '),
        fc.string({ unit: 'binary', maxLength: 4 }),
      ),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(texts, (parts) => {
        const description = parts.join('');
        const { item = '', unit = '' } = unitInDescription(description);

        expect(description).toContain(item);
        expect(description).toContain(unit);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Units in words as a catalogue may have them, and how many of the smallest unit one is. */
const units = fc
  .tuple(
    fc.constantFrom(
      ...([
        ['byte', 1],
        ['KB', 1e3],
        ['megabyte', 1e6],
        ['GB', 1e9],
        ['terabyte', 1e12],
        ['KiB', KiB],
        ['mebibyte', KiB ** 2],
        ['gibibyte', KiB ** 3],
        ['TiB', KiB ** 4],
        ['core', 1],
        ['millicore', 0.001],
        ['vCPU', 1],
        ['GPU', 1],
        ['replica', 1],
        ['request', 1],
        ['', 1],
      ] as const),
    ),
    fc.constantFrom(
      ...([
        ['second', 1],
        ['minute', 60],
        ['hour', 3_600],
        ['day', 86_400],
        ['month', 1],
        ['', 1],
      ] as const),
    ),
    fc.record({
      isPlural: fc.boolean(),
      isTurned: fc.boolean(),
      isLoud: fc.boolean(),
      between: fc.constantFrom(' * ', '*', '-', ' ', '_', ' × '),
    }),
  )
  .filter(([[thing], [time]]) => thing !== '' || time !== '')
  .map(([[thing, size], [time, seconds], { isPlural, isTurned, isLoud, between }]) => {
    const words = [thing, time].filter(Boolean).map((word) => (isPlural ? `${word}s` : word));
    const text = (isTurned ? words.toReversed() : words).join(between);
    return { text: isLoud ? text.toUpperCase() : text, factor: size * seconds };
  });

describe('the units of the chargeable items', () => {
  const items = (...said: readonly (readonly [metric: string, unit: string])[]) =>
    said.map(([metric, unit]) => ({ consumptionTags: metric === '' ? {} : { metric }, unit }));

  it('is the unit of a metric that no one documented', () => {
    const unitOf = unitsOfMetrics(items(['iops', 'requests'], ['', 'months'], ['backups', '  ']));

    expect(['iops', 'backups', 'something', ''].map(unitOf)).toEqual([
      'requests',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('never replaces a documented unit: the names of two metrics show otherwise', () => {
    const unitOf = unitsOfMetrics(items(['volume-set-capacity-bytes', 'bytes * seconds']));

    expect(unitOf('volume-set-capacity-bytes')).toBe('GiB-seconds');
  });

  it('is nothing where two of them contradict one another, also when a third agrees', () => {
    const unitOf = unitsOfMetrics(
      items(['x', 'bytes'], ['x', 'bytes * seconds'], ['x', 'bytes'], ['y', 'widgets'], ['y', 'w']),
    );

    expect(['x', 'y'].map(unitOf)).toEqual([undefined, undefined]);
  });

  it('may have different words', () => {
    const unitOf = unitsOfMetrics(
      items(['x', ''], ['x', 'bytes * seconds'], ['x', 'Byte-Seconds']),
    );

    expect(unitOf('x')).toBe('bytes * seconds');
  });
});

describe('a quantity in words', () => {
  test.each([
    ['bytes * seconds', '13950729216000', '3.609 GiB-hours'],
    ['cores*seconds', '7200', '2 core-hours'],
    ['core-seconds', '7200', '2 core-hours'],
    ['Core Seconds', '7200', '2 core-hours'],
    ['seconds × cores', '7200', '2 core-hours'],
    ['millicores * seconds', '7200000', '2 core-hours'],
    ['vCPU * hours', '2', '2 vCPU-hours'],
    ['GB seconds', '7200', '2 GB-hours'],
    ['gigabytes * seconds', '7200', '2 GB-hours'],
    ['gibibytes * seconds', '7200', '2 GiB-hours'],
    ['(GiB * hours)', '2', '2 GiB-hours'],
    ['MB * days', '1', '0.024 GB-hours'],
    ['minutes', '90', '1.5 hours'],
    ['bytes', '1024', '1 KiB'],
    ['samples', '1200', '1,200 samples'],
    ['hours', '1.5', '1.5 hours'],
    ['gigabytes-hours', '1', '1 GB-hour'],
    ['millicores', '1500', '1.5 cores'],
    ['requests', '12345', '12,345 requests'],
    ['GB * months', '1234.5', '1,234.5 GB-months'],
    ['GiB-month', '0.5', '0.5 GiB-months'],
    ['bytes * months', '536870912', '0.5 GiB-months'],
    ['cores * months', '0.001', '0.001 core-months'],
    ['months', '1', '1 month'],
  ])('%s: %s is %s', (unit, value, text) => {
    expect(formatInUnit(new BigNumber(value), unit)).toBe(text);
  });

  test.each([
    ['bytes * bytes', '1,234,567.5 bytes * bytes'],
    ['seconds seconds', '1,234,567.5 seconds seconds'],
    ['bytes / second', '1,234,567.5 bytes / second'],
    ['GB * years', '1,234,567.5 GB * years'],
    ['months * hours', '1,234,567.5 months * hours'],
    ['w'.repeat(50), `1,234,567.5 ${'w'.repeat(39)}…`],
    ['constructor', '1,234,567.5 constructor'],
    [' <!here> ', '1,234,567.5 <!here>'],
    [' ', '1,234,567.5'],
    ['', '1,234,567.5'],
    [undefined, '1,234,567.5'],
  ])('that are not understood, %j, follow the full number', (unit, text) => {
    expect(formatInUnit(new BigNumber('1234567.5'), unit)).toBe(text);
  });

  it('is the raw number again, within rounding, in any unit and any spelling', () => {
    fc.assert(
      fc.property(values, units, (value, { text, factor }) => {
        const reported = formatInUnit(value, text);
        const smallest = value.times(factor);
        const allowed = reported.startsWith('<') ? '0.001' : smallest.times('0.005');

        expect(readBack(reported).minus(smallest).abs().lte(allowed)).toBe(true);
        expect(reported.startsWith('0 ')).toBe(value.isZero());
        expect(reported).not.toContain(' * ');
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
