import { authorizerFor, type Facts } from '../../support/authorizer.ts';
import type { SlackProfile } from '../../../src/access/policy.ts';
import { createRequestService, createReviewService } from '../../../src/changes/request.ts';
import { planHash, type Change } from '../../../src/changes/change.ts';
import { createExecutor } from '../../../src/changes/execute.ts';
import { createKinds, type ChangeInput } from '../../../src/changes/kinds/kinds.ts';
import { messagesOf } from '../../../src/changes/messages/messages.ts';
import {
  createSecretCipher,
  type ChangeContext,
  type SecretCipher,
} from '../../../src/changes/context.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import type { Message } from '../../../src/notify/message.ts';
import { heldRolesOf } from '../../../src/platform/billing/roles.ts';
import type { BillingUser } from '../../../src/platform/billing/users.ts';
import { requestedBy } from '../../support/changes.ts';
import { fakeContext } from '../../unit/changes/fake-context.ts';
import { HOUR, MINUTE, NOW } from '../entry.ts';
import { booksOf, platformOf, type ExpectedState, type Troubles } from './changes-core-books.ts';
import { ADA, BEN, CLEO, DANA } from './changes-feature-data.ts';
import { memoryIdentities } from '../../support/identities.ts';

const SECOND = 1_000;
/** As in the bot, a change that waits is looked at every few seconds. */
const LOOK_MS = 10 * SECOND;
export const ID = 'k3m9x2ab';
/** The mention of this user group stands for the billing_admins. */
const GROUP = 'S0BILLING';

/** A person's profile in Slack and roles on the platform; an error when they do not answer. */
export interface Known extends Partial<SlackProfile> {
  readonly roles?: readonly string[] | undefined | Error;
  readonly silent?: Error;
}

export interface Setup {
  readonly books?: Partial<ExpectedState>;
  readonly troubles?: Troubles;
  readonly deps?: Partial<ChangeContext>;
  readonly gate?: Facts;
  /** How long ago the change is asked for, in milliseconds. */
  readonly askedAgo?: number;
}

type Person = typeof ADA;

const APPLICANT: SlackProfile = {
  teamId: 'T0ACME',
  deleted: false,
  bot: false,
  guest: false,
  stranger: false,
};

/** The people and their roles at the beginning. */
function everybody(): Map<string, Known> {
  return new Map<string, Known>([
    [ADA.userId, { email: ADA.email, roles: ['billing_admin'] }],
    [BEN.userId, { email: BEN.email, roles: ['billing_admin', 'org_creator'] }],
    [CLEO.userId, { email: CLEO.email, roles: ['billing_viewer'] }],
    [DANA.userId, { email: DANA.email, roles: undefined }],
  ]);
}

/** The platform's answers about their roles. */
function usersOf(people: ReadonlyMap<string, Known>): NonNullable<Facts['users']> {
  const users = () =>
    [...people.values()].flatMap(({ email, roles }): BillingUser[] => {
      if (email === undefined || roles === undefined) return [];
      if (roles instanceof Error) throw roles;
      return [{ email, ...heldRolesOf(roles) }];
    });
  return {
    getUser: async (wanted) => ({
      value: users().find(({ email }) => email === wanted),
      readAt: NOW,
    }),
    listUsers: async () => ({ value: { items: users(), skipped: 0 }, readAt: NOW }),
  };
}

/** The rules of the bot, for people with set profiles and roles. */
export function gateOf(people: ReadonlyMap<string, Known>, facts: Facts = {}) {
  return authorizerFor({
    async member(userId) {
      const { roles: _, silent, ...known } = people.get(userId) ?? {};
      if (silent) throw silent;
      return { ...APPLICANT, ...known };
    },
    groupMembers: async () => new Set([ADA.userId]),
    users: usersOf(people),
    stopwatch: { elapsed: () => NOW },
    ...facts,
  });
}

/** Seals secrets with a key that is made of this byte. */
export function cipherOf(byte: number): SecretCipher {
  return createSecretCipher(() => [Buffer.alloc(32, byte)]);
}

/** All that handles changes, as in the bot, between set people and a platform with set books. */
export function openChanges({
  books,
  troubles,
  deps = {},
  gate,
  askedAgo = 12 * MINUTE,
}: Setup = {}) {
  const { clock, changes, context } = fakeContext();
  clock.at = NOW - askedAgo;
  const account = booksOf(books);
  const people = everybody();
  const platform = platformOf(account, clock, troubles ?? (() => undefined));
  const made: ChangeContext = {
    ...context,
    billing: () => platform,
    kindOf: createKinds('USD', memoryIdentities({ 'ada@acme.example': ['U0OLD'] })),
    access: gateOf(people, { stopwatch: { elapsed: clock.now }, ...gate }),
    channel: 'C0APPROVE',
    groupFor: async () => GROUP,
    ...deps,
  };
  return { clock, books: account, people, changes, deps: made, ...actsIn(made, clock) };
}
export type OpenChanges = ReturnType<typeof openChanges>;

/** Actions of people and workers, one after another. */
function actsIn(deps: ChangeContext, clock: { at: number }) {
  const [desk, bench] = [createRequestService(deps), createReviewService(deps)];
  const now = async (id = ID): Promise<Change> => {
    const change = await deps.changes.get(id);
    if (change === undefined) throw new Error('there is no change');
    return change;
  };
  const work = async (id = ID): Promise<Change> => {
    await createExecutor(deps).advance(id);
    return now(id);
  };
  return {
    desk,
    bench,
    counter: createSecretReveal(deps),
    now,
    /** One worker does the work that is due. */
    work,
    /** Advances the clock by `ms`; a worker runs every few seconds meanwhile. */
    async workFor(ms: number): Promise<Change> {
      for (const end = clock.at + ms; clock.at < end;) {
        clock.at += LOOK_MS;
        await work();
      }
      return now();
    },
    async ask(order: ChangeInput, who: Person = ADA): Promise<Change> {
      return (await requestedBy(desk, who, order)).change;
    },
    /** Opens the review, and approves the shown plan. */
    async approve(who: Person = BEN, id = ID): Promise<Change> {
      const { plan } = await bench.review(who, id);
      return bench.approve(who, id, planHash(plan));
    },
    /** Something happens to the change that leaves no time for anything else. */
    async happen(event: ChangeEvent): Promise<Change> {
      const moved = await deps.changes.move(await now(), event);
      if (moved === undefined) throw new Error(`${event.kind} cannot happen to this change`);
      return moved;
    },
  };
}

/** A change that is asked for, approved ten minutes later, and carried out as far as one worker gets. */
export async function carriedOut(
  order: ChangeInput,
  setup: Setup & {
    /** Between the approval and the call. */
    readonly meanwhile?: (office: OpenChanges) => void;
  } = {},
): Promise<{ office: OpenChanges; change: Change }> {
  const office = openChanges(setup);
  await office.ask(order);
  office.clock.at += 10 * MINUTE;
  await office.approve();
  setup.meanwhile?.(office);
  return { office, change: await office.work() };
}

/** A change that waits for a decision. */
export async function pending(order: ChangeInput, setup: Setup = {}): Promise<Change> {
  return openChanges(setup).ask(order);
}

/** A message about a change: its card, a reminder, or the message to the requester. */
export function messageOf(change: Change, key: string): Message {
  const found = messagesOf(change).find((one) => one.key.includes(`/${key}`));
  if (found === undefined) throw new Error(`there is no message ${key}`);
  return found;
}

export const card = (change: Change): Message => messageOf(change, 'card');
export const reported = (change: Change): Message => messageOf(change, 'told');
export const lapsed = (change: Change): Message => messageOf(change, 'lapsed');

/** As when Slack did not open the requester's messages with the bot. */
export const NO_DM: Setup = { deps: { directChannel: async () => undefined } };
export const LONG_AGO = 9 * HOUR;

/** Billing is not configured. */
export function billingOff(sentence: string): Pick<ChangeContext, 'billing'> {
  return {
    billing() {
      throw new Refusal(sentence);
    },
  };
}
