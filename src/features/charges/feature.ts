import { createConsumptionFeature } from '../consumption/frame.ts';
import type { ConsumptionDeps } from '../consumption/frame.ts';
import { createChargesSource } from './source.ts';
import type { ChargesSourceDeps } from './source.ts';

/** `/charges`: what it costs, priced (design section 3). */
export function createChargesFeature(deps: ChargesSourceDeps & ConsumptionDeps) {
  return createConsumptionFeature(createChargesSource(deps), deps);
}
