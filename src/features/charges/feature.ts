import { createConsumptionFeature } from '../consumption/frame.ts';
import type { ConsumptionDeps } from '../consumption/frame.ts';
import { createChargesSource } from './source.ts';
import type { ChargesSourceDeps } from './source.ts';

type ChargesDeps = ChargesSourceDeps & Omit<ConsumptionDeps, 'items'>;

/** `/charges`: what it costs, priced (design section 3). */
export function createChargesFeature(deps: ChargesDeps) {
  const items = () => deps.billing().charges.chargeableItems();
  return createConsumptionFeature(createChargesSource(deps), { ...deps, items });
}
