import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { OutcomeWord } from '../config/watches.ts';
import type { Services } from '../services.ts';

/** A subscription of a channel. */
export interface Watch {
  org: string;
  gvc: string;
  /** Absent: every workload of the GVC. */
  workload?: string;
  channel: string;
  /** Holds card and outcomes back until one of these comes. */
  only?: readonly OutcomeWord[];
  /** Outcomes stay in the card's thread. */
  quiet: boolean;
  /** Mentioned on a call of a partial outage or worse, as Slack writes it: `<!subteam^S0ONCALL>`. */
  notify?: string;
  /** Made by the environment, so no command can remove it. */
  configured: boolean;
  /** Slack user id of the creator, if made by command. */
  by?: string;
}

export interface WatchConfig {
  readonly watches: Config['watches'];
  readonly channels: Pick<Config['channels'], 'notify'>;
}

export interface Watches {
  /** All watches, those of the environment first. */
  all(): Promise<Watch[]>;
  /** Adds a watch or replaces the channel's watch of the same place. True when it replaced one. */
  add(watch: Watch): Promise<boolean>;
  remove(watches: readonly Watch[]): Promise<void>;
}

export function createWatches({
  config,
  redis,
  keys,
}: Pick<Services, 'redis' | 'keys'> & { readonly config: WatchConfig }): Watches {
  const configured = config.watches.map((watch) => ({
    ...watch,
    channel: watch.channel ?? config.channels.notify,
    configured: true,
  }));
  return {
    async all() {
      const stored = Object.values(await redis.hgetall(keys.watches));
      return [...configured, ...stored.map((text) => JSON.parse(text) as Watch)];
    },
    async add(watch) {
      return (await redis.hset(keys.watches, watchId(watch), JSON.stringify(watch))) === 0;
    },
    async remove(watches) {
      if (watches.length > 0) await redis.hdel(keys.watches, ...watches.map(watchId));
    },
  };
}

function watchId(watch: Watch): string {
  return `${watch.channel} ${placeOf(watch)}`;
}

/** `org/gvc` or `org/gvc/workload`. */
export function placeOf(watch: Pick<Watch, 'org' | 'gvc' | 'workload'>): string {
  const gvc = `${watch.org}/${watch.gvc}`;
  return watch.workload === undefined ? gvc : `${gvc}/${watch.workload}`;
}

/** The watch that overrides the narrowing of this one: of several in a channel the most verbose counts. */
export function outspokenBy(watch: Watch, all: readonly Watch[]): Watch | undefined {
  return all.find(
    (other) =>
      other.channel === watch.channel &&
      other.org === watch.org &&
      other.gvc === watch.gvc &&
      (other.workload === undefined || other.workload === watch.workload) &&
      other.only === undefined &&
      (watch.only !== undefined || (watch.quiet && !other.quiet)),
  );
}

export interface WatchedGvc {
  org: string;
  gvc: string;
}

/** One entry per GVC, however many watches it has. */
export function watchedGvcs(watches: readonly Watch[]): WatchedGvc[] {
  const known = new Map(watches.map(({ org, gvc }) => [`${org}/${gvc}`, { org, gvc }]));
  return [...known.values()];
}

/**
 * The offset of a GVC's polls within `everyMs` milliseconds: GVCs are spread, and each keeps its offset after
 * a restart.
 */
export function offsetOf({ org, gvc }: WatchedGvc, everyMs: number): number {
  const hash = createHash('sha1').update(`${org}/${gvc}`).digest().readUInt32BE(0);
  return hash % everyMs;
}

/** The place of watches and mutes; an absent part means everything. */
export type Scope = Partial<Pick<Watch, 'org' | 'gvc' | 'workload'>>;

export function overlaps(one: Scope, other: Scope): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  return (
    agree(one.org, other.org) && agree(one.gvc, other.gvc) && agree(one.workload, other.workload)
  );
}

/** Silences a place in a channel. Times in milliseconds since the epoch. */
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

/** The muted place, or the subject of a message; an absent part means everything. */
export type MutePlace = Pick<Mute, 'org' | 'gvc' | 'workload'>;

export interface Mutes {
  /** Mutes that have not expired. @param now milliseconds since the epoch */
  all(now: number): Promise<Mute[]>;
  /** Replaces the channel's mute of the same place. Expired mutes are removed. */
  set(mute: Mute): Promise<void>;
  /**
   * Removes the channel's mutes of this place and below; without a place all of them.
   * @returns the removed ones, including expired ones
   */
  lift(channel: string, place: MutePlace): Promise<Mute[]>;
}

/** A new mute of the same place may have been set meanwhile, so only an unchanged one is deleted. */
const DELETE_SAME = `
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[1], ARGV[i]) end
end`;

export function createMutes({ redis, keys }: Pick<Services, 'redis' | 'keys'>): Mutes {
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

/** The mute of a place in a channel; of several the longest. */
export function muteOf(
  mutes: readonly Mute[],
  channel: string,
  place: MutePlace,
  now: number,
): Mute | undefined {
  return mutes
    .filter((mute) => mute.channel === channel && mute.until > now && covers(mute, place))
    .toSorted((a, b) => b.until - a.until)[0];
}

/** Whether a place is within another; an absent part means everything. */
function covers(outer: MutePlace, inner: MutePlace): boolean {
  return (
    (outer.org === undefined || outer.org === inner.org) &&
    (outer.gvc === undefined || outer.gvc === inner.gvc) &&
    (outer.workload === undefined || outer.workload === inner.workload)
  );
}

const EVERYTHING = '*';

/**
 * The mark under which a mute holds a message back: when, the subject of the message, which may still be muted
 * when this mute is over, and the muted place if it is another one. Names have no spaces:
 * `1790000000000 acme/shop/cart acme/shop`.
 * @param at milliseconds since the epoch
 */
export function muteMark(about: MutePlace, mute: MutePlace, at: number): string {
  const [own, muted] = [textOf(about), textOf(mute)];
  return own === muted ? `${at} ${own}` : `${at} ${own} ${muted}`;
}

/** @returns `muted`: `org/gvc/workload` or its beginning, '' for everything */
export function readMuteMark(mark: string): { at: number; about: MutePlace; muted: string } {
  const [at = '', own = '', muted = own] = mark.split(' ');
  const [org, gvc, workload] = own === EVERYTHING ? [] : own.split('/');
  const about = {
    ...(org === undefined ? {} : { org }),
    ...(gvc === undefined ? {} : { gvc }),
    ...(workload === undefined ? {} : { workload }),
  };
  return { at: Number(at), about, muted: muted === EVERYTHING ? '' : muted };
}

function textOf({ org, gvc, workload }: MutePlace): string {
  const parts = [org, gvc, workload].filter((part) => part !== undefined);
  return parts.length === 0 ? EVERYTHING : parts.join('/');
}
