import { denied } from '../access/policy.ts';
import { Refusal } from '../lib/errors.ts';
import type { Secret } from '../lib/secret.ts';
import type { Person } from '../slack/routing/routes.ts';
import type { Change, Sealed } from './change.ts';
import {
  allowed,
  createPolicy,
  enqueueOrSweep,
  isRequester,
  rulesOf,
  type ChangeContext,
} from './context.ts';
import { UNVERIFIED } from './ends.ts';
import { lapseOf } from './reconcile.ts';

/** A secret on its way to its requester. */
export interface Taken {
  readonly change: Change;
  readonly secret: Secret;
  shown(): Promise<void>;
  /** Slack did not show it, or this is unknown: the token is deleted. */
  lost(): Promise<void>;
}

export type SecretReveal = ReturnType<typeof createSecretReveal>;

/** Reveals a secret: once, to the requester (design section 5). */
export function createSecretReveal(context: ChangeContext) {
  const { changes, clock, cipher } = context;
  const policy = createPolicy(context);

  /** @throws Refusal unless a secret can be revealed now */
  async function waiting(person: Person, id: string): Promise<Change> {
    const change = await changes.get(id);
    if (change === undefined) throw new Refusal(NOTHING);
    if (!isRequester(change, person)) throw denied('not-theirs', NOT_YOURS);
    if (!changes.isGenuine(change)) throw new Refusal(UNVERIFIED.sentence);
    const refusal = goneSentence(change.secret, clock.now());
    if (refusal !== undefined) throw new Refusal(refusal);
    return change;
  }

  /** Only one click gets past this. @returns the change after it */
  async function opened(person: Person, change: Change): Promise<Change> {
    const moved = await changes.move(change, { kind: 'open', at: clock.now() });
    if (moved !== undefined) return moved;
    await waiting(person, change.id);
    throw new Refusal(BUSY);
  }

  async function giveUp(change: Change): Promise<void> {
    await changes.move(change, await lapseOf(context, change), { secret: 'drop' });
    await enqueueOrSweep(context, change.id);
  }

  return {
    /** @throws Refusal */
    async take(person: Person, id: string): Promise<Taken> {
      const change = await waiting(person, id);
      if (context.off !== undefined) throw new Refusal(context.off);
      allowed(await policy.asker(person, rulesOf(context, change.order), false));
      if (cipher === undefined) throw new Refusal(NO_KEY);
      const opening = await opened(person, change);
      try {
        const sealed = await changes.takeSecret(id);
        if (sealed === undefined) throw new Refusal(NOTHING);
        return {
          change: opening,
          secret: cipher.open(opening, sealed),
          async shown() {
            await changes.move(opening, { kind: 'reveal', at: clock.now() });
          },
          lost: () => giveUp(opening),
        };
      } catch (error) {
        // If this fails as well, the executor discards it in a minute.
        await giveUp(opening);
        throw new Refusal(UNREADABLE, error);
      }
    },
  };
}

/** Why a secret cannot be revealed; undefined when it can. */
function goneSentence(secret: Sealed | undefined, now: number): string | undefined {
  if (secret === undefined) return NOTHING;
  const { state, what, until } = secret;
  switch (state) {
    case 'sealed':
      return now < until ? undefined : GONE[what];
    case 'opening':
      return BUSY;
    case 'revealed':
      return `The ${what} was revealed already, and can be shown only once. ${what === 'token' ? NEXT_TOKEN : NEXT_KEY}`;
    case 'lapsed':
    case 'lost':
      return GONE[what];
  }
}

const GONE = {
  token: 'The token can no longer be shown: a message of Purser to you says what to do.',
  'superuser key':
    'The superuser key can no longer be shown, and still works: delete it in the org itself, under its service accounts.',
};
const NEXT_TOKEN =
  'If you did not put it away, delete it with /billing tokens delete, and ask for another with /billing tokens create.';
const NEXT_KEY =
  'If you did not put it away, replace it in the org itself, under its service accounts.';
const NOTHING = 'There is no secret to be revealed here: /changes shows the result of the request.';
const BUSY =
  'The secret is being shown at this moment, and it is shown only once: if you see it nowhere, a message in a minute shows what to do.';
const NOT_YOURS =
  'Only the requester can reveal this, and only once: if you need one, ask for one yourself.';
const NO_KEY =
  'The secret cannot be opened, because SECRET_KEY is no longer set: your Purser administrator has to set it again.';
const UNREADABLE = 'The secret could not be opened, so it is given up: a message shows what to do.';
