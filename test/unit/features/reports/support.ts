import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import type { Report, ReportInput } from '../../../../src/features/reports/report.ts';
import type { Bodies, Found, Question } from '../../../../src/features/reports/source.ts';
import type { Reports } from '../../../../src/lib/threads.ts';
import type { Line, Measure } from '../../../../src/reporting/amounts.ts';
import { totalsView } from '../../../../src/features/reports/totals-view.ts';
import type { ReportQuery } from '../../../../src/reporting/query.ts';
import { proseOf, tableOf } from '../../../support/answer.ts';

const USD: Measure = { kind: 'money', currency: 'USD' };

export const october = {
  startMs: Date.parse('2026-10-01T00:00:00Z'),
  endMs: Date.parse('2026-11-01T00:00:00Z'),
};
/** After October, so that the month is over. */
export const later = Date.parse('2026-11-05T12:00:00Z');

export const openQuery: ReportQuery = {
  range: '2026-10',
  by: undefined,
  of: [],
  items: [],
  where: {},
  orgs: [],
  step: undefined,
};

interface Draft {
  readonly projected?: string;
  /** null: nothing is known of the span before. */
  readonly before?: string | null;
  readonly measure?: Measure;
  /** By day of October, from 1. */
  readonly days?: Readonly<Record<number, string>>;
}

export function line(label: string | readonly string[], value: string, draft: Draft = {}): Line {
  const { projected = value, before = value, measure = USD, days = {} } = draft;
  return {
    labels: typeof label === 'string' ? [label] : label,
    measure,
    value: new BigNumber(value),
    projected: new BigNumber(projected),
    before: before === null ? undefined : new BigNumber(before),
    steps: new Map(
      Object.entries(days).map(([day, amount]) => [
        october.startMs + (Number(day) - 1) * 86_400_000,
        new BigNumber(amount),
      ]),
    ),
  };
}

export function question(query: Partial<ReportQuery> = {}, nowMs = later): Question {
  const whole = { ...openQuery, ...query };
  return { viewer: { userId: 'U1' }, query: whole, by: whole.by ?? ['org'], range: october, nowMs };
}

export function found(lines: readonly Line[], more: Partial<Found> = {}): Found {
  return {
    lines,
    columns: ['org'],
    readAt: later,
    skipped: 0,
    missing: [],
    caveats: [],
    hasRows: lines.length > 0,
    table: () => ({ columns: ['org'], rows: lines.map(({ labels }) => [labels[0]]) }),
    ...more,
  };
}

/** The answers of a platform that no one reads. */
export async function askNothing(asked: Question): Promise<Bodies> {
  const now = { answers: [], failures: [] };
  const none = { isKept: false };
  return { source: 'charges', question: asked, now, before: none, whole: none };
}

/** Reports that a test makes itself. */
export function reportsOf(make: (input: ReportInput) => Promise<Report>): Reports {
  return {
    run: ({ job }) => make(job as ReportInput),
    metrics: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

/** The lines of the first section, with the question and the total of the first one apart. */
function headOf({ blocks }: { readonly blocks: readonly KnownBlock[] }): string[] {
  const [first] = blocks;
  const [line = '', ...lines] = (first?.type === 'section' && first.text?.text.split('\n')) || [];
  const [asked, range, ...total] = line.split(' · ');
  const question = [asked, range].filter((part) => part !== undefined).join(' · ');
  return [question, ...(total.length > 0 ? [total.join(' · ')] : []), ...lines];
}

/** An answer of `/charges`: its first lines, its table and its words. */
export function show(answer: Found, asked: Question = question(), page = 1, now = later) {
  const built = totalsView({ name: 'charges', question: asked, found: answer, page, now });
  return {
    ...built,
    head: headOf(built),
    rows: tableOf(built),
    words: proseOf(built),
  };
}
