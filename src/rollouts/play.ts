import type { OutcomeWord } from '../config/watches.ts';
import { scanItems } from '../platform/deployments/client.ts';
import { messagesOf } from './render/messages.ts';
import { apiMessage } from './render/operators.ts';
import { firstWords } from './render/parts.ts';
import { advance, EMPTY_GVC, type Cache, type GvcState, type RecordList } from './watch/advance.ts';
import { EMPTY_ORG, type OrgState } from './watch/group.ts';
import { impactOf } from './watch/impact.ts';
import {
  afterFailure,
  afterList,
  GOOD_API,
  type ApiNotice,
  type ApiState,
} from './watch/operators.ts';
import { pollTime } from './watch/spans.ts';
import type { Mute, Watch } from './watches.ts';
import { createChannel, type Shown } from './play-channel.ts';

export type { Shown } from './play-channel.ts';

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
}

const MINUTE_MS = 60_000;
const CHANNEL = 'C0PLAY';

/** A GVC of the file, with its last answer. Times in milliseconds since the epoch. */
interface Place {
  org: string;
  gvc: string;
  state: GvcState;
  api: ApiState;
  cache: Cache;
  /** The last list that was read; 0 = none. */
  previousAt: number;
  /** The last poll, of any result. */
  polledAt: number;
  answer: RecordList | { status: number };
}

/** What a channel would have been shown: the engine, the messages and the rules of the outbox in virtual time. */
export function play(lines: Iterable<PlayLine>, options: PlayOptions = {}): Shown[] {
  const shown: Shown[] = [];
  const player = createPlayer(options, (one) => shown.push(one));
  const all = [...lines];
  for (const [index, line] of all.entries()) {
    const at = Date.parse(line.at);
    const isAway = 'do' in line && line.do === 'restart';
    if (index > 0 && !isAway) player.runUntil(at);
    player.take(line, at);
  }
  return shown;
}

function createPlayer(
  { quiet = false, only, patience = 1 }: PlayOptions,
  show: (shown: Shown) => void,
) {
  const places = new Map<string, Place>();
  const orgs = new Map<string, OrgState>();
  const channel = createChannel(show);
  let mute: Mute | undefined;

  function watches(): Watch[] {
    return [...places.values()].map(({ org, gvc }) => ({
      org,
      gvc,
      channel: CHANNEL,
      quiet,
      configured: true,
      ...(only === undefined ? {} : { only: only as readonly OutcomeWord[] }),
    }));
  }

  function poll(place: Place, now: number): void {
    place.polledAt = now;
    const { answer } = place;
    if ('status' in answer) {
      const next = afterFailure(place.api, now, `HTTP ${answer.status}`);
      place.api = next.state;
      return report(place, next.notices, now);
    }
    const settings = { patience, idleMs: MINUTE_MS };
    const step = advance(place.state, orgs.get(place.org) ?? EMPTY_ORG, answer, {
      gvc: place.gvc,
      now,
      previousAt: place.previousAt,
      ...settings,
      cache: place.cache,
    });
    const isEmpty = step.state.meta?.emptySince !== undefined;
    const odd = { unreadable: answer.unreadable.length + answer.unidentified, isEmpty };
    const { inRow } = pollTime(now, place.previousAt, settings);
    const next = afterList(place.api, { now, odd, inRow, isFirst: place.previousAt === 0 });
    place.state = step.state;
    place.api = next.state;
    place.previousAt = now;
    orgs.set(place.org, step.org);
    const mutes = mute === undefined ? [] : [mute];
    const audience = { watches: watches(), mutes, now };
    for (const message of messagesOf(place, step.notices, audience)) channel.take(message, now);
    report(place, next.notices, now);
  }

  function report(place: Place, notices: readonly ApiNotice[], now: number): void {
    for (const notice of notices) channel.take(apiMessage(place, notice, now), now);
  }

  function unmute(now: number): void {
    mute = undefined;
    channel.release(
      now,
      [...places.values()].flatMap((place) => hurtIn(place, patience)),
    );
  }

  function take(line: PlayLine, at: number): void {
    if ('do' in line) {
      if (line.do === 'mute') {
        mute = { channel: CHANNEL, since: at, until: at + durationOf(line.for), by: 'U0' };
        return;
      }
      if (mute !== undefined && mute.until <= at) unmute(mute.until);
      for (const place of places.values()) {
        place.cache.clear();
        poll(place, at);
      }
      return;
    }
    const name = `${line.org}/${line.gvc}`;
    const answer = 'items' in line ? scanOf(line.items) : { status: line.status };
    const known = places.get(name);
    const place: Place = known ?? {
      org: line.org,
      gvc: line.gvc,
      state: EMPTY_GVC,
      api: GOOD_API,
      cache: new Map(),
      previousAt: 0,
      polledAt: at,
      answer,
    };
    place.answer = answer;
    places.set(name, place);
    poll(place, at);
  }

  return {
    take,
    /** Reads the last answers again every minute. */
    runUntil(end: number): void {
      for (;;) {
        const [next] = [...places.values()].toSorted((a, b) => a.polledAt - b.polledAt);
        const pollAt = next === undefined ? Infinity : next.polledAt + MINUTE_MS;
        const unmuteAt = mute?.until ?? Infinity;
        const at = Math.min(pollAt, unmuteAt);
        if (at >= end) return;
        if (unmuteAt <= pollAt) unmute(unmuteAt);
        else if (next !== undefined) poll(next, pollAt);
      }
    },
  };
}

function hurtIn({ gvc, state, previousAt }: Place, patience: number): string[] {
  const time = pollTime(previousAt, previousAt, { patience, idleMs: MINUTE_MS });
  return Object.entries(state.workloads)
    .map(([workload, { locations }]) => ({ workload, impact: impactOf(locations, time) }))
    .filter(({ impact }) => impact.level > 0)
    .map(({ workload, impact }) => `${gvc}/${workload} ${firstWords(impact)}`);
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
