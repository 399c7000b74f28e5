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
  /** Sets a mute, in place of the one that the channel has for the same place. */
  set(mute: Mute): Promise<void>;
  /** Takes the channel's mutes of this place and below; without a place all of them. @returns how many */
  lift(channel: string, place: Place): Promise<number>;
}

export function createMutes(deps: { redis: RedisConnection; keys: Keys }): Mutes {
  const { redis, keys } = deps;
  const stored = async (): Promise<[string, Mute][]> =>
    Object.entries(await redis.hgetall(keys.mutes)).map(([id, text]) => [
      id,
      JSON.parse(text) as Mute,
    ]);
  return {
    async all(now) {
      const mutes = await stored();
      const over = mutes.filter(([, mute]) => mute.until <= now).map(([id]) => id);
      if (over.length > 0) await redis.hdel(keys.mutes, ...over);
      return mutes.map(([, mute]) => mute).filter((mute) => mute.until > now);
    },
    async set(mute) {
      const place = [mute.org, mute.gvc, mute.workload].filter((part) => part !== undefined);
      await redis.hset(keys.mutes, `${mute.channel} ${place.join('/')}`, JSON.stringify(mute));
    },
    async lift(channel, place) {
      const ids = (await stored())
        .filter(([, mute]) => mute.channel === channel && covers(place, mute))
        .map(([id]) => id);
      return ids.length === 0 ? 0 : redis.hdel(keys.mutes, ...ids);
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
