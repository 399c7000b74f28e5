import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { MAIN } from '../platform/billing/support.ts';
import type { Platform } from './bot.ts';
import { ORGS, type Condition, type Question } from './questions.ts';
import { liesOn, monthsFirst, spanBefore, startOf, type Span, type Step } from './spans.ts';

type Tags = Readonly<Record<string, string>>;

/** One line as it has to be, by the platform's own books. */
export interface Entry {
  /** Column -> label, as the platform has it: empty for a missing tag. */
  readonly labels: Tags;
  /** Entries are added only within a currency (charges), or a metric of a feature (quantities). */
  readonly metric: string;
  readonly feature: string;
  value: BigNumber;
  projected: BigNumber;
  before: BigNumber;
  /** Start of a step -> its value. */
  readonly steps: Map<number, BigNumber>;
}

export interface Books {
  /** None where nothing was found in the span itself. */
  readonly entries: readonly Entry[];
  /** The books reach back far enough. */
  readonly isCompared: boolean;
}

/** Since when the books are kept in hours, days and weeks. */
interface Forgotten {
  readonly keptSince: string;
}

/** A row of the platform's answer, of the finest grouping that there is. */
interface Row {
  readonly start: number;
  readonly tags: Tags;
  readonly value: BigNumber;
  readonly projected: BigNumber;
}

/**
 * The expected answer to a question, computed without code of the bot: the rows of the platform in much
 * finer groups, distinguished, selected and added here.
 * @param now ms since the epoch
 */
export async function readBooks(
  platform: Platform,
  question: Question,
  now: number,
): Promise<Books | Forgotten> {
  const rows = await rowsOf(platform, question, question.span);
  if ('keptSince' in rows || rows.length === 0) {
    return 'keptSince' in rows ? rows : { entries: [], isCompared: false };
  }
  const before = spanBefore(question, now);
  // Months are kept for ever: only the rest of a span has to be in reach of the finer steps.
  const earlier = await Promise.all(
    (before === undefined ? [] : monthsFirst(before)).map((part) =>
      rowsOf(platform, { ...question, step: undefined }, part),
    ),
  );
  const isCompared = before !== undefined && !earlier.some((found) => 'keptSince' in found);

  const entries = new Map<string, Entry>();
  for (const { tags, start, value, projected } of rows) {
    const entry = entryOf(entries, question, tags);
    entry.value = entry.value.plus(value);
    entry.projected = entry.projected.plus(projected);
    const at = Math.max(question.span.start, startOf(question.step ?? 'hour', start));
    entry.steps.set(at, value.plus(entry.steps.get(at) ?? 0));
  }
  for (const { tags, value } of isCompared ? (earlier as Row[][]).flat() : []) {
    const entry = entryOf(entries, question, tags);
    entry.before = entry.before.plus(value);
  }
  return { entries: [...entries.values()], isCompared };
}

/** The columns in front of the figures: the usage of several orgs is always distinguished. */
export function columnsOf({ command, by, orgs }: Question): readonly string[] {
  if (command === '/charges') return by ?? ['org'];
  const columns = by ?? ['workload'];
  return orgs.length === 1 || columns.includes('org') ? columns : ['org', ...columns];
}

function entryOf(entries: Map<string, Entry>, question: Question, tags: Tags): Entry {
  const labels = Object.fromEntries(columnsOf(question).map((tag) => [tag, tags[tag] ?? '']));
  const { metric = '', feature = '' } = question.command === '/usage' ? tags : {};
  const key = JSON.stringify([labels, metric, feature]);
  const zero = new BigNumber(0);
  const none = { value: zero, projected: zero, before: zero, steps: new Map<number, BigNumber>() };
  const entry = entries.get(key) ?? { labels, metric, feature, ...none };
  entries.set(key, entry);
  return entry;
}

/**
 * Priced rows depend on the selection, because the tiers begin with its first unit (spec 4.1 rule
 * 3): charges are queried with the filter, and quantities without, to be filtered here.
 */
async function rowsOf(
  platform: Platform,
  question: Question,
  span: Span,
): Promise<Row[] | Forgotten> {
  const { command, step, by = [command === '/charges' ? 'org' : 'workload'] } = question;
  const conditions = conditionsOf(question);
  const catalogue = await askPlatform<Item[]>(`${platform.billingUrl}/chargeable_items`);
  const items = catalogue.filter(({ name }) => question.items.includes(name));
  const aggregateBy = [
    // A row that lacks a tag that something is priced on counts as 0 (spec 4.1 rule 1).
    ...catalogue.flatMap(({ consumptionTags }) => Object.keys(consumptionTags)),
    ...by,
    ...conditions.map(({ tag }) => tag),
    'org',
    'location',
    // Hour by hour that would be very many rows.
    ...(step === undefined ? ['gvc', 'workload'] : []),
  ];
  const queryOf = (filterBy: Tags) => ({
    startTime: new Date(span.start).toISOString(),
    endTime: new Date(span.end).toISOString(),
    timeStep: partOf(step, span),
    aggregateByTimeStep: step !== undefined,
    groupBy: [],
    consumptionQueries: [{ filterBy, aggregateBy: [...new Set(aggregateBy)] }],
  });
  const orgs = question.orgs.length > 0 ? question.orgs : ORGS;
  const rows: Row[] = [];
  // Charges of all orgs are one question, because tiers go over all that is selected.
  for (const org of command === '/charges' ? [undefined] : orgs) {
    const filter = Object.fromEntries(conditions.map(({ tag, value }) => [tag, value]));
    const answer =
      org === undefined
        ? await askPlatform<Answer>(chargesUrl(platform), { ...queryOf(filter), orgs })
        : await askPlatform<Answer>(
            `${platform.usageUrl}/org/${org}/query`,
            queryOf({}),
            platform.tokens[org],
          );
    if (answer.keptSince !== undefined) return { keptSince: answer.keptSince };
    rows.push(...readRows(answer, org === undefined ? {} : { org }));
  }
  return rows.filter(
    ({ tags }) =>
      conditions.every((one) => isMet(tags, one)) &&
      (items.length === 0 || items.some(({ consumptionTags }) => isWithin(consumptionTags, tags))),
  );
}

export function chargesUrl({ billingUrl }: Platform): string {
  return `${billingUrl}/account/${MAIN}/charges/-query`;
}

interface Item {
  readonly name: string;
  readonly consumptionTags: Tags;
}

/** "of" is a condition, too. */
function conditionsOf({ of, where }: Question): readonly Condition[] {
  if (of.length === 0) return where;
  return [...where, { tag: 'metric', value: of.length === 1 ? of[0]! : `/^(${of.join('|')})$/` }];
}

function isMet(tags: Tags, { tag, value }: Condition): boolean {
  const text = tags[tag] ?? '';
  return value.startsWith('/') ? new RegExp(value.slice(1, -1)).test(text) : text === value;
}

function isWithin(some: Tags, tags: Tags): boolean {
  return Object.entries(some).every(([tag, value]) => tags[tag] === value);
}

/** The largest part of the calendar that a step is made of and that both ends of a span lie on. */
function partOf(step: Step | undefined, span: Span): Step {
  if (step === undefined) return liesOn('month', span) ? 'month' : 'hour';
  if (liesOn(step, span)) return step;
  return step !== 'hour' && liesOn('day', span) ? 'day' : 'hour';
}

/** A row as it is written; amounts of money are of charges alone. */
interface Written {
  readonly tags: Readonly<Record<string, unknown>>;
  readonly value: BigNumber;
  readonly total?: BigNumber;
  readonly projectedTotal?: BigNumber;
  readonly projectedValue?: BigNumber;
}

interface Result {
  readonly periods?: { startTime: string; groups: { consumptions: Written[] }[] }[] | null;
}

export interface Answer extends Result {
  readonly results?: Result;
  readonly keptSince?: string;
}

export function readRows({ results, ...result }: Answer, more: Tags = {}): Row[] {
  return ((results ?? result).periods ?? []).flatMap(({ startTime, groups }) =>
    groups.flatMap(({ consumptions }) =>
      consumptions.map(({ tags, value, total, projectedTotal, projectedValue }) => ({
        start: Date.parse(startTime),
        tags: {
          ...Object.fromEntries(Object.entries(tags).map(([tag, one]) => [tag, String(one)])),
          ...more,
        },
        value: total ?? value,
        projected: (total ? projectedTotal : projectedValue) ?? total ?? value,
      })),
    ),
  );
}

/** The platform's answer, with every digit; `keptSince` when the span is no longer kept. */
export async function askPlatform<T>(
  url: string,
  body?: object,
  token = 'svc-bsat-sandbox-all',
): Promise<T> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const since = /"earliestStartTime":"(?<day>[\d-]{10})/.exec(text)?.groups?.['day'];
  if (response.status === 400 && since !== undefined) return { keptSince: since } as T;
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return parse(text, null, (digits) => new BigNumber(digits)) as T;
}
