import type { FigureQuery } from '../../figures/query.ts';
import { filterFor } from '../../figures/tag-filter.ts';
import { Unreadable } from '../../lib/refusal.ts';
import type { TagFilter } from '../../platform/consumption/query.ts';
import { TIME_STEPS } from '../../platform/consumption/query.ts';
import type { FormValues } from '../../slack/routes.ts';
import {
  FIELDS,
  filterField,
  filterTags,
  fromChoice,
  isChoosable,
  partsOf,
} from './customize-fields.ts';
import { readTypedFilters, readTypedRange } from './customize-typed.ts';

type Errors = Record<string, string>;

/**
 * What was filled in, as a query; what the form cannot show of `before` stays. Errors by block id, each
 * one sentence.
 * @param before the query that the form was filled with
 * @param by what the command groups by of itself, as the form was given it
 */
export function readCustomize(
  values: FormValues,
  before: FigureQuery,
  by: readonly string[],
): { query: FigureQuery; detailed: boolean } | { errors: Record<string, string> } {
  const errors: Errors = {};
  const grouped = listIn(values, FIELDS.by, before.by ?? by);
  const isUsual = before.by === undefined && JSON.stringify(grouped) === JSON.stringify(by);
  const query: FigureQuery = {
    range: rangeIn(values, before, errors),
    by: grouped.length === 0 || isUsual ? undefined : grouped,
    of: listIn(values, FIELDS.of, before.of),
    items: listIn(values, FIELDS.items, before.items),
    where: whereIn(values, before, errors),
    orgs: listIn(values, FIELDS.orgs, before.orgs),
    step: TIME_STEPS.find((step) => step === values[FIELDS.step]),
  };
  if (query.of.length > 0 && Object.hasOwn(query.where, 'metric')) {
    errors[FIELDS.of] ??= 'The filters choose metrics, too: keep one of the two.';
  }
  if (query.orgs.length > 0 && Object.hasOwn(query.where, 'org')) {
    errors[FIELDS.orgs] ??= 'The filters choose orgs, too: keep one of the two.';
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { query, detailed: chosenIn(values, FIELDS.detailed).length > 0 };
}

function rangeIn(values: FormValues, before: FigureQuery, errors: Errors): string {
  const typed = textIn(values, FIELDS.otherRange);
  const range =
    typed === '' ? undefined : attempt(() => readTypedRange(typed), FIELDS.otherRange, errors);
  return range ?? (textIn(values, FIELDS.range) || before.range);
}

function whereIn(values: FormValues, before: FigureQuery, errors: Errors): TagFilter {
  const { chosen, unshown } = partsOf(before);
  const where = new Map<string, string>();
  for (const tag of filterTags(before)) {
    const picked = chosenIn(values, filterField(tag)).map(fromChoice);
    const ordered = inOrder(picked, chosen.get(tag) ?? []);
    if (ordered.length > 0) where.set(tag, filterFor(tag, ordered));
  }
  const typed = textIn(values, FIELDS.more);
  const more = typed === '' ? {} : attempt(() => readTypedFilters(typed), FIELDS.more, errors);
  for (const [tag, value] of Object.entries(more ?? {})) {
    if (where.has(tag))
      errors[FIELDS.more] = `${tag} is chosen above already: keep one of the two.`;
    where.set(tag, value);
  }
  for (const [tag, value] of unshown) if (!where.has(tag)) where.set(tag, value);
  return Object.fromEntries(where);
}

/** What is chosen in a list, and what is in the query but could not be offered. */
function listIn(values: FormValues, field: string, before: readonly string[]): string[] {
  const kept = before.filter((name) => !isChoosable(name));
  return inOrder([...chosenIn(values, field), ...kept], before);
}

/** In the order that they had; what is new comes last. */
function inOrder(chosen: readonly string[], before: readonly string[]): string[] {
  const known = before.filter((value) => chosen.includes(value));
  return [...new Set([...known, ...chosen])];
}

function chosenIn(values: FormValues, field: string): readonly string[] {
  const value = values[field];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function textIn(values: FormValues, field: string): string {
  const value = values[field];
  return typeof value === 'string' ? value.trim() : '';
}

function attempt<T>(read: () => T, field: string, errors: Errors): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const hint = error.suggestion === undefined ? '' : ` Did you mean ${error.suggestion}?`;
    errors[field] = error.message + hint;
    return undefined;
  }
}
