import type { Change, Facts } from './change.ts';
import type { Sent } from './kinds/kind.ts';
import { NOT_SAID } from './kinds/words.ts';
import type { OfficeDeps } from './office.ts';

/** How often, and with which pauses (milliseconds), what differs from the order is read again. */
const READS_AGAIN = 3;
const READ_AGAIN_MS = 1_500;

type Secret = NonNullable<Sent['secret']>;

/** Reads what is there after a call: the proof of it (design section 5). */
export function createReadBack(deps: Pick<OfficeDeps, 'kindOf' | 'platform' | 'pause' | 'logger'>) {
  /** What is there now; undefined when it cannot be read. */
  async function readBack({ id, order }: Change): Promise<Facts | undefined> {
    try {
      return (await deps.kindOf(order).look(deps.platform(), order)).now;
    } catch (error) {
      deps.logger.warn({ err: error, change: id }, 'a change is done, and was not read back');
      return undefined;
    }
  }

  /** As `readBack`; a list may lag behind what was done, so what differs is read again for some seconds. */
  async function readUntilSo(change: Change): Promise<Facts | undefined> {
    for (let tries = 1; ; tries += 1) {
      const now = await readBack(change);
      const isSettled = now === undefined || isAsOrdered(change, now);
      if (isSettled || tries > READS_AGAIN || deps.pause === undefined) return now;
      await deps.pause(READ_AGAIN_MS);
    }
  }

  /** The platform need not have said which token it created; as long as it is the only new one, the list does. */
  async function named(change: Change, secret: Secret): Promise<Secret> {
    if (secret.tokenId !== undefined || secret.what !== 'token') return secret;
    const { order, marks = {}, sentAt = 0 } = change;
    try {
      const found = await deps.kindOf(order).settle(deps.platform(), order, { marks, sentAt });
      const [tokenId] = found.kind === 'secret lost' ? found.tokenIds : [];
      return tokenId === undefined ? secret : { ...secret, tokenId };
    } catch {
      return secret;
    }
  }

  return { readBack, readUntilSo, named };
}

export const DONE = 'Done.';
const NOT_READ = 'Reading back what is there now failed.';
const OTHERWISE =
  'The platform took it, but what was read back is something else: look again in a minute.';

/** That it is done, as far as reading back shows it. */
export function proof(change: Change, now: Facts | undefined): string {
  if (now === undefined) return `${DONE} ${NOT_READ}`;
  return isAsOrdered(change, now) ? DONE : OTHERWISE;
}

function isAsOrdered({ order, plan: { after } }: Change, now: Facts): boolean {
  // What the platform makes of such a request shows later, and elsewhere.
  if (order.kind === 'quota.request') return true;
  const isThere = (after.length === 0) === (now.length === 0);
  return isThere && after.every((fact) => !isDenied(fact, now));
}

/** What is not shown, such as an invitee, proves nothing. */
function isDenied({ name, text }: Facts[number], now: Facts): boolean {
  const said = now.find((fact) => fact.name === name)?.text ?? NOT_SAID;
  return said !== NOT_SAID && said.toLowerCase() !== text.toLowerCase();
}

/** What was read, and of what was said that which reading does not show. */
export function merged(read: Facts, said: Facts): Facts {
  const names = new Set(read.map(({ name }) => name));
  return [...read, ...said.filter(({ name }) => !names.has(name))];
}
