import { STATE_RULES } from '../../src/changes/messages/state-line.ts';
import type { User } from './user.ts';
import type { Entries } from './modal.ts';
import { until } from './until.ts';
import type { SeenMessage, World } from './world.ts';

/** Where the cards of changes are. */
const APPROVALS = 'C0APPROVE';
const CARD = /^@changes\/(\w+)\/card$/;

/** A call that changes something on the platform. */
interface Write {
  /** Method and path below the billing address, without the account: `PUT /alert`. */
  readonly call: string;
  readonly status: number | null;
  readonly body?: unknown;
}

/** The calls that changed something on the platform, oldest first; queries, which are POST too, are left out. */
export async function writes(world: World): Promise<Write[]> {
  const { requests } = await world.platformRequests();
  return requests
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('query'))
    .map(({ method, path, status, body }) => ({
      call: `${method} ${path.replace(/^\/billing(\/account\/[\da-f-]{36})?/, '')}`,
      status,
      ...(body === undefined ? {} : { body }),
    }));
}

/** The cards of all changes, oldest first. */
async function cards(world: World) {
  return (await world.messages(APPROVALS)).flatMap((message) => {
    const [, id = ''] = CARD.exec(message.metadata?.event_payload.key ?? '') ?? [];
    return id === '' ? [] : [{ id, state: stateIn(message.text), message }];
  });
}

/** Whether this message reports the end of a change to its requester. */
export function isEndOf({ metadata }: SeenMessage, id: string): boolean {
  return metadata?.event_payload.key === `@changes/${id}/told`;
}

/** Beginnings of texts that say more than the word of the state. */
const SPECIAL_WORDS = [
  ['Not sent: ', 'refused'],
  ['Nothing to do: ', 'failed'],
  ['Token ', 'succeeded'],
  ['Superuser key ', 'succeeded'],
] as const;

/** The state of a change, as the text of its card begins with it. */
function stateIn(text: string): string {
  const found = Object.entries(STATE_RULES).find(([, { word }]) => text.startsWith(`${word}: `));
  const special = SPECIAL_WORDS.find(([beginning]) => text.startsWith(beginning));
  return found?.[0] ?? special?.[1] ?? 'pending';
}

/** The card of a change, once it says that state; without one as it is. */
export function cardOf(world: World, id: string, state?: string): Promise<SeenMessage> {
  return until(`the card of ${id} to say ${state ?? 'anything'}`, async () => {
    const card = (await cards(world)).find((one) => one.id === id);
    return (state === undefined || card?.state === state) && card?.message;
  });
}

/** Asks for a change by a command and its form; gives the id of the change. @throws for errors in the form */
export async function request(
  world: World,
  who: User,
  { command, entries, choose }: { command: string; entries?: Entries; choose?: [string, string] },
): Promise<string> {
  const known = new Set((await cards(world)).map(({ id }) => id));
  let form = await who.open(command);
  if (choose !== undefined) form = await who.choose(form, ...choose);
  const errors = await who.submit(form, entries);
  if (Object.keys(errors).length > 0) throw new Error(`${command}: ${JSON.stringify(errors)}`);
  return until(`a card for ${command}`, async () =>
    (await cards(world)).map(({ id }) => id).find((id) => !known.has(id)),
  );
}

/** Decides on a change in its review. @throws for errors in the form */
export async function decide(
  world: World,
  who: User,
  { id, decision, comment = '' }: { id: string; decision: 'Approve' | 'Reject'; comment?: string },
): Promise<void> {
  const review = await who.openBy(await cardOf(world, id), 'Review');
  const form = decision === 'Approve' ? review : await who.pushed(review, 'Reject...');
  const errors = await who.submit(form, decision === 'Approve' ? {} : { Comment: comment });
  if (Object.keys(errors).length > 0) throw new Error(`${id}: ${JSON.stringify(errors)}`);
}
