import { atMost } from '../../lib/at-most.ts';
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
  return settled({ answers, failures }, toError);
}

/** The same, unless it is worth nothing. @throws PlatformError, Refusal as `askEach` */
export function settled<T>(
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
export function named<Row extends Consumption>(
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

/** The answers for the span before of the orgs that answered now; undefined when one of them is missing. */
export function sameOrgs<T>(
  now: readonly Pick<OfOrg<unknown>, 'org'>[],
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
