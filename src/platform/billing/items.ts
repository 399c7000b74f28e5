import { settledWithin } from '../../lib/async.ts';
import { PlatformError } from '../errors.ts';
import type { Http } from '../http.ts';
import { ROW_BYTES } from '../read-cache.ts';
import type { ReadOptions } from '../read-cache.ts';
import type { BillingContext } from './context.ts';
import { objectOf, own, tagsOf, textOf } from '../json.ts';
import { readListing } from './calls.ts';
import type { Listing } from './calls.ts';

/** What usage can be charged as (spec 2.6). */
export interface ChargeableItem {
  readonly id: string;
  /** What queries name it by. */
  readonly name: string;
  readonly description: string;
  /** A row must carry them all to be priced by the item. */
  readonly consumptionTags: Readonly<Record<string, string>>;
  /** Of the usage that is priced, such as a product of bytes and seconds. */
  readonly unit: string;
  readonly type: string | undefined;
}

/** With items `skipped`, the catalogue does not prove that one does not exist. */
export type Catalogue = Listing<ChargeableItem>;

/** @throws PlatformError `malformed` when it is no list */
export function readCatalogue(answer: unknown): Catalogue {
  return readListing(answer, ['items'], readItem);
}

function readItem(value: unknown): ChargeableItem | undefined {
  const item = objectOf(value);
  if (item === undefined) return undefined;
  const text = (name: string) => textOf(own(item, name));
  const [id, name] = [text('id'), text('name')];
  const consumptionTags = tagsOf(own(item, 'consumptionTags'));
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

/** The credentials to read the catalogue with, tried in this order. @throws PlatformError where one is missing */
export type Readers = readonly [first: () => Http, ...others: readonly (() => Http)[]];

/** The catalogue: as a list, and for callers that can do without it (`knownItems`). */
export function createCatalogue(
  { cache, cacheMs, now }: Pick<BillingContext, 'cache' | 'cacheMs' | 'now'>,
  readers: Readers,
) {
  const chargeableItems = async (options: ReadOptions = {}) =>
    cache.read('chargeable_items', async () => readCatalogue(await firstAccepted(readers)), {
      ...options,
      weigh: ({ items }) => ROW_BYTES * items.length,
    });

  // A failure is remembered as long as an answer: one question needs the catalogue several times.
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

/** Every tag that an item prices on, in a fixed order, so that equal questions have equal bodies. */
export function pricedOn({ items }: Catalogue): readonly string[] {
  const tags = items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags));
  return [...new Set(tags)].filter((tag) => tag !== '').toSorted();
}

/** The catalogue as the first credential gets it that is not refused. @throws PlatformError */
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
