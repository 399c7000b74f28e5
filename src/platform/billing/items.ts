import { objectOf, own, tagsOf } from '../members.ts';
import { textOf } from '../tolerant.ts';
import { readListing } from './listing.ts';
import type { Listing } from './listing.ts';

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
