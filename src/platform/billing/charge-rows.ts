import type { BigNumber } from 'bignumber.js';
import { settledWithin } from '../../lib/time.ts';
import { readResult, type Consumption, type ConsumptionResult } from '../consumption/result.ts';
import { PlatformError } from '../errors.ts';
import type { Http } from '../http.ts';
import {
  isNothing,
  labelOf,
  membersOf,
  numberOf,
  objectOf,
  quantityOf,
  tagsOf,
  textOf,
  type Members,
} from '../json.ts';
import { ROW_BYTES, type ReadOptions } from '../concurrency.ts';
import { readListing, type Listing } from './calls.ts';
import type { BillingContext } from './context.ts';

/** Spec 2.6. */
export interface ChargeableItem {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** A row must have them all to be priced by the item. */
  readonly consumptionTags: Readonly<Record<string, string>>;
  /** Unit of the priced usage, such as a product of bytes and seconds. */
  readonly unit: string;
  readonly type: string | undefined;
}

/** With `skipped` items, the catalogue cannot prove that an item does not exist. */
export type Catalogue = Listing<ChargeableItem>;

/** @throws PlatformError `malformed` for anything but a list */
export function readCatalogue(answer: unknown): Catalogue {
  return readListing(answer, ['items'], readItem);
}

function readItem(value: unknown): ChargeableItem | undefined {
  const item = objectOf(value);
  if (item === undefined) return undefined;
  const text = (name: string) => textOf(item[name]);
  const [id, name] = [text('id'), text('name')];
  const consumptionTags = tagsOf(item['consumptionTags']);
  if (id === '' || name === '' || consumptionTags === undefined) return undefined;
  return {
    id,
    name,
    description: text('description'),
    consumptionTags,
    unit: text('unit'),
    type: text('type') || undefined,
  };
}

const CATALOGUE_WITHIN_MS = 15_000;

/** Credentials for the catalogue, tried in this order. @throws PlatformError when one is missing */
export type Readers = readonly [first: () => Http, ...others: readonly (() => Http)[]];

export function createCatalogue(
  { cache, cacheMs, now }: Pick<BillingContext, 'cache' | 'cacheMs' | 'now'>,
  readers: Readers,
) {
  const chargeableItems = async (options: ReadOptions = {}) =>
    cache.read('chargeable_items', async () => readCatalogue(await firstAccepted(readers)), {
      ...options,
      weigh: ({ items }) => ROW_BYTES * items.length,
    });

  // A failure is cached as long as an answer: one question needs the catalogue several times.
  let unreadUntil = 0;
  async function knownItems(withinMs = CATALOGUE_WITHIN_MS): Promise<Catalogue | undefined> {
    if (now() < unreadUntil) return undefined;
    const reading = chargeableItems().then(
      ({ value }) => {
        unreadUntil = 0;
        return value;
      },
      () => {
        unreadUntil = now() + cacheMs;
        return undefined;
      },
    );
    if (await settledWithin(reading, withinMs)) return reading;
    if (withinMs >= CATALOGUE_WITHIN_MS) unreadUntil = now() + cacheMs;
    return undefined;
  }

  return { chargeableItems, knownItems };
}

/** Sorted, so that equal questions have equal bodies. */
export function pricedOn({ items }: Catalogue): readonly string[] {
  const tags = items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags));
  return [...new Set(tags)].filter((tag) => tag !== '').toSorted();
}

async function firstAccepted([reader, ...others]: Readers): Promise<unknown> {
  try {
    return (await reader().send({ method: 'GET', path: 'chargeable_items' })).body;
  } catch (error) {
    const isRefused =
      error instanceof PlatformError && ['unauthorized', 'forbidden'].includes(error.reason);
    const [next, ...rest] = others;
    if (!isRefused || next === undefined) throw error;
    return firstAccepted([next, ...rest]);
  }
}

/** Spec 2.7. Amounts are in whole units of the row's currency; different currencies are never added. */
export interface ChargeRow extends Consumption {
  /** 0 for an unpriced row; below 0 for a credit. */
  readonly total: BigNumber;
  /** `total` extrapolated to the full period, when that contains the current time. */
  readonly projectedTotal: BigNumber | undefined;
  /** Upper case; absent only for a free row. */
  readonly currency: string | undefined;
  readonly ratePlans: readonly string[];
}

export interface ChargeTier {
  readonly amount: BigNumber;
  readonly units: BigNumber;
  readonly rate: BigNumber;
  /** Bounds in usage units; absent when open (-1, null or absent in the answer). */
  readonly from: BigNumber | undefined;
  readonly to: BigNumber | undefined;
  readonly chargeableItemId: string;
  readonly ratePlanItem: string | undefined;
}

export interface DetailedChargeRow extends ChargeRow {
  readonly details: readonly ChargeTier[];
}

export interface BillingPeriodCharges {
  readonly ratePlan: string | undefined;
  readonly results: readonly ConsumptionResult<DetailedChargeRow>[];
}

/** The aggregation tags, which decide how rows can be priced (spec 4.1 rule 1). */
export interface Aggregation {
  /** The requested tags, and every tag that a chargeable item prices on. */
  readonly aggregateBy: readonly string[];
  /** Undefined when the catalogue could not be read. */
  readonly catalogue?: Catalogue | undefined;
  /**
   * The catalogue is incomplete or empty, so a row may lack a tag that it is priced on and then counts as 0.
   */
  readonly mayBeTooLow: boolean;
}

export interface DetailedResult {
  readonly billingPeriods: readonly BillingPeriodCharges[];
  /** Unreadable rows, or parts of unknown size. */
  readonly skipped: number;
}

export type ChargeResult = ConsumptionResult<ChargeRow>;

export type Charges = ChargeResult & Aggregation;

export type DetailedCharges = DetailedResult & Aggregation;

/** @throws PlatformError `malformed` */
export function readCharges(answer: unknown, groupBy: readonly string[]): ChargeResult {
  return readResult(membersOf(answer)['results'], groupBy, readChargeRow);
}

/** @throws PlatformError `malformed` */
export function readDetailedCharges(answer: unknown, groupBy: readonly string[]): DetailedResult {
  const entries = membersOf(answer)['detailedResults'];
  if (entries !== null && !Array.isArray(entries)) {
    throw new PlatformError('malformed', 'the answer has no detailed results');
  }
  const billingPeriods: BillingPeriodCharges[] = [];
  let skipped = 0;
  for (const entry of entries ?? []) {
    const period = objectOf(entry);
    const state = period && objectOf(period['accountState']);
    const said = period && period['results'];
    // Without a list it is a billing period without usage, if it is a billing period.
    const results = isNothing(said) && state !== undefined ? [] : said;
    if (!Array.isArray(results)) {
      skipped += 1;
      continue;
    }
    const read = results.map((result) => readOrSkip(result, groupBy));
    skipped += read.reduce((sum, result) => sum + (result?.skipped ?? 1), 0);
    billingPeriods.push({
      ratePlan: state && labelOf(state['ratePlan']),
      results: read.filter((result) => result !== undefined),
    });
  }
  return { billingPeriods, skipped };
}

function readOrSkip(result: unknown, groupBy: readonly string[]) {
  try {
    return readResult(result, groupBy, readDetailedRow);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return undefined; // An unreadable result must not cost the other billing periods.
  }
}

function readChargeRow({ value, tags }: Consumption, members: Members): ChargeRow | undefined {
  const total = numberOf(members['total']);
  const projected = members['projectedTotal'] ?? undefined;
  const projectedTotal = numberOf(projected);
  const said = members['currency'] ?? '';
  if (total === undefined || typeof said !== 'string') return undefined;
  const currency = said.trim().toUpperCase();
  if (projected !== undefined && projectedTotal === undefined) return undefined;
  const isFree = total.isZero() && (projectedTotal?.isZero() ?? true);
  if (currency === '' && !isFree) return undefined;
  const plans = members['ratePlans'];
  const ratePlans = (Array.isArray(plans) ? plans : []).filter((plan) => typeof plan === 'string');
  // No spread: for tens of thousands of rows it took half the time.
  return { value, tags, total, projectedTotal, currency: currency || undefined, ratePlans };
}

function readDetailedRow(
  consumption: Consumption,
  members: Members,
): DetailedChargeRow | undefined {
  const row = readChargeRow(consumption, members);
  const said = members['details'] ?? [];
  if (row === undefined || !Array.isArray(said)) return undefined;
  const details = said.map(readTier).filter((tier) => tier !== undefined);
  // Incomplete tiers would not add up to the total.
  return details.length === said.length ? { ...row, details } : undefined;
}

function readTier(value: unknown): ChargeTier | undefined {
  const tier = objectOf(value);
  if (tier === undefined) return undefined;
  const amount = numberOf(tier['amount']);
  const units = quantityOf(tier['units']);
  const rate = numberOf(tier['rate']);
  const from = boundOf(tier['from']);
  const to = boundOf(tier['to']);
  if (!amount || !units || !rate || from === undefined || to === undefined) return undefined;
  return {
    amount,
    units,
    rate,
    from: from === 'none' ? undefined : from,
    to: to === 'none' ? undefined : to,
    chargeableItemId: textOf(tier['chargeableItemId']),
    ratePlanItem: labelOf(tier['ratePlanItem']),
  };
}

/** -1, null and absent are open ('none'); undefined is unreadable. */
function boundOf(value: unknown): BigNumber | 'none' | undefined {
  const isNone = isNothing(value) || numberOf(value)?.eq(-1) === true;
  return isNone ? 'none' : quantityOf(value);
}
