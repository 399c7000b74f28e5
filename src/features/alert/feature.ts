import { ADMINS, READERS } from '../../access/roles.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Answer, Opening, Person } from '../../slack/routes.ts';
import { hasRole } from '../billing/has-role.ts';
import type { RequireBillingRole } from '../billing/has-role.ts';
import { askButton } from '../billing/list-view.ts';
import { openingOf } from '../changes/forms/openings.ts';
import type { RequestRoutes } from '../changes/forms/openings.ts';
import type { Feature } from '../feature.ts';
import { ALERT_HELP } from './help.ts';
import { createAlertPart } from './home.ts';
import { parseAlert } from './parse.ts';
import type { AlertCommand } from './parse.ts';
import { readAlert, spendOrWhy } from './read.ts';
import type { AlertBilling } from './read.ts';
import { alertAnswer } from './view.ts';
import type { AlertView } from './view.ts';

export interface AlertFeatureDeps {
  /** @throws Refusal when billing is off */
  readonly billing: () => AlertBilling;
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
    home: [createAlertPart(deps)],
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
    spendOrWhy(billing, deps.currency, now),
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

function asksFor(forms: RequestRoutes, alert: AlertView['alert']) {
  if (alert === undefined) return [askButton(forms, 'alert.set', 'Set an alert')];
  return [
    askButton(forms, 'alert.set', 'Change'),
    ...switchFor(forms, alert.enabled),
    askButton(forms, 'alert.delete', 'Delete'),
  ];
}

/** The form has the switch, too: where nobody says how it stands, no button promises to turn it. */
function switchFor(forms: RequestRoutes, enabled: boolean | undefined) {
  if (enabled === undefined) return [];
  return enabled
    ? [askButton(forms, 'alert.off', 'Turn off')]
    : [askButton(forms, 'alert.set', 'Turn on', { enabled: 'true' })];
}
