import { monthsAndRest } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/read-cache.ts';

/** What one org answered. */
export interface OfOrg<T> extends Reading<T> {
  readonly org: string;
}

/** An org that gave no answer. */
export interface Failure {
  readonly org: string;
  readonly error: PlatformError;
}

export interface EachOrg<T> {
  /** Of one org at least. */
  readonly answers: readonly OfOrg<T>[];
  readonly failures: readonly Failure[];
}

/**
 * Asks every org at once; what some of them cannot answer, the others still do.
 * @param toError what is thrown when no org answers: the first failure, if nothing else is said
 * @throws PlatformError the first one when no org answers, and always when a span is no longer kept,
 * because that can be asked for differently; whatever is not the platform's
 */
export async function askEach<T>(
  orgs: readonly string[],
  ask: (org: string) => Promise<Reading<T>>,
  toError: (failures: readonly Failure[]) => Error | undefined = ([first]) => first?.error,
): Promise<EachOrg<T>> {
  const answers: OfOrg<T>[] = [];
  const failures: Failure[] = [];
  const outcomes = await Promise.allSettled(orgs.map((org) => ask(org)));
  for (const [index, outcome] of outcomes.entries()) {
    const org = orgs[index] ?? '';
    if (outcome.status === 'fulfilled') answers.push({ org, ...outcome.value });
    else failures.push({ org, error: platformError(outcome.reason) });
  }
  const expired = failures.find(({ error }) => error.earliestStart !== undefined)?.error;
  const fatal = expired ?? (answers.length === 0 ? toError(failures) : undefined);
  if (fatal !== undefined) throw fatal;
  return { answers, failures };
}

/** When the oldest of some answers was read, ms since the epoch. */
export function oldest(answers: readonly OfOrg<unknown>[]): number {
  return Math.min(...answers.map(({ readAt }) => readAt));
}

/** Things that could not be read, in all answers. */
export function skippedIn(answers: readonly OfOrg<{ readonly skipped: number }>[]): number {
  return answers.reduce((sum, { value }) => sum + value.skipped, 0);
}

/** An answer whose rows say whose they are: a row need not, because the question did. */
export function named<Row extends Consumption>(
  org: string,
  result: ConsumptionResult<Row>,
): ConsumptionResult<Row> {
  const periods = result.periods.map((period) => ({
    ...period,
    groups: period.groups.map(({ key, rows }) => ({
      key: { ...key, org },
      rows: rows.map((row) => ({ ...row, tags: { ...row.tags, org } })),
    })),
  }));
  return { ...result, periods };
}

/** What was answered of the span before. */
export interface Before<T> {
  /** Of the parts that the span was asked for in; absent when not all of them could be read. */
  readonly parts?: readonly EachOrg<T>[];
  /** Whether the platform should have known something of that span. */
  readonly isKept: boolean;
}

/**
 * Asks for a span that something is compared with, in its parts. An answer is worth having without it.
 * @param span undefined when there is none
 */
export async function askBefore<T extends { readonly skipped: number }>(
  span: Range | undefined,
  ask: (part: Range) => Promise<EachOrg<T>>,
): Promise<Before<T>> {
  if (span === undefined) return { isKept: false };
  try {
    const parts = await Promise.all(monthsAndRest(span).map(ask));
    // A part of it would be compared as if it were all.
    const isPart = parts.some(({ answers }) => skippedIn(answers) > 0);
    return isPart ? { isKept: true } : { parts, isKept: true };
  } catch (error) {
    if (error instanceof Refusal) return { isKept: true };
    if (!(error instanceof PlatformError)) throw error;
    return { isKept: error.earliestStart === undefined };
  }
}

/** The answers for the span before of the orgs that answered now; undefined when one of them is missing. */
export function sameOrgs<T>(
  now: readonly OfOrg<T>[],
  before: readonly EachOrg<T>[],
): readonly OfOrg<T>[] | undefined {
  const parts = before.map(({ answers }) =>
    answers.filter(({ org }) => now.some((one) => one.org === org)),
  );
  return parts.every(({ length }) => length === now.length) ? parts.flat() : undefined;
}

function platformError(reason: unknown): PlatformError {
  if (reason instanceof PlatformError) return reason;
  throw reason;
}
