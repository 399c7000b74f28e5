import type { KnownBlock } from '@slack/types';
import type { OutcomeWord } from '../config/watches.ts';
import { scanItems } from '../platform/deployments/client.ts';
import { PlatformError, reasonOfStatus } from '../platform/errors.ts';
import type { Message } from '../notify/message.ts';
import type { Link } from '../slack/kit/blocks.ts';
import { EMPTY_BOOK, factsOf, POSTED_FROM, withFailure, withoutFailure } from './outages/book.ts';
import { messagesOf } from './render/messages.ts';
import { mutedContent, servedIn, type Held, type Served } from './render/muted.ts';
import { advance, EMPTY_GVC, type GvcState, type Cache, type RecordList } from './watch/advance.ts';
import { EMPTY_ORG, type OrgState } from './watch/group.ts';
import { pollTime } from './watch/spans.ts';
import type { Mute, Watch } from './watches.ts';

/** A line of a file to be played (design section 4.12). */
export type PlayLine =
  | { at: string; org: string; gvc: string; items: unknown[] }
  | { at: string; org: string; gvc: string; status: number }
  | { at: string; do: 'restart' }
  | { at: string; do: 'mute'; for: string };

export interface PlayOptions {
  quiet?: boolean;
  only?: readonly string[];
  /** `WATCH_PATIENCE` */
  patience?: number;
  /** `LINKS` */
  links?: readonly Link[];
  /** The people or group that the watch mentions, as Slack writes it. */
  notify?: string;
}

const MINUTE_MS = 60_000;
const CHANNEL = 'C0PLAY';

/** A GVC of the file, with its last answer. Times in milliseconds since the epoch. */
interface Place {
  org: string;
  gvc: string;
  state: GvcState;
  cache: Cache;
  previousAt: number;
  polledAt: number;
  failures: number;
  answer: RecordList | { status: number };
}

/** Everything that a channel would have been shown: the engine, the messages and the rules of the outbox in virtual time. */
export function play(lines: Iterable<PlayLine>, options: PlayOptions = {}): Shown[] {
  const shown: Shown[] = [];
  const player = new Player(options, (one) => shown.push(one));
  const all = [...lines];
  for (const [index, line] of all.entries()) {
    const at = Date.parse(line.at);
    const isAway = 'do' in line && line.do === 'restart';
    if (index > 0 && !isAway) player.runUntil(at);
    player.take(line, at);
  }
  return shown;
}

class Player {
  private readonly places = new Map<string, Place>();
  private readonly orgs = new Map<string, OrgState>();
  private outages = EMPTY_BOOK;
  private readonly channel: ReturnType<typeof createChannel>;
  private readonly options: PlayOptions;
  private readonly settings: { patience: number; idleMs: number };
  private mute: Mute | undefined;

  constructor(options: PlayOptions, show: (shown: Shown) => void) {
    this.options = options;
    this.settings = { patience: options.patience ?? 1, idleMs: MINUTE_MS };
    this.channel = createChannel(show);
  }

  take(line: PlayLine, at: number): void {
    if ('do' in line) return line.do === 'mute' ? this.muteFrom(at, line.for) : this.restart(at);
    const { org, gvc } = line;
    const name = `${org}/${gvc}`;
    const answer = 'items' in line ? scanOf(line.items) : { status: line.status };
    const place: Place = this.places.get(name) ?? {
      org,
      gvc,
      state: EMPTY_GVC,
      cache: new Map(),
      previousAt: 0,
      polledAt: at,
      failures: 0,
      answer,
    };
    place.answer = answer;
    this.places.set(name, place);
    this.poll(place, at);
  }

  /** Reads the last answers again every minute. */
  runUntil(end: number): void {
    for (;;) {
      const [next] = [...this.places.values()].toSorted((a, b) => a.polledAt - b.polledAt);
      const pollAt = next === undefined ? Infinity : next.polledAt + MINUTE_MS;
      const unmuteAt = this.mute?.until ?? Infinity;
      if (Math.min(pollAt, unmuteAt) >= end) return;
      if (unmuteAt <= pollAt) this.unmute(unmuteAt);
      else if (next !== undefined) this.poll(next, pollAt);
    }
  }

  private muteFrom(at: number, length: string): void {
    this.mute = { channel: CHANNEL, since: at, until: at + durationOf(length), by: 'U0' };
  }

  private unmute(now: number): void {
    this.mute = undefined;
    const watches = this.watches();
    const served = [...this.places.values()].flatMap((place) => {
      const { state, previousAt: at, failures } = place;
      const time = pollTime(at, at, this.settings);
      return servedIn(place, state, { time, isUnread: failures > 0, watches });
    });
    this.channel.release(now, served);
  }

  private restart(at: number): void {
    if (this.mute !== undefined && this.mute.until <= at) this.unmute(this.mute.until);
    for (const place of this.places.values()) {
      place.cache.clear();
      this.poll(place, at);
    }
  }

  private poll(place: Place, now: number): void {
    const { org, gvc, answer, state, previousAt, cache, failures } = place;
    place.polledAt = now;
    if ('status' in answer) return this.fail(place, answer.status, now);
    const options = { gvc, now, previousAt, ...this.settings, cache, failures };
    const step = advance(state, this.orgs.get(org) ?? EMPTY_ORG, answer, options);
    place.state = step.state;
    place.previousAt = now;
    place.failures = 0;
    this.orgs.set(org, step.org);
    const mutes = this.mute === undefined ? [] : [this.mute];
    const { links = [] } = this.options;
    const audience = { watches: this.watches(), mutes, now, links, ops: CHANNEL };
    this.show(messagesOf(place, step.notices, audience), now);
    this.keep(withoutFailure(this.outages, `${org}/${gvc}`, true, now), now);
  }

  private fail(place: Place, status: number, now: number): void {
    const { org, gvc } = place;
    place.failures += 1;
    if (place.failures < POSTED_FROM) return;
    const error = new PlatformError(reasonOfStatus(status), `HTTP ${status}`, { status });
    this.keep(withFailure(this.outages, `${org}/${gvc}`, factsOf(org, error), now), now);
  }

  private keep({ book, messages }: ReturnType<typeof withFailure>, now: number): void {
    this.outages = book;
    this.show(messages, now);
  }

  private show(messages: readonly Omit<Message, 'channel'>[], now: number): void {
    for (const message of messages) this.channel.take(message, now);
  }

  private watches(): Watch[] {
    const { quiet = false, only, notify } = this.options;
    const filter = only === undefined ? {} : { only: only as readonly OutcomeWord[] };
    const mention = notify === undefined ? {} : { notify };
    return [...this.places.values()].map(({ org, gvc }) => ({
      org,
      gvc,
      channel: CHANNEL,
      quiet,
      configured: true,
      ...filter,
      ...mention,
    }));
  }
}

function scanOf(items: readonly unknown[]): RecordList {
  const { listed, unreadable, unidentified } = scanItems(items);
  return { seen: listed, unreadable, unidentified };
}

const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
};

function durationOf(text: string): number {
  const [, count = '0', unit = 'm'] = /^(\d+)([mhd])$/.exec(text) ?? [];
  return Number(count) * (UNITS[unit] ?? MINUTE_MS);
}

/** One message as a channel shows it, or its edit. */
export interface Shown {
  at: string;
  /** `reply`: in a thread; `broadcast`: a reply that is shown in the channel, too. */
  how: 'post' | 'reply' | 'broadcast' | 'edit';
  key: string;
  covers?: string[];
  text: string;
  blocks: KnownBlock[];
}

/** The rules of the outbox for one channel, in memory. */
export function createChannel(show: (shown: Shown) => void) {
  const posted = new Map<string, string>();
  /** Keys of messages instead of which another one is posted. */
  const instead = new Set<string>();
  const held = new Map<string, Held>();
  let muted = 0;

  const isPosted = (key: string): boolean => posted.has(key) || instead.has(key);

  function take(
    { key, covers, text, blocks, threadKey, orphan, ...how }: Omit<Message, 'channel'>,
    now: number,
  ): void {
    const at = new Date(now).toISOString();
    const body = JSON.stringify([text, blocks]);
    const shown = { at, key, ...(covers === undefined ? {} : { covers }), text, blocks };
    if (instead.has(key)) return;
    const waiting = held.get(key);
    if (waiting !== undefined) return void held.set(key, { ...waiting, text });
    const before = posted.get(key);
    if (before !== undefined) {
      if (before === body) return;
      posted.set(key, body);
      return show({ ...shown, how: 'edit' });
    }
    const isReply = threadKey !== undefined && isPosted(threadKey);
    const isOrphan = threadKey !== undefined && !isReply && !held.has(threadKey);
    if (how.editOnly === true || (isOrphan && orphan === 'drop')) return;
    if (isOrphan && orphan === 'root') instead.add(threadKey);
    if (how.held !== undefined) return void held.set(key, { ...shown, at: now });
    posted.set(key, body);
    show({ ...shown, how: !isReply ? 'post' : how.broadcast === true ? 'broadcast' : 'reply' });
  }

  return {
    take,
    /** The end of a mute. @param served the workloads as they are now */
    release(now: number, served: readonly Served[]): void {
      if (held.size === 0) return;
      muted += 1;
      const key = `@mute/${muted}`;
      const all = [...held.values()];
      held.clear();
      for (const one of all) instead.add(one.key);
      const covers = all.map((one) => one.key);
      take({ key, covers, ...mutedContent('While muted', all, served) }, now);
    },
  };
}
