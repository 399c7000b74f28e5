import { rowsOf } from '../../figures/fold.ts';
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
 * (spec 2.6, 4.1 rules 1 and 2). What a rate plan prices at 0 is none of it.
 * @param readCatalogue asked only where there is such usage
 */
export async function unpricedCaveats(
  results: readonly Charges[],
  readCatalogue: () => Promise<Catalogue | undefined>,
): Promise<Mrkdwn[]> {
  const unpriced = [...rowsOf(results)].filter(
    ({ row }) => row.value.gt(0) && row.total.isZero() && row.ratePlans.length === 0,
  );
  if (unpriced.length === 0) return [];
  const catalogue = await readCatalogue();
  const lacking = new Map<string, Mrkdwn>();
  const others = new Map<string, Mrkdwn>();
  for (const { row } of unpriced) {
    const reason = reasonFor(row.tags, catalogue?.items ?? []);
    (reason.lacks ? lacking : others).set(reason.said.text, reason.said);
  }
  return [...caveat('a tag is missing', lacking), ...caveat(why(catalogue), others)];
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
  const shown = [...things.keys()].toSorted().slice(0, NAMED);
  const rest = things.size - shown.length;
  const named = joinMrkdwn(
    shown.map((text) => things.get(text) ?? mrkdwn``),
    ', ',
  );
  return rest > 0 ? mrkdwn`${named} and ${rest} more` : named;
}

/** The usage in words, with the tag that it lacks, or the one that no item has so. */
function reasonFor(tags: Tags, items: readonly ChargeableItem[]): { lacks: boolean; said: Mrkdwn } {
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
    return { lacks: true, said: mrkdwn`${what} lacks ${code(tag)} for ${code(item.name)}` };
  }
  const odd = candidates[0]?.differing.find((tag) => tags[tag]);
  return {
    lacks: false,
    said: odd === undefined ? what : mrkdwn`${what} with ${code(`${odd}=${tags[odd] ?? ''}`)}`,
  };
}

/** The tags in which usage is not what an item prices. */
function differingTags({ consumptionTags }: ChargeableItem, tags: Tags): string[] {
  return Object.entries(consumptionTags)
    .filter(([tag, value]) => value !== '' && (tags[tag] ?? '') !== value)
    .map(([tag]) => tag);
}
