import { BigNumber } from 'bignumber.js';
import type { BillingClient } from '../../platform/billing/client.ts';
import { formatExactMoney, formatMoney } from '../../reporting/amounts.ts';
import { dayAndMonth } from '../../reporting/range.ts';
import {
  formatProjection,
  isWhole,
  paceOf,
  spendInTime,
  type Spend,
} from '../../reporting/spend.ts';

/** An alert as it is, or as it becomes. */
interface Setting {
  readonly amount?: BigNumber.Value | undefined;
  readonly enabled?: boolean | undefined;
}

interface Settings {
  /** Undefined: there is no alert. */
  readonly was: Setting | undefined;
  readonly becomes: Setting | undefined;
}

/** The effect of a changed alert in this month, for the review. @param now ms since the epoch */
export async function effectThisMonth(
  { charges }: BillingClient,
  settings: Settings,
  currency: string,
  now: number,
): Promise<string[]> {
  if (![settings.was, settings.becomes].some(isOn)) return [];
  const spend = await spendInTime(charges, currency, now);
  return [
    ...spendLines(spend, settings, currency, now),
    ...(spend === undefined ? [] : paceLines(spend, settings, currency, now)),
  ];
}

type On = Setting & { readonly amount: BigNumber.Value };

function isOn(alert: Setting | undefined): alert is On {
  return alert?.enabled === true && alert.amount !== undefined;
}

function spendLines(
  spend: Spend | undefined,
  { becomes }: Settings,
  currency: string,
  now: number,
): string[] {
  if (!isOn(becomes)) return [];
  if (spend === undefined) return [SPEND_UNKNOWN];
  const total = formatMoney(spend.total, currency);
  if (spend.total.gte(becomes.amount)) {
    return [`This month is already at ${total}: it fires at the next check.`];
  }
  return isWhole(spend)
    ? [`This month is at ${total} so far, ${formatProjection(spend, currency, now)}.`]
    : [SPEND_IN_PART];
}

const SPEND_UNKNOWN =
  'What this month has cost so far could not be read: if it comes to the amount, the alert fires at the next check.';
const SPEND_IN_PART =
  'Not all that this month has cost so far could be counted: if it comes to the amount, the alert fires at the next check.';

/** Whether the alert is projected to be reached, where the change makes a difference. */
function paceLines(
  spend: Spend,
  { was, becomes }: Settings,
  currency: string,
  now: number,
): string[] {
  if (!isWhole(spend) || !isOn(was)) return [];
  const paceOfAlert = ({ amount }: On) => paceOf(spend, new BigNumber(amount), now);
  const moneyOf = ({ amount }: On) => formatExactMoney(new BigNumber(amount), currency);
  const ahead = 'This month is projected to reach the';
  const old = paceOfAlert(was);
  if (!isOn(becomes)) {
    if (old.kind !== 'reached at') return [];
    const day = dayAndMonth(old.ms);
    return [`⚠ ${ahead} ${moneyOf(was)} alert about ${day}, and no one is e-mailed then.`];
  }
  const next = paceOfAlert(becomes);
  if (old.kind === 'reached at' && next.kind === 'not this month') {
    return [`⚠ ${ahead} ${moneyOf(was)} alert, not the ${moneyOf(becomes)} one.`];
  }
  if (old.kind === 'not this month' && next.kind === 'reached at') {
    return [`${ahead} ${moneyOf(becomes)} alert, not the ${moneyOf(was)} one.`];
  }
  return [];
}
