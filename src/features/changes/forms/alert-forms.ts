import { BigNumber } from 'bignumber.js';
import { formatExactMoney } from '../../../figures/money.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Refusal } from '../../../lib/refusal.ts';
import type { Alert } from '../../../platform/billing/alert.ts';
import type { FormValues } from '../../../slack/routes.ts';
import type { FormField, Forms, Given, RequestForm } from './form.ts';
import { dayOf, FRESH, timeOf } from './pieces.ts';
import { flagIn, numberIn, orderOf } from './values.ts';

type Replacing = 'alert.set' | 'alert.off';

/** The forms about the spend alert (spec 2.4, 4.3). @param currency of amounts, such as `USD` */
export function alertForms(
  currency: string,
  clock: Clock,
): Forms<'alert.set' | 'alert.off' | 'alert.delete'> {
  return {
    'alert.set': setForm(currency),
    'alert.off': offForm(currency, clock),
    'alert.delete': deleteForm(currency),
  };
}

const WHEN_REACHED =
  'When the charges of a calendar month reach the amount, every billing_admin gets an e-mail.';
const REPLACES = 'Replacing sets both values, and arms an alert again that has fired.';

function setForm(currency: string): RequestForm {
  return {
    title: 'Set the spend alert',
    conflictField: 'alert.set.amount',
    async fill(platform, given) {
      const { value: alert } = await platform.getAlert(FRESH);
      const amount = amountOf(given) ?? alert?.amount;
      const enabled = given['enabled'] === 'true' || (alert?.enabled ?? true);
      return {
        notes: [alert === undefined ? 'There is no spend alert yet.' : nowOf(alert, currency)],
        consequences: alert === undefined ? [WHEN_REACHED] : [WHEN_REACHED, REPLACES],
        fields: fieldsOf('alert.set', currency, { amount, enabled }),
        memory: { kind: alert === undefined ? 'alert.create' : 'alert.replace' },
      };
    },
    read: (values, memory) =>
      orderOf(settingsIn('alert.set', values), (settings) => ({
        kind: memory['kind'] === 'alert.create' ? 'alert.create' : 'alert.replace',
        ...settings,
      })),
  };
}

function offForm(currency: string, clock: Clock): RequestForm {
  return {
    title: 'Switch off the alert',
    conflictField: 'alert.off.amount',
    async fill(platform) {
      const { value: alert } = await platform.getAlert(FRESH);
      if (alert === undefined) throw new Refusal(NO_ALERT);
      if (alert.enabled === false && !hasFired(alert, clock.now())) throw new Refusal(OFF_ALREADY);
      return {
        notes: [nowOf(alert, currency)],
        consequences: [
          'The amount is kept, and nobody is e-mailed while the alert is off.',
          REPLACES,
        ],
        fields: fieldsOf('alert.off', currency, { amount: alert.amount, enabled: false }),
        memory: {},
      };
    },
    read: (values) =>
      orderOf(settingsIn('alert.off', values), (settings) => ({
        kind: 'alert.replace',
        ...settings,
      })),
  };
}

function deleteForm(currency: string): RequestForm {
  return {
    title: 'Delete the spend alert',
    async fill(platform) {
      const { value: alert } = await platform.getAlert(FRESH);
      if (alert === undefined) throw new Refusal(NO_ALERT);
      return {
        notes: [nowOf(alert, currency)],
        consequences: ['The alert goes with its amount, and nobody is e-mailed any more.'],
        fields: [],
        memory: {},
      };
    },
    read: () => ({ order: { kind: 'alert.delete' } }),
  };
}

const OFF_ALREADY = 'The spend alert is off already: /alert shows it.';
const NO_ALERT = 'There is no spend alert on the account: /alert set AMOUNT asks for one.';

/** Whether it has fired this month, so that saving it arms it again. @param now ms since the epoch */
function hasFired({ lastTriggered }: Alert, now: number): boolean {
  return lastTriggered !== undefined && dayOf(lastTriggered).slice(0, 7) === dayOf(now).slice(0, 7);
}

function nowOf({ amount, enabled, lastTriggered }: Alert, currency: string): string {
  const fired = lastTriggered === undefined ? '' : ` It last fired on ${timeOf(lastTriggered)}.`;
  const threshold = amount
    ? formatExactMoney(amount, currency)
    : 'there, and its amount is not said';
  const state = enabled === undefined ? '' : enabled ? ', enabled' : ', off';
  return `The spend alert is ${threshold}${state}.${fired}`;
}

/** The amount that was typed with the command, if it is one. */
function amountOf(given: Given): BigNumber | undefined {
  const read = numberIn(given, 'amount', '0 or more');
  return 'value' in read ? new BigNumber(read.value) : undefined;
}

function fieldsOf(
  form: Replacing,
  currency: string,
  initial: { amount: BigNumber | undefined; enabled: boolean },
): FormField[] {
  return [
    {
      id: `${form}.amount`,
      type: 'number',
      label: 'Amount',
      hint: `In ${currency}, for a calendar month; 0 or more.`,
      min: '0',
      ...(initial.amount && { initial: initial.amount.toFixed() }),
    },
    {
      id: `${form}.enabled`,
      type: 'flag',
      label: 'Enabled',
      text: 'The alert is on',
      initial: initial.enabled,
    },
  ];
}

function settingsIn(form: Replacing, values: FormValues) {
  return {
    amount: numberIn(values, `${form}.amount`, '0 or more'),
    enabled: flagIn(values, `${form}.enabled`),
  };
}
