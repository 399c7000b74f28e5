import { z } from 'zod';
import type { Identities, Pin } from '../../../access/identities.ts';
import { ADMINS } from '../../../access/policy.ts';
import { type Fact, type Kind, fact, kindGroup, short } from '../kind.ts';

const INPUTS = [
  z.object({
    kind: z.literal('identity.confirm'),
    email: z.string().min(1),
    /** The new Slack account: that of the requester. */
    userId: z.string().min(1),
  }),
] as const;
type Confirm = z.infer<(typeof INPUTS)[0]>;

function confirmKind({ pinOf, add }: Pick<Identities, 'pinOf' | 'add'>): Kind<Confirm> {
  return {
    kind: 'identity.confirm',
    title: ({ email, userId }) => `Confirm the Slack account ${short(userId)} for ${short(email)}`,
    needs: { request: 'oneself', approve: { roles: ADMINS } },
    hasSecret: () => false,
    subjects: ({ email }) => [email.toLowerCase()],
    account: ({ userId }) => userId,
    repeatable: true,
    async plan(_platform, { email, userId }) {
      const pin = await pinOf(email);
      const now = pin === undefined ? [] : factsOf(email, pin.ids);
      const conflict = conflictOf(pin, userId);
      return {
        plan: {
          before: [...now],
          after: factsOf(email, [...new Set([...(pin?.ids ?? []), userId])]),
          consequences: consequencesOf(email, userId, pin),
        },
        now,
        baseline: {},
        ...(conflict !== undefined && { conflict }),
      };
    },
    async send(_platform, { email, userId }) {
      await add(email, userId);
      return {};
    },
    async reconcile(_platform, { email, userId }) {
      const pin = await pinOf(email);
      return { kind: pin?.ids.includes(userId) ? 'done' : 'not done' };
    },
    explain: () => undefined,
  };
}

function consequencesOf(email: string, userId: string, pin: Pin | undefined): string[] {
  return [
    `⚠ An administrator of Slack can give an address to another person: ask the owner of ${short(email)} outside of Slack whether this account is theirs.`,
    ...(pin?.isGenuine === false ? [FORGED] : []),
    `${short(userId)} gets every role that ${short(email)} has on the billing account.`,
    'The accounts of one address count as one person: they cannot approve the requests of each other.',
  ];
}

const FORGED =
  '⚠ The remembered accounts cannot be verified: they were edited, or SECRET_KEY was replaced. Approving replaces them by this one.';
const UNVERIFIED = 'cannot be verified';

function factsOf(email: string, ids: readonly string[]): Fact[] {
  return [fact('E-mail', email), fact('Slack accounts', ids.join(', ') || UNVERIFIED)];
}

function conflictOf(pin: Pin | undefined, userId: string): string | undefined {
  if (pin === undefined) return FREE;
  return pin.ids.includes(userId) ? KNOWN : undefined;
}

const FREE =
  'No Slack account is remembered with this e-mail address, so there is nothing to confirm: run your command again.';
const KNOWN = 'This Slack account is confirmed already: run your command again.';

/** Confirms another Slack account of a person whose e-mail address is in use by an earlier one (ADR 29). */
export const identityKinds = kindGroup({
  inputs: INPUTS,
  commands: { 'identity.confirm': { ask: '/changes confirm', look: '/purser whoami' } },
  create: (_currency, _clock, identities) => ({ 'identity.confirm': confirmKind(identities) }),
});
