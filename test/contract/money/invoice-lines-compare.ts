import { BigNumber } from 'bignumber.js';

import type { Shown } from './answer-read.ts';
import { isQuantity } from './figures-read.ts';
import { dollarsOrNot, linesIn, monthOf, ownerOf, sumOf, wholeOf } from './invoice-truth.ts';
import type { Written, WrittenLine, WrittenPeriod } from './invoice-truth.ts';

/** A metric that is counted in the same unit. */
const COUNTED_AS: Readonly<Record<string, string>> = {
  'cores * seconds': 'cpu',
  'bytes * seconds': 'memory',
  bytes: 'egress',
  'gpus * seconds': 'gpu',
  'gibibytes * seconds': 'snapshot-storage',
  'gigabytes * seconds': 'logs-storage',
  seconds: 'load-balancer-seconds',
  samples: 'metrics-samples',
};

/** How many raw units a price is for. */
const PRICED_PER: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'cores * seconds': { 'core-hour': 3_600 },
  'bytes * seconds': { 'GiB-hour': 2 ** 30 * 3_600 },
  bytes: { GiB: 2 ** 30 },
  'gpus * seconds': { 'GPU-hour': 3_600 },
  'gibibytes * seconds': { 'GiB-hour': 3_600 },
  'gigabytes * seconds': { 'GB-hour': 3_600 },
  seconds: { hour: 3_600 },
  samples: { sample: 1 },
};

/** Every line of the invoice is there once, by item, period and tier, below what its item comes to. */
export function lineProblems(pages: readonly Shown[], invoice: Written): string[] {
  const rows = pages.flatMap((page) => page.rows);
  const { titles = [] } = pages[0] ?? {};
  const isOfPeriods = invoice.periods.length > 1;
  const wanted = `Org Item ${isOfPeriods ? 'Period ' : ''}Quantity Rate Charge`;
  if (titles.join(' ') !== wanted) return [`the columns are ${titles.join(' ')}`];

  const left = new Map<string, { line: WrittenLine; period: WrittenPeriod }[]>();
  for (const period of invoice.periods) {
    for (const line of linesIn(period)) {
      const key = `${ownerOf(line) ?? '(not said)'} ${partsOf(line).item || '–'}`;
      left.set(key, [...(left.get(key) ?? []), { line, period }]);
    }
  }
  const problems: string[] = [];
  for (const row of rows) {
    const cells = isOfPeriods ? row : [row[0]!, row[1]!, '', ...row.slice(2)];
    const [org = '', named = '', month = '', quantity = '', rate = '', charge = ''] = cells;
    const { item = named, count } =
      /^(?<item>.+), (?<count>\d+) lines together$/.exec(named)?.groups ?? {};
    const key = `${org === '(surcharge)' ? '' : org} ${item}`;
    const own = left.get(key) ?? [];
    const isRight =
      count === undefined
        ? isLine({ month, quantity, rate, charge }, own.shift(), isOfPeriods)
        : isSum(
            { count, quantity, charge },
            own.map(({ line }) => line),
          );
    if (!isRight) problems.push(row.join(' | '));
  }
  const missing = [...left.values()].flat();
  return [...problems, ...missing.map(({ line }) => `${line.description} is missing`)];
}

interface Cells {
  readonly month: string;
  readonly quantity: string;
  readonly rate: string;
  readonly charge: string;
}

function isLine(
  { month, quantity, rate, charge }: Cells,
  told: { line: WrittenLine; period: WrittenPeriod } | undefined,
  isOfPeriods: boolean,
): boolean {
  if (told === undefined) return false;
  const { line, period } = told;
  return (
    charge === dollarsOrNot(wholeOf(line.charge)) &&
    (!isOfPeriods || month === monthOf(period)) &&
    isUsed(quantity, [line]) &&
    isRate(rate, line)
  );
}

function isSum(
  { count, quantity, charge }: { count: string; quantity: string; charge: string },
  lines: readonly WrittenLine[],
): boolean {
  const charges = lines.map((line) => wholeOf(line.charge));
  const sum = charges.includes(undefined) ? undefined : sumOf(charges);
  return (
    lines.length > 1 &&
    Number(count) === lines.length &&
    charge === dollarsOrNot(sum) &&
    isUsed(quantity, lines)
  );
}

function isUsed(text: string, lines: readonly WrittenLine[]): boolean {
  const [line] = lines;
  const isTold = lines.every(({ quantity }) => quantity.isFinite());
  if (ownerOf(line!) === '' || !isTold) return text === '–';
  const { unit } = partsOf(line!);
  const used = sumOf(lines.map(({ quantity }) => quantity));
  return unit === '' ? text === used.toFormat() : isQuantity(text, used, COUNTED_AS[unit] ?? '');
}

/** The rate that stands in the description, for a unit that people read or many of it, to four digits. */
function isRate(text: string, line: WrittenLine): boolean {
  const { unit, rate } = partsOf(line);
  if (rate === undefined) return text === '–';
  const { figure, count, per } =
    /^(?<figure>[\d,.]+) USD per (?:(?<count>[\d,]+) )?(?<per>\S+)$/.exec(text)?.groups ?? {};
  const one = count === undefined ? per : per?.replace(/s$/, '');
  const size = PRICED_PER[unit]?.[one ?? ''];
  if (figure === undefined || size === undefined) return false;
  const [shown, times] = [figure, count ?? '1'].map(
    (one) => new BigNumber(one.replaceAll(',', '')),
  );
  const exact = new BigNumber(rate).times(size).times(times!);
  return shown!.minus(exact).abs().lte(exact.times(5e-4));
}

/** "acme: cpu (cores * seconds), Quantity: 7200, Rate: 0.00001". */
function partsOf({ description }: WrittenLine) {
  const { item, unit, rate } =
    /^[\w-]+: (?<item>[\w-]+) \((?<unit>[^)]+)\), Quantity: [^,]+, Rate: (?<rate>\S+)$/.exec(
      description,
    )?.groups ?? {};
  return { item: item ?? description, unit: unit ?? '', rate };
}
