import type { Button } from '@slack/types';
import { compareNames } from '../../lib/text.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Listing } from '../../platform/billing/listing.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/read-cache.ts';
import type { Keep } from '../../slack/keep.ts';
import type { Answer } from '../../slack/routes.ts';
import { nearestPage, pageOf } from '../invoices/paging.ts';
import { accountAnswer } from './account-view.ts';
import type { ListContext } from './list-view.ts';
import { orgsAnswer, quotasAnswer, recipientsAnswer, tokensAnswer, usersAnswer } from './lists.ts';
import type { Payers } from './lists.ts';
import type { ListState } from './state.ts';

export type Billing = Pick<
  BillingClient,
  | 'getAccount'
  | 'getPayerOf'
  | 'hasUser'
  | 'listAccounts'
  | 'listOrgs'
  | 'listQuotas'
  | 'listRecipients'
  | 'listTokens'
  | 'listUsers'
>;

export interface AnswersDeps {
  /** @throws Refusal when billing is off */
  readonly billing: () => Billing;
  /** What the spend alert is in. */
  readonly currency: string;
  readonly keep: Keep;
  readonly clock: Clock;
}

/** Who comes here after a change wants to see it. */
const FRESH = { fresh: true } as const;

/** The account as it is (spec 2.2). @throws Refusal, PlatformError */
export async function account(deps: AnswersDeps): Promise<Answer> {
  const billing = deps.billing();
  const [{ value, readAt }, orgs, accounts] = await Promise.all([
    billing.getAccount(FRESH),
    orNothing(billing.listOrgs(FRESH)),
    accountsOf(billing),
  ]);
  return accountAnswer({
    account: value,
    orgCount: orgs && orgs.value.items.length + orgs.value.skipped,
    accounts,
    currency: deps.currency,
    readAt,
    now: deps.clock.now(),
  });
}

/**
 * One page of a list (spec 2.3, 2.5, 2.9, 2.10, 2.17).
 * @param asks the buttons below it
 * @throws Refusal, PlatformError
 */
export async function list(
  deps: AnswersDeps,
  userId: string,
  state: ListState,
  asks: readonly Button[],
): Promise<Answer> {
  const billing = deps.billing();
  const framed = async <T>({ value, readAt }: Reading<Listing<T>>) => {
    const { items, skipped } = value;
    const page = nearestPage(items.length, state.page);
    const kept = await deps.keep.put(userId, { ...state, page });
    const frame: ListContext = { page, skipped, readAt, now: deps.clock.now(), kept, asks };
    return { items, frame };
  };
  switch (state.kind) {
    case 'orgs': {
      const { items, frame } = await framed(await billing.listOrgs(FRESH));
      const orgs = items.toSorted((a, b) => compareNames(a.name, b.name));
      const shown = pageOf(orgs, frame.page).rows.map(({ name }) => name);
      return orgsAnswer({ ...frame, orgs, payers: await payersOf(billing, shown) });
    }
    case 'users': {
      const { items: users, frame } = await framed(await billing.listUsers(FRESH));
      return usersAnswer({ ...frame, users });
    }
    case 'tokens': {
      const { items: tokens, frame } = await framed(await billing.listTokens(FRESH));
      return tokensAnswer({ ...frame, tokens });
    }
    case 'recipients': {
      const { items: recipients, frame } = await framed(await billing.listRecipients(FRESH));
      return recipientsAnswer({ ...frame, recipients });
    }
    case 'quotas': {
      const { items: quotas, frame } = await framed(await billing.listQuotas(state.org, FRESH));
      return quotasAnswer({ ...frame, quotas, org: state.org });
    }
  }
}

/** Who pays for each org; undefined without a user token, which this takes (spec 4.3). */
async function payersOf(billing: Billing, orgs: readonly string[]): Promise<Payers | undefined> {
  if (!billing.hasUser) return undefined;
  const payers = orgs.map(async (org) => {
    const payer = await orNothing(billing.getPayerOf(org));
    return [org, payer && nameOf(payer.value)] as const;
  });
  return new Map(await Promise.all(payers));
}

async function accountsOf(billing: Billing) {
  if (!billing.hasUser) return undefined;
  const accounts = await orNothing(billing.listAccounts());
  return accounts?.value ?? 'unknown';
}

function nameOf({ fullName, id }: Account): string {
  return fullName.trim() || id;
}

/** What one question cannot tell must not cost the others their answers. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}
