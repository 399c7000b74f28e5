import type { BigNumber } from 'bignumber.js';
import type { Alert } from '../../platform/billing/alert.ts';
import { formatEstimate, formatMoney, formatShare, formatUsed } from '../../reporting/amounts.ts';
import { dayAndMonth, isEarly } from '../../reporting/range.ts';
import {
  alertState,
  type AlertState,
  formatAlertUse,
  type Pace,
  paceOf,
  type Spend,
} from '../../reporting/spend.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { leftOut } from '../answer-parts.ts';

/** The facts about the alert and this month, of which `/alert`, the home tab and the notices are made. */
export interface AlertSheet {
  /** Whole units; undefined: no alert, or it omits its amount. */
  readonly amount: BigNumber | undefined;
  /** Of this month, in whole units; undefined: the charges could not be read. */
  readonly total: BigNumber | undefined;
  /** "56%" of the amount, rounded down; empty where it is not known. */
  readonly percent: string;
  /** "At least 56% of the $2,500 alert used; on course for 77%", to begin a line; empty where it is not known. */
  readonly use: string;
  /** "about $6,430 by 30 November", "nothing more by …"; undefined: too early, or unknown. */
  readonly projected: string | undefined;
  readonly pace: Pace;
  /** Undefined: no alert. */
  readonly state: AlertState | undefined;
  /** The org with the largest charges: "Mostly acme (85%)". */
  readonly mostly: readonly Mrkdwn[];
  readonly flaws: readonly Mrkdwn[];
}

/** @param spend of this month; undefined when unknown @param now ms since the epoch. Pure. */
export function alertSheet(
  alert: Alert | undefined,
  spend: Spend | undefined,
  currency: string,
  now: number,
): AlertSheet {
  const amount = alert?.amount;
  const state = alert && alertState(alert, spend, now);
  if (spend === undefined) {
    const unknown = { total: undefined, percent: '', use: '', projected: undefined } as const;
    return { amount, ...unknown, pace: { kind: 'unknown' }, state, mostly: [], flaws: [] };
  }
  const { total, projected, month } = spend;
  const more = projected.gt(total) ? formatEstimate(projected, currency) : 'nothing more';
  const ahead = `${more} by ${dayAndMonth(month.endMs - 1)}`;
  return {
    amount,
    total,
    percent: amount === undefined ? '' : formatUsed(total, amount),
    use:
      amount === undefined ? '' : formatAlertUse(spend, amount, currency, now).replace(/^a/, 'A'),
    projected: isEarly(month, now) ? undefined : ahead,
    pace: amount === undefined ? { kind: 'unknown' } : paceOf(spend, amount, now),
    state,
    mostly: mostlyOf(spend, currency),
    flaws: flawsOf(spend),
  };
}

function mostlyOf({ driver, total }: Spend, currency: string): Mrkdwn[] {
  // A single org has the total, which is in the line above.
  if (driver === undefined || driver.total.eq(total)) return [];
  const sum = formatMoney(driver.total, currency);
  return [mrkdwn`Mostly ${code(driver.org)} (${formatShare(driver.total, total)}): ${sum}`];
}

function flawsOf({ others, skipped, mayBeTooLow }: Spend): Mrkdwn[] {
  const names = others.map((one) => code(one, 20));
  return [
    ...(mayBeTooLow ? [TOO_LOW] : []),
    ...(others.length > 0 ? [mrkdwn`⚠ Charges in ${joinMrkdwn(names, ', ')} are not counted`] : []),
    ...leftOut(skipped, 'row of the charges', 'rows of the charges'),
  ];
}

const TOO_LOW = mrkdwn`⚠ The chargeable items could not be read, so the charges may be too low, and with them the projection and the pace`;
