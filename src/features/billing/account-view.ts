import { firstOf, plural } from '../../lib/text.ts';
import { formatExactMoney } from '../../reporting/amounts.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import { lines, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinFirst, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { footnotes, SHARING, smallPrint } from '../answer-parts.ts';
import { dayOf, named, NOT_SAID, said } from './words.ts';

/** Others are counted. */
const MAX_CARDS = 10;
const MAX_ACCOUNTS = 10;

export interface AccountView {
  readonly account: Account;
  /** How many orgs the account has; undefined when that could not be read. */
  readonly orgCount: number | undefined;
  /** The accounts of the user of BILLING_USER_TOKEN; absent without one, 'unknown' when they could not be read. */
  readonly accounts: Listing<Account> | 'unknown' | undefined;
  readonly currency: string;
  /** Ms since the epoch, as is `now`. */
  readonly readAt: number;
  readonly now: number;
}

/** What `/billing account` answers (spec 2.2). Pure. */
export function accountAnswer(view: AccountView): Answer {
  const { account } = view;
  const head = mrkdwn`*${named(account.fullName)}* · ${joinMrkdwn(
    [
      account.enabled === undefined
        ? mrkdwn`whether it is enabled is ${NOT_SAID}`
        : flagInWords(account.enabled, mrkdwn`enabled`, mrkdwn`⚠ *not enabled*`),
      orgsInWords(view),
      mrkdwn`${cardsInWords(account.paymentMethods)}`,
    ],
    ', ',
  )}`;
  const against = obstacles(view);
  return {
    text: topText(joinMrkdwn([head, ...against], '\n')),
    blocks: [
      section(head),
      ...against.map((one) => section(one)),
      lines([
        mrkdwn`• E-mail: ${named(account.email)}`,
        mrkdwn`• Address: ${said(account.address.join(', '), 300)}`,
        mrkdwn`• Terms of Use: ${flagInWords(account.tou, mrkdwn`accepted`, mrkdwn`⚠ *not accepted*`)}`,
        mrkdwn`• Spend alert: ${alertInWords(account.alert, view.currency)}`,
        ...accountsLine(view),
      ]),
      ...smallPrint(footnotes({ ...view, skipped: 0, thing: 'account' })),
    ],
    rest: {
      button: 'Ids',
      title: 'Ids of the account',
      blocks: [
        lines([
          mrkdwn`• Billing account: ${code(account.id)}`,
          mrkdwn`• Customer at the payment processor: ${account.accountId === '' ? NOT_SAID : code(account.accountId)}`,
        ]),
      ],
    },
    ...SHARING,
  };
}

function flagInWords(flag: boolean | undefined, yes: Mrkdwn, no: Mrkdwn): Mrkdwn {
  if (flag === undefined) return mrkdwn`${NOT_SAID}`;
  return flag ? yes : no;
}

/** "3 of 10 orgs". */
function orgsInWords({ account: { orgQuota }, orgCount }: AccountView): Mrkdwn {
  if (orgCount === undefined) return mrkdwn`its orgs could not be read`;
  if (orgQuota === undefined)
    return mrkdwn`${plural(orgCount, 'org')}, the org quota is ${NOT_SAID}`;
  return mrkdwn`${orgCount} of ${plural(orgQuota, 'org')}`;
}

function cardsInWords(cards: Account['paymentMethods']): string {
  if (cards === undefined) return `cards ${NOT_SAID}`;
  if (cards.length === 0) return '⚠ no card';
  const named = cards.map(({ brand, last4 }) => `${said(brand, 40)} ending in ${said(last4, 4)}`);
  return firstOf(named, MAX_CARDS, { before: ', ' });
}

function alertInWords(alert: Alert | undefined, currency: string): Mrkdwn {
  if (alert === undefined) return mrkdwn`none`;
  const { amount, enabled, lastTriggered } = alert;
  const fired = lastTriggered === undefined ? '' : `, last fired ${dayOf(lastTriggered)}`;
  const threshold = amount
    ? formatExactMoney(amount, currency)
    : `there is one, its amount is ${NOT_SAID}`;
  const state = enabled === undefined ? '' : `, ${enabled ? 'on' : 'off'}`;
  return mrkdwn`${threshold}${state}${fired} (${code('/alert')})`;
}

function accountsLine({ account, accounts }: AccountView): Mrkdwn[] {
  if (accounts === undefined) return [];
  const intro = mrkdwn`• Accounts that the user of ${code('BILLING_USER_TOKEN')} belongs to:`;
  if (accounts === 'unknown') return [mrkdwn`${intro} could not be read`];
  const { items, skipped } = accounts;
  const shown = items.map(({ fullName, id }) =>
    id === account.id ? mrkdwn`this one` : mrkdwn`${named(fullName, 60)} ${code(id)}`,
  );
  const total = items.length + skipped;
  const list = joinFirst(shown, MAX_ACCOUNTS, { total, before: ', ' });
  return [mrkdwn`${intro} ${total === 0 ? 'none' : list}`];
}

/** What stands against creating an org (spec 4.3), as far as the platform says it. */
function obstacles({ account, orgCount }: AccountView): Mrkdwn[] {
  const { enabled, tou, paymentMethods, orgQuota } = account;
  const isFull = orgQuota !== undefined && orgCount !== undefined && orgCount >= orgQuota;
  const named = [
    ...(tou === false ? ['the Terms of Use are not accepted'] : []),
    ...(paymentMethods?.length === 0 ? ['there is no card'] : []),
    ...(enabled === false ? ['the account is not enabled'] : []),
    ...(isFull ? ['the org quota is used up'] : []),
  ];
  return named.length === 0 ? [] : [mrkdwn`⚠ No org can be created: ${named.join(', ')}.`];
}
