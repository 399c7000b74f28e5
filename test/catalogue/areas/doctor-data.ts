import type { Check, Finding } from '../../../src/features/doctor/probe.ts';
import { doctorAnswer } from '../../../src/features/doctor/view.ts';
import { answer, NOW, type Entry } from '../entry.ts';

/** Findings by the heading of their check. */
export type Findings = Readonly<Record<string, readonly Finding[]>>;

/** The doctor's answer with these findings. @param tookMs how long it took, in milliseconds */
export function examined(byArea: Findings, tookMs = 2_300) {
  const areas = Object.entries(byArea).map(([area, findings]) => ({ area, findings }));
  return doctorAnswer({ areas, at: NOW, tookMs });
}

/** The answer with all findings of one check, one below the other. */
export function findings(
  id: string,
  when: string,
  area: Check['area'],
  make: () => readonly Finding[] | Promise<readonly Finding[]>,
): Entry {
  return answer(`doctor-${id}`, when, async () => examined({ [area]: await make() }));
}

/** No one aborts it. */
export const IN_TIME = new AbortController().signal;
