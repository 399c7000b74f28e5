import type { BigNumber } from 'bignumber.js';
import type { Allowance } from '../../platform/answer.ts';
import type { Aggregation, Catalogue } from '../../platform/billing/charge-rows.ts';
import type { PlainPlatformError, PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import type { Line } from '../../reporting/amounts.ts';
import type { Cell } from '../../reporting/csv.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import type { Range } from '../../reporting/range.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { CommandHelp, Person } from '../../slack/routing/routes.ts';

/** The person who asks, and what they may see. */
export interface Viewer {
  readonly userId: string;
  /** Why only single orgs may be asked for, as a refusal; undefined: everything (design section 6). */
  readonly orgsOnly?: string | undefined;
}

/** A resolved query: `by` is filled in, the orgs and items exist, and the range has its times. */
export interface Question {
  readonly viewer: Viewer;
  readonly query: ReportQuery;
  readonly by: readonly string[];
  readonly range: Range;
  /**
   * When it is answered, ms since the epoch: what has elapsed is told of now, because the figures are
   * read now. The range is the same on every page.
   */
  readonly nowMs: number;
}

/** The answers to a question, added up into lines. */
export interface Found {
  /** Largest first within a measure. */
  readonly lines: readonly Line[];
  /** The names of the labels of each line: the grouped tags, and what else tells lines apart. */
  readonly columns: readonly string[];
  /** Of an answer by steps: its lines as they would be without them; absent where that is not known. */
  readonly whole?: readonly Line[] | undefined;
  /** Ms since the epoch. */
  readonly readAt: number;
  /** Rows that could not be read. */
  readonly skipped: number;
  /** Something of the span before could not be read, so no change is known. */
  readonly isBeforeUnread?: boolean;
  /** What keeps people from being wrong, one line each, only where it applies; `flaw` and `note` make them. */
  readonly caveats: readonly Mrkdwn[];
  /** Whether there is any row for a file. */
  readonly hasRows: boolean;
  /** Every row of the platform's answer, for CSV. */
  table(): Table;
}

export interface Table {
  readonly columns: readonly string[];
  /** Made as they are asked for: a file has more of them than memory should. */
  readonly rows: Iterable<readonly Cell[]>;
}

/** A pricing tier of a line, added up over the steps of its billing period (spec 2.7). */
export interface Tier {
  /** The part of the billing period that was asked for. */
  readonly period: Range;
  readonly ratePlan: string | undefined;
  readonly ratePlanItem: string | undefined;
  /** The chargeable item by name, or by id where the catalogue does not say. */
  readonly item: string;
  /** What the tier counts in, in words; undefined where it is not known. */
  readonly unit: string | undefined;
  /** Bounds in raw units; undefined where there is none. */
  readonly from: BigNumber | undefined;
  readonly to: BigNumber | undefined;
  readonly units: BigNumber;
  /** Whole units of the currency for one raw unit. */
  readonly rate: BigNumber;
  readonly amount: BigNumber;
  readonly currency: string | undefined;
}

/** A reading with the pricing tiers of each line; the table has a row for each tier. */
export interface Detail extends Found {
  /** Of a line, by period, item and bound. */
  tiersOf(line: Line): readonly Tier[];
  /** What of `caveats` is about a line. */
  caveatsOf(line: Line): readonly Mrkdwn[];
}

/** What of a question is asked of the platform. */
export interface AskedFor {
  /** Pricing tiers, which are not compared with anything. */
  readonly tiers: boolean;
  /** What the answers may take in all; and those beside the question, absent where nothing is compared. */
  readonly now: Allowance;
  readonly aside?: Allowance | undefined;
}

/** What `/charges` and `/usage` differ in; everything else they have in common. */
export interface Source {
  readonly help: CommandHelp;
  /** "charges", "usage": in action ids, file names and sentences. */
  readonly name: 'charges' | 'usage';
  /** The right that it takes to see an answer, as `Answer` has it. */
  needs(viewer: Viewer): string;
  /** What is grouped by without `by`. */
  readonly by: readonly string[];
  /** What a person may ask. @throws Refusal when that is nothing */
  authorize(person: Person): Promise<Viewer>;
  /** The orgs that can be asked for, for suggestions and the form. */
  orgs(viewer: Viewer): Promise<readonly string[]>;
  /** The orgs that are meant where none is named; empty: all. @throws UsageError when one has to be named */
  usualOrgs(viewer: Viewer): readonly string[];
  /** The chargeable items, which a question names; absent where billing is off. @throws PlatformError */
  items?(viewer: Viewer): Promise<Reading<Catalogue>>;
  /** The same for what can do without them; undefined when they cannot be read in time. */
  knownItems?(viewer: Viewer): Promise<Catalogue | undefined>;
  /** Whether questions can be saved: where nobody's billing role can be known, they cannot. */
  readonly canSave?: boolean;
  /** Whether there are pricing tiers. */
  readonly hasTiers?: true;
  /** Asks the platform. @throws PlatformError, Refusal */
  ask(question: Question, wanted: AskedFor): Promise<Bodies>;
  /** The same with the chargeable items, for metrics whose unit is not documented. */
  withItems?(bodies: Bodies): Promise<Bodies>;
  /**
   * Distinct values of a tag in a span, sorted; the empty string for usage that lacks it.
   * @throws PlatformError, Refusal for who may not ask for them
   */
  tagValues(
    viewer: Viewer,
    tag: string,
    range: Range,
    query: Pick<ReportQuery, 'of' | 'where' | 'orgs'>,
  ): Promise<TagValuesFound>;
}

export interface TagValuesFound {
  /** Distinct and sorted. */
  readonly values: readonly string[];
  /** Ms since the epoch. */
  readonly readAt: number;
  /** Values that could not be read. */
  readonly skipped?: number;
  /** What else is missing. */
  readonly caveats?: readonly Mrkdwn[];
}

/** What one org answered. */
export interface OfOrg<T> extends Reading<T> {
  readonly org: string;
}

/** An org that gave no answer. */
export interface Failure {
  readonly org: string;
  readonly error: PlatformError;
}

/**
 * What the platform answered to a question, as it came: the thread that answers Slack neither parses nor
 * adds it up. All of it is plain data, which crosses to another thread.
 */
export interface Bodies {
  readonly source: Source['name'];
  readonly question: Question;
  readonly now: EachBody;
  /** Of the span before. */
  readonly before: Aside;
  /** Of a running question by steps: the same without them, which is what the projection is of. */
  readonly whole?: Aside;
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

/** What is asked beside a question, in its parts. */
export interface Aside {
  /** Absent when not all of them came. */
  readonly parts?: readonly EachBody[];
  /** Whether there should have been something. */
  readonly isKept: boolean;
}

export interface EachBody {
  readonly answers: readonly OfOrg<Body>[];
  readonly failures: readonly { readonly org: string; readonly error: PlainPlatformError }[];
}
