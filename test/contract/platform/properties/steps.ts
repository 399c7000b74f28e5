import type { TimeStep } from '../../../../src/platform/consumption/query.ts';
import { HOUR_MS } from './support.ts';

/** Ms since the epoch; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether a step begins at this hour in UTC (spec 4.5 rule 1). */
function begins(step: TimeStep, hour: number): boolean {
  const time = new Date(hour);
  if (step === 'hour') return true;
  if (time.getUTCHours() !== 0) return false;
  return {
    day: true,
    week: time.getUTCDay() === 1,
    month: time.getUTCDate() === 1,
  }[step];
}

/** The range aligned outward to whole steps, found hour by hour. */
export function alignOutward({ start, end }: Span, step: TimeStep): Span {
  let first = Math.floor(start / HOUR_MS) * HOUR_MS;
  while (!begins(step, first)) first -= HOUR_MS;
  let last = Math.ceil(end / HOUR_MS) * HOUR_MS;
  while (!begins(step, last)) last += HOUR_MS;
  return { start: first, end: last };
}

/** An aligned range cut into its steps. */
export function stepsOf({ start, end }: Span, step: TimeStep): Span[] {
  const steps: Span[] = [];
  let first = start;
  for (let hour = start + HOUR_MS; hour <= end; hour += HOUR_MS) {
    if (!begins(step, hour)) continue;
    steps.push({ start: first, end: hour });
    first = hour;
  }
  return steps;
}
