import type { FigureQuery } from '../../figures/query.ts';
import { valuesIn } from '../../figures/tag-filter.ts';
import { LIMITS } from '../../slack/kit/index.ts';
import { typeFilters } from './customize-typed.ts';
import { NONE } from './words.ts';

/** The fields of the form, by block id; those of filters have `filterField`. */
export const FIELDS = {
  range: 'range',
  otherRange: 'other-range',
  by: 'by',
  of: 'of',
  items: 'items',
  orgs: 'orgs',
  step: 'step',
  more: 'more-filters',
  detailed: 'detailed',
} as const;

export const NO_STEP = 'none';

export function filterField(tag: string): string {
  return `where-${tag}`;
}

/** What people filter by most. */
const OFFERED = ['gvc', 'workload', 'location'];
/** More lists than these would be more than a form holds. */
const MOST_TAGS = 6;

/** The tags whose values the form offers: a few that people ask for, and those that the query filters by. */
export function filterTags({ where }: FigureQuery): readonly string[] {
  const used = Object.keys(where).filter((tag) => /^\w[\w-]{0,59}$/.test(tag));
  return [...new Set([...OFFERED, ...used])].slice(0, MOST_TAGS);
}

/** Whether Slack's lists can hold a value as it is; what stands for "none" stands for nothing else. */
export function isChoosable(value: string): boolean {
  return value.length <= LIMITS.optionValue && value !== NONE && !/\p{Cs}/u.test(value);
}

/** A value as an option of a list, which cannot be empty. */
export function toChoice(value: string): { text: string; value: string } {
  return { text: value || NONE, value: value || NONE };
}

export function fromChoice(value: string): string {
  return value === NONE ? '' : value;
}

/** The filters of a query as the form shows them: chosen in lists, typed, or not at all. */
export interface FilterParts {
  readonly chosen: ReadonlyMap<string, readonly string[]>;
  readonly typed: { readonly text: string; readonly tags: readonly string[] };
  /** They can be neither chosen nor typed. */
  readonly unshown: readonly (readonly [tag: string, value: string])[];
}

export function partsOf(query: FigureQuery): FilterParts {
  const tags = filterTags(query);
  const chosen = new Map<string, readonly string[]>();
  const others: (readonly [string, string])[] = [];
  for (const [tag, filter] of Object.entries(query.where)) {
    const values = tags.includes(tag) ? valuesIn(tag, filter) : undefined;
    if (values?.every(isChoosable)) chosen.set(tag, values);
    else others.push([tag, filter]);
  }
  const typed = typeFilters(others);
  return { chosen, typed, unshown: others.filter(([tag]) => !typed.tags.includes(tag)) };
}
