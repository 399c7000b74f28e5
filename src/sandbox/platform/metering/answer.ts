import type { LosslessNumber } from 'lossless-json';

import type { Currency } from './catalogue.ts';
import { money, price, quantity } from './decimal.ts';
import type { Reading } from './history.ts';
import type { Pricing, TierUse } from './pricing.ts';
import type { Query } from './query.ts';
import type { Row } from './rows.ts';
import type { Tags } from './series.ts';
import { floorTo, hourFrom, iso, nextBoundary } from './time.ts';

/** A usage query response (spec 2.7); with prices, the result of a charge query. */
export interface Answer {
  readonly periods: Period[];
  readonly consumptionCount: number;
}

interface Period {
  readonly startTime: string;
  readonly endTime: string;
  readonly totalSeconds: number;
  readonly elapsedSeconds: number;
  readonly consumptionCount: number;
  readonly groups: Group[];
}

interface Group {
  readonly key: Tags;
  readonly consumptions: Consumption[];
}

interface Consumption {
  readonly value: LosslessNumber;
  readonly tags: Tags;
  readonly projectedValue?: LosslessNumber;
}

/** Two times, ms since the epoch; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface AnswerDeps {
  readonly query: Query;
  readonly rows: readonly Row[];
  readonly reading: Reading;
  /** When metering began: nothing before it, so no period either. */
  readonly firstMonth: number;
  readonly currency: Currency;
  /** Charges only. */
  readonly pricing?: Pricing;
  /** Rows with their tiers. */
  readonly detailed?: boolean;
  /** Periods are cut off at the ends of this span. */
  readonly within?: Span;
  /** So many workloads that used nothing are in each period of a query by workload. */
  readonly idle?: number;
}

/** Sums up the rows period by period; periods, groups and rows without usage are left out. */
export function answerQuery(deps: AnswerDeps): Answer {
  const periods = [...spansOf(deps)]
    .map((span) => toPeriod(span, deps))
    .filter(({ consumptionCount }) => consumptionCount > 0);
  return { periods, consumptionCount: countAll(periods) };
}

function* spansOf({ query, reading, firstMonth, within }: AnswerDeps): Generator<Span> {
  const { step, perStep } = query;
  const start = Math.max(query.start, within?.start ?? -Infinity);
  const end = Math.min(query.end, within?.end ?? Infinity);
  if (!perStep) {
    if (start < Math.min(end, reading.now)) yield { start, end };
    return;
  }
  let boundary = floorTo(Math.max(start, firstMonth), step);
  while (boundary < Math.min(end, reading.now)) {
    const next = nextBoundary(boundary, step);
    yield { start: Math.max(start, boundary), end: Math.min(end, next) };
    boundary = next;
  }
}

function toPeriod(span: Span, deps: AnswerDeps): Period {
  const { now } = deps.reading;
  const groups: Group[] = [];
  let lastKey: string | undefined;
  for (const row of deps.rows) {
    const consumption = toConsumption(row, span, deps);
    if (consumption === undefined) continue;
    const key = JSON.stringify(row.group);
    if (key !== lastKey) groups.push({ key: row.group, consumptions: [] });
    lastKey = key;
    groups.at(-1)?.consumptions.push(consumption);
  }
  groups.push(...idleGroups(deps));
  return {
    startTime: iso(span.start),
    endTime: iso(span.end),
    totalSeconds: (span.end - span.start) / 1000,
    elapsedSeconds: Math.floor((Math.min(now, span.end) - span.start) / 1000),
    consumptionCount: groups.reduce((sum, { consumptions }) => sum + consumptions.length, 0),
    groups,
  };
}

/** Each with a row for each of these metrics: as many rows as a large account has, and no sum changes. */
function idleGroups({ query, currency, idle = 0 }: AnswerDeps): Group[] {
  if (!query.groupBy.includes('workload')) return [];
  // Made once: of ten thousand rows these took a second, in which nothing else of the process goes on.
  const nothing = {
    value: quantity(0n),
    projectedValue: quantity(0n),
    projectedTotal: money(0n),
    total: money(0n),
  };
  return Array.from({ length: idle }, (_, at) => {
    const of: Tags = {
      org: 'acme',
      gvc: 'idle',
      workload: `idle-workload-of-a-large-account-${at}`,
    };
    const key = Object.fromEntries(query.groupBy.map((tag) => [tag, of[tag] ?? '']));
    const consumptions = IDLE_METRICS.map((metric) => ({
      ...nothing,
      tags: {
        ...key,
        name: of['workload'] ?? '',
        location: 'aws-eu-central-1',
        feature: 'workloads',
        metric,
        locationType: 'aws',
        performanceClass: '',
      },
      currency: currency.code,
      ratePlans: ['standard'],
    }));
    return { key, consumptions };
  });
}

const IDLE_METRICS = ['cpu', 'memory', 'egress', 'replicas', 'gpu', 'logs', 'metrics', 'tracing'];

function toConsumption(row: Row, span: Span, deps: AnswerDeps): Consumption | undefined {
  const { query, reading, pricing, firstMonth, detailed = false } = deps;
  const known = {
    start: Math.max(span.start, query.retainedFrom, firstMonth),
    end: Math.min(span.end, reading.now),
  };
  const value = valueOf(row, known, reading);
  if (value === 0n) return undefined;
  const project = projection(span, reading.now);
  const consumption = {
    value: quantity(value),
    tags: row.tags,
    ...(project === undefined ? {} : { projectedValue: quantity(project(value)) }),
  };
  if (pricing === undefined) return consumption;
  const uses = pricing.priceRow(row, known.start, known.end);
  const total = uses.reduce((sum, { amount }) => sum + amount, 0n);
  return Object.assign(consumption, {
    total: money(total),
    ...(project === undefined ? {} : { projectedTotal: money(project(total)) }),
    currency: deps.currency.code,
    ratePlans: [...new Set(uses.map(({ priced }) => priced.plan))],
    ...(detailed ? { details: uses.map(toDetail) } : {}),
  });
}

/** Thousandths. Counts of one metric are plain numbers; only what they stand for is large. */
function valueOf(row: Row, { start, end }: Span, reading: Reading): bigint {
  const counts = new Map<bigint, number>();
  for (const { series } of row.members) {
    const count = reading.sum(series.curve, hourFrom(start), hourFrom(end));
    counts.set(series.factor, (counts.get(series.factor) ?? 0) + count);
  }
  return [...counts].reduce((sum, [factor, count]) => sum + BigInt(count) * factor, 0n);
}

/** Extrapolates to the whole of the period that `now` is in; undefined for any other (spec 2.7). */
function projection({ start, end }: Span, now: number): ((sum: bigint) => bigint) | undefined {
  if (now <= start || now >= end) return undefined;
  return (sum) => (sum * BigInt(end - start)) / BigInt(Math.floor(now - start));
}

function toDetail({ priced, tier, units, amount }: TierUse) {
  return {
    amount: money(amount),
    units: quantity(units),
    rate: price(tier.rate),
    from: quantity(tier.from),
    to: tier.to === undefined ? -1 : quantity(tier.to),
    chargeableItemId: priced.item.id,
    ratePlanItem: priced.id,
  };
}

function countAll(periods: readonly Period[]): number {
  return periods.reduce((sum, period) => sum + period.consumptionCount, 0);
}
