import { atMost } from '../../lib/time.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { plainPlatformError, PlatformError, platformErrorOf } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { monthsAndRest, type Range } from '../../reporting/range.ts';
import type { Aside, Bodies, Body, EachBody, Failure, OfOrg, Question } from './source.ts';

export interface EachOrg<T> {
  /** Of one org at least. */
  readonly answers: readonly OfOrg<T>[];
  readonly failures: readonly Failure[];
}

/** Orgs that one question asks at a time. */
const AT_ONCE = 8;

/** One question's way to its orgs, whatever spans it asks them for. */
export type OrgLimit = <T>(call: () => Promise<T>) => Promise<T>;

export function createOrgLimit(): OrgLimit {
  return atMost(AT_ONCE);
}

/**
 * Asks every org, eight at a time; what some of them cannot answer, the others still do.
 * @param toError what is thrown when no org answers: the first failure, if nothing else is said
 * @throws PlatformError the first one when no org answers, and always when a span is no longer kept or an
 * answer is too large, because that can be asked for differently; whatever is not the platform's
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

/** The same, unless it is worth nothing. @throws PlatformError, Refusal as `askEach` */
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

/** Things that could not be read, in all answers. */
export function skippedIn(answers: readonly OfOrg<{ readonly skipped: number }>[]): number {
  return answers.reduce((sum, { value }) => sum + value.skipped, 0);
}

/** An answer whose groups say whose they are: a row need not, because the question did. */
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

/** The answers of the orgs that answered now; undefined when one of them is missing. */
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

/** Asks for a span that something is compared with, in its parts. @param span undefined when there is none */
export async function askBefore(
  span: Range | undefined,
  ask: (part: Range) => Promise<EachOrg<Body>>,
): Promise<Aside> {
  return askAside(span && monthsAndRest(span), ask);
}

/**
 * Asks a question by steps once more as a whole, because the platform projects what it is asked for: of
 * steps the running one alone. Of a span that does not run there is nothing to project.
 */
export async function askWhole(
  { query, range, nowMs }: Question,
  ask: (range: Range) => Promise<EachOrg<Body>>,
): Promise<Aside> {
  const isRunning = range.startMs <= nowMs && nowMs < range.endMs;
  return askAside(query.step === undefined || !isRunning ? undefined : [range], ask);
}

/** An answer is worth having without what is asked beside it. @param spans undefined: nothing */
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

/** Whether there would have been something to compare with. @throws what is not the platform's */
function isKept(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  if (!(error instanceof PlatformError)) throw error;
  return error.earliestStart === undefined;
}

/**
 * Reads the bodies of all orgs, one after another; what some of them cannot say, the others still do.
 * @throws PlatformError, Refusal as `askEach`
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

/** What was answered beside a question. */
interface ReadAside<T> {
  /** Of the orgs that answered now; absent when one of them is missing, or something of it. */
  readonly answers?: readonly OfOrg<T>[] | undefined;
  /** It should have been there, and could not be read. */
  readonly isUnread: boolean;
}

/** Reads what was asked beside a question, as far as it can be held against what was answered now. */
export function readAside<T extends { readonly skipped: number }>(
  { parts, isKept: wasKept }: Aside,
  now: readonly OfOrg<unknown>[],
  read: (part: EachBody) => EachOrg<T>,
): ReadAside<T> {
  if (parts === undefined) return { isUnread: wasKept };
  try {
    const each = parts.map(read);
    // A part of it would count as if it were all.
    const isPart = each.some(({ answers }) => skippedIn(answers) > 0);
    const answers = isPart ? undefined : sameOrgs(now, each);
    return { answers, isUnread: answers === undefined };
  } catch (error) {
    return { isUnread: isKept(error) };
  }
}

/** What was answered to the same question without steps; undefined where that is not known. */
export function wholeOf<T extends { readonly skipped: number }>(
  { whole }: Pick<Bodies, 'whole'>,
  now: readonly OfOrg<unknown>[],
  read: (part: EachBody) => EachOrg<T>,
): readonly OfOrg<T>[] | undefined {
  return whole && readAside(whole, now, read).answers;
}

/** What is said when no org answers for itself. @param noAccount why the account is not asked */
export function errorOfOrgs(failures: readonly Failure[], noAccount: string): Error {
  const others = failures.find(({ error }) => error.reason !== 'unauthorized');
  return others?.error ?? needsReadMetrics(failures, noAccount);
}

/** The role opens the account, and readMetrics the org (spec section 5): either will do. */
function needsReadMetrics(failures: readonly Failure[], noAccount: string): Refusal {
  const orgs = failures.map(({ org }) => org);
  const [whose, keys] =
    orgs.length === 1 ? [`org ${orgs[0]} alone`, 'its key'] : [orgs.join(', '), 'their keys'];
  return new Refusal(
    `${noAccount.replace(/\.$/, '')}; the charges of ${whose} take readMetrics on ${keys}, which whoever runs Purser can have granted.`,
    failures[0]?.error,
  );
}
