import type { BigNumber } from 'bignumber.js';
import type { KnownBlock } from '@slack/types';
import { ADMINS, needRefusal, READERS, type Principal } from '../../access/policy.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { formatExactMoney, formatMoney, formatShare } from '../../reporting/amounts.ts';
import { dayAndMonth } from '../../reporting/range.ts';
import { formatProjection, paceOf, readSpend, type Spend } from '../../reporting/spend.ts';
import type { Services } from '../../services.ts';
import { section } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { barOf, firedLines, flaws, ofThisMonth, type AlertView, type SpendView } from './view.ts';

/** This month's spend against the alert, on the home tab of those who may see what costs money (design section 3). */
export function createAlertPart(
  services: Pick<Services, 'billing' | 'clock' | 'config'>,
): HomePart<Principal> {
  return {
    title: 'This month’s spend',
    rank: 30,
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

/** This month in one line against the alert, and what has to be known of it. Pure. */
function spendBlocks({
  mayAsk,
  ...known
}: Omit<SpendView, 'money'> & Pick<AlertView, 'currency'>): KnownBlock[] {
  const view = { ...known, spend: ofThisMonth(known) };
  return [
    section(spendLine(view)),
    ...smallPrint([
      ...flaws(view),
      ...firedLines({ ...view, mayAsk, money: (units) => formatMoney(units, known.currency) }),
      ...(view.alert === undefined ? [noAlert(mayAsk)] : []),
      ...driverLine(view),
      mrkdwn`${code('/alert')} and ${code('/charges')} say more`,
    ]),
  ];
}

type MonthView = Pick<AlertView, 'alert' | 'spend' | 'currency' | 'now'>;

/** "▰▰▰▰▰▰▰▰▰▱ *$4,603.96* of $5,000.00 · about $6,430 by 30 November · over the alert on 25 November" */
function spendLine({ alert, spend, currency, now }: MonthView): Mrkdwn {
  const amount = alert?.amount;
  const limit = amount === undefined ? undefined : formatExactMoney(amount, currency);
  if ('unknown' in spend) {
    const against = limit === undefined ? '' : `, the alert is at ${limit}`;
    return mrkdwn`This month’s charges are not known${against}: ${spend.unknown}`;
  }
  const { total } = spend;
  const sum = mrkdwn`*${formatMoney(total, currency)}*`;
  const so = limit === undefined ? mrkdwn`${sum} so far` : mrkdwn`${sum} of ${limit}`;
  const bar = amount === undefined ? [] : [mrkdwn`${barOf(total, amount, 10)}`];
  const parts = [
    joinMrkdwn([...bar, so], ' '),
    mrkdwn`${formatProjection(spend, currency, now)}`,
    ...(amount === undefined ? [] : paceWords(spend, amount, now)),
    ...(alert?.enabled === false ? [mrkdwn`the alert is *off*`] : []),
    ...(alert !== undefined && amount === undefined
      ? [mrkdwn`the alert does not say its amount`]
      : []),
  ];
  return joinMrkdwn(parts, ' · ');
}

function paceWords(spend: Spend, amount: BigNumber, now: number): Mrkdwn[] {
  const pace = paceOf(spend, amount, now);
  switch (pace.kind) {
    case 'reached':
      return [mrkdwn`⚠ *the alert is reached*`];
    case 'reached at':
      return [mrkdwn`⚠ over the alert on *${dayAndMonth(pace.ms)}*`];
    case 'not this month':
      return [mrkdwn`stays below the alert`];
    case 'unknown':
      return [];
  }
}

function noAlert(mayAsk: boolean): Mrkdwn {
  return mayAsk
    ? mrkdwn`No spend alert: ${code('/alert set')} asks for one`
    : mrkdwn`No spend alert: a billing_admin can ask for one`;
}

function driverLine({ spend, currency }: MonthView): Mrkdwn[] {
  if ('unknown' in spend || spend.driver === undefined) return [];
  const { org, total } = spend.driver;
  return [
    mrkdwn`Most of it: org ${code(org)}, ${formatMoney(total, currency)} (${formatShare(total, spend.total)})`,
  ];
}
