import type { Check } from './check.ts';
import { createBillingCheck } from './platform-billing.ts';
import type { PlatformCheckDeps } from './platform-deps.ts';
import { createOrgsCheck } from './platform-orgs.ts';

/** What the doctor looks at on the platform: the orgs with their keys, and billing (spec sections 4 and 5). */
export function createPlatformChecks(deps: PlatformCheckDeps): readonly Check[] {
  return [createOrgsCheck(deps), createBillingCheck(deps)];
}
