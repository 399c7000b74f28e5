/** Milliseconds that one call takes: the median of `runs`, after two that do not count. */
export function median(run: () => unknown, runs = 9): number {
  for (let warm = 0; warm < 2; warm += 1) run();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}

/** One figure of the benchmark: a ratio inside this run, and the most that it should be. */
export interface Figure {
  what: string;
  ratio: number;
  target: number;
}

export function report(figures: readonly Figure[]): void {
  for (const { what, ratio, target } of figures) {
    const verdict = ratio <= target ? 'ok' : 'OVER';
    console.log(
      `${verdict.padEnd(5)} ${ratio.toFixed(2).padStart(6)} (at most ${target})  ${what}`,
    );
  }
}
