import type { Finding } from '../../../../src/features/doctor/check.ts';
import type { Answer, Person } from '../../../../src/slack/routes.ts';

export const ANN: Person = { userId: 'UANN', teamId: 'T1' };

/** Everything that a person reads in an answer. */
export function readingOf({ blocks }: Answer): string {
  return blocks.map((block) => JSON.stringify(block)).join('\n');
}

/** A finding as one line: "broken Clock: it is late → set it". */
export function lineOf({ state, what, says, fix }: Finding): string {
  return `${state} ${what}: ${says}${fix === undefined ? '' : ` → ${fix}`}`;
}
