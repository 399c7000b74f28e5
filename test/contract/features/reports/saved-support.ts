import type { Principal } from '../../../../src/access/policy.ts';
import { createChargesSource } from '../../../../src/features/reports/charges.ts';
import { makeSaved, readAllSaved, type Saved } from '../../../../src/features/reports/saved.ts';
import { createSavedJobs } from '../../../../src/features/reports/saved-run.ts';
import { createAllowance } from '../../../../src/platform/answer.ts';
import { parseQuery } from '../../../../src/reporting/query.ts';
import type { Services } from '../../../../src/services.ts';
import { reportsHere } from '../../../support/reports.ts';
import { BILLING, startReporting } from '../reporting.ts';

export const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
export const READER: Principal = {
  userId: 'U0ADA',
  email: 'ada@acme.example',
  roles: ['billing_viewer'],
};

/** A question without any narrowing, of some range. */
export const over = (range: string, amount: string): Saved => ({
  source: 'charges',
  query: { ...parseQuery([]), range, by: ['org'] },
  channel: BILLING,
  by: ADA,
  trigger: { kind: 'over', amount },
});

export const daily = (
  range: string,
  at: string,
  zone: string,
  every: 'daily' | 'monthly' = 'daily',
) => ({ ...over(range, '1'), trigger: { kind: 'answer', every, at, zone } }) satisfies Saved;

interface World {
  /** Happens within each run, before it asks. */
  readonly meanwhile?: (services: Services) => Promise<unknown>;
  readonly principal?: () => Principal;
  /** Parts of the source of `/charges` that a test replaces. */
  readonly source?: object;
  readonly reports?: object;
}

/** A worker for the saved questions of `/charges`, at noon of the 15th of October. */
export async function startSaved(
  redisUrl: string,
  { meanwhile, principal = () => READER, source = {}, reports = reportsHere() }: World = {},
) {
  let services: Services | undefined;
  const reporting = await startReporting(redisUrl, (own) => {
    const access = {
      roleRefusal: () => Promise.resolve(undefined),
      principal: async () => {
        await meanwhile?.(services ?? own);
        return principal();
      },
    } as unknown as Services['access'];
    services = {
      ...own,
      access,
      orgs: { known: ['acme'], fallback: 'acme' },
      jobs: { add: () => Promise.resolve() } as unknown as Services['jobs'],
      reports: reports as Services['reports'],
    };
    const allowance = createAllowance(64 * 1024 * 1024);
    const asked = { ...createChargesSource(services), ...source };
    return createSavedJobs(asked, { ...services, allowance });
  });
  const own = services;
  if (own === undefined) throw new Error('there are no services');
  return {
    ...reporting,
    services: own,
    saved: () => readAllSaved(own),
    /** Saved on the 15th of October; an amount has reported nothing yet. */
    add: (saved: Saved) =>
      makeSaved(own, saved, {
        ...(saved.trigger.kind === 'answer' && { day: '2026-10-15' }),
        reported: [],
      }),
  };
}
