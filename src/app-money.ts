import { BILLING_OFF } from './access/gate.ts';
import type { Gate } from './access/gate.ts';
import type { Role } from './access/roles.ts';
import type { Ground } from './app-ground.ts';
import type { Config } from './config.ts';
import { createChargesFeature } from './features/charges/feature.ts';
import type { Feature } from './features/feature.ts';
import { createInvoicesFeature } from './features/invoices/feature.ts';
import type { FiguresJob } from './features/consumption/report.ts';
import { createUsageFeature } from './features/usage/feature.ts';
import { Refusal } from './lib/refusal.ts';
import { createAllowance } from './platform/allowance.ts';
import type { Keep } from './slack/keep.ts';
import type { Person } from './slack/routes.ts';
import { createSendFile } from './slack/upload.ts';
import { createFirstToday } from './store/first-today.ts';

/** Of the platform's answers, for all questions that are asked at the same time. */
const HELD_BYTES = 64 * 1024 * 1024;

/** The features about what things cost and how much was used. */
export function moneyFeatures(config: Config, ground: Ground, gate: Gate, keep: Keep): Feature[] {
  // Any valid credential may read the catalogue (spec 4.1).
  const priced = ground.billing?.charges ?? ground.orgCharges;
  const shared = {
    keep,
    sendFile: createSendFile({
      client: ground.slack,
      apiUrl: config.slack.apiUrl,
      stopping: ground.stopping.signal,
    }),
    report: (job: FiguresJob) => ground.reports.figures(job),
    held: createAllowance(HELD_BYTES),
    clock: ground.clock,
    currency: config.currency,
    billing: () => orOff(ground.billing, BILLING_OFF),
    usage: () => orOff(ground.usage, USAGE_OFF),
    firstToday: createFirstToday(ground),
    orgs: [...config.api.credentials.keys()],
    requireBillingRole: (person: Person, roles: readonly Role[]) => gate.requireRole(person, roles),
    roleRefusal: (person: Person, roles: readonly Role[]) => gate.roleRefusal(person, roles),
    requireOrgAccess: (person: Person) => gate.requireOrgAccess(person),
  };
  const known = shared.orgs.toSorted();
  const orgCharges = ground.orgCharges && {
    charges: ground.orgCharges,
    orgs: { known, fallback: config.api.defaultOrg },
    requireOrgAccess: shared.requireOrgAccess,
    noAccount: ground.billing ? undefined : NO_ACCOUNT,
  };
  return [
    createChargesFeature({ ...shared, orgCharges }),
    createUsageFeature({ ...shared, catalogue: priced }),
    createInvoicesFeature(shared),
  ];
}

/** Why the account cannot be asked where only single orgs can (ORG_CHARGES without an account). */
const NO_ACCOUNT =
  'This takes the role billing_admin or billing_viewer, and nobody’s role can be looked up here: whoever runs Purser has to set BILLING_ACCOUNT_ID and BILLING_TOKEN.';

/** Why usage is off (design section 7). */
export const USAGE_OFF = 'Usage is off here: whoever runs Purser has to set USAGE_URL.';

/** @throws Refusal for an API that is not configured (design section 7) */
function orOff<T>(client: T | undefined, sentence: string): T {
  if (client === undefined) throw new Refusal(sentence);
  return client;
}
