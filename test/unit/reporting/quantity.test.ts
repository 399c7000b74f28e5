import { BigNumber } from 'bignumber.js';
import { describe, expect, it, test } from 'vitest';
import { formatInUnit, unitSize, unitsOfMetrics } from '../../../src/reporting/quantity.ts';
import { KNOWN_METRICS } from '../../../src/reporting/query-words.ts';
import * as fc from '../../support/fast-check.ts';
import { KiB, readBack, values } from './quantity-read.ts';

const documented = unitsOfMetrics();

/** Each metric and how many of the smallest unit its raw unit holds. */
const metrics = {
  cpu: 1,
  memory: 1,
  egress: 1,
  'cross-zone-traffic': 1,
  'public-ip-external-traffic': 1,
  'load-balancer-processed-bytes': 1,
  'load-balancer-seconds': 1,
  replicas: 1,
  gpu: 1,
  'volume-set-capacity-bytes': KiB ** 3,
  volume_set_capacity: 1e9,
  'snapshot-storage': KiB ** 3,
  'snapshot-capacity': 1,
  'logs-storage': 1e9,
  'metrics-storage': 1e9,
  'tracing-storage': 1e9,
  'metrics-samples': 1,
  'cores-under-management': 1,
} as const;
const names = Object.keys(metrics) as (keyof typeof metrics)[];

function quantity(value: string, metric: string): string {
  return formatInUnit(new BigNumber(value), documented(metric));
}

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
  ])('of %s, %s, is %s', (metric, value, text) => {
    expect(quantity(value, metric)).toBe(text);
  });

  test.each([
    ['cpu', '0', '0 core-hours'],
    ['cpu', '90', '0.025 core-hours'],
    ['cpu', '20', '20 core-seconds'],
    ['cpu', '1', '1 core-second'],
    ['cpu', '0.0004', '<0.001 core-seconds'],
    ['cpu', '1e-40', '<0.001 core-seconds'],
    ['memory', '1000000000', '0.2649 MiB-hours'],
    ['egress', '0', '0 bytes'],
    ['egress', '1', '1 byte'],
    ['egress', '-5000000000', '−4.657 GiB'],
    ['cpu', '-3600', '−1 core-hour'],
    ['cpu', '-0.0004', '>−0.001 core-seconds'],
  ])('of %s that is small, %s, is %s', (metric, value, text) => {
    expect(quantity(value, metric)).toBe(text);
  });

  test.each(['requests-per-moon', 'constructor', ''])('of unknown %j stays raw', (metric) => {
    expect(quantity('11132555231232000.5', metric)).toBe('11,132,555,231,232,000.5');
    expect(documented(metric)).toBeUndefined();
  });

  it('has a unit for every metric that is offered', () => {
    expect(KNOWN_METRICS.filter((metric) => documented(metric) === undefined)).toEqual([]);
    expect(new Set(names)).toEqual(new Set(KNOWN_METRICS));
  });

  it('is within 0.5 % of its text, and never zero if it is something', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(...names), (value, metric) => {
        const text = formatInUnit(value, documented(metric));
        const smallest = value.times(metrics[metric]);
        const allowed = text.startsWith('<') ? '0.001' : smallest.times('0.005');

        expect(readBack(text).minus(smallest).abs().lte(allowed)).toBe(true);
        expect(text.startsWith('0 ')).toBe(value.isZero());
        expect(text).not.toMatch(/e[+-]?\d|NaN|Infinity/);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the unit of a metered value', () => {
  test.each([
    ['cpu', '7200', '3600'],
    ['cpu', '20', '1'],
    ['egress', '5000000000', String(KiB ** 3)],
    ['memory', '11132555231232000', String(3_600 * KiB ** 3)],
    ['logs-storage', '7200', '3600'],
    ['volume_set_capacity', '0', '3600'],
    ['metrics-samples', '5', '1'],
    ['unheard-of', '5', '1'],
  ])('of %s at %s is %s raw units', (metric, value, size) => {
    expect(unitSize(new BigNumber(value), documented(metric)).toFixed()).toBe(size);
  });

  it('is 1 in the unit that the value is reported in', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(...names), (value, metric) => {
        const raw = documented(metric);
        const [, unit = ''] = formatInUnit(value, raw).split(' ');
        const one = formatInUnit(unitSize(value, raw), raw, value);

        expect(one).toBe(`1 ${unit.replace(/(?<!B)s$/, '')}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('can be the one of another value', () => {
    const [top, part] = [new BigNumber(1.2 * KiB ** 4), new BigNumber(0.2 * KiB ** 4)];

    expect(formatInUnit(part, 'bytes')).toBe('204.8 GiB');
    expect(formatInUnit(part, 'bytes', top)).toBe('0.2 TiB');
  });
});
