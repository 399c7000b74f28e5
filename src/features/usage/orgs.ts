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
 * @throws PlatformError the first one when no org answers, and always when a span is no longer kept,
 * because that can be asked for differently; whatever is not the platform's
 */
export async function askEach<T>(
  orgs: readonly string[],
  ask: (org: string) => Promise<Reading<T>>,
): Promise<EachOrg<T>> {
  const answers: OfOrg<T>[] = [];
  const failures: Failure[] = [];
  const outcomes = await Promise.allSettled(orgs.map((org) => ask(org)));
  for (const [index, outcome] of outcomes.entries()) {
    const org = orgs[index] ?? '';
    if (outcome.status === 'fulfilled') answers.push({ org, ...outcome.value });
    else failures.push({ org, error: platformError(outcome.reason) });
  }
  const expired = failures.find(({ error }) => error.earliestStart !== undefined);
  const fatal = expired ?? (answers.length === 0 ? failures[0] : undefined);
  if (fatal !== undefined) throw fatal.error;
  return { answers, failures };
}

/** When the oldest of some answers was read, ms since the epoch. */
export function oldest(answers: readonly OfOrg<unknown>[]): number {
  return Math.min(...answers.map(({ readAt }) => readAt));
}

function platformError(reason: unknown): PlatformError {
  if (reason instanceof PlatformError) return reason;
  throw reason;
}
