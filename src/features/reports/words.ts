import type { Button, KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { HOUR_MS } from '../../lib/time.ts';
import { compareNames, plural, shorten, truncate } from '../../lib/text.ts';
import type {
  Catalogue,
  ChargeableItem,
  ChargeResult,
} from '../../platform/billing/charge-rows.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import {
  formatEstimate,
  formatMoney,
  measureKey,
  rowsOf,
  tagIn,
  type Line,
  type Measure,
  type Tags,
} from '../../reporting/amounts.ts';
import { formatEstimateInUnit, formatInUnit } from '../../reporting/quantity.ts';
import { describeAsked, describeMoment } from '../../reporting/range.ts';
import { button, context } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { code, joinFirst, joinMrkdwn, LIMITS, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Caveat, Failure, Found, Question, Source, Viewer } from './source.ts';

/** Replaces the empty string: usage that lacks the tag (spec 2.11). */
export const NONE = '(none)';

const NAMED = 5;

/** An estimate without false precision: "about $6,430", "about 18,900 core-hours". */
export function estimateOf(value: BigNumber, measure: Measure): string {
  return measure.kind === 'money'
    ? formatEstimate(value, measure.currency)
    : formatEstimateInUnit(value, measure.unit);
}

/** @param like determines the unit of a quantity */
export function formatValue(value: BigNumber, measure: Measure, like = value): string {
  return measure.kind === 'money'
    ? formatMoney(value, measure.currency)
    : formatInUnit(value, measure.unit, like);
}

/** Distinguishes a measure from the others of the same answer. */
export function measureName(measure: Measure, all: readonly Measure[]): string {
  if (measure.kind === 'money') return measure.currency ?? 'no currency';
  const metric = measure.metric || NONE;
  const isShared = all.some(
    (other) =>
      other.kind === 'quantity' &&
      other.metric === measure.metric &&
      measureKey(other) !== measureKey(measure),
  );
  return isShared ? `${metric} (${measure.feature || NONE})` : metric;
}

/** Longer labels lose their middle. */
const LABEL_LENGTH = 32;

export function labelWords(label = ''): string {
  return shorten(label || NONE, LABEL_LENGTH);
}

/** The head of a column of labels: "Org", "GVC", "Location type". */
export function columnTitle(tag: string): string {
  if (tag === 'gvc') return 'GVC';
  const words = tag
    .replace(/^dimension\./, '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^gpu /, 'GPU ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** "shop/api (acme)", "acme", "api, cpu". @param columns the tags of the labels */
export function lineName({ labels }: Pick<Line, 'labels'>, columns: readonly string[]): string {
  const of = new Map(columns.map((tag, at) => [tag, labelWords(labels[at])]));
  const path = ['gvc', 'workload'].flatMap((tag) => of.get(tag) ?? []).join('/');
  const org = of.get('org');
  for (const tag of ['org', 'gvc', 'workload']) of.delete(tag);
  const own = [path, ...of.values()].filter(Boolean).join(', ');
  if (own === '') return org ?? 'all';
  return org === undefined ? own : `${own} (${org})`;
}

export function actionId(name: Source['name'], action: string): string {
  return `${name}.${action}`;
}

/** Opens a row; its value is the labels of the row by their tags. Absent where they are too long. */
export function rowButton(
  action: string,
  row: Readonly<Record<string, string>>,
  name: string,
): Button | undefined {
  const value = JSON.stringify(row);
  if (value.length > LIMITS.buttonValue) return undefined;
  return button({ action, text: 'Open', value, label: `Open ${name}` });
}

export function titleOf(name: Source['name'], by: readonly string[]): string {
  return `${name === 'charges' ? 'Charges' : 'Usage'} by ${by.join(', ')}`;
}

/** "*Charges by gvc* of `cpu` where gvc = `shop` · November 2026 (1-22, UTC)". */
export function questionLine(name: Source['name'], { query, by, range, nowMs }: Question): Mrkdwn {
  const { of, items, where, orgs, step } = query;
  const filters = Object.entries(where);
  const parts = [
    ...(of.length > 0 ? [mrkdwn`of ${listOf(of)}`] : []),
    ...(items.length > 0
      ? [mrkdwn`of ${items.length === 1 ? 'item' : 'items'} ${listOf(items)}`]
      : []),
    ...(filters.length > 0
      ? [mrkdwn`where ${listOf(filters.map(([tag, value]) => `${tag}=${value || '""'}`))}`]
      : []),
    ...(orgs.length > 0 ? [mrkdwn`in ${orgs.length === 1 ? 'org' : 'orgs'} ${listOf(orgs)}`] : []),
    ...(step === undefined ? [] : [mrkdwn`per ${step}`]),
  ];
  const asked = joinMrkdwn([mrkdwn`*${titleOf(name, by)}*`, ...parts], ' ');
  return mrkdwn`${asked} · ${describeAsked(range, nowMs)}`;
}

/** " · *without globex*", behind the question; empty if every org answered. */
export function withoutOrgs(missing: readonly string[] = []): Mrkdwn {
  return missing.length === 0 ? mrkdwn`` : mrkdwn` · *without ${firstOf(missing, 3)}*`;
}

export function sharing({ name, needs }: Pick<Source, 'name' | 'needs'>, viewer: Viewer) {
  const what = name === 'charges' ? 'billing data' : 'usage';
  return {
    shareable: { question: `It shows ${what} to everyone in this channel.` },
    needs: needs(viewer),
  };
}

function listOf(values: readonly string[]): Mrkdwn {
  const named = values.map((value) => code(value, 60));
  return joinFirst(named, NAMED, { before: ', ' });
}

/** Spec section 8. */
const REVISION_MS = 48 * HOUR_MS;
/** Priced from the cloud provider's bill (spec 2.11). */
const REVISABLE = ['snapshot-storage', 'load-balancer-processed-bytes'];
/** The same volumes, measured in two ways (spec 2.11). */
const TWICE = ['volume-set-capacity-bytes', 'volume_set_capacity'];

export function flaw(text: Mrkdwn): Caveat {
  return { isFlaw: true, text: mrkdwn`⚠ ${text}` };
}

export function note(text: Mrkdwn, short?: Mrkdwn): Caveat {
  return { isFlaw: false, text: mrkdwn`ℹ ${text}`, short: short && mrkdwn`ℹ ${short}` };
}

export function flawsOf({ skipped, caveats }: Pick<Found, 'skipped' | 'caveats'>): Caveat[] {
  return [...skippedCaveat(skipped), ...caveats].filter(({ isFlaw }) => isFlaw);
}

export function flawBlocks(caveats: readonly Caveat[]): KnownBlock[] {
  return linesBlocks(caveats.flatMap(({ isFlaw, text }) => (isFlaw ? [text] : [])));
}

export function warningBlocks(caveats: readonly Caveat[]): KnownBlock[] {
  return linesBlocks(warningsOf(caveats));
}

function linesBlocks(lines: readonly Mrkdwn[]): KnownBlock[] {
  return lines.length === 0 ? [] : [context(joinMrkdwn(lines, '\n'))];
}

/** The notes among caveats, as mrkdwn strings, which cross between threads. */
export function notesOf(caveats: readonly Caveat[]): string[] {
  return caveats.flatMap(({ isFlaw, text }) => (isFlaw ? [] : [text.text]));
}

/** The flaws, and the notes that have a short form. */
export function warningsOf(caveats: readonly Caveat[]): Mrkdwn[] {
  return [
    ...caveats.flatMap(({ isFlaw, text }) => (isFlaw ? [text] : [])),
    ...caveats.flatMap(({ short }) => short ?? []),
  ];
}

/** Every sum is too low if rows could not be read. */
export function skippedCaveat(skipped: number): Caveat[] {
  return skipped === 0 ? [] : [flaw(mrkdwn`Incomplete: ${unreadRows(skipped)}.`)];
}

export function unreadRows(skipped: number): string {
  return `${plural(skipped, 'row')} of the platform’s answer could not be read`;
}

/** "at least *$2,167.87*" if rows could not be read. */
export function sumIn(
  { skipped }: Pick<Found, 'skipped'>,
  value: BigNumber,
  measure: Measure,
): Mrkdwn {
  return mrkdwn`${skipped > 0 ? 'at least ' : ''}*${formatValue(value, measure)}*`;
}

/**
 * Caveats of metered values, as far as they apply. `nowMs`: since the epoch. `counts`: whether a row is part of a shown
 * figure.
 */
export function meteringCaveats<Row extends Consumption>(
  results: readonly ConsumptionResult<Row>[],
  { nowMs, counts }: { readonly nowMs: number; readonly counts: (row: Row) => boolean },
): Caveat[] {
  const cutoff = nowMs - REVISION_MS;
  const counted = new Set<string>();
  const recent = new Set<string>();
  for (const { row, endMs } of rowsOf(results)) {
    const { metric } = row.tags;
    if (metric === undefined || row.value.isZero()) continue;
    if (counts(row)) counted.add(metric);
    if (endMs > cutoff) recent.add(metric);
  }
  const revisable = REVISABLE.filter((metric) => recent.has(metric));
  return [
    ...(revisable.length === 0
      ? []
      : [
          note(
            mrkdwn`${metricList(revisable)} of the last 48 hours (since ${describeMoment(cutoff)}) can still change.`,
          ),
        ]),
    ...(TWICE.every((metric) => counted.has(metric))
      ? [
          note(
            mrkdwn`${metricList(TWICE)} are the same volumes, measured in two ways. They are never added up.`,
          ),
        ]
      : []),
  ];
}

function metricList(metrics: readonly string[]): Mrkdwn {
  return joinMrkdwn(
    metrics.map((metric) => code(metric)),
    ' and ',
  );
}

export function missingOrgs(failures: readonly Failure[]): Caveat[] {
  const orgsByReason = new Map<string, string[]>();
  for (const { org, error } of failures) {
    const reason = explainPlatformError(error) ?? error.message;
    orgsByReason.set(reason, [...(orgsByReason.get(reason) ?? []), org]);
  }
  return [...orgsByReason].map(([reason, orgs]) =>
    flaw(mrkdwn`Without ${truncate(orgs.join(', '), 200)}: ${reason}`),
  );
}

/** The default feature is not named. */
const USUAL = 'workloads';
const KINDS_NAMED = 5;

/**
 * Usage without a price, as at most one note (spec 2.6, 4.1 rules 1 and 2). Usage that matches an item is priced, even
 * at 0 or in a free tier. A rate plan in the row proves nothing, because a platform may name the account's plan in
 * every row. Without the chargeable items nothing is known; another line then warns that the sum may be too low.
 */
export function unpricedCaveats(
  results: readonly ChargeResult[],
  catalogue: Catalogue | undefined,
  named = KINDS_NAMED,
): Caveat[] {
  if (catalogue === undefined) return [];
  const free = [...rowsOf(results)].filter(({ row }) => row.value.gt(0) && row.total.isZero());
  const kinds = new Map<string, Mrkdwn>();
  for (const tags of distinctTags(free, catalogue.items)) {
    if (catalogue.items.some((item) => fits(item, tags))) continue;
    const kind = kindOf(tags, catalogue.items);
    kinds.set(kind.text, kind);
  }
  return kinds.size === 0 ? [] : [noteOf(kinds, catalogue.skipped > 0, named)];
}

/** The distinct combinations of tags that a price can depend on. */
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

/** @param isDoubtful an unreadable item may price it */
function noteOf(kinds: ReadonlyMap<string, Mrkdwn>, isDoubtful: boolean, most: number): Caveat {
  const named = [...kinds].toSorted(([a], [b]) => compareNames(a, b)).map(([, kind]) => kind);
  const list = joinFirst(named, most);
  const head = isDoubtful ? 'Perhaps not priced' : 'Not priced';
  const items = code('/charges items');
  return note(
    mrkdwn`${head}, so counted as 0: ${list}. What has a price: ${items}.`,
    mrkdwn`Some usage has no price yet, so it counts as 0.`,
  );
}

/** A kind of usage in words, with the tag in which it differs from the closest item. */
function kindOf(tags: Tags, items: readonly ChargeableItem[]): Mrkdwn {
  const { metric = '', feature = '' } = tags;
  const named = code(metric || NONE, 60);
  const ofMetric = items.filter(({ consumptionTags }) => consumptionTags['metric'] === metric);
  // If no item prices the metric, the feature does not matter.
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

/** Whether an item prices usage with these tags; an item without tags prices something else. */
function fits(item: ChargeableItem, tags: Tags): boolean {
  const isOfUsage = Object.values(item.consumptionTags).some((value) => value !== '');
  return isOfUsage && differingTags(item, tags).length === 0;
}

function differingTags({ consumptionTags }: ChargeableItem, tags: Tags): string[] {
  return Object.entries(consumptionTags)
    .filter(([tag, value]) => value !== '' && (tagIn(tags, tag) ?? '') !== value)
    .map(([tag]) => tag);
}
