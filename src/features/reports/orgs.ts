import { atMost } from '../../lib/time.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { plainPlatformError, PlatformError, platformErrorOf } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { monthsAndRest, type Range } from '../../reporting/range.ts';
import type { Aside, Bodies, Body, EachBody, Failure, OfOrg, Question } from './source.ts';

export interface EachOrg<T> {
  /** At least one. */
  readonly answers: readonly OfOrg<T>[];
  readonly failures: readonly Failure[];
}

/** Simultaneous requests of one question. */
const AT_ONCE = 8;

/** Shared by all spans that a question queries. */
export type OrgLimit = <T>(call: () => Promise<T>) => Promise<T>;

export function createOrgLimit(): OrgLimit {
  return atMost(AT_ONCE);
}

/**
 * Queries every org, eight at a time; a failure of some does not fail the others.
 * @param toError the error if no org answers; by default the first failure
 * @throws PlatformError the first one if no org answers, and always if a span is no longer kept or an answer is too
 * large, because the question can be changed then; other errors unchanged
 */
export async function askEach<T>(
  orgs: readonly string[],
  ask: (org: string) => Promise<Reading<T>>,
  toError?: (failures: readonly Failure[]) => Error | undefined,
  limit = createOrgLimit(),
): Promise<EachOrg<T>> {
  const answers: OfOrg<T>[] = [];
  const failures: Failure[] = [];
  const outcomes = await Promise.allSettled(orgs.map((org) => limit(() => ask(org))));
  for (const [index, outcome] of outcomes.entries()) {
    const org = orgs[index] ?? '';
    if (outcome.status === 'fulfilled') answers.push({ org, ...outcome.value });
    else failures.push({ org, error: platformError(outcome.reason) });
  }
  return requireAnswers({ answers, failures }, toError);
}

/** Throws if the answers are useless. @throws PlatformError, Refusal like `askEach` */
function requireAnswers<T>(
  each: EachOrg<T>,
  toError: (failures: readonly Failure[]) => Error | undefined = ([first]) => first?.error,
): EachOrg<T> {
  const { answers, failures } = each;
  const other = failures.find(
    ({ error: { reason, earliestStart } }) => earliestStart !== undefined || reason === 'too-large',
  )?.error;
  const fatal = other ?? (answers.length === 0 ? toError(failures) : undefined);
  if (fatal !== undefined) throw fatal;
  return each;
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

/** The answers of the orgs that answered now; undefined if any is missing. */
function sameOrgs<T>(
  now: readonly Pick<OfOrg<unknown>, 'org'>[],
  aside: readonly EachOrg<T>[],
): readonly OfOrg<T>[] | undefined {
  const parts = aside.map(({ answers }) =>
    answers.filter(({ org }) => now.some((one) => one.org === org)),
  );
  return parts.every(({ length }) => length === now.length) ? parts.flat() : undefined;
}

function platformError(reason: unknown): PlatformError {
  if (reason instanceof PlatformError) return reason;
  throw reason;
}

export function eachBody({ answers, failures }: EachOrg<Body>): EachBody {
  return {
    answers,
    failures: failures.map(({ org, error }) => ({ org, error: plainPlatformError(error) })),
  };
}

/** Queries the span for comparison, in parts. @param span undefined: no comparison */
export async function askBefore(
  span: Range | undefined,
  ask: (part: Range) => Promise<EachOrg<Body>>,
): Promise<Aside> {
  return askAside(span && monthsAndRest(span), ask);
}

/**
 * Queries a question with steps once more without them, because the platform projects only the running step. A span in
 * the past or future needs no projection.
 */
export async function askWhole(
  { query, range, nowMs }: Question,
  ask: (range: Range) => Promise<EachOrg<Body>>,
): Promise<Aside> {
  const isRunning = range.startMs <= nowMs && nowMs < range.endMs;
  return askAside(query.step === undefined || !isRunning ? undefined : [range], ask);
}

/** A failed additional query must not fail the answer. @param spans undefined: no query */
async function askAside(
  spans: readonly Range[] | undefined,
  ask: (span: Range) => Promise<EachOrg<Body>>,
): Promise<Aside> {
  if (spans === undefined) return { isKept: false };
  try {
    const parts = await Promise.all(spans.map(ask));
    return { parts: parts.map(eachBody), isKept: true };
  } catch (error) {
    return { isKept: isKept(error) };
  }
}

/** Whether the platform still keeps the span. @throws errors from elsewhere */
function isKept(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  if (!(error instanceof PlatformError)) throw error;
  return error.earliestStart === undefined;
}

/**
 * Parses the bodies of all orgs in turn; a failure of some does not fail the others.
 * @throws PlatformError, Refusal like `askEach`
 */
export function readEach<T>(
  { answers, failures }: EachBody,
  read: (body: Body, org: string) => T,
  toError?: (failures: readonly Failure[]) => Error | undefined,
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
  return requireAnswers({ answers: readable, failures: failed }, toError);
}

interface ReadAside<T> {
  /** Of the orgs that answered now; undefined if an org is missing. */
  readonly answers?: readonly OfOrg<T>[] | undefined;
  /** It exists but could not be read. */
  readonly isUnread: boolean;
}

/** Parses an additional query, if it is comparable with the current answers. */
export function readAside<T extends { readonly skipped: number }>(
  { parts, isKept: wasKept }: Aside,
  now: readonly OfOrg<T>[],
  read: (part: EachBody) => EachOrg<T>,
): ReadAside<T> {
  if (parts === undefined) return { isUnread: wasKept };
  try {
    const each = parts.map(read);
    // An incomplete answer would look like a complete one.
    const isPart = [{ answers: now }, ...each].some(({ answers }) => skippedIn(answers) > 0);
    const answers = isPart ? undefined : sameOrgs(now, each);
    return { answers, isUnread: answers === undefined };
  } catch (error) {
    return { isUnread: isKept(error) };
  }
}

/** The answer to the same question without steps; undefined if unknown. */
export function wholeOf<T extends { readonly skipped: number }>(
  { whole }: Pick<Bodies, 'whole'>,
  now: readonly OfOrg<T>[],
  read: (part: EachBody) => EachOrg<T>,
): readonly OfOrg<T>[] | undefined {
  return whole && readAside(whole, now, read).answers;
}

/** The error if no org answers for itself. @param noAccount why the account cannot be queried */
export function errorOfOrgs(failures: readonly Failure[], noAccount: string): Error {
  const others = failures.find(({ error }) => error.reason !== 'unauthorized');
  return others?.error ?? needsReadMetrics(failures, noAccount);
}

/** Either the account's role or the org's readMetrics suffices (spec section 5). */
function needsReadMetrics(failures: readonly Failure[], noAccount: string): Refusal {
  const orgs = failures.map(({ org }) => org);
  const [whose, keys] =
    orgs.length === 1 ? [`org ${orgs[0]} alone`, 'its key'] : [orgs.join(', '), 'their keys'];
  return new Refusal(
    `${noAccount.replace(/\.$/, '')}; the charges of ${whose} take readMetrics on ${keys}, which your Purser administrator can have granted.`,
    failures[0]?.error,
  );
}
