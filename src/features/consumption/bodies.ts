import { Refusal } from '../../lib/refusal.ts';
import type { Aggregation } from '../../platform/billing/charge-rows.ts';
import type { Catalogue } from '../../platform/billing/items.ts';
import { PlatformError } from '../../platform/errors.ts';
import { monthsAndRest } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { plainPlatformError, platformErrorOf } from '../plain-errors.ts';
import type { PlainPlatformError } from '../plain-errors.ts';
import { sameOrgs, settled, skippedIn } from './orgs.ts';
import type { EachOrg, Failure, OfOrg } from './orgs.ts';
import type { Question, Source } from './source.ts';

/**
 * What the platform answered to a question, as it came: the thread that answers Slack neither parses nor
 * adds it up. All of it is plain data, which crosses to another thread.
 */
export interface Bodies {
  readonly source: Source['name'];
  readonly question: Question;
  readonly now: EachBody;
  /** Of the span before, in the parts that it was asked for in; absent when not all of them came. */
  readonly before: { readonly parts?: readonly EachBody[]; readonly isKept: boolean };
  /** Only a part of the account is asked for. */
  readonly isNarrowed?: boolean;
  /** Several orgs are asked for, so that lines say whose they are. */
  readonly hasSeveralOrgs?: boolean;
  /** The chargeable items for the units of metrics; undefined when there are none to be read. */
  readonly items?: Catalogue | 'unasked' | undefined;
}

/** The body of an answer; of charges with what rows were told apart by. */
export interface Body extends Partial<Aggregation> {
  readonly body: Uint8Array;
}

interface EachBody {
  readonly answers: readonly OfOrg<Body>[];
  readonly failures: readonly { readonly org: string; readonly error: PlainPlatformError }[];
}

export function eachBody({ answers, failures }: EachOrg<Body>): EachBody {
  return {
    answers,
    failures: failures.map(({ org, error }) => ({ org, error: plainPlatformError(error) })),
  };
}

/**
 * Asks for a span that something is compared with, in its parts. An answer is worth having without it.
 * @param span undefined when there is none
 */
export async function askBefore(
  span: Range | undefined,
  ask: (part: Range) => Promise<EachOrg<Body>>,
): Promise<Bodies['before']> {
  if (span === undefined) return { isKept: false };
  try {
    const parts = await Promise.all(monthsAndRest(span).map(ask));
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
  return settled({ answers: readable, failures: failed }, toError);
}

/** What was answered of the span before. */
export interface Before<T> {
  /** Of the orgs that answered now; absent when one of them is missing, or something of it. */
  readonly compared?: readonly OfOrg<T>[] | undefined;
  /** It should have been there, and could not be read. */
  readonly isUnread: boolean;
}

/** Reads the span before, as far as it can be compared with what was answered now. */
export function readBefore<T extends { readonly skipped: number }>(
  { parts, isKept: wasKept }: Bodies['before'],
  now: readonly OfOrg<unknown>[],
  read: (part: EachBody) => EachOrg<T>,
): Before<T> {
  if (parts === undefined) return { isUnread: wasKept };
  try {
    const each = parts.map(read);
    // A part of it would be compared as if it were all.
    const isPart = each.some(({ answers }) => skippedIn(answers) > 0);
    const compared = isPart ? undefined : sameOrgs(now, each);
    return { compared, isUnread: compared === undefined };
  } catch (error) {
    return { isUnread: isKept(error) };
  }
}
