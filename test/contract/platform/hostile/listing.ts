import { stringify } from 'lossless-json';

import { listOf, membersOf } from './sent.ts';

/** Whether a row stands in the list of that name as it stood in a true answer; then it must be shown. */
export type Intact = (row: unknown, list: string) => boolean;

/** @param documents true answers; the list that is a whole document has no name */
export function createIntact(documents: readonly unknown[]): Intact {
  const known = new Set<string>();
  const learn = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      for (const row of value) {
        known.add(keyOf(row, name));
        learn(row, name);
      }
    }
    for (const [inner, member] of membersOf(value)) learn(member, inner);
  };
  for (const document of documents) learn(document, '');
  return (row, list) => known.has(keyOf(row, list));
}

function keyOf(row: unknown, list: string): string {
  try {
    return `${list} ${stringify(row)}`;
  } catch {
    return ''; // Nested too deep, or with a `toJSON` that is none: not one of ours.
  }
}

/**
 * Whether the rows that are shown are some of those that were said, in their order, with every
 * untouched one among them.
 */
export function isPartOf<Row>(
  shown: readonly Row[],
  said: readonly unknown[],
  isOf: (row: Row, said: unknown) => boolean,
  isIntact: (row: unknown) => boolean,
): boolean {
  let next = 0;
  for (const row of said) {
    const candidate = shown[next];
    if (candidate !== undefined && isOf(candidate, row)) next += 1;
    else if (isIntact(row)) return false;
  }
  return next === shown.length;
}

/** As `isPartOf`, for a list that counts the rows it does not show. */
export function isListing<Row>(
  { items, skipped }: { readonly items: readonly Row[]; readonly skipped: number },
  said: readonly unknown[] | undefined,
  isOf: (row: Row, said: unknown) => boolean,
  isIntact: (row: unknown) => boolean,
): boolean {
  return (
    said !== undefined &&
    items.length + skipped === said.length &&
    isPartOf(items, said, isOf, isIntact)
  );
}

/** Whether every row stands for the one at its place, with none left out. */
export function isEach<Row>(
  shown: readonly Row[],
  said: unknown,
  isOf: (row: Row, said: unknown) => boolean,
): boolean {
  const rows = listOf(said);
  if (rows?.length !== shown.length) return false;
  return shown.every((row, at) => isOf(row, rows[at]));
}
