import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { OutcomeWord } from '../config/watches.ts';
import type { Services } from '../services.ts';

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

/** What of the configuration watches are made of. */
export interface WatchConfig {
  readonly watches: Config['watches'];
  readonly channels: Pick<Config['channels'], 'notify'>;
}

export interface Watches {
  /** All of them, those of the environment first. */
  all(): Promise<Watch[]>;
  /** Adds a watch or replaces the channel's own of the same place. True when it replaced one. */
  add(watch: Watch): Promise<boolean>;
  /** Removes watches that were made by command. */
  remove(watches: readonly Watch[]): Promise<void>;
}

/** The watches of the configuration, and those that were made by command. */
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

/** A GVC that has at least one watch. */
export interface WatchedGvc {
  org: string;
  gvc: string;
}

/** One entry per GVC, however many watches it has. */
export function watchedGvcs(watches: readonly Watch[]): WatchedGvc[] {
  const known = new Map(watches.map(({ org, gvc }) => [`${org}/${gvc}`, { org, gvc }]));
  return [...known.values()];
}

/** When within `everyMs` milliseconds a GVC is polled: GVCs are spread, and each keeps its time after a restart. */
export function offsetOf({ org, gvc }: WatchedGvc, everyMs: number): number {
  const hash = createHash('sha1').update(`${org}/${gvc}`).digest().readUInt32BE(0);
  return hash % everyMs;
}

/** Where watches and mutes are set; what is absent holds everything. */
export type Scope = Partial<Pick<Watch, 'org' | 'gvc' | 'workload'>>;

/** Whether two scopes have a workload in common. */
export function overlaps(one: Scope, other: Scope): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  return (
    agree(one.org, other.org) && agree(one.gvc, other.gvc) && agree(one.workload, other.workload)
  );
}
