import { Unreadable } from '../lib/refusal.ts';
import type { Word } from '../lib/words.ts';
import type { TimeStep } from '../platform/consumption/query.ts';

/** What someone asks of charges or usage (design section 3), as a plain object that JSON can hold. */
export interface FigureQuery {
  /** The range as words, in their one proper spelling: "this month", "last 3 days", "2026-10-01..2026-10-15". */
  readonly range: string;
  /** Tags to group by; undefined: what the command groups by. */
  readonly by: readonly string[] | undefined;
  /** Metrics; empty: all. */
  readonly of: readonly string[];
  /** Tag to value; a value in slashes is a regular expression (spec 4.5 rule 2). */
  readonly where: Readonly<Record<string, string>>;
  /** Empty: all. */
  readonly orgs: readonly string[];
  readonly step: TimeStep | undefined;
}

/** @throws Unreadable */
export function parseQuery(_words: readonly Word[]): FigureQuery {
  throw new Unreadable('not there yet');
}

/** The words of a query, ready to be typed; `parseQuery` reads them back to an equal query. */
export function writeQuery(query: FigureQuery): string {
  return query.range;
}
