import type { FastifyInstance } from 'fastify';

import type { Guard } from '../billing/guard.ts';
import type { Metering } from './metering.ts';

interface Deps {
  metering: Metering;
  guard: Guard;
}

/** Charge queries, tag values and the catalogue of the billing API (spec 4.1). */
export function registerChargeRoutes(_app: FastifyInstance, _deps: Deps): void {}

/** The usage API (spec 4.5 and 4.6). */
export function registerUsageRoutes(_app: FastifyInstance, _deps: Deps): void {}
