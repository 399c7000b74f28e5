import { ApiFailure, type Args } from './call.ts';
import type { Json } from '../json.ts';

export interface Page<T> {
  readonly items: T[];
  readonly hasMore: boolean;
  readonly metadata: { readonly response_metadata: { readonly next_cursor: string } };
}

/**
 * One page of a sorted list. The cursor holds the key of the last item given, so that items which
 * come or go between two pages neither repeat nor hide others.
 */
export function pageOf<T>(
  items: readonly T[],
  args: Args,
  options: {
    readonly limit: number;
    readonly keyOf: (item: T) => string;
    readonly isAfter: (item: T, key: string) => boolean;
  },
): Page<T> {
  const { limit, keyOf, isAfter } = options;
  const cursor = args.text('cursor');
  const key = cursor === undefined ? undefined : decode(cursor);
  const rest = key === undefined ? [...items] : items.filter((item) => isAfter(item, key));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length;
  return {
    items: page,
    hasMore,
    metadata: {
      response_metadata: { next_cursor: hasMore && last !== undefined ? encode(keyOf(last)) : '' },
    },
  };
}

/** Pages through a list that never changes its order. */
export function pageByOrder<T>(items: readonly T[], args: Args): Page<T> {
  const numbered = items.map((item, index) => ({ item, index }));
  const page = pageOf(numbered, args, {
    limit: args.limit(100, 1000),
    keyOf: ({ index }) => String(index),
    isAfter: ({ index }, key) => index > Number(key),
  });
  return { ...page, items: page.items.map(({ item }) => item) };
}

const encode = (key: string): string => Buffer.from(`next:${key}`).toString('base64');

function decode(cursor: string): string {
  const text = Buffer.from(cursor, 'base64').toString();
  if (!text.startsWith('next:')) throw new ApiFailure('invalid_cursor');
  return text.slice('next:'.length);
}

/** `next_cursor` and nothing else, for methods that have no `has_more`. */
export function withCursor(answer: Json, page: Page<unknown>): Json {
  return { ...answer, ...page.metadata };
}
