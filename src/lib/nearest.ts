/** Longer words are no typing errors of anything and are not compared. */
const maxLength = 64;

/**
 * The candidate that was most likely meant by a mistyped word, or undefined when none is near:
 * at most one error in three letters. Case is ignored; of equally near candidates the first wins.
 */
export function nearest<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  if (word.length > maxLength) return undefined;

  let best: Candidate | undefined;
  let allowed = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance > allowed) continue;
    best = candidate;
    allowed = distance - 1;
  }
  return best;
}

/**
 * Damerau-Levenshtein distance (optimal string alignment): letters left out, added, changed, or
 * swapped with their neighbour, each counting one.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);

  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
