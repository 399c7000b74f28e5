import { z } from 'zod';
import { Refusal } from '../../lib/refusal.ts';
import type { Keep } from '../../slack/keep.ts';

/** What the buttons of an answer stand for; kept, because a button carries an id alone. */
const State = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('list'),
    /** As the command has it; absent: 12 months. */
    range: z.string().optional(),
    /** When it was asked, ms since the epoch: all pages are of the same span. */
    askedAt: z.number(),
    page: z.number().int(),
  }),
  z.object({ kind: z.literal('show'), id: z.string(), page: z.number().int() }),
  z.object({
    kind: z.literal('deliveries'),
    /** Of one invoice; absent: of all. */
    invoice: z.object({ id: z.string(), name: z.string() }).optional(),
    page: z.number().int(),
  }),
]);
export type State = z.infer<typeof State>;
export type StateOf<Kind extends State['kind']> = Extract<State, { kind: Kind }>;

/** Reads back what a button stands for. @throws Refusal when it is too old, or of another version */
export async function readState(
  keep: Keep,
  userId: string,
  id: string | undefined,
): Promise<State> {
  const kept = id === undefined ? undefined : await keep.get(userId, id);
  const { data } = State.safeParse(kept);
  if (data) return data;
  throw tooOld();
}

export function tooOld(): Refusal {
  return new Refusal('This answer is too old: run the command again.');
}
