import { z } from 'zod';
import { BigNumber } from 'bignumber.js';
import type { Clock } from '../../../lib/time.ts';
import type { Alert } from '../../../platform/billing/alert.ts';
import type { PlatformError } from '../../../platform/errors.ts';
import { formatExactMoney, formatMoney } from '../../../reporting/amounts.ts';
import { dayAndMonth } from '../../../reporting/range.ts';
import { alertState, formatProjection, isWhole, spendInTime } from '../../../reporting/spend.ts';
import type { BillingClient } from '../../../platform/billing/client.ts';
import {
  BY_ADMINS,
  fact,
  kindGroup,
  meaningOf,
  NOT_SAID,
  quoted,
  short,
  yesNo,
  type Baseline,
  type Fact,
  type Kind,
  type Reconciled,
} from '../kind.ts';

const settings = {
  /** Whole units of the account's currency. */
  amount: z.number(),
  enabled: z.boolean(),
};
const INPUTS = [
  z.object({ kind: z.literal('alert.create'), ...settings }),
  z.object({ kind: z.literal('alert.replace'), ...settings }),
  z.object({ kind: z.literal('alert.delete') }),
] as const;
type Create = z.infer<(typeof INPUTS)[0]>;
type Replace = z.infer<(typeof INPUTS)[1]>;
type Delete = z.infer<(typeof INPUTS)[2]>;
type Settings = Omit<Create, 'kind'>;

interface Words {
  readonly title: (settings: Settings) => string;
  readonly warned: (settings: Settings, before?: Alert) => string;
  readonly factsOf: (settings: Settings | Alert) => Fact[];
  /** The sentence for an alert that has fired, from its record alone: the month's spend changes by itself. */
  readonly rearmWarnings: (alert: Alert, enabled: boolean) => string[];
  /** The effect of such an alert in this month, which changes by itself; reads the charges. */
  readonly spendWarnings: (platform: BillingClient, settings: Settings) => Promise<string[]>;
}

/** Changes of the spend alert (spec 2.4, section 3). */
export const alertKinds = kindGroup({
  inputs: INPUTS,
  commands: {
    'alert.create': { ask: '/alert set', look: '/alert' },
    'alert.replace': { ask: '/alert set', look: '/alert' },
    'alert.delete': { ask: '/alert delete', look: '/alert' },
  },
  create(currency, clock) {
    const words = createWords(currency, clock);
    return {
      'alert.create': alertCreate(words),
      'alert.replace': alertReplace(words),
      'alert.delete': alertDelete(words),
    };
  },
});

const GONE = 'There is no spend alert any more: set one with /alert set.';
const THERE = 'There is a spend alert already: replace it with /alert set.';
const STAYS = 'The amount and the switch stay as they are.';
const COMMON = { needs: BY_ADMINS, hasSecret: () => false, subjects: () => [], repeatable: true };

function alertCreate({ title, warned, factsOf, spendWarnings }: Words): Kind<Create> {
  return {
    ...COMMON,
    kind: 'alert.create',
    title,
    async plan(platform, input) {
      const [alert, passing] = await Promise.all([
        alertOf(platform),
        spendWarnings(platform, input),
      ]);
      const now = alert ? factsOf(alert) : [];
      const consequences = [warned(input), ...passing];
      return {
        plan: {
          before: [...now],
          after: factsOf(input),
          consequences,
          ...(passing.length > 0 && { passing }),
        },
        now,
        baseline: baselineOf(alert),
        ...(alert && { conflict: THERE }),
      };
    },
    async send(platform, { amount, enabled }) {
      await platform.createAlert({ amount, enabled });
      return {};
    },
    async reconcile(platform, input) {
      const alert = await alertOf(platform);
      if (alert === undefined) return { kind: 'not done' };
      // With other values it may be ours, replaced since, or another person's.
      return { kind: isAs(alert, input) ? 'done' : 'unclear' };
    },
    explain: (_order, error) => meaningOf(error, { conflict: THERE, refused: refusedOf(error) }),
  };
}

function alertReplace({
  title,
  warned,
  factsOf,
  rearmWarnings,
  spendWarnings,
}: Words): Kind<Replace> {
  return {
    ...COMMON,
    kind: 'alert.replace',
    title,
    async plan(platform, input) {
      const [alert, passing] = await Promise.all([
        alertOf(platform),
        spendWarnings(platform, input),
      ]);
      const now = alert ? factsOf(alert) : [];
      const consequences = [
        alert && isAs(alert, input) ? STAYS : warned(input, alert),
        ...(alert ? rearmWarnings(alert, input.enabled) : []),
        ...passing,
      ];
      return {
        plan: {
          before: [...now],
          after: factsOf(input),
          consequences,
          ...(passing.length > 0 && { passing }),
        },
        now,
        baseline: baselineOf(alert),
        ...(alert ? {} : { conflict: GONE }),
      };
    },
    async send(platform, { amount, enabled }) {
      await platform.replaceAlert({ amount, enabled });
      return {};
    },
    reconcile: async (platform, input, { baseline }) =>
      settledReplace(await alertOf(platform), input, baseline),
    explain: (_order, error) => meaningOf(error, { gone: GONE, refused: refusedOf(error) }),
  };
}

function alertDelete({ factsOf }: Words): Kind<Delete> {
  return {
    ...COMMON,
    kind: 'alert.delete',
    title: () => 'Delete the spend alert',
    async plan(platform) {
      const alert = await alertOf(platform);
      const now = alert ? factsOf(alert) : [];
      const consequences = ['Nobody is warned of the month’s spend any more.'];
      return {
        plan: { before: [...now], after: [], consequences },
        now,
        baseline: baselineOf(alert),
        ...(alert
          ? {}
          : { conflict: 'There is no spend alert any more, so nothing is left to delete.' }),
      };
    },
    async send(platform) {
      const { removed } = await platform.removeAlert();
      return removed ? {} : { note: 'The alert was gone already when it was to be deleted.' };
    },
    async reconcile(platform, _order, { baseline }) {
      const alert = await alertOf(platform);
      // An alert that was created since is another one: the one to be deleted is gone.
      const isThere = alert && compare(baseline['created'], alert.created) !== 'changed';
      return { kind: isThere ? 'not done' : 'done' };
    },
    explain: (_order, error) => meaningOf(error, { gone: GONE, refused: undeletedOf(error) }),
  };
}

function createWords(currency: string, clock: Clock): Words {
  const money = (amount: BigNumber.Value) => formatExactMoney(new BigNumber(amount), currency);

  return {
    title: ({ amount, enabled }) =>
      `Set the spend alert to ${short(money(amount))}${enabled ? '' : ', switched off'}`,
    warned({ amount, enabled }, before) {
      if (enabled) {
        return `Every billing_admin is e-mailed once in a month in which the spend reaches ${short(money(amount))}.`;
      }
      const off = before?.enabled === false ? 'stays off' : 'is switched off';
      return `The alert ${off}, so nobody is warned when the spend reaches the amount.`;
    },
    factsOf: ({ amount, enabled }) => [
      fact('Amount', amount === undefined ? NOT_SAID : money(amount)),
      fact('Enabled', yesNo(enabled)),
    ],
    rearmWarnings: (alert, enabled) => rearmWarningsOf(alert, enabled, clock.now()),
    async spendWarnings(platform, { amount, enabled }) {
      if (!enabled) return [];
      const spend = await spendInTime(platform.charges, currency, clock.now());
      if (spend === undefined) return [SPEND_UNKNOWN];
      const { total } = spend;
      if (total.gte(amount)) {
        return [
          `This month is already at ${formatMoney(total, currency)}: it fires at the next check.`,
        ];
      }
      return isWhole(spend)
        ? [
            `This month is at ${formatMoney(total, currency)} so far, ${formatProjection(spend, currency, clock.now())}.`,
          ]
        : [SPEND_IN_PART];
    },
  };
}

/** The effect of saving an alert that has fired. @param now ms since the epoch */
function rearmWarningsOf(alert: Alert, enabled: boolean, now: number): string[] {
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
        : [`${fired}: if nobody has changed it since, saving it arms it again, ${effect}.`];
    }
    case 'fired':
      return [
        `The alert fired on ${dayAndMonth(state.firedAt)}, and saving it arms it again, ${effect}.`,
      ];
    case 'fired at some time':
      return [
        `The alert has fired, and when is not said: if it was this month, saving it arms it again, ${effect}.`,
      ];
    case 'fired later':
      return [
        `The record of the alert says that it fired on ${dayAndMonth(state.firedAt)}, which is still to come: if it is quiet, saving it arms it again, ${effect}.`,
      ];
    case 'off':
    case 'not said':
    case 'armed':
    case 'armed again':
      return [];
  }
}

const SPEND_UNKNOWN =
  'What this month has cost so far could not be read: if it comes to the amount, the alert fires at the next check.';
const SPEND_IN_PART =
  'Not all that this month has cost so far could be counted: if it comes to the amount, the alert fires at the next check.';

function refusedOf(error: PlatformError): string {
  return `The platform does not accept this spend alert (${quoted(error)}): put that right, and ask again.`;
}

function undeletedOf(error: PlatformError): string {
  return `The platform does not delete the spend alert (${quoted(error)}): put that right, and ask again.`;
}

async function alertOf(platform: BillingClient): Promise<Alert | undefined> {
  return (await platform.getAlert({ fresh: true })).value;
}

function isAs(alert: Alert, { amount, enabled }: Settings): boolean {
  return alert.amount?.eq(amount) === true && alert.enabled === enabled;
}

function baselineOf(alert: Alert | undefined): Baseline {
  if (alert === undefined) return {};
  return {
    ...valuesOf(alert),
    created: textsOf(alert.created),
    modified: textsOf(alert.lastModified),
    fired: textsOf(alert.lastTriggered),
  };
}

function valuesOf({ amount, enabled }: Alert) {
  return {
    amount: amount === undefined ? [] : [amount.toFixed()],
    enabled: enabled === undefined ? [] : [String(enabled)],
  };
}

/** A replaced alert is recognised by its values, and if they were the same before, by the time of saving. */
function settledReplace(alert: Alert | undefined, input: Settings, baseline: Baseline): Reconciled {
  // Saved and deleted since, or deleted before it could be saved.
  if (alert === undefined) return { kind: 'unclear' };
  const saved = savedSince(alert, baseline);
  const { amount, enabled } = valuesOf(alert);
  const [was, wasEnabled] = [baseline['amount']?.[0], baseline['enabled']?.[0]];
  const isAsBefore = amount[0] === was && enabled[0] === wasEnabled;
  if (isAs(alert, input) && (!isAsBefore || saved === 'changed')) return { kind: 'done' };
  if (!isAsBefore || saved === 'changed') return { kind: 'unclear' };
  // Values prove nothing if they equal the input already, or are absent.
  const isConclusive = !isAs(alert, input) && alert.amount !== undefined;
  return { kind: isConclusive || saved === 'same' ? 'not done' : 'unclear' };
}

/** Whether a person has saved the alert since. Firing writes the record as well, which does not show the cause. */
function savedSince(
  { lastModified, lastTriggered }: Alert,
  baseline: Baseline,
): ReturnType<typeof compare> {
  const saved = compare(baseline['modified'], lastModified);
  const { fired } = baseline;
  const hasFired = fired !== undefined && fired[0] !== textsOf(lastTriggered)[0];
  return saved === 'changed' && hasFired ? 'unknown' : saved;
}

/** Compares the platform's times with each other, never with our clock. */
function compare(
  mark: readonly string[] | undefined,
  now: number | undefined,
): 'same' | 'changed' | 'unknown' {
  const [before] = mark ?? [];
  if (before === undefined || now === undefined) return 'unknown';
  return before === String(now) ? 'same' : 'changed';
}

function textsOf(time: number | undefined): string[] {
  return time === undefined ? [] : [String(time)];
}
