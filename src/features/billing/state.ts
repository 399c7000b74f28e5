import { z } from 'zod';
import { Refusal } from '../../lib/refusal.ts';
import type { Keep } from '../../slack/keep.ts';

const page = z.number().int();

/** What the buttons of a list stand for; kept, because a button carries an id alone. */
const ListState = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['orgs', 'users', 'tokens', 'recipients']), page }),
  z.object({ kind: z.literal('quotas'), org: z.string(), page }),
]);
export type ListState = z.infer<typeof ListState>;

/** Reads back what a button stands for. @throws Refusal when it is too old, or of another version */
export async function readState(
  keep: Keep,
  userId: string,
  id: string | undefined,
): Promise<ListState> {
  const kept = id === undefined ? undefined : await keep.get(userId, id);
  const { data } = ListState.safeParse(kept);
  if (data) return data;
  throw new Refusal('This answer is too old: run the command again.');
}
