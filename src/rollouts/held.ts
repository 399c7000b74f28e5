import type { Clock } from '../lib/clock.ts';
import { fitting, gatheredContent } from '../notify/gather.ts';
import type { Outbox } from '../notify/outbox.ts';
import { numbered } from '../notify/numbered.ts';
import { createMessageRecords } from '../notify/records.ts';
import type { MessageRecord } from '../notify/records.ts';
import type { Keys } from '../store/keys.ts';
import { acquireLock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import { readHeldMark } from './messages/held-mark.ts';
import { muteOf } from './mutes.ts';
import type { Mute, Mutes } from './mutes.ts';

/** Tells what mutes held back, once they are over. */
export interface HeldTeller {
  /**
   * Tells each channel in one message (`@mute/<channel>/<n>`) what was held back about places that
   * are muted no more (ADR 11, "Mute"). May be called at any time, by several processes at once.
   * @throws the first error, once every channel had its turn; what is left is told by the next call
   */
  tellHeld(): Promise<void>;
}

interface HeldDeps {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  mutes: Mutes;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
  clock: Clock;
}

/** A crash frees a channel after this time. */
const LOCK_MS = 10_000;

/** `mark`: see `messages/held-mark.ts`. */
type HeldMessage = MessageRecord & { mark: string };

const FORGET_EMPTY = `
if redis.call('HLEN', KEYS[1]) > 0 then return 0 end
return redis.call('SREM', KEYS[2], ARGV[1])`;

export function createHeldTeller(deps: HeldDeps): HeldTeller {
  const { redis, keys, clock } = deps;
  const records = createMessageRecords(redis, keys);

  /** What may be told now, in the order in which it came in. */
  async function tellable(channel: string, mutes: readonly Mute[]): Promise<HeldMessage[]> {
    const now = clock.now();
    const held = Object.entries(await redis.hgetall(keys.held(channel)));
    const free = await Promise.all(
      held
        .filter(([, mark]) => muteOf(mutes, channel, readHeldMark(mark).about, now) === undefined)
        .map(async ([key, mark]) => ({ key, mark, record: await records.read(channel, key) })),
    );
    // A mute may outlast what is kept of a message.
    const gone = free.filter(({ record }) => record === undefined).map(({ key }) => key);
    if (gone.length > 0) await redis.hdel(keys.held(channel), ...gone);
    return free
      .flatMap(({ mark, record }) => (record === undefined ? [] : [{ ...record, mark }]))
      .sort((a, b) => a.heldOrder - b.heldOrder);
  }

  async function tell(channel: string, held: readonly HeldMessage[]): Promise<void> {
    const title = titleOf(held.map(({ mark }) => readHeldMark(mark).muted));
    for (let rest = held.map(({ message }) => message); rest.length > 0;) {
      const told = fitting(rest);
      const key = await numbered(redis, keys, `@mute/${channel}`);
      const absorbs = told.map((one) => one.key);
      const content = gatheredContent(title, told);
      const channels = await deps.outbox.commit([{ channel, key, ...content, absorbs }]);
      // Somebody else has told one of them, because this process was held up: the rest is theirs, too.
      if (channels === undefined) return;
      await deps.wake(channels);
      rest = rest.slice(told.length);
    }
  }

  async function tellChannel(channel: string, mutes: readonly Mute[]): Promise<void> {
    const lock = await acquireLock(redis, keys.lock(`held:${channel}`), LOCK_MS);
    if (lock === undefined) return;
    try {
      await tell(channel, await tellable(channel, mutes));
      await redis.eval(FORGET_EMPTY, 2, keys.held(channel), keys.heldChannels, channel);
    } finally {
      await lock.release();
    }
  }

  return {
    async tellHeld() {
      const channels = await redis.smembers(keys.heldChannels);
      if (channels.length === 0) return;
      const mutes = await deps.mutes.all(clock.now());
      const failures: unknown[] = [];
      for (const channel of channels) {
        await tellChannel(channel, mutes).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** The title names what was muted: of several places what they have in common. */
export function titleOf([first = '', ...others]: readonly string[]): string {
  const parts = first.split('/');
  const differs = parts.findIndex((part, index) =>
    others.some((place) => place.split('/')[index] !== part),
  );
  const common = parts.slice(0, differs === -1 ? parts.length : differs).join('/');
  return `Held back while ${common || 'this channel'} was muted`;
}
