import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';

/** A channel that wants to hear nothing of a place for a while. Times in milliseconds since the epoch. */
export interface Mute {
  channel: string;
  /** Absent: everything that the channel watches. */
  org?: string;
  gvc?: string;
  workload?: string;
  since: number;
  until: number;
  /** Slack user id. */
  by: string;
}

type Place = Pick<Mute, 'org' | 'gvc' | 'workload'>;

export interface Mutes {
  /** Those that have not run out. @param now milliseconds since the epoch */
  all(now: number): Promise<Mute[]>;
  /** Sets a mute, in place of the one that the channel has for the same place. Those that have run out go. */
  set(mute: Mute): Promise<void>;
  /**
   * Takes the channel's mutes of this place and below; without a place all of them.
   * @returns those that went, with those that had run out
   */
  lift(channel: string, place: Place): Promise<Mute[]>;
}

/** A new mute of the same place may have come in the meantime, so only what was read is deleted. */
const DELETE_SAME = `
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end`;

export function createMutes(deps: { redis: RedisConnection; keys: Keys }): Mutes {
  const { redis, keys } = deps;
  const stored = async (): Promise<{ id: string; text: string; mute: Mute }[]> =>
    Object.entries(await redis.hgetall(keys.mutes)).map(([id, text]) => ({
      id,
      text,
      mute: JSON.parse(text) as Mute,
    }));
  return {
    async all(now) {
      return (await stored()).map(({ mute }) => mute).filter((mute) => mute.until > now);
    },
    async set(mute) {
      const place = [mute.org, mute.gvc, mute.workload].filter((part) => part !== undefined);
      await redis.hset(keys.mutes, `${mute.channel} ${place.join('/')}`, JSON.stringify(mute));
      const over = (await stored()).filter((one) => one.mute.until <= mute.since);
      if (over.length === 0) return;
      await redis.eval(DELETE_SAME, 1, keys.mutes, ...over.flatMap(({ id, text }) => [id, text]));
    },
    async lift(channel, place) {
      const meant = (await stored()).filter(
        ({ mute }) => mute.channel === channel && covers(place, mute),
      );
      if (meant.length > 0) await redis.hdel(keys.mutes, ...meant.map(({ id }) => id));
      return meant.map(({ mute }) => mute);
    },
  };
}

/** The mute that silences a channel about a place at a time; of several the longest. */
export function muteOf(
  mutes: readonly Mute[],
  channel: string,
  place: Place,
  now: number,
): Mute | undefined {
  return mutes
    .filter((mute) => mute.channel === channel && mute.until > now && covers(mute, place))
    .toSorted((a, b) => b.until - a.until)[0];
}

/** Whether a place lies in another; what is absent holds everything. */
function covers(outer: Place, inner: Place): boolean {
  return (
    (outer.org === undefined || outer.org === inner.org) &&
    (outer.gvc === undefined || outer.gvc === inner.gvc) &&
    (outer.workload === undefined || outer.workload === inner.workload)
  );
}
