import type { Org } from '../deployments/model.ts';
import { itemFor, type Price } from './catalogue.ts';
import { chance, createShapes, hashText, USUAL_PARTS, type Curve, type Shape } from './curve.ts';
import { metersOf, type Meter } from './meters.ts';
import { FACTORS, PROVIDER_PRICED } from './metrics.ts';
import { tagOf, type Series } from './series.ts';
import { addMonths, DAY_MS } from './time.ts';

const STAIR_DAYS = 61;
const STAIR_RISE = 0.05;
/** Doubles in about four years. */
const DAILY_RISE = 1 / 1500;
const WEEKEND = 0.6;
const NOISE = 0.16;
const ORDER = ['org', 'gvc', 'workload', 'location', 'metric', 'feature', 'volumeIndex'];

/**
 * Everything that is metered, in the fixed order in which tiers fill.
 * @param deps.firstMonth start of the history, ms since the epoch
 * @param deps.seededAt ms since the epoch
 */
export function takeCensus(deps: {
  orgs: ReadonlyMap<string, Org>;
  prices: readonly Price[];
  firstMonth: number;
  seededAt: number;
}): Series[] {
  const { orgs, prices, firstMonth, seededAt } = deps;
  const shapes = createShapes();
  const firstDay = firstMonth / DAY_MS;
  const dayOf = (months: number, days: number) => addMonths(seededAt, -months) / DAY_MS + days;

  return metersOf(orgs.values(), dayOf)
    .map((meter) => ({ meter, key: ORDER.map((tag) => tagOf(meter.tags, tag)).join('\0') }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ meter, key }, place) => ({
      place,
      tags: meter.tags,
      factor: FACTORS[meter.metric],
      item: itemFor(prices, meter.tags),
      curve: drawCurve(meter, { seed: hashText(key), shapes: shapes[meter.rhythm], firstDay }),
    }));
}

function drawCurve(
  meter: Meter,
  { seed, shapes, firstDay }: { seed: number; shapes: readonly Shape[]; firstDay: number },
): Curve {
  const { from = firstDay, until = Infinity } = meter.life;
  // Revised usage is counted in hundreds, so that percentages are whole numbers.
  const isRevised = PROVIDER_PRICED.has(meter.metric);
  const grain = isRevised ? 100 : 1;
  return {
    seed,
    shapes,
    level(day) {
      if (day < from || day >= until) return 0;
      const hourly = meter.hourly * trend(meter.growth, day - firstDay) * swing(meter, seed, day);
      return Math.round(hourly / USUAL_PARTS / grain) * grain;
    },
    ...(isRevised ? { provisionalPercent: 91 + (seed % 8) } : {}),
  };
}

function trend(growth: Meter['growth'], days: number): number {
  if (growth === 'none') return 1;
  return growth === 'swing'
    ? 1 + days * DAILY_RISE
    : 1 + Math.floor(days / STAIR_DAYS) * STAIR_RISE;
}

function swing({ growth, rhythm }: Meter, seed: number, day: number): number {
  if (growth !== 'swing') return 1;
  // The epoch was a Thursday.
  const isWeekend = rhythm === 'busy' && (day + 3) % 7 >= 5;
  return (isWeekend ? WEEKEND : 1) * (1 - NOISE / 2 + NOISE * chance(seed, day));
}
