import type { Change } from './change.ts';

/**
 * One step on the way of a change, by whoever has it (`held`). A crash at any point leaves something
 * that the next step brings to the same end (ADR 13).
 * @returns as it is then; undefined: there is nothing more to be done for it now
 */
export type Step = (change: Change, held: () => boolean) => Promise<Change | undefined>;
