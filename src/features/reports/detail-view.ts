import type { StaticSelect } from '@slack/types';
import { plural, shorten } from '../../lib/text.ts';
import { formatMoney, lineId, type Line } from '../../reporting/amounts.ts';
import { formatInUnit, formatRate } from '../../reporting/quantity.ts';
import { describeRange } from '../../reporting/range.ts';
import { lines, section, table, type Column } from '../../slack/kit/blocks.ts';
import { selectMenu } from '../../slack/kit/inputs.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Rest } from '../../slack/routing/routes.ts';
import type { Detail, Question, Source, Tier } from './source.ts';
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
} from './words.ts';

interface DetailView {
  readonly name: Source['name'];
  readonly question: Question;
  readonly detail: Detail;
  readonly line: Line | undefined;
  readonly caveats: readonly Mrkdwn[];
  /** From 1. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
}

const ROWS = 15;
/** Longer names lose their middle. */
const ITEM_LENGTH = 28;
/** Slack's limit for a list. */
const OFFERED = 100;

/** The pricing tiers of one line (spec 2.7). Pure. */
export function detailView(view: DetailView): Paged {
  const { question, detail, line } = view;
  const tiers = line ? detail.tiersOf(line) : [];
  const pages = Math.max(1, Math.ceil(tiers.length / ROWS));
  const page = Math.min(Math.max(1, view.page), pages);
  const shown = tiers.slice((page - 1) * ROWS, page * ROWS);
  const [plan, ...others] = [...new Set(tiers.map(planOf))];
  const named = plan && others.length === 0 ? [mrkdwn`Rate plan ${code(plan, 60)}`] : [];
  const head = joinMrkdwn(
    [questionLine(view.name, question), summary(line, tiers), ...named],
    '\n',
  );
  const caveats = [...skippedCaveat(detail.skipped), ...view.caveats, ...tierNote(tiers)];
  return {
    head,
    blocks: [
      section(head),
      ...(tiers.length === 0 ? [] : [tierTable(shown, tiers)]),
      ...flawBlocks(caveats),
      ...footer(detail.readAt, view.now, page, pages),
    ],
    notes: notesOf(caveats),
    page,
    pages,
    rest: others.length === 0 ? undefined : ratePlans(shown),
  };
}

function ratePlans(tiers: readonly Tier[]): Rest {
  const plans = new Map<string, Mrkdwn>();
  for (const tier of tiers) {
    const plan = planOf(tier);
    const line = mrkdwn`${tier.item}, ${boundsOf(tier)}: ${plan === '' ? NONE : code(plan, 60)}`;
    plans.set(line.text, line);
  }
  return { button: 'Rate plans', title: 'Rate plans', blocks: [lines([...plans.values()])] };
}

export interface OfferedLine {
  readonly text: string;
  /** From `lineId`. */
  readonly id: string;
}

export function offeredLines({ lines }: Detail): OfferedLine[] {
  return lines.slice(0, OFFERED).map((one) => ({
    text: `${formatValue(one.value, one.measure)} · ${lineName(one)}`,
    id: lineId(one),
  }));
}

/** "Tiers of …"; the value is `stateId` and the line. */
export function tierMenu(
  action: string,
  stateId: string,
  lines: readonly OfferedLine[],
  shown: string | undefined,
): StaticSelect {
  return selectMenu({
    action,
    placeholder: 'Tiers of …',
    options: lines.map(({ text, id }) => ({ text, value: `${stateId}:${id}` })),
    ...(shown === undefined ? {} : { initial: `${stateId}:${shown}` }),
  });
}

/** @param row a `lineId`; the largest line if it is absent or unknown */
export function chosenLine({ lines }: Detail, row: string | undefined): Line | undefined {
  return lines.find((line) => lineId(line) === row) ?? lines[0];
}

function summary(line: Line | undefined, tiers: readonly Tier[]) {
  if (line === undefined) {
    return mrkdwn`The pricing tiers cannot be read: please try again, and tell your Purser administrator if it lasts.`;
  }
  const total = formatValue(line.value, line.measure);
  const periods = new Set(tiers.map(({ period }) => period.startMs)).size;
  const count =
    tiers.length === 0
      ? 'not priced, so without pricing tiers'
      : `${plural(tiers.length, 'pricing tier')} in ${plural(periods, 'billing period')}`;
  return mrkdwn`Tiers of *${lineName(line)}* · *${total}* · ${count}`;
}

/** Rates that fall with the volume depend on that of the whole account (spec 4.1 rule 3). */
function tierNote(tiers: readonly Tier[]): Mrkdwn[] {
  if (tiers.every(({ from, to }) => to === undefined && (from?.isZero() ?? true))) return [];
  return [
    note(
      mrkdwn`Tiers fill with the usage of all that was asked for: the units are those of this line in each.`,
    ),
  ];
}

function tierTable(shown: readonly Tier[], all: readonly Tier[]) {
  const withPeriod = all.some(({ period }) => period.startMs !== all[0]?.period.startMs);
  // The amount precedes its parts, so that a narrow window does not cut it off.
  const columns: Column[] = [
    { title: 'Item' },
    { title: 'Amount', align: 'right' },
    { title: 'Tier' },
    { title: 'Units', align: 'right', wraps: true },
    { title: 'Rate', align: 'right', wraps: true },
    ...(withPeriod ? [{ title: 'Billing period' }] : []),
  ];
  return table(
    columns,
    shown.map((tier) => [
      shorten(tier.item, ITEM_LENGTH),
      formatMoney(tier.amount, tier.currency),
      boundsOf(tier),
      formatInUnit(tier.units, tier.unit),
      formatRate(tier.rate, tier.currency, tier.unit),
      ...(withPeriod ? [describeRange(tier.period)] : []),
    ]),
  );
}

/** Plan items are often named after the plan, which is then omitted. */
function planOf({ ratePlan = '', ratePlanItem = '' }: Tier): string {
  if (ratePlanItem.startsWith(ratePlan)) return ratePlanItem;
  return [ratePlan, ratePlanItem].filter(Boolean).join(' · ');
}

function boundsOf({ from, to, unit: raw }: Tier): string {
  const start = from === undefined || from.isZero() ? '0' : formatInUnit(from, raw);
  if (to === undefined) return from === undefined || from.isZero() ? 'all' : `above ${start}`;
  const end = formatInUnit(to, raw);
  // A shared unit is written once; metrics of an unknown unit have none.
  const blank = end.search(/ \S/);
  const unit = blank === -1 ? '' : end.slice(blank);
  const bare = start.endsWith(unit) ? start.slice(0, start.length - unit.length) : start;
  return `${bare} to ${end}`;
}
