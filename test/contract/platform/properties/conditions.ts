import * as fc from 'fast-check';

import type { TagFilter } from '../../../../src/platform/consumption/query.ts';
import type { Piece, Tags } from './support.ts';

/**
 * How a filter says what a tag must be (spec 4.5 rule 2), and what that means, without regular
 * expressions. Every one is so that no absent tag can match it.
 */
const KINDS = {
  is: [(text: string) => text, isText],
  'is-exactly': [(text: string) => `/^${text}$/`, isText],
  'is-one-of': [(text: string) => `/^(${text}|no-one)$/`, isText],
  'starts-with': [
    (text: string) => `/^${text}/`,
    (value: string, text: string) => value.startsWith(text),
  ],
  'ends-with': [
    (text: string) => `/${text}$/`,
    (value: string, text: string) => value.endsWith(text),
  ],
  has: [(text: string) => `/${text}/`, (value: string, text: string) => value.includes(text)],
} as const;

function isText(value: string, text: string): boolean {
  return value === text;
}

export interface Condition {
  readonly tag: string;
  readonly kind: keyof typeof KINDS;
  readonly text: string;
}

/** The filter in the spelling of the specification. */
export function filterOf(conditions: readonly Condition[]): TagFilter {
  return Object.fromEntries(conditions.map(({ tag, kind, text }) => [tag, KINDS[kind][0](text)]));
}

export function holds(conditions: readonly Condition[], tags: Tags): boolean {
  return conditions.every(({ tag, kind, text }) => KINDS[kind][1](tags[tag] ?? '', text));
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
  const whole = fc
    .constantFrom('is' as const, 'is-exactly' as const, 'is-one-of' as const)
    // A number is matched by expressions only (spec 4.5 rule 2).
    .map((kind) => (tag === 'volumeIndex' && kind === 'is' ? 'is-exactly' : kind))
    .map((kind) => ({ tag, kind, text: value }));
  const part = fc
    .integer({ min: 1, max: value.length })
    .chain((length) =>
      fc.constantFrom<Condition>(
        { tag, kind: 'starts-with', text: value.slice(0, length) },
        { tag, kind: 'ends-with', text: value.slice(-length) },
        { tag, kind: 'has', text: value.slice(0, length).slice(-4) },
      ),
    );
  return fc.oneof<fc.Arbitrary<Condition>[]>(whole, part);
}
