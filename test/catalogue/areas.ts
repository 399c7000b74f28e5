import type { Area } from './entry.ts';
import { outages } from './areas/outages.ts';

/** Everything that Purser says, in the order of the page. */
export const AREAS: readonly Area[] = [outages];
