import { z } from 'zod';
import type { Identities } from '../../access/identities.ts';
import type { Clock } from '../../lib/time.ts';
import { alertKinds } from './alert/kind.ts';
import { identityKinds } from './identity/kind.ts';
import type { Commands, Kind } from './kind.ts';
import { orgKinds } from './orgs/kind.ts';
import { quotaKinds } from './quotas/kind.ts';
import { recipientKinds } from './recipients/kind.ts';
import { tokenKinds } from './tokens/kind.ts';
import { userKinds } from './users/kind.ts';

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

export const COMMANDS = Object.assign({}, ...GROUPS.map(({ commands }) => commands)) as Readonly<
  Record<ChangeKind, Commands>
>;

const DECIDED_LATER = GROUPS.filter((group) => group.isDecidedLater).flatMap(({ commands }) =>
  Object.keys(commands),
);

/** Whether the call of a change only asks, and the platform decides later. */
export function isDecidedLater({ kind }: Pick<ChangeInput, 'kind'>): boolean {
  return DECIDED_LATER.includes(kind);
}

export type AnyKind = Kind<ChangeInput>;

/** @param currency ISO 4217 code of the account's currency @returns the kind of an input */
export function createKinds(
  currency: string,
  clock: Clock,
  identities: Pick<Identities, 'pinOf' | 'add'>,
): (input: Pick<ChangeInput, 'kind'>) => AnyKind {
  const all = GROUPS.map((group) => group.create(currency, clock, identities));
  const kinds = Object.assign({}, ...all) as Readonly<Record<ChangeKind, AnyKind>>;
  return ({ kind }) => kinds[kind];
}
