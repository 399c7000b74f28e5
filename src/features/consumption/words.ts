import { measureKey } from '../../figures/line.ts';
import type { Line, Measure } from '../../figures/line.ts';
import { formatMoney } from '../../figures/money.ts';
import { formatInUnit } from '../../figures/quantity.ts';
import { describeRange } from '../../figures/range.ts';
import type { BigNumber } from 'bignumber.js';
import { code, joinMrkdwn, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Asker, Question, Source } from './source.ts';

/** Shown for the empty string: usage that lacks the tag (spec 2.11). */
export const NONE = '(none)';

/** Values of a filter that are named one by one. */
const NAMED = 5;

/** An amount, or a quantity in units people read; `like` is one in whose unit it is told. */
export function formatValue(value: BigNumber, measure: Measure, like = value): string {
  return measure.kind === 'money'
    ? formatMoney(value, measure.currency)
    : formatInUnit(value, measure.unit, like);
}

/** What tells a measure from the others of the same answer. */
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

/** The labels of a line as one text. */
export function lineName({ labels }: Pick<Line, 'labels'>): string {
  return labels.map((label) => label || NONE).join(' / ') || 'all';
}

export function titleOf(name: Source['name'], by: readonly string[]): string {
  return `${name === 'charges' ? 'Charges' : 'Usage'} by ${by.join(', ')}`;
}

/** What was asked, with the exact span: "*Charges by gvc* of `cpu` where gvc = `shop` · … UTC, still running". */
export function questionLine(name: Source['name'], { query, by, range, nowMs }: Question): Mrkdwn {
  const { of, items, where, orgs, step } = query;
  const filters = Object.entries(where);
  const parts = [
    ...(of.length > 0 ? [mrkdwn`of ${listOf(of)}`] : []),
    ...(items.length > 0
      ? [mrkdwn`of ${items.length === 1 ? 'item' : 'items'} ${listOf(items)}`]
      : []),
    ...(filters.length > 0
      ? [mrkdwn`where ${listOf(filters.map(([tag, value]) => `${tag}=${value || NONE}`))}`]
      : []),
    ...(orgs.length > 0 ? [mrkdwn`in ${orgs.length === 1 ? 'org' : 'orgs'} ${listOf(orgs)}`] : []),
    ...(step === undefined ? [] : [mrkdwn`per ${step}`]),
  ];
  const asked = joinMrkdwn([mrkdwn`*${titleOf(name, by)}*`, ...parts], ' ');
  return mrkdwn`${asked} · ${describeRange(range)}${runningWords(range, nowMs)}`;
}

/** How answers of a source are shared: after a question, and by people who may ask for them. */
export function sharing({ name, needs }: Pick<Source, 'name' | 'needs'>, asker: Asker) {
  const what = name === 'charges' ? 'billing data' : 'usage';
  return {
    shareable: { question: `It shows ${what} to everyone in this channel.` },
    needs: needs(asker),
  };
}

function runningWords({ startMs, endMs }: Question['range'], nowMs: number): string {
  if (nowMs >= endMs) return '';
  return nowMs < startMs ? ', not begun' : ', still running';
}

function listOf(values: readonly string[]): Mrkdwn {
  const shown = values.slice(0, NAMED).map((value) => code(value, 60));
  const rest = values.length - shown.length;
  if (rest > 0) shown.push(mrkdwn`${rest} more`);
  return joinMrkdwn(shown, ', ');
}
