import { Refusal } from '../lib/refusal.ts';

/** When something that the manifest names already will be there. */
export const COMING = 'it comes with one of the next versions';

/** The no to something that is not built yet. `help`: what to type to see what is. */
export function notThereYet(what: string, help: string): Refusal {
  return new Refusal(
    `${what} is not there yet: ${COMING} of Purser. Until then, ${help} shows what works.`,
  );
}
