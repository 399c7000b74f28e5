import type { BigNumber } from 'bignumber.js';
import type { BillingRole } from '../../platform/billing/roles.ts';
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

export interface Viewer {
  readonly userId: string;
  /** The only orgs that may be queried one by one; absent: all. */
  readonly orgs?: readonly string[] | undefined;
  /** The refusal of the account, if only single orgs may be queried; undefined: everything (design section 6). */
  readonly orgsOnly?: string | undefined;
  /** With `orgsOnly`: any of these roles would open the account, and the person can ask for it. */
  readonly missing?: readonly BillingRole[] | undefined;
}

/** A resolved query: `by` is filled in, the orgs and items exist, and the range has its times. */
export interface Question {
  readonly viewer: Viewer;
  readonly query: ReportQuery;
  readonly by: readonly string[];
  readonly range: Range;
  /** Ms since the epoch. Elapsed time is measured from now, like the figures; the range is the same on every page. */
  readonly nowMs: number;
}

/** A sentence beside figures: a flaw if they are wrong or incomplete, else a note that explains correct ones. */
export interface Caveat {
  readonly isFlaw: boolean;
  readonly text: Mrkdwn;
  /** For an unasked message, which omits other notes. */
  readonly short?: Mrkdwn | undefined;
}

export interface Found {
  /** Largest first within a measure. */
  readonly lines: readonly Line[];
  /** Names of each line's labels: the grouped tags, and others that distinguish lines. */
  readonly columns: readonly string[];
  /** For an answer with steps: its lines without them; absent if unknown. */
  readonly whole?: readonly Line[] | undefined;
  /** Ms since the epoch. */
  readonly readAt: number;
  readonly skipped: number;
  /** Orgs that could not be read: no total includes them. */
  readonly missing: readonly string[];
  /** The span before could not be read, so changes are unknown. */
  readonly isBeforeUnread?: boolean;
  /** One line each, made by `flaw` or `note`. */
  readonly caveats: readonly Caveat[];
  readonly hasRows: boolean;
  /** Every row of the platform's answer, for CSV. */
  table(): Table;
}

export interface Table {
  readonly columns: readonly string[];
  /** Generated lazily: a file can have more rows than fit into memory. */
  readonly rows: Iterable<readonly Cell[]>;
}

/** A pricing tier of a line, added up over the steps of its billing period (spec 2.7). */
export interface Tier {
  /** The requested part of the billing period. */
  readonly period: Range;
  readonly ratePlan: string | undefined;
  readonly ratePlanItem: string | undefined;
  /** By name, or by id if the catalogue omits it. */
  readonly item: string;
  readonly unit: string | undefined;
  /** Bounds in raw units; undefined: unbounded. */
  readonly from: BigNumber | undefined;
  readonly to: BigNumber | undefined;
  readonly units: BigNumber;
  /** Whole units of the currency for one raw unit. */
  readonly rate: BigNumber;
  readonly amount: BigNumber;
  readonly currency: string | undefined;
}

/** `Found` with the pricing tiers of each line; the table has a row for each tier. */
export interface Detail extends Found {
  /** By period, item and bound. */
  tiersOf(line: Line): readonly Tier[];
  caveatsOf(line: Line): readonly Caveat[];
}

export interface AskedFor {
  /** Pricing tiers, which are not compared with anything. */
  readonly tiers: boolean;
  /** Memory for the answers; and for the additional queries, undefined without a comparison. */
  readonly now: Allowance;
  readonly aside?: Allowance | undefined;
}

export interface Source {
  readonly help: CommandHelp;
  readonly name: 'charges' | 'usage';
  /** The right that seeing an answer requires, as in `Answer`. */
  needs(viewer: Viewer): string;
  readonly by: readonly string[];
  /** @throws Refusal for a member without access */
  authorize(person: Person): Promise<Viewer>;
  /** All orgs that can be queried, for suggestions and the form. */
  orgs(viewer: Viewer): Promise<readonly string[]>;
  /** The orgs if none is named; empty: all. @throws UsageError if one has to be named */
  usualOrgs(viewer: Viewer): readonly string[];
  /** The chargeable items that a question can name; absent without billing. @throws PlatformError */
  items?(viewer: Viewer): Promise<Reading<Catalogue>>;
  /** For callers that can do without them; undefined if they cannot be read in time. */
  knownItems?(viewer: Viewer): Promise<Catalogue | undefined>;
  /** Saving requires that billing roles can be looked up. */
  readonly canSave?: boolean;
  readonly hasTiers?: true;
  /** @throws PlatformError, Refusal */
  ask(question: Question, wanted: AskedFor): Promise<Bodies>;
  /**
   * Distinct values of a tag in a span, sorted; the empty string for usage that lacks it.
   * @throws PlatformError, Refusal for a member without access
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
  readonly skipped?: number;
  /** Orgs that could not be read. */
  readonly missing?: readonly string[];
  readonly caveats?: readonly Caveat[];
}

export interface OfOrg<T> extends Reading<T> {
  readonly org: string;
}

export interface Failure {
  readonly org: string;
  readonly error: PlatformError;
}

/**
 * The platform's unparsed answers to a question, because the main thread neither parses nor aggregates them. Plain
 * data, which crosses to another thread.
 */
export interface Bodies {
  readonly source: Source['name'];
  readonly question: Question;
  readonly now: EachBody;
  readonly before: Aside;
  /** For a running question with steps: the same without them, which the projection needs. */
  readonly whole: Aside;
  /** Only a part of the account is queried. */
  readonly isNarrowed?: boolean;
  /** Several orgs are queried, so lines name theirs. */
  readonly hasSeveralOrgs?: boolean;
  /** For the units of metrics; undefined: not available. */
  readonly items?: Catalogue | undefined;
}

/** The body of an answer; for charges, with the tags that distinguish rows. */
export interface Body extends Partial<Aggregation> {
  readonly body: Uint8Array;
}

/** Additional queries of a question, in parts. */
export interface Aside {
  /** Absent if any of them failed. */
  readonly parts?: readonly EachBody[];
  /** The platform still keeps the span. */
  readonly isKept: boolean;
}

export interface EachBody {
  readonly answers: readonly OfOrg<Body>[];
  readonly failures: readonly { readonly org: string; readonly error: PlainPlatformError }[];
}
