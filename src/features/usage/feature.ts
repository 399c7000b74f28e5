import { createConsumptionFeature } from '../consumption/frame.ts';
import type { ConsumptionDeps } from '../consumption/frame.ts';
import { createUsageSource } from './source.ts';
import type { UsageSourceDeps } from './source.ts';

/** `/usage`: raw quantities in units people read. */
export function createUsageFeature(
  deps: Omit<ConsumptionDeps, 'items'> & UsageSourceDeps,
): ReturnType<typeof createConsumptionFeature> {
  const { keep, clock, draw, sendFile } = deps;
  return createConsumptionFeature(createUsageSource(deps), { keep, clock, draw, sendFile });
}
