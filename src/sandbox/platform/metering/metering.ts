import type { SandboxClock } from '../clock.ts';
import type { Org } from '../deployments/model.ts';
import { answerQuery, type Answer, type Span } from './answer.ts';
import type { QueryBody, TagValuesBody } from './body.ts';
import type { Books, ChargeableItem } from './books.ts';
import { pricesOn, type Currency, type PricingTags } from './catalogue.ts';
import { takeCensus } from './census.ts';
import { createBooks } from './create-books.ts';
import { createHistory } from './history.ts';
import { createPlans } from './plans.ts';
import { createPricing } from './pricing.ts';
import { readQuery, type Query } from './query.ts';
import { arrangeRows } from './rows.ts';
import { findTagValues } from './tag-values.ts';
import { addMonths, DAY_MS, monthOf } from './time.ts';

/** Before the month in which the stand-in was started. */
const MONTHS_OF_HISTORY = 13;
const MONTHS_OF_NEWER_PLAN = 4;

/** The usage of every workload, hour by hour, and its cost. Invalid bodies throw a SandboxError. */
export interface Metering {
  readonly books: Books;
  readonly items: readonly ChargeableItem[];
  /** Spec 4.5, rule 4: without usage `periods` is null. */
  usage(org: string, body: QueryBody): UsageAnswer;
  /** @param orgs all orgs that the form of the endpoint covers */
  charges(orgs: readonly string[], body: QueryBody): ChargeAnswer;
  /** Sorted. */
  tagValues(orgs: readonly string[], body: TagValuesBody): string[];
  /**
   * From now on hours younger than 48 hours read as so many percent of what they end as, whatever is
   * metered; undefined: items priced from the provider's bill are provisional again.
   * @param percent a whole number
   */
  reportYoung(percent: number | undefined): void;
  /** From now on charges by workload also list so many workloads that used nothing, eight rows each. */
  reportIdle(count: number): void;
}

type UsageAnswer = Answer | (Omit<Answer, 'periods'> & { readonly periods: null });
type ChargeAnswer = { readonly results: Answer } | { readonly detailedResults: BillingPeriod[] };

/** The entry of a detailed answer for one UTC month (spec 2.7). */
interface BillingPeriod {
  readonly accountState: { readonly ratePlan: string };
  readonly results: Answer[];
}

/** @param deps.orgs the workloads that are metered, as they are now */
export function createMetering(deps: {
  orgs: ReadonlyMap<string, Org>;
  clock: SandboxClock;
  pricingTags: PricingTags;
  currency: Currency;
}): Metering {
  const { orgs, clock, currency } = deps;
  const prices = pricesOn(deps.pricingTags);
  const items = prices.map(({ item }) => item);
  const seededAt = clock.now();
  const firstMonth = addMonths(seededAt, -MONTHS_OF_HISTORY);
  const census = takeCensus({ orgs, prices, firstMonth, seededAt });
  const history = createHistory(firstMonth / DAY_MS);
  const plans = createPlans(prices, addMonths(seededAt, -MONTHS_OF_NEWER_PLAN));
  let idle = 0;
  const censusOf = (names: ReadonlySet<string>) =>
    census.filter(({ tags }) => names.has(String(tags['org'])));

  return {
    books: createBooks({
      censusOf,
      history,
      items,
      plans,
      firstMonth,
      currency,
      now: () => clock.now(),
    }),
    items,

    usage(org, body) {
      const reading = history.at(clock.now());
      const query = readQuery(body, { priced: false, now: reading.now, items });
      const rows = arrangeRows(query, censusOf(new Set([org])));
      const answer = answerQuery({ query, rows, reading, firstMonth, currency });
      return answer.periods.length === 0 ? { ...answer, periods: null } : answer;
    },

    charges(covered, body) {
      const reading = history.at(clock.now());
      const query = readQuery(body, { priced: true, now: reading.now, items });
      const rows = arrangeRows(query, censusOf(new Set(covered)));
      const pricing = createPricing({ rows, reading, plans });
      const common = { query, reading, firstMonth, currency, pricing, idle };
      if (body.detailed !== true) return { results: answerQuery({ ...common, rows }) };
      return {
        detailedResults: monthsOf(query, firstMonth).map((within) => ({
          accountState: { ratePlan: plans.planOf(within.start) },
          results: [answerQuery({ ...common, rows, within, detailed: true })],
        })),
      };
    },

    tagValues: (covered, body) =>
      findTagValues(body, {
        census: censusOf(new Set(covered)),
        reading: history.at(clock.now()),
      }),

    reportYoung: (percent) => history.reportYoung(percent),
    reportIdle: (count) => (idle = count),
  };
}

/** The UTC months that a query overlaps: the billing periods. Nothing is there before the history. */
function monthsOf({ start, end }: Query, firstMonth: number): Span[] {
  const months: Span[] = [];
  for (let month = monthOf(Math.max(start, firstMonth)); month < end; month = addMonths(month, 1)) {
    months.push({ start: month, end: addMonths(month, 1) });
  }
  return months;
}
