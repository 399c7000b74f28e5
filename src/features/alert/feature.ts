import { ADMINS, READERS } from '../../access/roles.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Answer, Opening, Person } from '../../slack/routes.ts';
import { hasRole } from '../billing/has-role.ts';
import type { RequireBillingRole } from '../billing/has-role.ts';
import { askButton } from '../billing/list-view.ts';
import { openingOf } from '../changes/forms/openings.ts';
import type { RequestRoutes } from '../changes/forms/openings.ts';
import type { Feature } from '../feature.ts';
import { explainPlatformError } from '../platform-sentences.ts';
import { ALERT_HELP } from './help.ts';
import { parseAlert } from './parse.ts';
import type { AlertCommand } from './parse.ts';
import { readSpend } from './spend.ts';
import { alertAnswer } from './view.ts';
import type { AlertView } from './view.ts';

type Billing = Pick<BillingClient, 'getAlert' | 'getAccount' | 'charges'>;

export interface AlertFeatureDeps {
  /** @throws Refusal when billing is off */
  readonly billing: () => Billing;
  readonly forms: RequestRoutes;
  readonly requireBillingRole: RequireBillingRole;
  /** What the alert is in. */
  readonly currency: string;
  readonly clock: Clock;
}

/** `/alert`: the spend alert and this month against it, and the forms that ask for a change of it (spec 2.4). */
export function createAlertFeature(deps: AlertFeatureDeps): Feature {
  return {
    name: 'alert',
    commands: [
      {
        help: ALERT_HELP,
        opens: (words) => openingFor(deps, parseAlert(words, deps.currency)),
        async run({ person, words }) {
          const { kind } = parseAlert(words, deps.currency);
          if (kind !== 'show') throw new Error('These words open a form');
          return show(deps, person);
        },
      },
    ],
  };
}

function openingFor({ forms }: AlertFeatureDeps, command: AlertCommand): Opening | undefined {
  switch (command.kind) {
    case 'show':
      return undefined;
    case 'set': {
      const { amount } = command;
      return openingOf(forms, 'alert.set', amount === undefined ? {} : { amount });
    }
    case 'off':
      return openingOf(forms, 'alert.off');
    case 'delete':
      return openingOf(forms, 'alert.delete');
  }
}

/** @throws Refusal, PlatformError when the alert itself cannot be read */
async function show(deps: AlertFeatureDeps, person: Person): Promise<Answer> {
  await deps.requireBillingRole(person, READERS);
  const isAdmin = await hasRole(deps.requireBillingRole, person, ADMINS);
  const billing = deps.billing();
  const now = deps.clock.now();
  const [{ alert, readAt }, spend] = await Promise.all([
    readAlert(billing, isAdmin),
    spendOrWhy(deps, billing, now),
  ]);
  return alertAnswer({
    alert,
    spend,
    currency: deps.currency,
    readAt,
    now: deps.clock.now(),
    asks: isAdmin ? asksFor(deps.forms, alert) : [],
  });
}

/** Who comes here after a change wants to see it. */
const FRESH = { fresh: true } as const;

/** Viewers may read the account, and the alert in it (spec 2.2). */
async function readAlert(
  billing: Billing,
  isAdmin: boolean,
): Promise<Pick<AlertView, 'alert' | 'readAt'>> {
  if (!isAdmin) {
    const { value, readAt } = await billing.getAccount(FRESH);
    return { alert: value.alert, readAt };
  }
  const { value: alert, readAt } = await billing.getAlert(FRESH);
  return { alert, readAt };
}

/** The alert is worth knowing without this month's charges. */
async function spendOrWhy(
  { currency }: AlertFeatureDeps,
  { charges }: Billing,
  now: number,
): Promise<AlertView['spend']> {
  try {
    return await readSpend(charges, currency, now);
  } catch (error) {
    const sentence = explainPlatformError(error);
    if (sentence === undefined) throw error;
    return { unknown: sentence };
  }
}

function asksFor(forms: RequestRoutes, alert: AlertView['alert']) {
  if (alert === undefined) return [askButton(forms, 'alert.set', 'Set an alert')];
  return [
    askButton(forms, 'alert.set', 'Change'),
    alert.enabled
      ? askButton(forms, 'alert.off', 'Turn off')
      : askButton(forms, 'alert.set', 'Turn on', { enabled: 'true' }),
    askButton(forms, 'alert.delete', 'Delete'),
  ];
}
