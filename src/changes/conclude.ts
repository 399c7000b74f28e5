import { settledWithin } from '../lib/patience.ts';
import type { Change } from './change.ts';
import type { Sent } from './kinds/kind.ts';
import type { OfficeDeps } from './office.ts';
import type { ChangeEvent } from './states.ts';
import type { Beside } from './store.ts';
import { createReadBack, DONE, merged, proof } from './read-back.ts';
import { OPENING_MS } from './times.ts';

/** For how long a secret can be revealed (design section 5). Milliseconds. */
const SECRET_MS = 15 * 60_000;
/** How long reading back may delay the sealing of a secret that nothing else keeps. Milliseconds. */
const READ_WITHIN_MS = 3_000;
type Secret = NonNullable<Sent['secret']>;
type Succeed = Extract<ChangeEvent, { kind: 'succeed' }>;

/** How a change that was sent ends. Undefined: somebody else has moved it on. */
export interface Conclude {
  /** The platform took it. */
  taken(change: Change, sent: Sent): Promise<Change | undefined>;
  /** It was done, and the secret that came with it is lost and can be cleared away by a person only. */
  takenWithout(change: Change, what: Secret['what']): Promise<Change | undefined>;
  failed(change: Change, sentence: string): Promise<Change | undefined>;
}

export function createConclude(deps: OfficeDeps): Conclude {
  const { changes, clock, vault } = deps;
  const { readBack, readUntilSo, named } = createReadBack(deps);

  /** What is known for certain is kept even if the record was touched meanwhile, as long as it waits for this. */
  async function end(change: Change, event: ChangeEvent): Promise<Change | undefined> {
    for (let current = change; ;) {
      const moved = await changes.move(current, event);
      if (moved !== undefined) return moved;
      const read = await changes.get(change.id);
      const isWaiting = read?.state === 'executing' && read.sendings === change.sendings;
      if (!isWaiting || read.version === current.version) return undefined;
      current = read;
    }
  }

  /**
   * The secret is sealed in the very step in which the change succeeds. It is not tried twice: who has
   * touched the record meanwhile may be deleting the token.
   */
  async function endWithSecret(
    change: Change,
    event: Omit<Succeed, 'secret'>,
    { value, what, tokenId }: Secret,
  ): Promise<Change | undefined> {
    const sealed = vault?.seal(change.id, value);
    const token = tokenId === undefined ? {} : { tokenId };
    const secret: NonNullable<Succeed['secret']> =
      sealed === undefined
        ? { state: 'lost', what, until: event.at, ...token }
        : { state: 'sealed', what, until: event.at + SECRET_MS, ...token };
    // Beyond its time it rests for as long as somebody may be opening it.
    const beside: Beside =
      sealed === undefined ? {} : { secret: { sealed, forMs: SECRET_MS + OPENING_MS } };
    return changes.move(change, { ...event, secret }, beside);
  }

  return {
    async taken(change, { note, denied, said = [], secret }) {
      if (denied !== undefined) {
        return end(change, { kind: 'fail', at: clock.now(), sentence: denied, now: said });
      }
      const reading = secret ? readBack(change) : readUntilSo(change);
      const naming = secret && named(change, secret);
      const isLate =
        secret && !(await settledWithin(Promise.all([reading, naming]), READ_WITHIN_MS));
      const read = isLate ? undefined : await reading;
      const now = read || said.length > 0 ? merged(read ?? [], said) : undefined;
      const sentence = [proof(change, read), note ?? []].flat().join(' ');
      const event = { kind: 'succeed', at: clock.now(), sentence, ...(now && { now }) } as const;
      if (secret === undefined) return end(change, event);
      return endWithSecret(change, event, isLate ? secret : ((await naming) ?? secret));
    },
    async takenWithout(change, what) {
      const now = await readBack(change);
      const at = clock.now();
      const sentence = `${DONE} ${ANSWER_LOST}`;
      const secret = { state: 'lost', what, until: at } as const;
      return end(change, { kind: 'succeed', at, sentence, ...(now && { now }), secret });
    },
    failed: (change, sentence) => end(change, { kind: 'fail', at: clock.now(), sentence }),
  };
}

/** The note of a success that was settled by reading. */
export const SETTLED = 'The platform’s answer was lost, and what is there shows that it was done.';
const ANSWER_LOST = 'The platform’s answer was lost, and with it the key.';
