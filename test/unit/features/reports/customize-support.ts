import * as fc from '../../../support/fast-check.ts';
import { customizeForm, type CustomizeView } from '../../../../src/features/reports/customize.ts';
import { filterFor } from '../../../../src/reporting/range.ts';
import { parseQuery, type ReportQuery } from '../../../../src/reporting/query.ts';
import type { FormContent, FormValues } from '../../../../src/slack/routing/routes.ts';
import { wordsIn } from '../../../support/answer.ts';

/** The query that someone typed. */
export function queryOf(line: string): ReportQuery {
  return parseQuery(wordsIn(line));
}

export function formOf(changes: Partial<CustomizeView> = {}): FormContent {
  return customizeForm({
    command: 'charges',
    query: queryOf(''),
    detailed: false,
    by: ['org'],
    orgs: ['acme', 'globex', 'initech'],
    items: ['cpu', 'egress', 'Memory, hosted'],
    values: { gvc: ['', 'shop', 'shop.eu'], workload: ['cart', 'web'], location: [] },
    state: 'state-1',
    withDetailed: true,
    ...changes,
  });
}

interface FieldOption {
  readonly text: { readonly text: string };
  readonly value?: string;
}

/** A field as far as tests look at it. */
interface Field {
  readonly block_id: string;
  readonly label: { readonly text: string };
  readonly hint?: { readonly text: string };
  readonly element: {
    readonly placeholder?: { readonly text: string };
    readonly initial_value?: string;
    readonly initial_option?: FieldOption;
    readonly initial_options?: readonly FieldOption[];
  };
}

export function fieldsOf({ blocks }: FormContent): Field[] {
  return blocks.filter(({ type }) => type === 'input') as unknown as Field[];
}

export function fieldOf(form: FormContent, name: string): Field {
  const found = fieldsOf(form).find(({ label }) => label.text === name);
  if (found === undefined) throw new Error(`there is no field ${name}`);
  return found;
}

/** The initial choices of a field, as people see them. */
export function shownIn(form: FormContent, label: string): string[] {
  const { initial_options: several, initial_option: one } = fieldOf(form, label).element;
  return [several ?? one ?? []].flat().map(({ text }) => text.text);
}

/** The values of a form that no one changed. */
export function untouched(form: FormContent): FormValues {
  return Object.fromEntries(
    fieldsOf(form).map(({ block_id: id, element }) => {
      const several = element.initial_options?.map(({ value = '' }) => value);
      return [id, several ?? element.initial_option?.value ?? element.initial_value];
    }),
  );
}

/** Submits a form after changes by label. */
export function filledIn(
  form: FormContent,
  changes: Readonly<Record<string, string | readonly string[]>>,
): FormValues {
  const changed = Object.entries(changes).map(([label, value]) => [
    fieldOf(form, label).block_id,
    value,
  ]);
  return { ...untouched(form), ...(Object.fromEntries(changed) as FormValues) };
}

const MARKS = Array.from(String.raw`/\^$.|?*+()[]{}"”ab =,&<>-`);

/** Text that is hard on words, on expressions and on Slack. */
export const hostile = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...MARKS), maxLength: 8 }),
  fc.constantFrom(
    '',
    '/',
    '//',
    '/api/',
    '/^(a|b)$/',
    String.raw`\|`,
    '(none)',
    '<!channel>',
    '&amp;',
    'a b',
    'of',
    'last month',
  ),
  fc.constantFrom('x'.repeat(76), '\u202eevil', '\u0000', '\ud800', '`*_~'),
);
const name = hostile.filter((text) => text !== '');
const names = fc.uniqueArray(fc.oneof(fc.constantFrom('org', 'gvc', 'cpu', 'acme'), name), {
  minLength: 1,
  maxLength: 4,
});
const tag = fc.oneof(
  fc.constantFrom('gvc', 'workload', 'location', 'performanceClass', 'volumeIndex', 'org'),
  name.filter((text) => text !== 'metric'),
);
const filter = fc.oneof(
  hostile,
  fc.uniqueArray(hostile, { minLength: 1, maxLength: 5 }).map((values) => filterFor('gvc', values)),
);

/** Any query there can be, also those that no one can type. */
export const anyQuery: fc.Arbitrary<ReportQuery> = fc
  .record({
    range: fc.constantFrom(
      'today',
      'last month',
      'last 3 days',
      '2026-10',
      '2026-10-01..2026-10-15',
    ),
    by: fc.option(names, { nil: undefined }),
    of: fc.oneof(fc.constant([]), names),
    items: fc.oneof(fc.constant([]), names),
    where: fc
      .uniqueArray(fc.tuple(tag, filter), { maxLength: 6, selector: ([one]) => one })
      .map((entries): ReportQuery['where'] => Object.fromEntries(entries)),
    orgs: fc.oneof(fc.constant([]), names),
    step: fc.constantFrom(undefined, 'hour', 'day', 'week', 'month'),
  })
  .filter(({ orgs, where }) => orgs.length === 0 || !Object.hasOwn(where, 'org'));
