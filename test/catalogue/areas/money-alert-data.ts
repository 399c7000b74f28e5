import { asksFor, createAlertFeature } from '../../../src/features/alert/feature.ts';
import { createAlertPart } from '../../../src/features/alert/view.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import type { Config } from '../../../src/config/config.ts';
import type { Account } from '../../../src/platform/billing/account.ts';
import type { Alert } from '../../../src/platform/billing/alert.ts';
import type { Charges } from '../../../src/platform/billing/charge-rows.ts';
import { homeView } from '../../../src/slack/routing/home.ts';
import { alert, charges } from '../../unit/features/alert/scenario.ts';
import { account } from '../../unit/features/billing/scenario.ts';
import { NOW } from '../entry.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { ADA, at, CURRENCY, failing, forms, accessOf, reading, typed } from './money-data.ts';

/** A question about the spend alert: its role, its time, and the state of the account. */
export interface Asked {
  /** Changes of an alert at $500 that is on; 'none': there is no alert. */
  readonly alert?: Partial<Alert> | 'none';
  /** This month's charges, or why they cannot be read. */
  readonly spent?: Charges | Error;
  /** The role of the person; by default billing_admin, with the right to change the alert. */
  readonly role?: 'billing_admin' | 'billing_viewer';
  /** When it is, and when the alert was read; ms since the epoch. */
  readonly now?: number;
  /** When it is once all has been read, if that is another month. */
  readonly turned?: number;
  readonly readAt?: number;
  /** The bot's token is that of a billing_viewer. */
  readonly isReadOnly?: boolean;
}

const SET: Partial<Alert> = { created: at('2026-03-02'), lastModified: at('2026-09-14') };

/** $212.40 so far, and two orgs. */
export const SPENT = charges(
  { org: 'acme', total: 180.4, projected: 253.1 },
  { org: 'globex', total: 32, projected: 44.9 },
);

/** Charges of one org so far. */
export const spent = (total: number): Charges =>
  charges({ org: 'acme', total, projected: total * 1.4 });

const notAsked = () => failing(new Error('no one asks this here'));

function billingOf({
  alert: changes = {},
  spent: said = SPENT,
  readAt = NOW,
  isReadOnly = false,
}: Asked): BillingClient {
  const there = changes === 'none' ? undefined : alert({ ...SET, ...changes });
  const own: Account = account({ alert: there });
  const billing = {
    getAlert: () =>
      isReadOnly
        ? failing(new PlatformError('unauthorized', 'no such role', { status: 401 }))
        : reading(there, readAt),
    getAccount: () => reading(own, readAt),
    charges: {
      account: () => (said instanceof Error ? failing(said) : reading(said)),
      accountDetailed: notAsked,
      accountBody: notAsked,
      orgBody: notAsked,
      org: notAsked,
      orgDetailed: notAsked,
      tagValues: notAsked,
      chargeableItems: notAsked,
      knownItems: notAsked,
    },
  };
  return billing as Partial<BillingClient> as BillingClient;
}

/** It is asked once before the reading, and once after it. */
function clockOf({ now = NOW, turned = now }: Asked) {
  const times = [now];
  return { now: () => times.shift() ?? turned };
}

/** The answer of `/alert`. */
export function alertAsked(asked: Asked) {
  const { role = 'billing_admin' } = asked;
  const feature = createAlertFeature(
    {
      billing: () => billingOf(asked),
      access: accessOf(role),
      config: { currency: CURRENCY } as Config,
      clock: clockOf(asked),
    },
    forms,
  );
  return typed(feature, '/alert');
}

/** The home tab of a person who sees nothing but the spend. */
export async function spendAtHome(asked: Asked) {
  const { role = 'billing_admin', now = NOW } = asked;
  const part = createAlertPart(
    {
      billing: () => billingOf(asked),
      config: { currency: CURRENCY } as Config,
      clock: clockOf(asked),
    },
    (view) => asksFor(forms, view),
  );
  const who = { userId: ADA.userId, email: 'ada@acme.example', roles: [role] };
  const blocks = await part.fill(ADA, async () => who);
  return homeView({
    parts: [{ title: part.title, blocks }],
    troubles: [],
    asOf: asked.turned ?? now,
    isReading: false,
  });
}
