import { Refusal, UsageError } from '../../lib/errors.ts';
import { compareNames } from '../../lib/text.ts';
import type { Catalogue } from '../../platform/billing/charge-rows.ts';
import { TIME_STEPS, type TagFilter } from '../../platform/consumption/query.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { filterFor, resolveRange } from '../../reporting/range.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import type { Services } from '../../services.ts';
import { questionIn } from '../../slack/replies/shelf.ts';
import type { FormRoute, FormValues } from '../../slack/routing/routes.ts';
import { actionId } from './words.ts';
import type { Present } from './answer.ts';
import {
  customizeForm,
  FIELDS,
  filterField,
  filterTags,
  fromChoice,
  isChoosable,
  partsOf,
  readTypedFilters,
  readTypedRange,
  type Choices,
} from './customize-form.ts';
import { newState, State } from './question.ts';
import type { Source } from './source.ts';

type Errors = Record<string, string>;

/**
 * The form's values as a query. Parts of `before` that the form cannot show are kept. Errors by block id, one sentence
 * each.
 * @param before the query that the form was filled with
 * @param by the command's default grouping, as given to the form
 */
export function readCustomize(
  values: FormValues,
  before: ReportQuery,
  by: readonly string[],
): { query: ReportQuery; detailed: boolean } | { errors: Record<string, string> } {
  const errors: Errors = {};
  const grouped = listIn(values, FIELDS.by, before.by ?? by);
  const isUsual = before.by === undefined && JSON.stringify(grouped) === JSON.stringify(by);
  const query: ReportQuery = {
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

function rangeIn(values: FormValues, before: ReportQuery, errors: Errors): string {
  const typed = textIn(values, FIELDS.otherRange);
  const range =
    typed === '' ? undefined : attempt(() => readTypedRange(typed), FIELDS.otherRange, errors);
  return range ?? (textIn(values, FIELDS.range) || before.range);
}

function whereIn(values: FormValues, before: ReportQuery, errors: Errors): TagFilter {
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

/** Chosen values, and values of the query that could not be offered. */
function listIn(values: FormValues, field: string, before: readonly string[]): string[] {
  const kept = before.filter((name) => !isChoosable(name));
  return inOrder([...chosenIn(values, field), ...kept], before);
}

/** Keeps the earlier order; new values come last. */
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
    if (!(error instanceof UsageError)) throw error;
    const hint = error.suggestion === undefined ? '' : ` Did you mean ${error.suggestion}?`;
    errors[field] = error.message + hint;
    return undefined;
  }
}

/** **Customize**: the query of an answer as a form. */
export function createCustomize(
  source: Source,
  present: Present,
  { clock, kept }: Pick<Services, 'clock' | 'kept'>,
): FormRoute {
  return {
    actionId: actionId(source.name, 'customize'),
    callbackId: actionId(source.name, 'customized'),
    title: `Customize ${source.name}`,
    inPlace: true,
    async fill({ person, answerId }, show) {
      const viewer = await source.authorize(person);
      const { query, askedAt, detailed } = await questionIn(kept, { person, answerId }, State);
      const form = (orgs: Choices, items: Choices, values: Readonly<Record<string, Choices>>) =>
        customizeForm({
          command: source.name,
          query,
          detailed,
          by: source.by,
          orgs,
          items,
          values,
          state: answerId ?? '',
          withDetailed: source.hasTiers === true,
        });
      await show(form(undefined, source.items ? undefined : [], {}));

      const range = resolveRange(query.range, askedAt);
      // Every value of the span is offered, including those hidden by the current filter.
      const open = { of: [], where: {}, orgs: query.orgs };
      const [orgs, items, ...values] = await Promise.all([
        source.orgs(viewer).catch(orUnread),
        source.items?.(viewer).then(namesIn).catch(orUnread) ?? [],
        ...filterTags(query).map(async (tag) => {
          const read = await source.tagValues(viewer, tag, range, open).catch(orUnread);
          return [tag, read === 'unread' ? read : read.values] as const;
        }),
      ]);
      await show(form(orgs, items, Object.fromEntries(values)));
    },
    async submit({ person, values, state: answerId }) {
      const before = await questionIn(kept, { person, answerId }, State);
      const read = readCustomize(values, before.query, source.by);
      if ('errors' in read) return read;
      const { query, detailed } = read;
      return { answer: () => present(person, newState(query, clock.now(), detailed)) };
    },
  };
}

/** Several chargeable items can share a name. */
function namesIn({ value }: Reading<Catalogue>): readonly string[] {
  return [...new Set(value.items.map(({ name }) => name))].toSorted(compareNames);
}

/** A list that cannot be read, or not by this member, must not fail the form. */
function orUnread(error: unknown): 'unread' {
  if (error instanceof PlatformError || error instanceof Refusal) return 'unread';
  throw error;
}
