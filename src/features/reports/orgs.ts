import { Refusal } from '../../lib/errors.ts';
import { atMost } from '../../lib/time.ts';
import type { Allowance } from '../../platform/answer.ts';
import type { Reading } from '../../platform/concurrency.ts';
import type { ConsumptionQuery } from '../../platform/consumption/query.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { plainPlatformError, PlatformError, platformErrorOf } from '../../platform/errors.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import {
  monthsAndRest,
  spanBefore,
  toConsumptionQuery,
  type Range,
} from '../../reporting/range.ts';
import type {
  Aside,
  AskedFor,
  Bodies,
  Body,
  EachBody,
  Failure,
  Found,
  OfOrg,
  Question,
} from './source.ts';

interface EachOrg<T> {
  /** At least one. */
  readonly answers: readonly OfOrg<T>[];
  readonly failures: readonly Failure[];
}

/** Simultaneous requests of one question. */
const AT_ONCE = 8;

/**
 * Queries every org, eight at a time; a failure of some does not fail the others.
 * @param noAccount why the account cannot be queried, of a viewer of single orgs
 * @param limit shared by all spans that a question queries
 * @throws PlatformError the first one if no org answers, and always if a span is no longer kept or an answer is too
 * large, because the question can be changed then; other errors unchanged
 */
export async function askEach<T>(
  orgs: readonly string[],
  ask: (org: string) => Promise<Reading<T>>,
  noAccount?: string,
  limit = atMost(AT_ONCE),
): Promise<EachOrg<T>> {
  const answers: OfOrg<T>[] = [];
  const failures: Failure[] = [];
  const outcomes = await Promise.allSettled(orgs.map((org) => limit(() => ask(org))));
  for (const [index, outcome] of outcomes.entries()) {
    const org = orgs[index] ?? '';
    if (outcome.status === 'fulfilled') answers.push({ org, ...outcome.value });
    else if (outcome.reason instanceof PlatformError) failures.push({ org, error: outcome.reason });
    else throw outcome.reason;
  }
  return requireAnswers({ answers, failures }, noAccount);
}

/** Throws if the answers are useless. @throws PlatformError, Refusal like `askEach` */
function requireAnswers<T>(each: EachOrg<T>, noAccount: string | undefined): EachOrg<T> {
  const { answers, failures } = each;
  const other = failures.find(
    ({ error: { reason, earliestStart } }) => earliestStart !== undefined || reason === 'too-large',
  )?.error;
  const fatal = other ?? (answers.length === 0 ? errorOf(failures, noAccount) : undefined);
  if (fatal !== undefined) throw fatal;
  return each;
}

interface Asking {
  readonly orgs: readonly string[];
  readonly askOrg: (
    org: string,
    query: ConsumptionQuery,
    allowance: Allowance,
  ) => Promise<Reading<Body>>;
}

/**
 * Queries a question, the span that it is compared with, and a running question with steps once more without them,
 * because the platform projects only the running step. @throws PlatformError, Refusal like `askEach`
 */
export async function askBodies(
  question: Question,
  { now, aside }: AskedFor,
  { orgs, askOrg }: Asking,
): Promise<Pick<Bodies, 'question' | 'now' | 'before' | 'whole'>> {
  const { viewer, by, query, range, nowMs } = question;
  const limit = atMost(AT_ONCE);
  const ask = (asked: ReportQuery, part: Range, allowance: Allowance) => {
    const body = toConsumptionQuery(asked, by, part);
    return askEach(orgs, (org) => askOrg(org, body, allowance), viewer.orgsOnly, limit);
  };
  const askAside = async (spans: readonly Range[] | undefined): Promise<Aside> => {
    if (spans === undefined || aside === undefined) return { isKept: false };
    // A failed additional query must not fail the answer.
    try {
      const inWhole = { ...query, step: undefined };
      const parts = await Promise.all(spans.map((span) => ask(inWhole, span, aside)));
      return { parts: parts.map(eachBody), isKept: true };
    } catch (error) {
      return { isKept: isKept(error) };
    }
  };
  const span = spanBefore(range, query.range, nowMs);
  const isRunning = range.startMs <= nowMs && nowMs < range.endMs;
  const [current, before, whole] = await Promise.all([
    ask(query, range, now),
    askAside(span && monthsAndRest(span)),
    askAside(query.step !== undefined && isRunning ? [range] : undefined),
  ]);
  return { question, now: eachBody(current), before, whole };
}

/** When the oldest of some answers was read, ms since the epoch. */
export function oldest(answers: readonly OfOrg<unknown>[]): number {
  return Math.min(...answers.map(({ readAt }) => readAt));
}

export function skippedIn(answers: readonly OfOrg<{ readonly skipped: number }>[]): number {
  return answers.reduce((sum, { value }) => sum + value.skipped, 0);
}

/** Rows of a single org can omit it, so the groups are labelled with it. */
export function labelWithOrg<Row extends Consumption>(
  org: string,
  result: ConsumptionResult<Row>,
): ConsumptionResult<Row> {
  const periods = result.periods.map((period) => ({
    ...period,
    groups: period.groups.map(({ key, rows }) => ({
      key: { ...key, org },
      rows: rows.some(({ tags }) => (tags['org'] ?? org) !== org)
        ? rows.map((row) => ({ ...row, tags: { ...row.tags, org } }))
        : rows,
    })),
  }));
  return { ...result, periods };
}

function eachBody({ answers, failures }: EachOrg<Body>): EachBody {
  return {
    answers,
    failures: failures.map(({ org, error }) => ({ org, error: plainPlatformError(error) })),
  };
}

/** Whether the platform still keeps the span. @throws errors from elsewhere */
function isKept(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  if (!(error instanceof PlatformError)) throw error;
  return error.earliestStart === undefined;
}

/** The parsed answers to a question, by org. */
interface ReadBodies<T> {
  readonly answers: readonly T[];
  /** Of the orgs that answered now; undefined if unknown. */
  readonly before: readonly T[] | undefined;
  readonly whole: readonly T[] | undefined;
  readonly failures: readonly Failure[];
  readonly facts: Pick<Found, 'readAt' | 'skipped' | 'missing' | 'isBeforeUnread'>;
}

/** Parses the answers; a failure of some orgs does not fail the others. @throws PlatformError, Refusal like `askEach` */
export function readBodies<T extends { readonly skipped: number }>(
  { question, now, before, whole }: Bodies,
  read: (body: Body, org: string) => T,
): ReadBodies<T> {
  const readAll = (each: EachBody) => readEach(each, read, question.viewer.orgsOnly);
  const { answers, failures } = readAll(now);
  const earlier = readAside(before, answers, readAll);
  return {
    answers: answers.map(({ value }) => value),
    before: earlier.values,
    whole: readAside(whole, answers, readAll).values,
    failures,
    facts: {
      readAt: oldest(answers),
      skipped: skippedIn(answers),
      missing: failures.map(({ org }) => org),
      isBeforeUnread: earlier.isUnread,
    },
  };
}

function readEach<T>(
  { answers, failures }: EachBody,
  read: (body: Body, org: string) => T,
  noAccount: string | undefined,
): EachOrg<T> {
  const readable: OfOrg<T>[] = [];
  const failed = failures.map(({ org, error }) => ({ org, error: platformErrorOf(error) }));
  for (const { org, value, readAt } of answers) {
    try {
      readable.push({ org, value: read(value, org), readAt });
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      failed.push({ org, error });
    }
  }
  return requireAnswers({ answers: readable, failures: failed }, noAccount);
}

/** Parses an additional query, if it is comparable with the current answers. */
function readAside<T extends { readonly skipped: number }>(
  { parts, isKept: wasKept }: Aside,
  now: readonly OfOrg<T>[],
  read: (part: EachBody) => EachOrg<T>,
): { readonly values?: readonly T[]; readonly isUnread: boolean } {
  if (parts === undefined) return { isUnread: wasKept };
  try {
    const each = parts.map((part) => read(part).answers);
    // An incomplete answer would look like a complete one.
    const isPart = [now, ...each].some((answers) => skippedIn(answers) > 0);
    const isOfNow = ({ org }: OfOrg<T>) => now.some((one) => one.org === org);
    const same = each.map((answers) => answers.filter(isOfNow));
    if (isPart || same.some(({ length }) => length < now.length)) return { isUnread: true };
    return { values: same.flat().map(({ value }) => value), isUnread: false };
  } catch (error) {
    return { isUnread: isKept(error) };
  }
}

/** The error if no org answers. Either the account's role or the org's readMetrics suffices (spec section 5). */
function errorOf(failures: readonly Failure[], noAccount: string | undefined): Error | undefined {
  const [first] = failures;
  if (noAccount === undefined) return first?.error;
  const other = failures.find(({ error }) => error.reason !== 'unauthorized');
  if (other !== undefined) return other.error;
  const orgs = failures.map(({ org }) => org);
  const [whose, keys] =
    orgs.length === 1 ? [`org ${orgs[0]} alone`, 'its key'] : [orgs.join(', '), 'their keys'];
  return new Refusal(
    `${noAccount.replace(/\.$/, '')}; the charges of ${whose} take readMetrics on ${keys}, which your Purser administrator can have granted.`,
    first?.error,
  );
}
