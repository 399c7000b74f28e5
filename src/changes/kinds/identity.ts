import { z } from 'zod';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Identities, Pin } from '../../access/identities.ts';
import { ADMINS } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import type { FormsOf } from '../forms/fields.ts';
import { type Fact, type Kind, conflict, fact, kindGroup, sent, short } from './kind.ts';

const INPUTS = [
  z.object({
    kind: z.literal('identity.confirm'),
    email: z.string().min(1),
    /** The new Slack account: that of the requester. */
    userId: z.string().min(1),
  }),
] as const;
type Confirm = z.infer<(typeof INPUTS)[0]>;

/** Confirms another Slack account of a person whose e-mail address is in use by an earlier one (ADR 29). */
export const identityKinds = kindGroup({
  inputs: INPUTS,
  look: '/purser whoami',
  commands: { 'identity.confirm': { ask: '/changes confirm' } },
  create: (_currency, identities) => ({ 'identity.confirm': confirmKind(identities) }),
});

function confirmKind({
  pinOf,
  add,
}: Pick<Identities, 'pinOf' | 'add'>): Kind<Confirm, Pin | undefined> {
  return {
    title: ({ email }) => `Confirm another Slack account for ${short(email)}`,
    needs: { request: 'oneself', approve: { roles: ADMINS } },
    subjects: ({ email }) => [email.toLowerCase()],
    account: ({ userId }) => userId,
    repeatable: true,
    read: (_platform, { email }) => pinOf(email),
    plan: (pin, { email, userId }) => ({
      conflict: conflictOf(pin, userId),
      before: pin === undefined ? [] : factsOf(email, pin.ids),
      after: factsOf(email, [...new Set([...(pin?.ids ?? []), userId])]),
      consequences: consequencesOf(email, pin),
    }),
    send: (_platform, { email, userId }) => sent(add(email, userId)),
    settle: (pin, { userId }) => ({ kind: pin?.ids.includes(userId) ? 'done' : 'not done' }),
    refusals: () => ({}),
  };
}

function consequencesOf(email: string, pin: Pin | undefined): string[] {
  return [
    `⚠ An administrator of Slack can give an address to another person: ask the owner of ${short(email)} outside of Slack whether this account is theirs.`,
    ...(pin?.isGenuine === false ? [FORGED] : []),
    `The new account gets every role that ${short(email)} has on the billing account.`,
    'The accounts of one address count as one person: they cannot approve the requests of each other.',
  ];
}

const FORGED =
  '⚠ The remembered accounts cannot be verified: they were edited, or SECRET_KEY was replaced. Approving replaces them by this one.';
/** The name of a fact, whose value is Slack ids. */
export const ACCOUNTS = 'Slack accounts';
const UNVERIFIED = 'cannot be verified';

function factsOf(email: string, ids: readonly string[]): Fact[] {
  return [fact('E-mail', email), fact(ACCOUNTS, ids.join(', ') || UNVERIFIED)];
}

function conflictOf(pin: Pin | undefined, userId: string) {
  if (pin === undefined) return FREE;
  return pin.ids.includes(userId) ? KNOWN : undefined;
}

const FREE = conflict(
  'No Slack account is remembered with this e-mail address, so there is nothing to confirm',
  'run your command again.',
);
const KNOWN = conflict('This Slack account is confirmed already', 'run your command again.');

/** The form with which a person asks that their own new Slack account is confirmed. */
export function identityForms(
  access: Pick<Authorizer, 'principal'>,
): FormsOf<'identity.confirm', Confirm> {
  return {
    'identity.confirm': {
      title: 'Confirm this account',
      isAlwaysReviewed: true,
      async open({ person }) {
        const { email } = await access.principal(person);
        if (email === undefined) throw new Refusal(NO_EMAIL);
        return {
          notes: [`This asks for the Slack account that you use now, with ${email}.`],
          consequences: [
            'A billing_admin with another e-mail address has to approve it.',
            'Your earlier accounts stay valid, and all of them count as one person.',
          ],
          fields: [],
          memory: { email },
        };
      },
      read({ memory: { email }, person: { userId } }) {
        if (email === undefined) return { refusal: NO_EMAIL };
        return { input: { kind: 'identity.confirm', email, userId } };
      },
    },
  };
}

export const NO_EMAIL =
  'Your Slack profile shows no confirmed e-mail address: add one and confirm it, then ask again.';
