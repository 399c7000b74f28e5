/** Milliseconds that one call takes: the median of `runs`, after two that do not count. */
export function median(run: () => unknown, runs = 9): number {
  for (let warm = 0; warm < 2; warm += 1) run();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return quantile(times, 0.5);
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One figure of the benchmark: a ratio inside this run, or an amount, and the most that it should be. */
export interface Figure {
  what: string;
  ratio: number;
  target: number;
  /** Of an amount. */
  unit?: string;
}

export function report(figures: readonly Figure[]): void {
  for (const { what, ratio, target, unit } of figures) {
    const verdict = ratio <= target ? 'ok' : 'OVER';
    const figure = unit === undefined ? ratio.toFixed(2) : `${ratio.toFixed(0)} ${unit}`;
    const bound = unit === undefined ? `${target}` : `${target} ${unit}`;
    console.log(`${verdict.padEnd(5)} ${figure.padStart(8)} (at most ${bound})  ${what}`);
  }
}
