import { BigNumber } from 'bignumber.js';
import type { Clock } from '../../../lib/time.ts';
import { Refusal } from '../../../lib/errors.ts';
import type { Alert } from '../../../platform/billing/alert.ts';
import { formatExactMoney, formatMoney } from '../../../reporting/amounts.ts';
import { describeMoment, isEarly } from '../../../reporting/range.ts';
import { formatProjection, isWhole, spendInTime, type Spend } from '../../../reporting/spend.ts';
import { flagIn, FRESH, inputOf, numberIn } from '../../forms/fields.ts';
import type { FormField, Forms, Given, RequestForm } from '../../forms/form.ts';

const SET = { amount: 'alert.set.amount', enabled: 'alert.set.enabled' } as const;
const OFF_AMOUNT = 'alert.off.amount';

/** The forms of the spend alert (spec 2.4, 4.3). @param currency of amounts, such as `USD` */
export function alertForms(
  currency: string,
  clock: Clock,
): Forms<'alert.set' | 'alert.off' | 'alert.delete'> {
  return {
    'alert.set': setForm(currency, clock),
    'alert.off': offForm(currency),
    'alert.delete': deleteForm(currency),
  };
}

const WHEN_REACHED =
  'When the charges of a calendar month reach the amount, every billing_admin gets an e-mail.';
const REPLACES =
  'Amount and switch are replaced together, and an alert that has fired this month can fire again.';
const FIRES = 'With this amount it fires at the next check.';

function setForm(currency: string, clock: Clock): RequestForm {
  return {
    title: 'Set the spend alert',
    conflictField: SET.amount,
    async fill(platform, given) {
      const now = clock.now();
      const [{ value: alert }, spend] = await Promise.all([
        platform.getAlert(FRESH),
        spendInTime(platform.charges, currency, now),
      ]);
      const typed = amountOf(given);
      const enough = proposedAmount(spend, now);
      const proposed = alert === undefined ? enough : undefined;
      const amount = typed ?? alert?.amount ?? proposed;
      const enabled = given['enabled'] === 'true' || (alert?.enabled ?? true);
      return {
        notes: [
          alert === undefined ? 'There is no spend alert yet.' : nowOf(alert, currency),
          spendNote(spend, currency, now),
          ...(amount !== undefined && amount === proposed ? [PROPOSED] : []),
        ],
        consequences: [
          WHEN_REACHED,
          ...(alert === undefined ? [] : [REPLACES]),
          ...(enabled && amount && spend?.total.gte(amount) ? [FIRES] : []),
        ],
        fields: [
          amountField(SET.amount, currency, amount, hintOf(spend, enough, currency, amount)),
          enabledField(enabled),
        ],
        memory: { kind: alert === undefined ? 'alert.create' : 'alert.replace' },
      };
    },
    read: (values, memory) =>
      inputOf(
        {
          amount: numberIn(values, SET.amount, '0 or more'),
          enabled: flagIn(values, SET.enabled),
        },
        (settings) => ({
          kind: memory['kind'] === 'alert.create' ? 'alert.create' : 'alert.replace',
          ...settings,
        }),
      ),
  };
}

const PROPOSED = 'The amount below is 110% of the projection, rounded up.';
const PROPOSED_SHARE = 1.1;

/** Somewhat above the month's projected cost, to two digits, in whole units; undefined without a projection. */
function proposedAmount(spend: Spend | undefined, now: number): BigNumber | undefined {
  if (spend === undefined || !isWhole(spend) || isEarly(spend.month, now)) return undefined;
  const amount = spend.projected.times(PROPOSED_SHARE).sd(2, BigNumber.ROUND_CEIL);
  return BigNumber.max(amount, 1);
}

function spendNote(spend: Spend | undefined, currency: string, now: number): string {
  if (spend === undefined) return 'What this month has cost so far could not be read.';
  const total = formatMoney(spend.total, currency);
  const part = isWhole(spend) ? '' : ', as far as it could be counted';
  return `This month is at ${total} so far, ${formatProjection(spend, currency, now)}${part}.`;
}

/**
 * Switching off keeps the amount at the time of sending. The form has a field for it only when the platform omits it,
 * or gives one that cannot be sent exactly, because a PUT without an amount makes it 0 (spec 4.3).
 */
function offForm(currency: string): RequestForm {
  return {
    title: 'Switch off the alert',
    async fill(platform) {
      const { value: alert } = await platform.getAlert(FRESH);
      if (alert === undefined) throw new Refusal(NO_ALERT);
      const kept = amountOfOn(alert);
      return {
        notes: [nowOf(alert, currency)],
        consequences: [kept === undefined ? OFF_NEEDS : OFF_KEEPS],
        fields: kept === undefined ? [amountField(OFF_AMOUNT, currency, alert.amount)] : [],
        memory: kept === undefined ? {} : { amount: kept.toFixed() },
      };
    },
    async complete(platform, input, memory) {
      if (input.kind !== 'alert.replace' || memory['amount'] === undefined) return input;
      const { value: alert } = await platform.getAlert(FRESH);
      // The request itself reports that the alert is gone.
      if (alert === undefined) return input;
      const kept = amountOfOn(alert);
      if (kept === undefined) throw new Refusal(OFF_LOST);
      return { ...input, amount: kept.toNumber() };
    },
    read: (values, memory) => {
      const typed = Object.hasOwn(values, OFF_AMOUNT);
      const amount = numberIn(typed ? values : memory, typed ? OFF_AMOUNT : 'amount', '0 or more');
      if (!typed && 'error' in amount) return { refusal: OFF_LOST };
      return inputOf({ amount }, (settings) => ({
        kind: 'alert.replace',
        ...settings,
        enabled: false,
      }));
    },
  };
}

/** The amount of an alert that is on, if it can be sent again. @throws Refusal for one that is off */
function amountOfOn({ amount, enabled }: Alert): BigNumber | undefined {
  // An alert that fired is rearmed by switching it on; an alert that is off needs no change.
  if (enabled === false) throw new Refusal(OFF_ALREADY);
  return amountOf({ amount: amount?.toFixed() ?? '' });
}

const OFF_LOST = 'The amount of this form is not known any more: please open it again.';
const OFF_KEEPS = 'The amount stays, and nobody is e-mailed while the alert is off.';
const OFF_NEEDS =
  'Nobody is e-mailed while the alert is off. Its amount is replaced, too, so it has to be given.';

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
    read: () => ({ input: { kind: 'alert.delete' } }),
  };
}

const OFF_ALREADY = 'The spend alert is off already: /alert shows it.';
const NO_ALERT = 'There is no spend alert on the account: /alert set asks for one.';

function nowOf({ amount, enabled, lastTriggered }: Alert, currency: string): string {
  const fired =
    lastTriggered === undefined ? '' : ` It last fired on ${describeMoment(lastTriggered)}.`;
  const state = enabled === undefined ? '' : enabled ? ', enabled' : ', off';
  return amount
    ? `The spend alert is ${formatExactMoney(amount, currency)}${state}.${fired}`
    : `There is a spend alert${state}, whose amount the platform does not say.${fired}`;
}

/** The amount typed with the command, if valid. */
function amountOf(given: Given): BigNumber | undefined {
  const read = numberIn(given, 'amount', '0 or more');
  return 'value' in read ? new BigNumber(read.value) : undefined;
}

/** A minimum that this month does not reach, when the amount in the field is already spent. */
function hintOf(
  spend: Spend | undefined,
  proposed: BigNumber | undefined,
  currency: string,
  amount: BigNumber | undefined,
): string {
  if (proposed === undefined || amount === undefined || !spend?.total.gte(amount)) return '';
  return ` ${formatMoney(proposed, currency)} is 110% of the projection.`;
}

function amountField(
  id: string,
  currency: string,
  initial: BigNumber | undefined,
  hint = '',
): FormField {
  return {
    id,
    type: 'number',
    label: 'Amount',
    hint: `In ${currency}, for a calendar month; 0 or more.${hint}`,
    min: '0',
    ...(initial && { initial: initial.toFixed() }),
  };
}

function enabledField(initial: boolean): FormField {
  return {
    id: SET.enabled,
    type: 'flag',
    label: 'Enabled',
    text: 'The alert is on',
    initial,
  };
}
