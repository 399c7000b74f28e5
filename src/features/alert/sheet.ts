import type { Alert } from '../../platform/billing/alert.ts';
import { formatEstimate, formatMoney, formatShare, formatUsed } from '../../reporting/amounts.ts';
import { dayAndMonth, isEarly } from '../../reporting/range.ts';
import { alertState, formatAlertUse, paceOf, type Spend } from '../../reporting/spend.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { leftOut } from '../answer-parts.ts';

/** The facts about the alert and this month, of which `/alert`, the home tab and the notices are made. */
export type AlertSheet = ReturnType<typeof alertSheet>;

/** @param spend of this month; undefined when unknown @param now ms since the epoch. Pure. */
export function alertSheet(
  alert: Alert | undefined,
  spend: Spend | undefined,
  currency: string,
  now: number,
) {
  const amount = alert?.amount;
  const used = spend && amount && { spend, amount };
  return {
    /** Whole units; undefined: no alert, or it omits its amount. */
    amount,
    /** Of this month, in whole units; undefined: the charges could not be read. */
    total: spend?.total,
    /** "56%" of the amount, rounded down; empty where it is not known. */
    percent: used ? formatUsed(used.spend.total, used.amount) : '',
    /** "At least 56% of the $2,500 alert used; on course for 77%"; empty where it is not known. */
    use: used ? formatAlertUse(used.spend, used.amount, currency, now).replace(/^a/, 'A') : '',
    projected: spend && projectedIn(spend, currency, now),
    pace: used ? paceOf(used.spend, used.amount, now) : ({ kind: 'unknown' } as const),
    /** Undefined: no alert. */
    state: alert && alertState(alert, spend, now),
    mostly: spend ? mostlyOf(spend, currency) : [],
    flaws: spend ? flawsOf(spend) : [],
  };
}

/** "about $6,430 by 30 November", "nothing more by …"; undefined: too early. */
function projectedIn({ total, projected, month }: Spend, currency: string, now: number) {
  const more = projected.gt(total) ? formatEstimate(projected, currency) : 'nothing more';
  return isEarly(month, now) ? undefined : `${more} by ${dayAndMonth(month.endMs - 1)}`;
}

/** The org with the largest charges: "Mostly acme (85%)". */
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
