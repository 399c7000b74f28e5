import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { OutcomeWord } from '../config/watches.ts';
import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';
import type { AuditLine } from '../store/audit.ts';

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

type ReadServices = Pick<Services, 'redis' | 'keys'>;
type WriteServices = ReadServices & Pick<Services, 'outbox' | 'clock'>;

/** Fields of a hash that a command changes, with a line of the audit. */
interface Change {
  set?: Record<string, string>;
  remove?: string[];
  audit?: AuditLine | undefined;
}

/**
 * Changes a hash together with messages. Another person may write the same fields meanwhile, and an answer may be
 * lost after the change is written: then it is decided again.
 * @param decide undefined: nothing to change
 * @returns the channels that have something to deliver
 */
async function changeHash(
  { redis, outbox }: WriteServices,
  hash: string,
  decide: (stored: Readonly<Record<string, string>>, isFirst: boolean) => Change | undefined,
  messages: readonly Message[] = [],
): Promise<string[]> {
  for (let isFirst = true; ; isFirst = false) {
    const stored = await redis.hgetall(hash);
    const change = decide(stored, isFirst);
    if (change === undefined) return (await outbox.commit(messages)) ?? [];
    const { set = {}, remove = [], audit } = change;
    const ids = [...Object.keys(set), ...remove];
    const expect = Object.fromEntries(ids.map((id) => [id, stored[id] ?? null]));
    const woken = await outbox.commit(messages, {
      hash,
      expect,
      set,
      remove,
      ...(audit && { audit }),
    });
    if (woken !== undefined) return woken;
  }
}

/**
 * Adds a watch or replaces the channel's watch of the same place, with a line of the audit.
 * @returns the one that it replaced
 */
export async function addWatch(services: WriteServices, watch: Watch): Promise<Watch | undefined> {
  const { keys, clock } = services;
  const id = fieldOf(watch);
  const text = JSON.stringify(watch);
  const { channel, only, quiet, notify, by } = watch;
  const details = { by, what: placeOf(watch), channel, only, quiet, notify };
  let before: string | undefined;
  await changeHash(services, keys.watches, (stored, isFirst) => {
    // It was written, and the answer was lost.
    if (!isFirst && stored[id] === text) return undefined;
    before = stored[id];
    const event = before === undefined ? 'watch.add' : 'watch.change';
    return { set: { [id]: text }, audit: { at: clock.now(), event, ...details } };
  });
  return before === undefined ? undefined : (JSON.parse(before) as Watch);
}

/**
 * Removes watches of a channel together with messages, and with a line of the audit.
 * @returns the channels that have something to deliver
 */
export async function removeWatches(
  services: WriteServices,
  watches: readonly Watch[],
  { by, channel, messages }: { by: string; channel: string; messages: readonly Message[] },
): Promise<string[]> {
  const { keys, clock } = services;
  const decide = (stored: Readonly<Record<string, string>>): Change | undefined => {
    const there = watches.filter((watch) => stored[fieldOf(watch)] !== undefined);
    if (there.length === 0) return undefined;
    const what = there.map(placeOf).join(', ');
    const audit = { at: clock.now(), event: 'watch.end', by, what, channel };
    return { remove: there.map(fieldOf), audit };
  };
  return changeHash(services, keys.watches, decide, messages);
}

/** The field of a watch or a mute: a channel has one of each for a place. */
export function fieldOf(one: Scope & { channel: string }): string {
  return `${one.channel} ${placeOf(one)}`;
}

/** `org/gvc/workload` or its beginning; '' for everything. */
export function placeOf({ org, gvc, workload }: Scope): string {
  return [org, gvc, workload].filter((part) => part !== undefined).join('/');
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

/** The place of a watch or a mute, or the subject of a message; an absent part means everything. */
export interface Scope {
  org?: string | undefined;
  gvc?: string | undefined;
  workload?: string | undefined;
}

export function overlaps(one: Scope, other: Scope): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  return (
    agree(one.org, other.org) && agree(one.gvc, other.gvc) && agree(one.workload, other.workload)
  );
}

/** Silences a place in a channel. Times in milliseconds since the epoch. */
export interface Mute extends Scope {
  channel: string;
  since: number;
  until: number;
  /** Slack user id. */
  by: string;
}

/** Mutes that have not expired. @param now milliseconds since the epoch */
export async function readMutes({ redis, keys }: ReadServices, now: number): Promise<Mute[]> {
  const stored = Object.values(await redis.hgetall(keys.mutes));
  return stored.map(muteFrom).filter(({ until }) => until > now);
}

function muteFrom(text: string): Mute {
  return JSON.parse(text) as Mute;
}

/** Replaces the channel's mute of the same place, with a line of the audit. Expired mutes are removed. */
export async function setMute(services: WriteServices, mute: Mute): Promise<void> {
  const id = fieldOf(mute);
  const text = JSON.stringify(mute);
  const { channel, since, until, by } = mute;
  const audit = { at: since, event: 'mute.set', by, what: textOf(mute), channel, until };
  await changeHash(services, services.keys.mutes, (stored, isFirst) => {
    if (!isFirst && stored[id] === text) return undefined;
    const others = Object.entries(stored).filter(([other]) => other !== id);
    const over = others.filter(([, one]) => muteFrom(one).until <= since);
    return { set: { [id]: text }, remove: over.map(([other]) => other), audit };
  });
}

/**
 * Removes the channel's mutes of this place and below, without a place all its mutes; with a line of the audit.
 * @returns the removed ones, including expired ones
 */
export async function liftMutes(
  services: WriteServices,
  { channel, by, ...place }: Scope & { readonly channel: string; readonly by: string },
): Promise<Mute[]> {
  let meant: Mute[] = [];
  await changeHash(services, services.keys.mutes, (stored, isFirst) => {
    const left = Object.entries(stored)
      .map(([id, text]) => ({ id, mute: muteFrom(text) }))
      .filter(({ mute }) => mute.channel === channel && covers(place, mute));
    if (isFirst) meant = left.map(({ mute }) => mute);
    if (left.length === 0) return undefined;
    const at = services.clock.now();
    const what = left.filter(({ mute }) => mute.until > at).map(({ mute }) => textOf(mute));
    const line = { at, event: 'mute.end', by, what: what.join(', '), channel };
    return { remove: left.map(({ id }) => id), audit: what.length > 0 ? line : undefined };
  });
  return meant;
}

/** The mute of a place in a channel; of several the longest. */
export function muteOf(
  mutes: readonly Mute[],
  channel: string,
  place: Scope,
  now: number,
): Mute | undefined {
  return mutes
    .filter((mute) => mute.channel === channel && mute.until > now && covers(mute, place))
    .toSorted((a, b) => b.until - a.until)[0];
}

/** Whether a place is within another; an absent part means everything. */
function covers(outer: Scope, inner: Scope): boolean {
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
export function muteMark(about: Scope, mute: Scope, at: number): string {
  const [own, muted] = [textOf(about), textOf(mute)];
  return own === muted ? `${at} ${own}` : `${at} ${own} ${muted}`;
}

/** @returns `muted`: `org/gvc/workload` or its beginning, '' for everything */
export function readMuteMark(mark: string): { at: number; about: Scope; muted: string } {
  const [at = '', own = '', muted = own] = mark.split(' ');
  const [org, gvc, workload] = own === EVERYTHING ? [] : own.split('/');
  const about = { org, gvc, workload };
  return { at: Number(at), about, muted: muted === EVERYTHING ? '' : muted };
}

function textOf(scope: Scope): string {
  return placeOf(scope) || EVERYTHING;
}
