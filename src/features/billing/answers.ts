import type { Button } from '@slack/types';
import { z } from 'zod';
import type { Services } from '../../services.ts';
import { Refusal } from '../../lib/errors.ts';
import { compareNames } from '../../lib/text.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import type { InteractionStore } from '../../slack/replies/reply.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { nearestPage, pageOf } from '../answer-parts.ts';
import { accountAnswer } from './account-view.ts';
import {
  orgsAnswer,
  quotasAnswer,
  recipientsAnswer,
  tokensAnswer,
  usersAnswer,
  type ListContext,
  type Payers,
} from './lists.ts';

export type BillingServices = Pick<Services, 'billing' | 'clock' | 'config' | 'interactions'>;

/** People come here after a change, to see it. */
const FRESH = { fresh: true } as const;

/** The account as it is (spec 2.2). @throws Refusal, PlatformError */
export async function account(services: BillingServices): Promise<Answer> {
  const billing = services.billing();
  const [{ value, readAt }, orgs, accounts] = await Promise.all([
    billing.getAccount(FRESH),
    orNothing(billing.listOrgs(FRESH)),
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
 * @param asks the buttons below it
 * @throws Refusal, PlatformError
 */
export async function list(
  services: BillingServices,
  userId: string,
  state: ListState,
  asks: readonly Button[],
): Promise<Answer> {
  const billing = services.billing();
  const framed = async <T>({ value, readAt }: Reading<Listing<T>>) => {
    const { items, skipped } = value;
    const page = nearestPage(items.length, state.page);
    const kept = await services.interactions.put(userId, { ...state, page });
    const frame: ListContext = { page, skipped, readAt, now: services.clock.now(), kept, asks };
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
async function payersOf(
  billing: BillingClient,
  orgs: readonly string[],
): Promise<Payers | undefined> {
  if (!billing.hasUser) return undefined;
  const payers = orgs.map(async (org) => {
    const payer = await orNothing(billing.getPayerOf(org));
    return [org, payer && nameOf(payer.value)] as const;
  });
  return new Map(await Promise.all(payers));
}

async function accountsOf(billing: BillingClient) {
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

const page = z.number().int();

/** What the buttons of a list stand for; kept, because a button carries an id alone. */
const ListState = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['orgs', 'users', 'tokens', 'recipients']), page }),
  z.object({ kind: z.literal('quotas'), org: z.string(), page }),
]);
export type ListState = z.infer<typeof ListState>;

/** Reads back what a button stands for. @throws Refusal when it is too old, or of another version */
export async function readState(
  interactions: InteractionStore,
  userId: string,
  id: string | undefined,
): Promise<ListState> {
  const kept = id === undefined ? undefined : await interactions.get(userId, id);
  const { data } = ListState.safeParse(kept);
  if (data) return data;
  throw new Refusal('This answer is too old: run the command again.');
}
