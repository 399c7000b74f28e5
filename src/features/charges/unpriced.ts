import { rowsOf } from '../../figures/fold.ts';
import { compareNames } from '../../lib/text.ts';
import type { Charges } from '../../platform/billing/charge-rows.ts';
import type { Catalogue, ChargeableItem } from '../../platform/billing/items.ts';
import { code, joinMrkdwn, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { note } from '../consumption/caveats.ts';
import { NONE } from '../consumption/words.ts';

type Tags = Readonly<Record<string, string>>;

/** The feature that is not named: most usage is of it. */
const USUAL = 'workloads';
/** Things that one line names. */
const NAMED = 3;

/**
 * Which usage has no price, and why: it lacks a tag that its item prices on, or no item is for it
 * (spec 2.6, 4.1 rules 1 and 2). What an item fits is priced, be it at 0 or in a free tier; a rate plan
 * in the row proves nothing, because a platform may name the account's plan in every one.
 * @param readCatalogue asked only where there is usage that costs nothing
 * @param asked the tags that rows are told apart by: one that is not among them is known to nobody here
 */
export async function unpricedCaveats(
  results: readonly Charges[],
  readCatalogue: () => Promise<Catalogue | undefined>,
  asked: readonly string[],
): Promise<Mrkdwn[]> {
  const free = [...rowsOf(results)].filter(({ row }) => row.value.gt(0) && row.total.isZero());
  if (free.length === 0) return [];
  const catalogue = await readCatalogue();
  // The next best sign, where nobody knows what the items are.
  const doubtful = catalogue ? free : free.filter(({ row }) => row.ratePlans.length === 0);
  const lacking = new Map<string, Mrkdwn>();
  const others = new Map<string, Mrkdwn>();
  for (const tags of distinctTags(doubtful, catalogue?.items ?? [])) {
    const reason = reasonFor(tags, catalogue?.items ?? [], asked);
    if (reason !== undefined) (reason.lacks ? lacking : others).set(reason.said.text, reason.said);
  }
  return [...caveat('a tag is missing', lacking), ...caveat(why(catalogue), others)];
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
    distinct.set(JSON.stringify(names.map((name) => tags[name] ?? '')), tags);
  }
  return distinct.values();
}

function caveat(reason: string, things: ReadonlyMap<string, Mrkdwn>): Mrkdwn[] {
  if (things.size === 0) return [];
  return [note(mrkdwn`Not priced (counted as 0), ${reason}: ${listed(things)}`)];
}

function why(catalogue: Catalogue | undefined): string {
  if (catalogue === undefined) return 'the chargeable items could not be read';
  return catalogue.skipped === 0 ? 'no chargeable item' : 'no chargeable item that could be read';
}

function listed(things: ReadonlyMap<string, Mrkdwn>): Mrkdwn {
  const shown = [...things.keys()].toSorted(compareNames).slice(0, NAMED);
  const rest = things.size - shown.length;
  const named = joinMrkdwn(
    shown.map((text) => things.get(text) ?? mrkdwn``),
    ', ',
  );
  return rest > 0 ? mrkdwn`${named} and ${rest} more` : named;
}

/** The usage in words, with the tag that it lacks, or the one that no item has so; undefined where it is priced. */
function reasonFor(
  tags: Tags,
  items: readonly ChargeableItem[],
  asked: readonly string[],
): { lacks: boolean; said: Mrkdwn } | undefined {
  if (items.some((item) => fits(item, tags))) return undefined;
  const { metric = '', feature = '' } = tags;
  const named = code(metric || NONE, 60);
  const what = feature === USUAL ? named : mrkdwn`${named} of ${code(feature || NONE, 60)}`;
  const candidates = items
    .filter(
      ({ consumptionTags: wanted }) =>
        wanted['metric'] === metric && (wanted['feature'] ?? feature) === feature,
    )
    .map((item) => ({ item, differing: differingTags(item, tags) }))
    .toSorted((a, b) => a.differing.length - b.differing.length);
  for (const { item, differing } of candidates) {
    const [tag] = differing;
    if (tag === undefined || differing.some((one) => tags[one])) continue;
    // A tag that is grouped by is one that the platform prices on (spec 4.1 rule 1).
    const remedy = asked.includes(tag) ? '' : mrkdwn` (try ${code(`by ${tag}`, 60)})`;
    return {
      lacks: true,
      said: mrkdwn`${what} lacks ${code(tag)} for ${code(item.name)}${remedy}`,
    };
  }
  const odd = candidates[0]?.differing.find((tag) => tags[tag]);
  return {
    lacks: false,
    said: odd === undefined ? what : mrkdwn`${what} with ${code(`${odd}=${tags[odd] ?? ''}`)}`,
  };
}

/** Whether an item prices usage with these tags; one that asks for none prices something else. */
function fits(item: ChargeableItem, tags: Tags): boolean {
  const isOfUsage = Object.values(item.consumptionTags).some((value) => value !== '');
  return isOfUsage && differingTags(item, tags).length === 0;
}

/** The tags in which usage is not what an item prices. */
function differingTags({ consumptionTags }: ChargeableItem, tags: Tags): string[] {
  return Object.entries(consumptionTags)
    .filter(([tag, value]) => value !== '' && (tags[tag] ?? '') !== value)
    .map(([tag]) => tag);
}
