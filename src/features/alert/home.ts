import { BigNumber } from 'bignumber.js';
import type { KnownBlock } from '@slack/types';
import { ADMINS, needRefusal, READERS } from '../../access/policy.ts';
import type { Principal } from '../../access/policy.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { formatExactMoney, smallestUnits } from '../../reporting/amounts.ts';
import { readSpend } from '../../reporting/spend.ts';
import type { Services } from '../../services.ts';
import { lines, section } from '../../slack/kit/blocks.ts';
import { code, mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { firedLines, flaws, headline, ofThisMonth, spendLines } from './view.ts';
import type { AlertView, SpendView } from './view.ts';

/** This month's spend against the alert, on the home tab of those who may see what costs money (design section 3). */
export function createAlertPart(
  services: Pick<Services, 'billing' | 'clock' | 'config'>,
): HomePart<Principal> {
  return {
    title: 'This month’s spend',
    rank: 40,
    async fill(_, who) {
      const principal = await who();
      if (!hasOne(READERS, principal)) return [];
      const isAdmin = hasOne(ADMINS, principal);
      const { clock, config } = services;
      const { currency } = config;
      const client = services.billing();
      const [{ alert }, spend] = await Promise.all([
        readAlert(client, isAdmin),
        spendOrWhy(client, currency, clock.now()),
      ]);
      return spendBlocks({ alert, spend, currency, now: clock.now(), mayAsk: isAdmin });
    },
  };
}

function hasOne(roles: readonly BillingRole[], who: Principal): boolean {
  return needRefusal({ roles }, who) === undefined;
}

/** People come here after a change, to see it. */
const FRESH = { fresh: true } as const;

/** Viewers may read the account, and the alert in it (spec 2.2). @throws PlatformError */
export async function readAlert(
  billing: BillingClient,
  isAdmin: boolean,
): Promise<Pick<AlertView, 'alert' | 'readAt'>> {
  if (!isAdmin) {
    const { value, readAt } = await billing.getAccount(FRESH);
    return { alert: value.alert, readAt };
  }
  const { value: alert, readAt } = await billing.getAlert(FRESH);
  return { alert, readAt };
}

/** The alert is worth knowing without this month's charges. @param now ms since the epoch */
export async function spendOrWhy(
  { charges }: BillingClient,
  currency: string,
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

/** The same in short, without buttons: for the home tab. Pure. */
export function spendBlocks({ currency, ...known }: Omit<SpendView, 'money'>): KnownBlock[] {
  const view: SpendView = {
    ...known,
    currency,
    spend: ofThisMonth(known),
    money: (units) => asRequested(units, currency),
  };
  return [
    section(headline(view)),
    lines([...firedLines(view), ...spendLines(view)]),
    ...smallPrint([...flaws(view), mrkdwn`${code('/alert')} and ${code('/charges')} say more`]),
  ];
}

/** "500.00 USD", to the currency's own minor unit: the way in which requests write it, which the home tab has, too. */
function asRequested(units: BigNumber, currency: string): string {
  const digits = smallestUnits(new BigNumber(1), currency)?.e ?? 0;
  return formatExactMoney(units.dp(digits, BigNumber.ROUND_HALF_UP), currency);
}
