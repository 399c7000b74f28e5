import type { Config } from '../../config/config.ts';
import type { Services } from '../../services.ts';
import { withLock } from '../../store/redis.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  EMPTY_BOOK,
  factsOf,
  outageNameOf,
  POSTED_FROM,
  withFailure,
  withoutFailure,
  type OutageBook,
} from './book.ts';

export type Outages = ReturnType<typeof createOutages>;

type OutageServices = Pick<Services, 'redis' | 'keys' | 'outbox' | 'wake' | 'clock' | 'logger'> & {
  config: { readonly channels: Pick<Config['channels'], 'ops'> };
};

const LOCK_TIMES = { ttlMs: 5_000, patienceMs: 20_000 };

/** The field of the hash. */
const FIELD = 'book';

/** Posts in the ops channel that GVCs cannot be read, once for all that fail alike (ADR 11, "Outage"). */
export function createOutages(services: OutageServices) {
  const { redis, keys, clock, config } = services;

  /** Reads, changes and posts in one step, under the lock of all processes. */
  async function change(step: (book: OutageBook) => ReturnType<typeof withFailure>): Promise<void> {
    await withLock(redis, keys.lock('outages'), LOCK_TIMES, async (lock) => {
      const { book, messages } = step(await readBook(services));
      const posted = messages.map((message) => ({ ...message, channel: config.channels.ops }));
      const set = { [FIELD]: JSON.stringify(book) };
      const written = { lock, hash: keys.outages, set, remove: [] };
      const channels = await services.outbox.commit(posted, written);
      if (channels === undefined) throw new Error('the lock of the outages was lost');
      await services.wake(channels);
    });
  }

  async function fail(place: string, facts: ReturnType<typeof factsOf>): Promise<void> {
    const known = (await readBook(services)).seats[place];
    const now = clock.now();
    const name = outageNameOf(place, facts, now, known);
    if (known?.outage === name && known.lately === undefined) return;
    await change((book) => withFailure(book, place, facts, now));
  }

  async function end({ org, gvc }: WatchedGvc, back: boolean): Promise<void> {
    const place = `${org}/${gvc}`;
    if ((await readBook(services)).seats[place] === undefined) return;
    await change((book) => withoutFailure(book, place, back, clock.now()));
  }

  return {
    /** After every failed poll. `failures`: how many in a row by now. What goes wrong here is logged. */
    async failed({ org, gvc }: WatchedGvc, failures: number, error: unknown): Promise<void> {
      if (failures < POSTED_FROM) return;
      try {
        await fail(`${org}/${gvc}`, factsOf(org, error));
      } catch (cause) {
        // The next failed poll comes here again.
        services.logger.warn({ err: cause, org, gvc }, 'An outage could not be posted');
      }
    },
    /**
     * After a poll that succeeded where others had failed. Costs one read when nothing was posted.
     * @throws when Redis fails: then it has to be called again, or the outage stays open
     */
    worked: (place: WatchedGvc) => end(place, true),
    /** It is no longer watched, so no outage waits for it. @throws as `worked` */
    forget: (place: WatchedGvc) => end(place, false),
  };
}

/** GVCs (`org/gvc`) that are not found, of the open outage whose message has this key. */
export async function missingGvcs(
  services: Pick<Services, 'redis' | 'keys'>,
  key: string | undefined,
): Promise<readonly string[]> {
  const { open } = await readBook(services);
  const outage = Object.values(open).find(({ posts }) => posts[0]?.[0]?.key === key);
  return outage?.kind === 'missing' ? outage.down : [];
}

async function readBook({ redis, keys }: Pick<Services, 'redis' | 'keys'>): Promise<OutageBook> {
  const text = await redis.hget(keys.outages, FIELD);
  return text === null ? EMPTY_BOOK : (JSON.parse(text) as OutageBook);
}
