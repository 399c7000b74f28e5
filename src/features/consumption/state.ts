import { z } from 'zod';
import type { FigureQuery } from '../../figures/query.ts';
import { Refusal } from '../../lib/refusal.ts';
import { TIME_STEPS } from '../../platform/consumption/query.ts';
import type { Source } from './source.ts';

/** What the buttons of an answer stand for; kept, because a button carries an id alone. */
export interface State {
  readonly source: Source['name'];
  readonly query: FigureQuery;
  /** When it was asked, ms since the epoch: pages of one answer mean the same span. */
  readonly askedAt: number;
  /** From 1. */
  readonly page: number;
  /** Pricing tiers instead of totals. */
  readonly detailed: boolean;
  /** Whose tiers, as `lineId` has it; undefined: those of the largest line. */
  readonly row: string | undefined;
}

const Query = z
  .object({
    range: z.string(),
    by: z.array(z.string()).optional(),
    of: z.array(z.string()),
    // What was kept before items could be named has none.
    items: z.array(z.string()).default([]),
    where: z.record(z.string(), z.string()),
    orgs: z.array(z.string()),
    step: z.enum(TIME_STEPS).optional(),
  })
  .transform((query): FigureQuery => ({ ...query, by: query.by, step: query.step }));

const Kept = z
  .object({
    source: z.enum(['charges', 'usage']),
    query: Query,
    askedAt: z.number(),
    page: z.number().int().positive(),
    detailed: z.boolean(),
    row: z.string().optional(),
  })
  .transform((state): State => ({ ...state, row: state.row }));

/** The first page of a question that is asked now. */
export function newState(
  source: Source['name'],
  query: FigureQuery,
  askedAt: number,
  detailed = false,
): State {
  return { source, query, askedAt, page: 1, detailed, row: undefined };
}

/** Reads back what was kept. @throws Refusal when it is too old, another's, or of another version */
export function readState(kept: unknown, source: Source['name']): State {
  const { data } = Kept.safeParse(kept);
  if (data?.source === source) return data;
  throw new Refusal('This answer is too old: run the command again.');
}
