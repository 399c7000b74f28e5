import { z } from 'zod';
import { STATES } from '../../changes/change.ts';
import { KINDS } from '../../changes/messages/words.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Keep } from '../../slack/keep.ts';

/** Which requests are listed: of all there are, or in one state. */
export const WHICH = ['open', 'mine', 'all', ...STATES] as const;
export const ANY_KIND = 'any';

const ListState = z.object({
  which: z.enum(WHICH),
  of: z.enum([ANY_KIND, ...KINDS]),
  /** From 0 on. */
  page: z.number().int(),
});
/** What the buttons and menus of a list stand for. */
export type ListState = z.infer<typeof ListState>;

export const FIRST: ListState = { which: 'open', of: ANY_KIND, page: 0 };

/** Reads back what a button stands for. @throws Refusal when it is too old, or of another version */
export async function readState(
  keep: Keep,
  userId: string,
  id: string | undefined,
): Promise<ListState> {
  return asState(id === undefined ? undefined : await keep.get(userId, id));
}

/** The value of an option of a menu: the list that it is below, and what is chosen. */
export function optionValue(kept: string, word: string): string {
  return `${kept}:${word}`;
}

/** The list as it is to be after that choice, from its first page on. @throws Refusal as `readState` */
export async function readChoice(
  keep: Keep,
  { userId, value = '', field }: { userId: string; value?: string; field: 'which' | 'of' },
): Promise<ListState> {
  const [kept, word] = value.split(':');
  const before = await readState(keep, userId, kept);
  return asState({ ...before, [field]: word, page: 0 });
}

function asState(value: unknown): ListState {
  const { data } = ListState.safeParse(value);
  if (data) return data;
  throw new Refusal('This answer is too old: run the command again.');
}
