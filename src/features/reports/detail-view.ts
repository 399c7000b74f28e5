import { plural, shorten } from '../../lib/text.ts';
import { formatMoney, lineId, type Line } from '../../reporting/amounts.ts';
import { formatInUnit, formatPriced, priceUnit } from '../../reporting/quantity.ts';
import { describeRange } from '../../reporting/range.ts';
import { section } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, joinMrkdwn, mrkdwn } from '../../slack/kit/text.ts';
import { type ListColumn, listed } from '../list.ts';
import type { Caveat, Detail, Question, Source, Tier } from './source.ts';
import { footer, type Paged } from './totals-view.ts';
import {
  flawBlocks,
  formatValue,
  lineName,
  NONE,
  note,
  notesOf,
  questionLine,
  skippedCaveat,
  sumIn,
} from './words.ts';

interface DetailView {
  readonly name: Source['name'];
  readonly question: Question;
  readonly detail: Detail;
  readonly line: Line | undefined;
  readonly caveats: readonly Caveat[];
  /** From 1. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
}

const ITEM_LENGTH = 28;
/** Slack's limit for a list. */
const OFFERED = 100;

/** The pricing tiers of one line (spec 2.7). Pure. */
export function detailView(view: DetailView): Paged {
  const { question, detail, line } = view;
  const tiers = line ? detail.tiersOf(line) : [];
  const [plan, ...others] = [...new Set(tiers.map(planOf))];
  const named = plan && others.length === 0 ? [mrkdwn`Rate plan ${code(plan, 60)}`] : [];
  const of = line && lineName(line, detail.columns);
  const head = [questionLine(view.name, question), summary(detail, line, tiers), ...named];
  const caveats = [...skippedCaveat(detail.skipped), ...view.caveats, ...tierNote(tiers)];
  const { blocks, page, pages } = listed({
    caption: `Pricing of ${of ?? 'charges'} by tier`,
    columns: tierColumns(tiers, others.length > 0),
    rows: tiers,
    page: view.page,
  });
  return {
    blocks: [
      section(joinMrkdwn(head, '\n')),
      ...blocks,
      ...flawBlocks(caveats),
      ...footer(detail.readAt, view.now),
    ],
    notes: notesOf(caveats),
    page,
    pages,
  };
}

export interface OfferedLine {
  readonly text: string;
  readonly id: string;
}

export function offeredLines({ lines, columns }: Detail): OfferedLine[] {
  return lines.slice(0, OFFERED).map((one) => ({
    text: `${formatValue(one.value, one.measure)} · ${lineName(one, columns)}`,
    id: lineId(one),
  }));
}

/** @param row a `lineId`; the largest line if it is absent or unknown */
export function chosenLine({ lines }: Detail, row: string | undefined): Line | undefined {
  return lines.find((line) => lineId(line) === row) ?? lines[0];
}

function summary(detail: Detail, line: Line | undefined, tiers: readonly Tier[]) {
  if (line === undefined) {
    return mrkdwn`The pricing tiers cannot be read: please try again, and ask your Purser administrator if it lasts.`;
  }
  const of = lineName(line, detail.columns);
  const total = sumIn(detail, line.value, line.measure);
  const periods = new Set(tiers.map(({ period }) => period.startMs)).size;
  const count =
    tiers.length === 0
      ? 'not priced, so without pricing tiers'
      : `${plural(tiers.length, 'pricing tier')} in ${plural(periods, 'billing period')}`;
  return mrkdwn`Tiers of *${of}* · ${total} · ${count}`;
}

/** Rates that fall with the volume depend on that of the whole account (spec 4.1 rule 3). */
function tierNote(tiers: readonly Tier[]): Caveat[] {
  if (tiers.every(({ from, to }) => to === undefined && (from?.isZero() ?? true))) return [];
  return [
    note(
      mrkdwn`Tiers fill with the usage of all that was asked for: the units are those of this line in each.`,
    ),
  ];
}

function tierColumns(all: readonly Tier[], withPlan: boolean): ListColumn<Tier>[] {
  const alike = sameRates(all);
  const withPeriod = all.some(({ period }) => period.startMs !== all[0]?.period.startMs);
  // The charge precedes its parts, so that a narrow window does not cut it off.
  return [
    { title: 'Item', of: ({ item }) => shorten(item, ITEM_LENGTH) },
    {
      title: 'Charge',
      of: ({ amount, currency }) => new Numeric(amount.toNumber(), formatMoney(amount, currency)),
    },
    { title: 'Tier', of: boundsOf },
    {
      title: 'Usage',
      of: (tier) =>
        new Numeric(tier.units.toNumber(), pricedIn(tier, alike(tier)).quantity ?? NONE),
    },
    {
      title: 'Rate',
      of: (tier) => new Numeric(tier.rate.toNumber(), pricedIn(tier, alike(tier)).rate ?? NONE),
    },
    ...(withPeriod
      ? [{ title: 'Billing period', of: ({ period }: Tier) => describeRange(period) }]
      : []),
    ...(withPlan ? [{ title: 'Rate plan', of: (tier: Tier) => planOf(tier) || NONE }] : []),
  ];
}

/** The tiers with the rate of a tier, whose digits are the same: those of the other billing periods. */
function sameRates(all: readonly Tier[]): (tier: Tier) => readonly Tier[] {
  const keyOf = ({ item, rate, currency }: Tier) =>
    JSON.stringify([item, rate.toFixed(), currency]);
  const groups = new Map<string, Tier[]>();
  for (const tier of all) groups.set(keyOf(tier), [...(groups.get(keyOf(tier)) ?? []), tier]);
  return (tier) => groups.get(keyOf(tier)) ?? [];
}

function pricedIn(tier: Tier, alike: readonly Tier[]) {
  return formatPriced(chargeOf(tier), tier.currency, tier.unit, alike.map(chargeOf));
}

function chargeOf({ units: quantity, rate, amount: charge }: Tier) {
  return { quantity, rate, charge };
}

/** Plan items are often named after the plan, which is then omitted. */
function planOf({ ratePlan = '', ratePlanItem = '' }: Tier): string {
  if (ratePlanItem.startsWith(ratePlan)) return ratePlanItem;
  return [ratePlan, ratePlanItem].filter(Boolean).join(' · ');
}

function boundsOf({ from, to, unit: raw }: Tier): string {
  const like = priceUnit(raw)?.size;
  const start = from === undefined || from.isZero() ? '0' : formatInUnit(from, raw, like);
  if (to === undefined) return from === undefined || from.isZero() ? 'all' : `above ${start}`;
  const end = formatInUnit(to, raw, like);
  // A shared unit is written once; metrics of an unknown unit have none.
  const blank = end.search(/ \S/);
  const unit = blank === -1 ? '' : end.slice(blank);
  const bare = start.endsWith(unit) ? start.slice(0, start.length - unit.length) : start;
  return `${bare} to ${end}`;
}
