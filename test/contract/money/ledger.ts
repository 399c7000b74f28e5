import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';

import { MAIN } from '../platform/billing/support.ts';
import type { Platform } from './bot.ts';
import { ORGS } from './questions.ts';
import type { Condition, Question } from './questions.ts';
import { liesOn, monthsFirst, spanBefore, startOf, stepsOf } from './spans.ts';
import type { Span, Step } from './spans.ts';

type Tags = Readonly<Record<string, string>>;

/** One line as it has to be, by the platform's own books. */
export interface Entry {
  /** Column -> label, as the platform has it: empty for what lacks the tag. */
  readonly labels: Tags;
  readonly measure: Measure;
  value: BigNumber;
  projected: BigNumber;
  before: BigNumber;
  /** Start of a step -> what is in it. */
  readonly steps: Map<number, BigNumber>;
}

/** What is never added: charges are of a currency, quantities of a metric of a feature. */
export interface Measure {
  readonly key: string;
  readonly metric: string;
  readonly feature: string;
}

export interface ExpectedLedger {
  readonly entries: readonly Entry[];
  /** Whether anything was found, in the span itself. */
  readonly isEmpty: boolean;
  /** Absent where nothing has elapsed. */
  readonly before: Span | undefined;
  /** The books reach back far enough. */
  readonly isCompared: boolean;
}

/** Or since when they are kept in hours, days and weeks. */
export type Finding = ExpectedLedger | { readonly keptSince: string };

/** A row of the platform's answer, of the finest grouping that there is. */
interface Row {
  readonly start: number;
  readonly tags: Tags;
  readonly value: BigNumber;
  readonly projected: BigNumber;
}

/**
 * What the answer to a question has to be, with nothing of the bot: the rows of the platform in much
 * finer groups, told apart, selected and added here.
 * @param now ms since the epoch
 */
export async function readExpectedLedger(
  platform: Platform,
  question: Question,
  now: number,
): Promise<Finding> {
  const { span, step } = question;
  const rows = await rowsOf(platform, question, span, step);
  if ('keptSince' in rows) return rows;
  const before = spanBefore(question, now);
  const earlier = before && (await rowsBefore(platform, question, before));

  const entries = new Map<string, Entry>();
  for (const row of rows) {
    const entry = entryOf(entries, question, row);
    entry.value = entry.value.plus(row.value);
    entry.projected = entry.projected.plus(row.projected);
    if (step === undefined) continue;
    const at = Math.max(span.start, startOf(step, row.start));
    entry.steps.set(at, row.value.plus(entry.steps.get(at) ?? 0));
  }
  const isCompared = Array.isArray(earlier);
  for (const row of isCompared ? earlier : []) {
    const entry = entryOf(entries, question, row);
    entry.before = entry.before.plus(row.value);
  }
  return { entries: [...entries.values()], isEmpty: rows.length === 0, before, isCompared };
}

/** The columns in front of the figures: the usage of several orgs is always told apart. */
export function columnsOf({ command, by, orgs }: Question): readonly string[] {
  if (command === '/charges') return by ?? ['org'];
  const columns = by ?? ['workload'];
  return orgs.length === 1 || columns.includes('org') ? columns : ['org', ...columns];
}

function entryOf(entries: Map<string, Entry>, question: Question, { tags }: Row): Entry {
  const labels = Object.fromEntries(columnsOf(question).map((tag) => [tag, tags[tag] ?? '']));
  const measure = measureOf(question, tags);
  const key = JSON.stringify([labels, measure.key]);
  const zero = new BigNumber(0);
  const entry = entries.get(key) ?? {
    labels,
    measure,
    value: zero,
    projected: zero,
    before: zero,
    steps: new Map<number, BigNumber>(),
  };
  entries.set(key, entry);
  return entry;
}

function measureOf({ command }: Question, { metric = '', feature = '' }: Tags): Measure {
  return command === '/charges'
    ? { key: 'USD', metric: '', feature: '' }
    : { key: `${metric} ${feature}`, metric, feature };
}

/** Months are kept for ever: only what is left of a span has to be in reach of the finer steps. */
async function rowsBefore(platform: Platform, question: Question, span: Span) {
  const rows: Row[] = [];
  for (const part of monthsFirst(span)) {
    const found = await rowsOf(platform, question, part, undefined);
    if ('keptSince' in found) return found;
    rows.push(...found);
  }
  return rows;
}

/**
 * Priced rows depend on what is selected, because its tiers begin with its first unit (spec 4.1 rule
 * 3): charges are asked for with the filter, and quantities without, to be filtered here.
 */
async function rowsOf(
  platform: Platform,
  question: Question,
  span: Span,
  step: Step | undefined,
): Promise<Row[] | { keptSince: string }> {
  const conditions = conditionsOf(question);
  const { command, by = [command === '/charges' ? 'org' : 'workload'] } = question;
  // Hour by hour that would be very many rows.
  const finer = step === undefined ? ['org', 'gvc', 'workload', 'location'] : ['org', 'location'];
  const asked = conditions.map(({ tag }) => tag);
  const catalogue = await readItems(platform);
  // A row that lacks a tag that something is priced on counts as 0 (spec 4.1 rule 1).
  const priced = catalogue.flatMap(({ consumptionTags }) => Object.keys(consumptionTags));
  const items = catalogue.filter(({ name }) => question.items.includes(name));
  const aggregateBy = [...new Set([...priced, ...by, ...asked, ...finer])];
  const body = {
    startTime: new Date(span.start).toISOString(),
    endTime: new Date(span.end).toISOString(),
    timeStep: partOf(step, span),
    aggregateByTimeStep: step !== undefined,
    groupBy: [],
  };
  const orgs = question.orgs.length > 0 ? question.orgs : ORGS;
  if (command === '/charges') {
    const filterBy = Object.fromEntries(conditions.map(({ tag, value }) => [tag, value]));
    const url = `${platform.billingUrl}/account/${MAIN}/charges/-query`;
    const queries = { consumptionQueries: [{ filterBy, aggregateBy }], orgs };
    const rows = await ask(url, 'svc-bsat-sandbox-all', { ...body, ...queries });
    return 'keptSince' in rows ? rows : keeping(rows, conditions, items);
  }
  const found: Row[] = [];
  for (const org of orgs) {
    const queries = { consumptionQueries: [{ filterBy: {}, aggregateBy }] };
    const url = `${platform.usageUrl}/org/${org}/query`;
    const rows = await ask(url, platform.tokens[org] ?? '', { ...body, ...queries });
    if ('keptSince' in rows) return rows;
    found.push(...rows.map((row) => ({ ...row, tags: { ...row.tags, org } })));
  }
  return keeping(found, conditions, items);
}

interface Item {
  readonly name: string;
  readonly consumptionTags: Tags;
}

async function readItems({ billingUrl }: Platform): Promise<Item[]> {
  const answer = await fetch(`${billingUrl}/chargeable_items`, {
    headers: { authorization: 'Bearer svc-bsat-sandbox-all' },
  });
  return (await answer.json()) as Item[];
}

/** "of" is a condition, too. */
function conditionsOf({ of, where }: Question): readonly Condition[] {
  if (of.length === 0) return where;
  return [...where, { tag: 'metric', value: of.length === 1 ? of[0]! : `/^(${of.join('|')})$/` }];
}

/** The rows that meet every condition, and are of one of the items, if there are any. */
function keeping(
  rows: readonly Row[],
  conditions: readonly Condition[],
  items: readonly Item[],
): Row[] {
  const isMet = (tags: Tags, { tag, value }: Condition) => {
    const text = tags[tag] ?? '';
    return value.startsWith('/') ? new RegExp(value.slice(1, -1)).test(text) : text === value;
  };
  const isOf = (tags: Tags, { consumptionTags }: Item) =>
    Object.entries(consumptionTags).every(([tag, value]) => tags[tag] === value);
  return rows.filter(
    ({ tags }) =>
      conditions.every((one) => isMet(tags, one)) &&
      (items.length === 0 || items.some((one) => isOf(tags, one))),
  );
}

/** The largest part of the calendar that a step is made of and that both ends of a span lie on. */
function partOf(step: Step | undefined, span: Span): Step {
  if (step === undefined) return liesOn('month', span) ? 'month' : 'hour';
  if (liesOn(step, span)) return step;
  return step !== 'hour' && liesOn('day', span) ? 'day' : 'hour';
}

interface Answer {
  readonly periods:
    | {
        readonly startTime: string;
        readonly groups: {
          readonly consumptions: {
            readonly tags: Readonly<Record<string, unknown>>;
            readonly value: BigNumber;
            readonly total?: BigNumber;
            readonly projectedTotal?: BigNumber;
            readonly projectedValue?: BigNumber;
          }[];
        }[];
      }[]
    | null;
}

async function ask(
  url: string,
  token: string,
  body: object,
): Promise<Row[] | { keptSince: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const since = /"earliestStartTime":"(?<day>\d{4}-\d{2}-\d{2})/.exec(text)?.groups?.['day'];
  if (response.status === 400 && since !== undefined) return { keptSince: since };
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  const answer = parse(text, null, (digits) => new BigNumber(digits)) as { results?: Answer };
  const { periods } = answer.results ?? (answer as unknown as Answer);
  return (periods ?? []).flatMap(({ startTime, groups }) =>
    groups.flatMap(({ consumptions }) =>
      consumptions.map(({ tags, value, total, projectedTotal, projectedValue }) => ({
        start: Date.parse(startTime),
        tags: Object.fromEntries(Object.entries(tags).map(([tag, one]) => [tag, String(one)])),
        value: total ?? value,
        projected: (total ? projectedTotal : projectedValue) ?? total ?? value,
      })),
    ),
  );
}

/** The step that has the most of a measure, as far as there is one. */
export function highestSteps({ entries }: ExpectedLedger, key: string, { span, step }: Question) {
  const sums = new Map<number, BigNumber>();
  for (const { measure, steps } of entries) {
    if (measure.key !== key) continue;
    for (const [at, value] of steps) sums.set(at, value.plus(sums.get(at) ?? 0));
  }
  const spans = step === undefined ? [] : stepsOf(step, span);
  const most = BigNumber.max(...sums.values());
  return { most, spans: spans.filter(({ start }) => sums.get(start)?.eq(most)) };
}
