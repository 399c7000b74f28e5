import { z } from 'zod';
import { plural } from '../../lib/text.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { undefinedIfUnavailable } from '../../platform/errors.ts';
import { formatExactMoney } from '../../reporting/amounts.ts';
import type { Services } from '../../services.ts';
import { lines, section } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { code, joinFirst, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { footnotes, SHARING, smallPrint, type Read } from '../answer-parts.ts';
import {
  type Asks,
  dayOf,
  named,
  NOT_SAID,
  orgsAnswer,
  type Payers,
  quotasAnswer,
  recipientsAnswer,
  visibleText,
  tokensAnswer,
  usersAnswer,
} from './lists.ts';

export type BillingServices = Pick<Services, 'billing' | 'clock' | 'config'>;

/** Often opened right after a change. */
const FRESH = { fresh: true } as const;

/** Spec 2.2. @throws Refusal, PlatformError */
export async function account(services: BillingServices): Promise<Answer> {
  const billing = services.billing();
  const [{ value, readAt }, orgs, accounts] = await Promise.all([
    billing.getAccount(FRESH),
    billing.listOrgs(FRESH).catch(undefinedIfUnavailable),
    accountsOf(billing),
  ]);
  return accountAnswer({
    account: value,
    orgCount: orgs && orgs.value.items.length + orgs.value.skipped,
    accounts,
    currency: services.config.currency,
    readAt,
    now: services.clock.now(),
  });
}

/**
 * One page of a list (spec 2.3, 2.5, 2.9, 2.10, 2.17).
 * @param page from 1 on
 * @throws Refusal, PlatformError
 */
export async function list(
  services: BillingServices,
  question: ListQuestion,
  page: number,
  asks: Asks,
): Promise<Answer> {
  const billing = services.billing();
  const framed = <T>({ value, readAt }: Reading<Listing<T>>) => {
    const asked = { route: LIST_ROUTE, question, page };
    return { ...value, readAt, now: services.clock.now(), asked, asks };
  };
  switch (question.kind) {
    case 'orgs': {
      const orgs = framed(await billing.listOrgs(FRESH));
      const isMany = orgs.items.length > MOST_PAYERS;
      const payers = isMany ? undefined : await payersOf(billing, orgs.items);
      return orgsAnswer({ ...orgs, payers, note: isMany ? TOO_MANY_PAYERS : undefined });
    }
    case 'users':
      return usersAnswer(framed(await billing.listUsers(FRESH)));
    case 'tokens':
      return tokensAnswer(framed(await billing.listTokens(FRESH)));
    case 'recipients':
      return recipientsAnswer(framed(await billing.listRecipients(FRESH)));
    case 'quotas': {
      const { org } = question;
      return quotasAnswer({ ...framed(await billing.listQuotas(org, FRESH)), org });
    }
  }
}

/** Each is a call of its own. */
const MOST_PAYERS = 50;
const TOO_MANY_PAYERS = mrkdwn`Who pays is shown for up to ${MOST_PAYERS} orgs`;

/** The payer of each org; undefined without a user token, which this call needs (spec 4.3). */
async function payersOf(billing: BillingClient, orgs: readonly Org[]): Promise<Payers | undefined> {
  if (!billing.hasUser) return undefined;
  const payers = orgs.map(async ({ name: org }) => {
    const payer = await billing.getPayerOf(org).catch(undefinedIfUnavailable);
    return [org, payer && (payer.value.fullName.trim() || payer.value.id)] as const;
  });
  return new Map(await Promise.all(payers));
}

async function accountsOf(billing: BillingClient) {
  if (!billing.hasUser) return undefined;
  const accounts = await billing.listAccounts().catch(undefinedIfUnavailable);
  return accounts?.value ?? 'unknown';
}

export const LIST_ROUTE = 'billing.list';

export const ListQuestion = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['orgs', 'users', 'tokens', 'recipients']) }),
  z.object({ kind: z.literal('quotas'), org: z.string() }),
]);
export type ListQuestion = z.infer<typeof ListQuestion>;

/** The others are counted. */
const MAX_CARDS = 10;
const MAX_ACCOUNTS = 10;

export interface AccountView extends Read {
  readonly account: Account;
  /** Undefined: could not be read. */
  readonly orgCount: number | undefined;
  /** Accounts of the user of BILLING_USER_TOKEN; undefined without one, 'unknown' if they could not be read. */
  readonly accounts: Listing<Account> | 'unknown' | undefined;
  readonly currency: string;
}

/** The answer to `/billing account` (spec 2.2). Pure. */
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
    blocks: [
      section(head),
      ...against.map((one) => section(one)),
      lines([
        mrkdwn`• E-mail: ${named(account.email)}`,
        mrkdwn`• Address: ${visibleText(account.address.join(', '), 300)}`,
        mrkdwn`• Terms of Use: ${flagInWords(account.tou, mrkdwn`accepted`, mrkdwn`⚠ *not accepted*`)}`,
        mrkdwn`• Spend alert: ${alertInWords(account.alert, view.currency)}`,
        ...accountsLine(view),
      ]),
      ...smallPrint(footnotes({ ...view, skipped: 0, thing: 'account' })),
    ],
    rest: {
      button: 'Details',
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

function orgsInWords({ account: { orgQuota }, orgCount }: AccountView): Mrkdwn {
  if (orgCount === undefined) return mrkdwn`its orgs could not be read`;
  if (orgQuota === undefined)
    return mrkdwn`${plural(orgCount, 'org')}, the org quota is ${NOT_SAID}`;
  return mrkdwn`${orgCount} of ${plural(orgQuota, 'org')}`;
}

function cardsInWords(cards: Account['paymentMethods']): string {
  if (cards === undefined) return `cards ${NOT_SAID}`;
  if (cards.length === 0) return 'no card';
  const named = cards.map(
    ({ brand, last4 }) => `${visibleText(brand, 40)} ending in ${visibleText(last4, 4)}`,
  );
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

/** Why no org can be created (spec 4.3), as far as the platform reports it. */
function obstacles({ account, orgCount }: AccountView): Mrkdwn[] {
  const { enabled, tou, orgQuota } = account;
  const isFull = orgQuota !== undefined && orgCount !== undefined && orgCount >= orgQuota;
  const named = [
    ...(tou === false ? ['the Terms of Use are not accepted'] : []),
    ...(enabled === false ? ['the account is not enabled'] : []),
    ...(isFull ? ['the org quota is used up'] : []),
  ];
  if (named.length === 0) return [];
  return [
    mrkdwn`⚠ No org can be created: ${named.join(', ')}\n→ Have that changed on the platform, then ask: ${code('/billing orgs create')}`,
  ];
}
