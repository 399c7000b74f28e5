import { z } from 'zod';
import { BigNumber } from 'bignumber.js';
import { Refusal } from '../../lib/errors.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { formatExactMoney, formatMoney } from '../../reporting/amounts.ts';
import { dayAndMonth, describeMoment, isEarly } from '../../reporting/range.ts';
import {
  alertState,
  formatProjection,
  isWhole,
  spendInTime,
  type Spend,
} from '../../reporting/spend.ts';
import {
  flagField,
  inputOf,
  numberField,
  numberIn,
  type FormsOf,
  type RequestForm,
} from '../forms/fields.ts';
import { effectThisMonth } from './alert-spend.ts';
import {
  BY_ADMINS,
  conflict,
  fact,
  FRESH,
  gone,
  kindGroup,
  NOT_SAID,
  sent,
  short,
  yesNo,
  type Baseline,
  type Fact,
  type Kind,
  type Reconciled,
} from './kind.ts';

const settings = {
  /** Whole units of the account's currency. */
  amount: z.number(),
  enabled: z.boolean(),
};
const INPUTS = [
  z.object({ kind: z.literal('alert.create'), ...settings }),
  z.object({
    kind: z.literal('alert.replace'),
    ...settings,
    /** `amount` becomes the one that is there at the request. Never stored. */
    keepsAmount: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('alert.delete') }),
] as const;
type Create = z.infer<(typeof INPUTS)[0]>;
type Replace = z.infer<(typeof INPUTS)[1]>;
type Delete = z.infer<(typeof INPUTS)[2]>;
type AlertInput = Create | Replace | Delete;
type Settings = Omit<Create, 'kind'>;

/** Changes of the spend alert (spec 2.4, section 3). */
export const alertKinds = kindGroup({
  inputs: INPUTS,
  look: '/alert',
  commands: {
    'alert.create': { ask: '/alert set' },
    'alert.replace': { ask: '/alert set' },
    'alert.delete': { ask: '/alert delete' },
  },
  create: (currency) => ({
    'alert.create': alertCreate(currency),
    'alert.replace': alertReplace(currency),
    'alert.delete': alertDelete(currency),
  }),
});

async function read(platform: BillingClient): Promise<Alert | undefined> {
  return (await platform.getAlert(FRESH)).value;
}

/** Of creating and replacing an alert. @param currency of amounts, such as `USD` */
function settingOf(currency: string) {
  return {
    ...BY_ADMINS,
    read,
    title: ({ amount, enabled }: Settings) =>
      `Set the spend alert to ${short(moneyOf(amount, currency))}${enabled ? '' : ', switched off'}`,
    consequences: (
      platform: BillingClient,
      was: Alert | undefined,
      becomes: Settings,
      now: number,
    ) => effectThisMonth(platform, { was, becomes }, currency, now),
  };
}

function alertCreate(currency: string): Kind<Create, Alert | undefined> {
  return {
    ...settingOf(currency),
    plan: (alert, input) => ({
      conflict: alert && THERE,
      before: factsOf(alert, currency),
      after: factsOf(input, currency),
      consequences: [effectOf(input, currency)],
    }),
    send: (platform, { amount, enabled }) => sent(platform.createAlert({ amount, enabled })),
    settle(alert, input) {
      if (alert === undefined) return { kind: 'not done' };
      // With other values it may be ours, replaced since, or another person's.
      return { kind: isAs(alert, input) ? 'done' : 'unclear' };
    },
    refusals: (_input, words) => ({ conflict: THERE, refused: refusedFor(words) }),
  };
}

function alertReplace(currency: string): Kind<Replace, Alert | undefined> {
  return {
    ...settingOf(currency),
    resolve(alert, { keepsAmount, ...input }) {
      // The plan reports that the alert is gone.
      if (!keepsAmount || alert === undefined) return input;
      const kept = keptAmountOf(alert);
      if (kept === undefined) throw new Refusal(OFF_LOST);
      return { ...input, amount: kept.toNumber() };
    },
    plan: (alert, input, now) => ({
      conflict: alert ? undefined : GONE,
      before: factsOf(alert, currency),
      after: factsOf(input, currency),
      consequences: [
        alert && isAs(alert, input) ? STAYS : effectOf(input, currency, alert),
        ...(alert ? rearmWarnings(alert, input.enabled, now) : []),
      ],
      baseline: marksOf(alert),
    }),
    send: (platform, { amount, enabled }) => sent(platform.replaceAlert({ amount, enabled })),
    settle: settledReplace,
    refusals: (_input, words) => ({ gone: GONE, conflict: FOUND, refused: refusedFor(words) }),
  };
}

function alertDelete(currency: string): Kind<Delete, Alert | undefined> {
  return {
    ...BY_ADMINS,
    title: () => 'Delete the spend alert',
    read,
    plan: (alert) => ({
      conflict: alert ? undefined : NOTHING_LEFT,
      before: factsOf(alert, currency),
      after: [],
      consequences: ['No one is warned of the month’s spend.'],
      baseline: marksOf(alert),
    }),
    consequences: (platform, was, _input, now) =>
      effectThisMonth(platform, { was, becomes: undefined }, currency, now),
    async send(platform) {
      const { removed } = await platform.removeAlert();
      return removed ? {} : { ended: 'nothing' };
    },
    settle(alert, _input, baseline) {
      // An alert that was created since is another one: the one to be deleted is gone.
      const isThere = alert && compared('created', baseline, marksOf(alert)) !== 'changed';
      return { kind: isThere ? 'not done' : 'done' };
    },
    refusals: (_input, words) => ({
      gone: NOTHING_LEFT,
      refused: `The platform does not delete the spend alert (${words}): put that right, and ask again.`,
    }),
  };
}

const GONE = gone('The spend alert no longer exists', 'set one with /alert set.');
const NOTHING_LEFT = gone('The spend alert no longer exists, so nothing is left to delete.');
const THERE = conflict('There is a spend alert already', 'replace it with /alert set.');
const FOUND = 'The platform has a spend alert already: look at it with /alert, then ask again.';
const STAYS = 'The amount and the switch stay as they are.';

function refusedFor(words: string): string {
  return `The platform does not accept this spend alert (${words}): put that right, and ask again.`;
}

function moneyOf(amount: BigNumber.Value, currency: string): string {
  return formatExactMoney(new BigNumber(amount), currency);
}

function factsOf(alert: Settings | Alert | undefined, currency: string): Fact[] {
  if (alert === undefined) return [];
  const { amount, enabled } = alert;
  return [
    fact('Amount', amount === undefined ? NOT_SAID : moneyOf(amount, currency)),
    fact('Enabled', yesNo(enabled)),
  ];
}

function effectOf({ amount, enabled }: Settings, currency: string, before?: Alert): string {
  if (enabled) {
    return `Every billing_admin is e-mailed once in a month in which the spend reaches ${short(moneyOf(amount, currency))}.`;
  }
  const off = before?.enabled === false ? 'stays off' : 'is switched off';
  return `The alert ${off}, so no one is warned when the spend reaches the amount.`;
}

/**
 * The effect of saving an alert that has fired, from its record alone, because the spend changes by itself.
 * @param now ms since the epoch
 */
function rearmWarnings(alert: Alert, enabled: boolean, now: number): string[] {
  const effect = enabled
    ? 'so every billing_admin can be e-mailed a second time this month'
    : 'which is felt once it is enabled';
  const state = alertState({ ...alert, enabled: true }, undefined, now);
  switch (state.kind) {
    case 'fired or armed again': {
      const fired = `The alert fired on ${dayAndMonth(state.firedAt)}`;
      // It was switched off after it fired; switching it on rearms it.
      return alert.enabled === false
        ? [`${fired}, and saving it arms it again, ${effect}.`]
        : [`${fired}: unless its amount changed since, saving it arms it again, ${effect}.`];
    }
    case 'fired':
      return [
        `The alert fired on ${dayAndMonth(state.firedAt)}, and saving it arms it again, ${effect}.`,
      ];
    case 'fired at some time':
      return [
        `The alert has fired, at a time that is not reported: if it was this month, saving it arms it again, ${effect}.`,
      ];
    case 'fired later':
      return [
        `The record of the alert says that it fired on ${dayAndMonth(state.firedAt)}, which is still to come: if it is quiet, saving it arms it again, ${effect}.`,
      ];
    case 'off':
    case 'not reported':
    case 'armed':
    case 'armed again':
      return [];
  }
}

function isAs(alert: Alert, { amount, enabled }: Settings): boolean {
  return alert.amount?.eq(amount) === true && alert.enabled === enabled;
}

/** Values and times of an alert, as texts; empty: omitted by the platform. */
function marksOf(alert: Alert | undefined): Baseline {
  if (alert === undefined) return {};
  const { amount, enabled, created, lastModified: modified, lastTriggered: fired } = alert;
  const marks = { amount: amount?.toFixed(), enabled, created, modified, fired };
  return Object.fromEntries(
    Object.entries(marks).map(([name, mark]) => [name, mark === undefined ? [] : [String(mark)]]),
  );
}

/** A replaced alert is recognised by its values, and if they were the same before, by the time of saving. */
function settledReplace(alert: Alert | undefined, input: Settings, baseline: Baseline): Reconciled {
  // Saved and deleted since, or deleted before it could be saved.
  if (alert === undefined) return { kind: 'unclear' };
  const marks = marksOf(alert);
  const isSame = (name: string) => marks[name]?.[0] === baseline[name]?.[0];
  const isWanted = isAs(alert, input);
  const isAsBefore = isSame('amount') && isSame('enabled');
  const saved = compared('modified', baseline, marks);
  // Firing writes the record as well, which does not show the cause.
  const hasFired = baseline['fired'] !== undefined && !isSame('fired');
  const isChanged = !isAsBefore || (saved === 'changed' && !hasFired);
  if (isChanged) return { kind: isWanted ? 'done' : 'unclear' };
  // Values prove nothing if they equal the input already, or are absent.
  const isConclusive = !isWanted && alert.amount !== undefined;
  return { kind: isConclusive || saved === 'same' ? 'not done' : 'unclear' };
}

/** Compares the platform's times with each other, never with our clock. */
function compared(name: string, before: Baseline, now: Baseline): 'same' | 'changed' | 'unknown' {
  const [was, is] = [before[name]?.[0], now[name]?.[0]];
  if (was === undefined || is === undefined) return 'unknown';
  return was === is ? 'same' : 'changed';
}

/** The forms of the spend alert (spec 2.4, 4.3). @param currency of amounts, such as `USD` */
export function alertForms(
  currency: string,
): FormsOf<'alert.set' | 'alert.off' | 'alert.delete', AlertInput> {
  return {
    'alert.set': setForm(currency),
    'alert.off': offForm(currency),
    'alert.delete': deleteForm(currency),
  };
}

const WHEN_REACHED =
  'When the charges of a calendar month reach the amount, every billing_admin gets an e-mail.';
const REPLACES =
  'Amount and switch are replaced together, and an alert that has fired this month can fire again.';
const FIRES = 'With this amount it fires at the next check.';

function setForm(currency: string): RequestForm<AlertInput> {
  const fields = { amount: amountField('alert.set.amount', currency), enabled: ENABLED };
  return {
    title: 'Set the spend alert',
    conflictField: fields.amount.id,
    async open({ platform, given, now }) {
      const [alert, spend] = await Promise.all([
        read(platform),
        spendInTime(platform.charges, currency, now),
      ]);
      const enough = proposedAmount(spend, now);
      const proposed = alert === undefined ? enough : undefined;
      const amount = amountIn(given['amount']) ?? alert?.amount ?? proposed;
      const enabled = given['enabled'] ? given['enabled'] === 'true' : (alert?.enabled ?? true);
      const isReached = amount !== undefined && spend?.total.gte(amount) === true;
      return {
        notes: [
          alert === undefined ? 'There is no spend alert yet.' : nowOf(alert, currency),
          spendNote(spend, currency, now),
          ...(amount !== undefined && amount === proposed ? [PROPOSED] : []),
        ],
        consequences: [
          WHEN_REACHED,
          ...(alert === undefined ? [] : [REPLACES]),
          ...(enabled && isReached ? [FIRES] : []),
        ],
        fields: [
          fields.amount.block(amount?.toFixed(), isReached ? minimumHint(enough, currency) : ''),
          fields.enabled.block(enabled),
        ],
        memory: { kind: alert === undefined ? 'alert.create' : 'alert.replace' },
      };
    },
    read: (submitted) =>
      inputOf(fields, submitted, (settings) => ({
        kind: submitted.memory['kind'] === 'alert.create' ? 'alert.create' : 'alert.replace',
        ...settings,
      })),
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

/** A minimum that this month does not reach, when the amount in the field is already spent. */
function minimumHint(enough: BigNumber | undefined, currency: string): string {
  if (enough === undefined) return '';
  return ` ${formatMoney(enough, currency)} is 110% of the projection.`;
}

function spendNote(spend: Spend | undefined, currency: string, now: number): string {
  if (spend === undefined) return 'What this month has cost so far could not be read.';
  const total = formatMoney(spend.total, currency);
  const part = isWhole(spend) ? '' : ', as far as it could be counted';
  return `This month is at ${total} so far, ${formatProjection(spend, currency, now)}${part}.`;
}

/**
 * Switching off keeps the amount at the time of the request. The form has a field for it only when the platform omits
 * it, or gives one that cannot be sent exactly, because a PUT without an amount makes it 0 (spec 4.3).
 */
function offForm(currency: string): RequestForm<AlertInput> {
  const field = amountField('alert.off.amount', currency);
  const off = { kind: 'alert.replace', enabled: false } as const;
  return {
    title: 'Switch off the alert',
    async open({ platform }) {
      const alert = await readSet(platform);
      const kept = keptAmountOf(alert);
      const notes = [nowOf(alert, currency)];
      return kept === undefined
        ? { notes, consequences: [OFF_NEEDS], fields: [field.block(alert.amount?.toFixed())] }
        : { notes, consequences: [OFF_KEEPS], fields: [], memory: { amount: kept.toFixed() } };
    },
    read(submitted) {
      if (Object.hasOwn(submitted.values, field.id)) {
        return inputOf({ amount: field }, submitted, ({ amount }) => ({ ...off, amount }));
      }
      const shown = amountIn(submitted.memory['amount']);
      if (shown === undefined) return { refusal: OFF_LOST };
      return { input: { ...off, amount: shown.toNumber(), keepsAmount: true } };
    },
  };
}

/** The amount of an alert that is on, if it can be sent again. @throws Refusal for one that is off */
function keptAmountOf({ amount, enabled }: Alert): BigNumber | undefined {
  // An alert that fired is rearmed by switching it on; an alert that is off needs no change.
  if (enabled === false) throw new Refusal(OFF_ALREADY);
  return amountIn(amount?.toFixed());
}

const OFF_ALREADY = 'The spend alert is off already: /alert shows it.';
const OFF_LOST = 'The amount of this form is no longer known: please open it again.';
const OFF_KEEPS = 'The amount stays, and no one is e-mailed while the alert is off.';
const OFF_NEEDS =
  'No one is e-mailed while the alert is off. Its amount is replaced, too, so it has to be given.';

function deleteForm(currency: string): RequestForm<AlertInput> {
  return {
    title: 'Delete the spend alert',
    open: async ({ platform }) => ({
      notes: [nowOf(await readSet(platform), currency)],
      consequences: ['The alert goes with its amount, and no one is e-mailed.'],
      fields: [],
    }),
    read: () => ({ input: { kind: 'alert.delete' } }),
  };
}

/** @throws Refusal without an alert, PlatformError */
async function readSet(platform: BillingClient): Promise<Alert> {
  const alert = await read(platform);
  if (alert !== undefined) return alert;
  throw new Refusal('There is no spend alert on the account: /alert set asks for one.');
}

function nowOf({ amount, enabled, lastTriggered }: Alert, currency: string): string {
  const fired =
    lastTriggered === undefined ? '' : ` It last fired on ${describeMoment(lastTriggered)}.`;
  const state = enabled === undefined ? '' : enabled ? ', enabled' : ', off';
  return amount
    ? `The spend alert is ${formatExactMoney(amount, currency)}${state}.${fired}`
    : `There is a spend alert${state}, whose amount the platform omits.${fired}`;
}

/** Undefined when it is no amount that can be sent exactly. */
function amountIn(text: string | undefined): BigNumber | undefined {
  const result = numberIn(text, '0 or more');
  return 'value' in result ? new BigNumber(result.value) : undefined;
}

function amountField(id: string, currency: string) {
  return numberField({
    id,
    label: 'Amount',
    hint: `In ${currency}, for a calendar month; 0 or more.`,
    least: '0 or more',
  });
}

const ENABLED = flagField({ id: 'alert.set.enabled', label: 'Enabled', text: 'The alert is on' });
