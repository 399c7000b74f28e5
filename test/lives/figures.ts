import { COUNTS, type Counts } from './measure.ts';

export function add(sum: Counts, more: Counts): void {
  for (const name of COUNTS) sum[name] += more[name];
}

/** Loud messages per workload and day; a life is six hours. */
export function loudPerDay({ loud, workloads }: Counts): number {
  return (loud * 4) / workloads;
}

/** A row of the table in docs/reliability.md. */
export function rowOf(name: string, counts: Counts): string {
  const { outages, within5, within15, later, never, late } = counts;
  const cells = [
    name,
    outages,
    within5,
    within15,
    later,
    never,
    late,
    `${counts.falseCalls} of ${counts.calls}`,
    `${counts.falseGoodNews} of ${counts.goodNews}`,
    counts.falseRecoveries,
    `${counts.recoveriesNotPosted} of ${counts.recoveries}`,
    `${counts.readiesNotPosted} of ${counts.readies}`,
    `${counts.troublesNotPosted} of ${counts.troubles}`,
    loudPerDay(counts).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}
