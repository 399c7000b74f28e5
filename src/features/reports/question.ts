import { z } from 'zod';
import type { Clock } from '../../lib/time.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { shorten, truncate } from '../../lib/text.ts';
import { nearest } from '../../lib/words.ts';
import { TIME_STEPS, type TimeStep } from '../../platform/consumption/query.ts';
import { undefinedIfUnavailable } from '../../platform/errors.ts';
import {
  countSteps,
  filterFor,
  resolveRange,
  stepStart,
  valuesIn,
  type Range,
} from '../../reporting/range.ts';
import { writeQuery, type ReportQuery } from '../../reporting/query.ts';
import { BY_ITEM } from '../../reporting/query-words.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import type { Question, Source, Viewer } from './source.ts';

export const Query = z
  .object({
    range: z.string(),
    by: z.array(z.string()).optional(),
    of: z.array(z.string()),
    items: z.array(z.string()),
    where: z.record(z.string(), z.string()),
    orgs: z.array(z.string()),
    step: z.enum(TIME_STEPS).optional(),
  })
  .transform((query): ReportQuery => ({ ...query, by: query.by, step: query.step }));

/** The question behind the controls of an answer. */
export const State = z.object({
  query: Query,
  /** Ms since the epoch; fixes the span, so that all pages show the same one. */
  askedAt: z.number(),
  /** Pricing tiers instead of totals. */
  detailed: z.boolean(),
  /** A `lineId` whose tiers are shown; absent: the largest line. */
  row: z.string().optional(),
});
export type State = z.infer<typeof State>;

export function newState(query: ReportQuery, askedAt: number, detailed = false): State {
  return { query, askedAt, detailed };
}

/** The next finer grouping of a tag. */
const FINER: Readonly<Record<string, string>> = {
  org: 'gvc',
  gvc: 'workload',
  workload: 'metric',
};

export function finerThan(by: readonly string[]): string | undefined {
  const [tag = '', ...others] = by;
  return others.length === 0 && Object.hasOwn(FINER, tag) ? FINER[tag] : undefined;
}

const Row = z.record(z.string(), z.string());

/** The labels of a row by their tags, from the value of its button. */
export function readRow(value = ''): z.infer<typeof Row> {
  return Row.parse(JSON.parse(value));
}

/** The same question about one row of its answer, by the next finer grouping. @param row its labels by tag */
export function openRow(
  state: State,
  by: readonly string[],
  { org, ...tags }: Readonly<Record<string, string>>,
): State {
  const { query } = state;
  const finer = finerThan(by);
  const { org: _, ...others } = query.where;
  const where = { ...(org === undefined ? query.where : others) };
  for (const [tag, value] of Object.entries(tags)) where[tag] = filterFor(tag, [value]);
  const orgs = org === undefined ? query.orgs : [org];
  return {
    ...state,
    query: { ...query, by: finer === undefined ? undefined : [finer], where, orgs },
  };
}

/** More steps are unreadable. */
const MAX_STEPS = 1_000;

/**
 * Resolves the span, the grouping, orgs and chargeable items. The span is fixed by `askedAt`; `clock` determines how
 * much has elapsed.
 * @throws UsageError for an unknown org or item, Refusal for too many steps
 */
export async function resolveQuestion(
  source: Source,
  viewer: Viewer,
  { query: asked, askedAt }: Pick<State, 'query' | 'askedAt'>,
  clock: Clock,
): Promise<Question> {
  const range = resolveRange(asked.range, askedAt);
  if (asked.step !== undefined) checkSteps(range, asked.step);
  if (source.name === 'usage' && asked.by?.includes(BY_ITEM) === true) {
    throw new UsageError(
      'Only charges have chargeable items to group by.',
      `/charges ${writeQuery(asked)}`,
    );
  }
  const isByOrg = viewer.orgsOnly !== undefined || source.name === 'usage';
  const query = isByOrg ? withOrgsNamed(asked, viewer) : asked;
  const orgs = await knownOrgs(source, viewer, query);
  const items = await knownItems(source, viewer, query);
  return {
    viewer,
    query: { ...query, orgs, items },
    by: query.by ?? source.by,
    range,
    nowMs: clock.now(),
  };
}

function checkSteps(range: Range, step: TimeStep): void {
  const count = countSteps(range, step);
  if (count <= MAX_STEPS) return;
  const larger = TIME_STEPS.slice(TIME_STEPS.indexOf(step) + 1);
  const fitting = larger.find((one) => countSteps(range, one) <= MAX_STEPS);
  const remedy = fitting === undefined ? 'ask for a shorter range' : `use "step ${fitting}"`;
  throw new Refusal(
    `That is ${count.toLocaleString('en-US')} steps, and an answer has at most 1,000: ${remedy}.`,
  );
}

/**
 * Where each org is queried separately, a filter by org finds nothing in the others.
 * @throws UsageError for an expression that does not name its orgs, of a member limited to single orgs
 */
function withOrgsNamed(query: ReportQuery, { orgsOnly }: Viewer): ReportQuery {
  const { org: filter, ...where } = query.where;
  if (filter === undefined) return query;
  const orgs = valuesIn('org', filter);
  if (orgs !== undefined) return { ...query, where, orgs };
  if (orgsOnly === undefined) return query;
  throw new UsageError(
    'You can ask for orgs by name here: write "org NAME" instead of "where org=…".',
  ).withExample('org acme');
}

async function knownOrgs(
  source: Source,
  viewer: Viewer,
  query: ReportQuery,
): Promise<readonly string[]> {
  if (query.orgs.length === 0) return source.usualOrgs(viewer);
  // Without the list, the platform itself rejects unknown orgs.
  const known = await source.orgs(viewer).catch(undefinedIfUnavailable);
  if (known === undefined) return query.orgs;
  const settled = query.orgs.map((org) => properName(org, known) ?? org);
  const isAll = settled.every((org) => /^(?:all|any|every|\*)$/i.test(org) && !known.includes(org));
  if (isAll && viewer.orgsOnly === undefined) {
    const all = `${source.help.command} ${writeQuery({ ...query, orgs: [] })}`;
    throw new UsageError('Without "org" it is about all orgs.', all);
  }
  return requireKnown(settled, known, {
    problem: (org) => `There is no org ${org} here`,
    others: `there are ${namesOf(known)}`,
    command: (orgs) => `${source.help.command} ${writeQuery({ ...query, orgs })}`,
  });
}

/**
 * Corrects the spelling of the named chargeable items; an id becomes the name of its item. Items can share a name, and
 * a query selects by name only (spec 2.6).
 */
async function knownItems(
  source: Source,
  viewer: Viewer,
  query: ReportQuery,
): Promise<readonly string[]> {
  if (query.items.length === 0) return [];
  const catalogue = await source.knownItems?.(viewer);
  // An empty catalogue cannot rule out a name.
  if (catalogue === undefined || catalogue.items.length === 0) return query.items;
  const names = catalogue.items.map(({ name }) => name);
  const settled = query.items.map(
    (item) =>
      properName(item, names) ?? catalogue.items.find(({ id }) => id === item)?.name ?? item,
  );
  // It may be the name of an item that could not be read.
  return requireKnown(settled, catalogue.skipped > 0 ? settled : names, {
    problem: (item) => `There is no chargeable item ${item}`,
    others: '"/charges items" lists all',
    command: (items) => `${source.help.command} ${writeQuery({ ...query, items })}`,
  });
}

interface Mistake {
  readonly problem: (name: string) => string;
  readonly others: string;
  readonly command: (names: readonly string[]) => string;
}

/** Each name once. @throws UsageError for one that is not known */
function requireKnown(
  names: readonly string[],
  known: readonly string[],
  { problem, others, command }: Mistake,
): readonly string[] {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return [...new Set(names)];
  const meant = nearest(unknown, known);
  const sentence = problem(`"${truncate(unknown, 60)}"`);
  if (meant === undefined) throw new UsageError(`${sentence}: ${others}.`);
  const corrected = names.map((name) => (name === unknown ? meant : name));
  throw new UsageError(`${sentence}.`, command(corrected));
}

function properName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  return known.find((one) => one.toLowerCase() === name.toLowerCase());
}

function namesOf(orgs: readonly string[]): string {
  return (
    firstOf(
      // A backtick would begin code.
      orgs.map((org) => shorten(org.replaceAll('`', 'ˋ'), 20)),
      5,
    ) || 'none'
  );
}

/** The start of the step that contains a period, cut off at the start of the range. */
export function stepOfPeriod({ query, range }: Question): ((ms: number) => number) | undefined {
  const { step } = query;
  if (step === undefined) return undefined;
  return (ms) => Math.max(range.startMs, stepStart(ms, step));
}
