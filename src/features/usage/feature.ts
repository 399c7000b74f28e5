import { createConsumptionFeature } from '../consumption/frame.ts';
import type { ConsumptionDeps } from '../consumption/frame.ts';
import { createUsageSource } from './source.ts';
import type { UsageSourceDeps } from './source.ts';

/** `/usage`: raw quantities in units people read. */
export function createUsageFeature(
  deps: ConsumptionDeps & UsageSourceDeps,
): ReturnType<typeof createConsumptionFeature> {
  return createConsumptionFeature(createUsageSource(deps), deps);
}
