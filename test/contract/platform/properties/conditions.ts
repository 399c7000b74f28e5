import * as fc from 'fast-check';

import type { TagFilter } from '../../../../src/platform/consumption/query.ts';
import type { Piece, Tags } from './support.ts';

/** What a tag must be. Every one is so that no absent tag can match it. */
export interface Condition {
  readonly tag: string;
  readonly kind: 'is' | 'is-exactly' | 'is-one-of' | 'starts-with' | 'ends-with' | 'has';
  readonly text: string;
}

/** The filter in the spelling of the specification (spec 4.5 rule 2). */
export function filterOf(conditions: readonly Condition[]): TagFilter {
  return Object.fromEntries(conditions.map((condition) => [condition.tag, spellingOf(condition)]));
}

function spellingOf({ kind, text }: Condition): string {
  switch (kind) {
    case 'is':
      return text;
    case 'is-exactly':
      return `/^${text}$/`;
    case 'is-one-of':
      return `/^(${text}|nobody)$/`;
    case 'starts-with':
      return `/^${text}/`;
    case 'ends-with':
      return `/${text}$/`;
    case 'has':
      return `/${text}/`;
  }
}

/** Whether all of the conditions hold, said without regular expressions. */
export function holds(conditions: readonly Condition[], tags: Tags): boolean {
  return conditions.every(({ tag, kind, text }) => {
    const value = tags[tag] ?? '';
    switch (kind) {
      case 'is':
      case 'is-exactly':
      case 'is-one-of':
        return value === text;
      case 'starts-with':
        return value.startsWith(text);
      case 'ends-with':
        return value.endsWith(text);
      case 'has':
        return value.includes(text);
    }
  });
}

/** Conditions on different tags that some of the pieces meet, and now and then one that none does. */
export function conditionsOn(
  pieces: readonly Piece[],
  options: { maxLength: number },
): fc.Arbitrary<Condition[]> {
  const met = fc.constantFrom(...pieces).chain(({ tags }) => {
    const present = Object.entries(tags).filter(([, value]) => value !== '');
    const one = fc.constantFrom(...present).chain(([tag, value]) => conditionOn(tag, value));
    return fc.uniqueArray(one, { ...options, selector: ({ tag }) => tag });
  });
  const unmet = fc.constant<Condition[]>([{ tag: 'gvc', kind: 'is', text: 'nothing' }]);
  return fc.oneof({ weight: 19, arbitrary: met }, { weight: 1, arbitrary: unmet });
}

function conditionOn(tag: string, value: string): fc.Arbitrary<Condition> {
  const cut = fc.integer({ min: 1, max: value.length });
  const whole = fc
    .constantFrom('is', 'is-exactly', 'is-one-of')
    // A number is matched by expressions only (spec 4.5 rule 2).
    .map((kind) => (tag === 'volumeIndex' && kind === 'is' ? 'is-exactly' : kind))
    .map((kind) => ({ tag, kind, text: value }));
  const part = cut.chain((length) =>
    fc.constantFrom<Condition>(
      { tag, kind: 'starts-with', text: value.slice(0, length) },
      { tag, kind: 'ends-with', text: value.slice(-length) },
      { tag, kind: 'has', text: value.slice(0, length).slice(-4) },
    ),
  );
  return fc.oneof(whole, part) as fc.Arbitrary<Condition>;
}
