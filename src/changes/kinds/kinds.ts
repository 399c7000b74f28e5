import { z } from 'zod';
import type { Identities } from '../../access/identities.ts';
import { alertKinds } from './alert.ts';
import { identityKinds } from './identity.ts';
import { completed, type Commands, type CompletedKind, type Kind } from './kind.ts';
import { orgKinds } from './orgs.ts';
import { quotaKinds } from './quotas.ts';
import { recipientKinds } from './recipients.ts';
import { tokenKinds } from './tokens.ts';
import { userKinds } from './users.ts';

const GROUPS = [
  alertKinds,
  userKinds,
  tokenKinds,
  orgKinds,
  recipientKinds,
  quotaKinds,
  identityKinds,
] as const;

type Input = (typeof GROUPS)[number]['inputs'][number];
const inputs = GROUPS.flatMap((group): readonly Input[] => group.inputs);

/** The orders of all kinds (spec 4.3), with their fields; never a secret. */
export const ChangeInput = z.discriminatedUnion('kind', inputs as [Input, ...Input[]]);
export type ChangeInput = z.infer<Input>;
export type ChangeKind = ChangeInput['kind'];
export type InputOf<K extends ChangeKind> = Extract<ChangeInput, { kind: K }>;

export const COMMANDS = Object.fromEntries(
  GROUPS.flatMap(({ look, commands }) =>
    Object.entries(commands).map(([kind, command]) => [kind, { ...command, look }]),
  ),
) as Readonly<Record<ChangeKind, Commands>>;

/**
 * Whether the call only asks: the platform decides later, so reading back proves nothing, and an earlier request may
 * change the state.
 */
export function isDecidedLater({ kind }: Pick<ChangeInput, 'kind'>): boolean {
  return kind === 'quota.request';
}

export function isDeletion({ kind }: Pick<ChangeInput, 'kind'>): boolean {
  return /\.(?:delete|remove)$/.test(kind);
}

export type AnyKind = CompletedKind<ChangeInput>;

/** @param currency ISO 4217 code of the account's currency @returns the kind of an input */
export function createKinds(
  currency: string,
  identities: Pick<Identities, 'pinOf' | 'add'>,
): (input: Pick<ChangeInput, 'kind'>) => AnyKind {
  const kinds = Object.fromEntries(
    GROUPS.flatMap((group) => Object.entries(group.create(currency, identities))).map(
      ([kind, declared]) => [kind, completed(declared as Kind<ChangeInput, unknown>)],
    ),
  ) as Readonly<Record<ChangeKind, AnyKind>>;
  return ({ kind }) => kinds[kind];
}
