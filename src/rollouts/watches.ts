import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { OutcomeWord } from '../config/watches.ts';
import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';

/** A subscription of a channel. */
export interface Watch {
  org: string;
  gvc: string;
  /** Absent: every workload of the GVC. */
  workload?: string | undefined;
  channel: string;
  /** Holds card and outcomes back until one of these comes. */
  only?: readonly OutcomeWord[] | undefined;
  /** Outcomes stay in the card's thread. */
  quiet: boolean;
  /** Mentioned on a call of a partial outage or worse, as Slack writes it: `<!subteam^S0ONCALL>`. */
  notify?: string | undefined;
  /** Made by the environment, so no command can remove it. */
  configured: boolean;
  /** Slack user id of the creator, if made by command. */
  by?: string;
}

export interface WatchConfig {
  readonly watches: Config['watches'];
  readonly channels: Pick<Config['channels'], 'notify'>;
}

export type Watches = ReturnType<typeof createWatches>;

export function createWatches({
  config,
  redis,
  keys,
}: Pick<Services, 'redis' | 'keys'> & { readonly config: WatchConfig }) {
  const configured = config.watches.map((watch) => ({
    ...watch,
    channel: watch.channel ?? config.channels.notify,
    configured: true,
  }));
  return {
    /** All watches, those of the environment first. */
    async all(): Promise<Watch[]> {
      const stored = Object.values(await redis.hgetall(keys.watches));
      return [...configured, ...stored.map((text) => JSON.parse(text) as Watch)];
    },
  };
}

type WriteServices = Pick<Services, 'redis' | 'keys' | 'outbox' | 'clock'>;

/**
 * Adds a watch or replaces the channel's watch of the same place, with a line of the audit.
 * @returns true when it replaced one
 */
export async function addWatch(
  { redis, keys, outbox, clock }: WriteServices,
  watch: Watch,
): Promise<boolean> {
  const id = watchId(watch);
  const text = JSON.stringify(watch);
  const { channel, only, quiet, notify, by } = watch;
  const details = { by, what: placeOf(watch), channel, only, quiet, notify };
  const first = await redis.hget(keys.watches, id);
  for (let before = first; ; before = await redis.hget(keys.watches, id)) {
    const written = await outbox.commit([], {
      hash: keys.watches,
      expect: { [id]: before },
      set: { [id]: text },
      remove: [],
      audit: { at: clock.now(), event: before === null ? 'watch.add' : 'watch.change', ...details },
    });
    if (written !== undefined) return before !== null;
    // It was written, and the answer was lost.
    if ((await redis.hget(keys.watches, id)) === text) return first !== null;
  }
}

/**
 * Removes watches of a channel together with messages, and with a line of the audit.
 * @returns the channels that have something to deliver
 */
export async function removeWatches(
  { redis, keys, outbox, clock }: WriteServices,
  watches: readonly Watch[],
  { by, channel, messages }: { by: string; channel: string; messages: readonly Message[] },
): Promise<string[]> {
  for (;;) {
    const stored = await redis.hgetall(keys.watches);
    // Another person may have removed some meanwhile.
    const there = watches.filter((watch) => stored[watchId(watch)] !== undefined);
    if (there.length === 0) return (await outbox.commit(messages)) ?? [];
    const what = there.map(placeOf).join(', ');
    const woken = await outbox.commit(messages, {
      hash: keys.watches,
      expect: Object.fromEntries(there.map(watchId).map((id) => [id, stored[id] ?? null])),
      set: {},
      remove: there.map(watchId),
      audit: { at: clock.now(), event: 'watch.end', by, what, channel },
    });
    if (woken !== undefined) return woken;
  }
}

export function watchId(watch: Pick<Watch, 'channel' | 'org' | 'gvc' | 'workload'>): string {
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
export type Scope = Pick<Mute, 'org' | 'gvc' | 'workload'>;

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
  org?: string | undefined;
  gvc?: string | undefined;
  workload?: string | undefined;
  since: number;
  until: number;
  /** Slack user id. */
  by: string;
}

/** The muted place, or the subject of a message; an absent part means everything. */
export type MutePlace = Pick<Mute, 'org' | 'gvc' | 'workload'>;

export type Mutes = ReturnType<typeof createMutes>;

type ReadServices = Pick<Services, 'redis' | 'keys'>;

export function createMutes(services: ReadServices) {
  return {
    /** Mutes that have not expired. @param now milliseconds since the epoch */
    async all(now: number): Promise<Mute[]> {
      const stored = await storedMutes(services);
      return stored.map(({ mute }) => mute).filter((mute) => mute.until > now);
    },
  };
}

interface StoredMute {
  readonly id: string;
  readonly text: string;
  readonly mute: Mute;
}

async function storedMutes({ redis, keys }: ReadServices): Promise<StoredMute[]> {
  return Object.entries(await redis.hgetall(keys.mutes)).map(([id, text]) => ({
    id,
    text,
    mute: JSON.parse(text) as Mute,
  }));
}

export function muteId({ channel, org, gvc, workload }: MutePlace & Pick<Mute, 'channel'>): string {
  const place = [org, gvc, workload].filter((part) => part !== undefined);
  return `${channel} ${place.join('/')}`;
}

/** Replaces the channel's mute of the same place, with a line of the audit. Expired mutes are removed. */
export async function setMute(services: WriteServices, mute: Mute): Promise<void> {
  const { redis, keys, outbox } = services;
  const id = muteId(mute);
  const text = JSON.stringify(mute);
  const { channel, since, until, by } = mute;
  for (;;) {
    const stored = await storedMutes(services);
    const before = stored.find((one) => one.id === id)?.text ?? null;
    const over = stored.filter((one) => one.mute.until <= since && one.id !== id);
    const written = await outbox.commit([], {
      hash: keys.mutes,
      // A new mute of the same place may have been set meanwhile.
      expect: { ...expectedOf(over), [id]: before },
      set: { [id]: text },
      remove: over.map((one) => one.id),
      audit: { at: since, event: 'mute.set', by, what: textOf(mute), channel, until },
    });
    // Else it may be written all the same, and the answer was lost.
    if (written !== undefined || (await redis.hget(keys.mutes, id)) === text) return;
  }
}

/**
 * Removes the channel's mutes of this place and below, without a place all its mutes; with a line of the audit.
 * @returns the removed ones, including expired ones
 */
export async function liftMutes(
  services: WriteServices,
  { channel, by, ...place }: MutePlace & { readonly channel: string; readonly by: string },
): Promise<Mute[]> {
  const { keys, outbox, clock } = services;
  const find = async (): Promise<StoredMute[]> =>
    (await storedMutes(services)).filter(
      ({ mute }) => mute.channel === channel && covers(place, mute),
    );
  const meant = await find();
  for (let left = meant; left.length > 0; left = await find()) {
    const at = clock.now();
    const what = left.filter(({ mute }) => mute.until > at).map(({ mute }) => textOf(mute));
    const line = { at, event: 'mute.end', by, what: what.join(', '), channel };
    const written = await outbox.commit([], {
      hash: keys.mutes,
      expect: expectedOf(left),
      set: {},
      remove: left.map(({ id }) => id),
      ...(what.length > 0 && { audit: line }),
    });
    if (written !== undefined) break;
  }
  return meant.map(({ mute }) => mute);
}

function expectedOf(mutes: readonly StoredMute[]): Record<string, string> {
  return Object.fromEntries(mutes.map(({ id, text }) => [id, text]));
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
