import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { OutcomeKind } from './engine/track.ts';

/** Every word that a watch can be narrowed to (design section 4). */
export const OUTCOMES = [
  'ready',
  'failed',
  'stale',
  'unhealthy',
  'blocked',
  'recovered',
  'suspended',
  'resumed',
  'diverged',
  'lagging',
  'crashloop',
  'gone',
] as const;
export type OutcomeWord = (typeof OUTCOMES)[number];

/** A name of an org, GVC, workload or location that can stand in an address. */
export const RESOURCE_NAME = /^\w[\w.-]{0,127}$/;
/** What to say of a name that is none. */
export const RESOURCE_NAME_RULE = 'letters, digits, dots, dashes and underscores';

/** What a channel wants to hear of. */
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
  /** Made by the environment, so no command can take it away. */
  configured: boolean;
  /** Slack user id of who made it by command. */
  by?: string;
}

export interface Watches {
  /** All of them, those of the environment first. */
  all(): Promise<Watch[]>;
  /** Adds a watch or replaces the channel's own of the same place. True when it replaced one. */
  add(watch: Watch): Promise<boolean>;
  /** Removes watches that were made by command. */
  remove(watches: readonly Watch[]): Promise<void>;
}

export function createWatches(deps: {
  redis: RedisConnection;
  keys: Keys;
  configured: readonly Watch[];
}): Watches {
  const { redis, keys } = deps;
  return {
    async all() {
      const stored = Object.values(await redis.hgetall(keys.watches));
      return [...deps.configured, ...stored.map((text) => JSON.parse(text) as Watch)];
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

/** What one channel is to hear of one workload, all its watches taken together. */
export interface Audience {
  channel: string;
  /** Whether an outcome stays in the card's thread. */
  quiet(kind: OutcomeKind): boolean;
  hears(kind: OutcomeKind): boolean;
  /** False where nothing is held back. */
  filtered: boolean;
}

/** What flaps keeps changing between these, so whoever waits for one of them is told. */
const FLAPPING: readonly OutcomeWord[] = ['ready', 'failed', 'stale', 'unhealthy', 'recovered'];

/** The channels that hear of a workload. Of several watches in one channel the most talkative counts. */
export function audiencesOf(
  watches: readonly Watch[],
  place: { org: string; gvc: string; workload: string },
): Audience[] {
  const byChannel = new Map<string, Watch[]>();
  for (const watch of watches) {
    const matches =
      watch.org === place.org &&
      watch.gvc === place.gvc &&
      (watch.workload === undefined || watch.workload === place.workload);
    if (matches) byChannel.set(watch.channel, [...(byChannel.get(watch.channel) ?? []), watch]);
  }
  return [...byChannel].map(([channel, own]) => {
    const hearing = (kind: OutcomeKind): Watch[] => own.filter((watch) => names(watch, kind));
    return {
      channel,
      quiet(kind) {
        const heard = hearing(kind);
        return (heard.length > 0 ? heard : own).every((watch) => watch.quiet);
      },
      filtered: own.every((watch) => watch.only !== undefined),
      hears: (kind) => hearing(kind).length > 0,
    };
  });
}

function names({ only }: Watch, kind: OutcomeKind): boolean {
  if (only === undefined) return true;
  return kind === 'flapping' ? FLAPPING.some((word) => only.includes(word)) : only.includes(kind);
}

/** What one channel is to hear of several workloads together; those that it does not watch are left out. */
export interface Crowd extends Audience {
  members: ReadonlyMap<string, Audience>;
}

/** The channels that hear of any of these workloads. */
export function crowdsOf(
  watches: readonly Watch[],
  place: { org: string; gvc: string },
  workloads: Iterable<string>,
): Crowd[] {
  const byChannel = new Map<string, Map<string, Audience>>();
  for (const workload of new Set(workloads)) {
    for (const audience of audiencesOf(watches, { ...place, workload })) {
      const members = byChannel.get(audience.channel) ?? new Map<string, Audience>();
      byChannel.set(audience.channel, members.set(workload, audience));
    }
  }
  return [...byChannel].map(([channel, members]) => {
    const all = [...members.values()];
    return {
      channel,
      members,
      quiet(kind) {
        const heard = all.filter((audience) => audience.hears(kind));
        return (heard.length > 0 ? heard : all).every((audience) => audience.quiet(kind));
      },
      hears: (kind) => all.some((audience) => audience.hears(kind)),
      filtered: all.every((audience) => audience.filtered),
    };
  });
}

/** The watch beside which the narrowing of this one does nothing: of several in a channel the most talkative counts. */
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
