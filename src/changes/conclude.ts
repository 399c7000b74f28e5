import { settledWithin } from '../lib/patience.ts';
import type { Change, Facts } from './change.ts';
import type { Sent } from './kinds/kind.ts';
import { NOT_SAID } from './kinds/words.ts';
import type { OfficeDeps } from './office.ts';
import type { ChangeEvent } from './states.ts';
import type { Beside } from './store.ts';
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

  /** What is there now; undefined when it cannot be read. */
  async function readBack({ id, order }: Change): Promise<Facts | undefined> {
    try {
      return (await deps.kindOf(order).look(deps.platform(), order)).now;
    } catch (error) {
      deps.logger.warn({ err: error, change: id }, 'a change is done, and was not read back');
      return undefined;
    }
  }

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
      const reading = readBack(change);
      const isLate = secret && !(await settledWithin(reading, READ_WITHIN_MS));
      const read = isLate ? undefined : await reading;
      const now = read || said.length > 0 ? merged(read ?? [], said) : undefined;
      const sentence = [DONE, proof(change, read), note ?? []].flat().join(' ');
      const event = { kind: 'succeed', at: clock.now(), sentence, ...(now && { now }) } as const;
      return secret ? endWithSecret(change, event, secret) : end(change, event);
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
const DONE = 'Done.';
const NOT_READ = 'Reading back what is there now failed.';
const OTHERWISE =
  'The platform took it, but what was read back is something else: look again in a minute.';

/** What is wrong with the proof; nothing when what was read back is what was wanted. */
function proof({ order, plan: { after } }: Change, now: Facts | undefined): string[] {
  if (now === undefined) return [NOT_READ];
  // What the platform makes of such a request shows later, and elsewhere.
  if (order.kind === 'quota.request') return [];
  const isThere = (after.length === 0) === (now.length === 0);
  return isThere && after.every((fact) => !isDenied(fact, now)) ? [] : [OTHERWISE];
}

/** What is not shown, such as an invitee, proves nothing. */
function isDenied({ name, text }: Facts[number], now: Facts): boolean {
  const said = now.find((fact) => fact.name === name)?.text ?? NOT_SAID;
  return said !== NOT_SAID && said.toLowerCase() !== text.toLowerCase();
}

/** What was read, and of what was said that which reading does not show. */
function merged(read: Facts, said: Facts): Facts {
  const names = new Set(read.map(({ name }) => name));
  return [...read, ...said.filter(({ name }) => !names.has(name))];
}
