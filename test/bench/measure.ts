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

/** Keeps everything that is started and closes it when the benchmark is over, the last one first. */
export type Open = <T extends { close(): unknown }>(starting: Promise<T>) => Promise<T>;

/** @param quick for `--quick`: fewer rounds and shorter times, of which the ratios are rougher */
export type Bench = (open: Open, quick: boolean) => Promise<Figure[]>;

/** Runs a benchmark and prints its figures; an amount that the system does not give is left out. */
export async function play(bench: Bench, quick: boolean): Promise<void> {
  const opened: { close(): unknown }[] = [];
  const open: Open = async (starting) => {
    const one = await starting;
    opened.push(one);
    return one;
  };
  try {
    report((await bench(open, quick)).filter(({ ratio, unit }) => unit !== 'MB' || ratio > 0));
  } finally {
    for (const one of opened.toReversed()) await one.close();
  }
}

function report(figures: readonly Figure[]): void {
  for (const { what, ratio, target, unit } of figures) {
    const verdict = ratio <= target ? 'ok' : 'OVER';
    const figure = unit === undefined ? ratio.toFixed(2) : `${ratio.toFixed(0)} ${unit}`;
    const bound = unit === undefined ? `${target}` : `${target} ${unit}`;
    console.log(`${verdict.padEnd(5)} ${figure.padStart(8)} (at most ${bound})  ${what}`);
  }
}
