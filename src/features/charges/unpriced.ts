import { rowsOf } from '../../figures/fold.ts';
import { compareNames, plural } from '../../lib/text.ts';
import type { ChargeResult } from '../../platform/billing/charge-rows.ts';
import type { Catalogue, ChargeableItem } from '../../platform/billing/items.ts';
import { code, joinMrkdwn, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { DailyNote, note } from '../consumption/caveats.ts';
import { tagIn } from '../consumption/tag-columns.ts';
import { NONE } from '../consumption/words.ts';

type Tags = Readonly<Record<string, string>>;

/** The feature that is not named: most usage is of it. */
const USUAL = 'workloads';
/** Kinds of usage that one line names. */
const NAMED = 10;

/**
 * Which usage has no price, as one note at most (spec 2.6, 4.1 rules 1 and 2). What an item fits is
 * priced, be it at 0 or in a free tier; a rate plan in the row proves nothing, because a platform may
 * name the account's plan in every one. Without the chargeable items nothing is known of it, and another
 * line says that the sum may be too low.
 */
export function unpricedCaveats(
  results: readonly ChargeResult[],
  catalogue: Catalogue | undefined,
): Mrkdwn[] {
  if (catalogue === undefined) return [];
  const free = [...rowsOf(results)].filter(({ row }) => row.value.gt(0) && row.total.isZero());
  const kinds = new Map<string, Mrkdwn>();
  for (const tags of distinctTags(free, catalogue.items)) {
    if (catalogue.items.some((item) => fits(item, tags))) continue;
    const kind = kindOf(tags, catalogue.items);
    kinds.set(kind.text, kind);
  }
  return kinds.size === 0 ? [] : [noteOf(kinds, catalogue.skipped > 0)];
}

/** The tags of rows, each once as far as a price can depend on them. */
function distinctTags(
  rows: readonly { readonly key: Tags; readonly row: { readonly tags: Tags } }[],
  items: readonly ChargeableItem[],
): Iterable<Tags> {
  const priced = items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags));
  const names = [...new Set(['metric', 'feature', ...priced])];
  const distinct = new Map<string, Tags>();
  for (const { key, row } of rows) {
    const tags = { ...key, ...row.tags };
    distinct.set(JSON.stringify(names.map((name) => tagIn(tags, name) ?? '')), tags);
  }
  return distinct.values();
}

/** @param isDoubtful an item that could not be read may be for it */
function noteOf(kinds: ReadonlyMap<string, Mrkdwn>, isDoubtful: boolean): Mrkdwn {
  const named = [...kinds.keys()].toSorted(compareNames).slice(0, NAMED);
  const list = joinMrkdwn(
    named.map((text) => kinds.get(text) ?? mrkdwn``),
    ', ',
  );
  const rest = kinds.size > named.length ? ` and ${kinds.size - named.length} more` : '';
  const head = isDoubtful ? 'Perhaps not priced' : 'Not priced';
  const are = `${kinds.size === 1 ? 'is' : 'are'}${isDoubtful ? ' perhaps' : ''}`;
  const items = code('/charges items');
  return new DailyNote(
    note(mrkdwn`${head}, so counted as 0: ${list}${rest}. ${items} lists what has a price.`),
    note(mrkdwn`${plural(kinds.size, 'kind')} of usage ${are} not priced: ${items} lists what is.`),
  );
}

/** A kind of usage in words, with the tag that the closest item has otherwise. */
function kindOf(tags: Tags, items: readonly ChargeableItem[]): Mrkdwn {
  const { metric = '', feature = '' } = tags;
  const named = code(metric || NONE, 60);
  const ofMetric = items.filter(({ consumptionTags }) => consumptionTags['metric'] === metric);
  // Where nothing prices the metric, it is not priced of any feature.
  const isNamedEnough = feature === USUAL || ofMetric.length === 0;
  const what = isNamedEnough ? named : mrkdwn`${named} of ${code(feature || NONE, 60)}`;
  const [closest = []] = ofMetric
    .filter(({ consumptionTags: wanted }) => (wanted['feature'] ?? feature) === feature)
    .map((item) => differingTags(item, tags))
    .toSorted((a, b) => a.length - b.length);
  const odd = closest.find((tag) => tagIn(tags, tag));
  if (odd !== undefined)
    return mrkdwn`${what} with ${code(`${odd}=${tagIn(tags, odd) ?? ''}`, 60)}`;
  const [missing] = closest;
  return missing === undefined ? what : mrkdwn`${what} without ${code(missing, 60)}`;
}

/** Whether an item prices usage with these tags; one that asks for none prices something else. */
function fits(item: ChargeableItem, tags: Tags): boolean {
  const isOfUsage = Object.values(item.consumptionTags).some((value) => value !== '');
  return isOfUsage && differingTags(item, tags).length === 0;
}

/** The tags in which usage is not what an item prices. */
function differingTags({ consumptionTags }: ChargeableItem, tags: Tags): string[] {
  return Object.entries(consumptionTags)
    .filter(([tag, value]) => value !== '' && (tagIn(tags, tag) ?? '') !== value)
    .map(([tag]) => tag);
}
