import type { Cell } from '../../figures/csv.ts';
import type { Line } from '../../figures/line.ts';
import type { FigureQuery } from '../../figures/query.ts';
import type { Range } from '../../figures/range.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { CommandHelp, Person } from '../../slack/routes.ts';

/** What is asked of a source: `by` is settled, the orgs are checked, and the range is resolved. */
export interface Question {
  readonly query: FigureQuery;
  readonly by: readonly string[];
  readonly range: Range;
  /** When it was asked, ms since the epoch; every page of an answer has the same. */
  readonly askedAt: number;
}

/** A reading of a source, folded into lines. */
export interface Found {
  /** Largest first within a measure. */
  readonly lines: readonly Line[];
  /** The names of the labels of each line: the grouped tags, and what else tells lines apart. */
  readonly columns: readonly string[];
  /** Ms since the epoch. */
  readonly readAt: number;
  /** Rows that could not be read. */
  readonly skipped: number;
  /** What keeps people from being wrong, one line each, only where it applies. */
  readonly caveats: readonly Mrkdwn[];
  /** Every row of the platform's answer, for CSV. */
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly Cell[][] };
}

/** What `/charges` and `/usage` differ in; everything else they have in common. */
export interface Source {
  readonly help: CommandHelp;
  /** "charges", "usage": in action ids, file names and sentences. */
  readonly name: 'charges' | 'usage';
  /** What is grouped by without `by`. */
  readonly by: readonly string[];
  /** @throws Refusal */
  authorize(person: Person): Promise<void>;
  /** The orgs that can be asked for, for suggestions and the form. */
  orgs(): Promise<readonly string[]>;
  /** Reads the span and the one before it. @throws PlatformError */
  find(question: Question): Promise<Found>;
  /** Distinct values of a tag in a span, sorted; the empty string for usage that lacks it. @throws PlatformError */
  tagValues(
    tag: string,
    range: Range,
    query: Pick<FigureQuery, 'of' | 'where' | 'orgs'>,
  ): Promise<{ values: readonly string[]; readAt: number }>;
}
