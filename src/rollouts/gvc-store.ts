import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Services } from '../services.ts';
import { MESSAGE_TTL_MS } from '../notify/outbox.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';
import type { GvcState } from './engine/advance.ts';
import type { RecordMemory } from './engine/classify.ts';
import type { Replicas, Spec } from './engine/facts.ts';
import { countOf, type Settled } from './engine/list-memory.ts';
import type { RolloutState } from './engine/rollout.ts';

interface StoredGvc {
  state: GvcState;
  /** Changes with every write, '' before the first one. */
  revision: string;
}

/** A GVC opened by the one poll that may write it. */
interface OpenGvc extends StoredGvc {
  settled: Settled;
}

interface GvcChange {
  set: Record<string, string>;
  remove: string[];
}

export interface GvcStore {
  /**
   * The state of a GVC. The copy in memory is used while no other process has written, so that an unchanged
   * poll reads one field. To be called under the lock of its polls.
   */
  open(org: string, gvc: string): Promise<OpenGvc>;
  /** Keeps the result of a poll, after the change is written. A poll that fails before keeps nothing. */
  keep(org: string, gvc: string, open: OpenGvc, next: GvcState, change: GvcChange): void;
}

const META = '@meta';
const WIDE = '@wide';
const REVISION = '@revision';
const TRACK = '@track/';
/** Names of the platform never begin with it. */
const OWN = '@';
/** About 1 KB each. */
const KEPT_RECORDS = 50_000;

/** @param keptRecords records of all GVCs kept in memory */
export function createGvcStore(
  { redis, keys }: Pick<Services, 'redis' | 'keys'>,
  keptRecords = KEPT_RECORDS,
): GvcStore {
  const kept = new LRUCache<string, OpenGvc>({ maxSize: keptRecords });
  return {
    async open(org, gvc) {
      const place = `${org}/${gvc}`;
      const known = kept.get(place);
      kept.delete(place);
      if (known !== undefined) {
        const revision = await redis.hget(keys.rollouts(org, gvc), REVISION);
        if (revision === known.revision) return known;
      }
      return { ...(await readGvc(redis, keys, org, gvc)), settled: new Map() };
    },
    keep(org, gvc, open, state, change) {
      const revision = change.set[REVISION] ?? open.revision;
      if (revision === '') return;
      const size = Math.max(1, countOf(state.records));
      kept.set(`${org}/${gvc}`, { ...open, state, revision }, { size });
    },
  };
}

/** Names are foreign: `__proto__` must be a key like any other. */
function emptyState(): GvcState {
  return {
    meta: undefined,
    records: Object.create(null) as GvcState['records'],
    rollouts: Object.create(null) as GvcState['rollouts'],
    gvcLevel: undefined,
  };
}

/** Design section 8. */
export async function readGvc(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<StoredGvc> {
  const fields = await redis.hgetall(keys.rollouts(org, gvc));
  return { state: stateOf(fields), revision: fields[REVISION] ?? '' };
}

/** @throws SyntaxError */
export function stateOf(fields: Readonly<Record<string, string>>): GvcState {
  const state = emptyState();
  for (const [field, text] of Object.entries(fields)) {
    if (field === META) state.meta = JSON.parse(text) as NonNullable<GvcState['meta']>;
    else if (field === WIDE) state.gvcLevel = JSON.parse(text) as NonNullable<GvcState['gvcLevel']>;
    else if (field.startsWith(TRACK)) {
      state.rollouts[field.slice(TRACK.length)] = rolloutFrom(text);
    } else if (!field.startsWith(OWN)) state.records[field] = recordFrom(text);
  }
  return state;
}

/**
 * Changes of the hash from `before` to `next`, with a new revision; empty for an unchanged poll. Identical
 * objects are unchanged.
 */
export function changesOf(before: GvcState, next: GvcState): GvcChange {
  const change: GvcChange = { set: {}, remove: [] };
  compare<unknown>(
    change,
    { [META]: before.meta, [WIDE]: before.gvcLevel },
    parts(next),
    JSON.stringify,
  );
  compare(change, before.rollouts, next.rollouts, rolloutText, TRACK);
  compare(change, before.records, next.records, recordText);
  if (Object.keys(change.set).length + change.remove.length > 0) {
    change.set[REVISION] = randomUUID();
  }
  return change;
}

function parts({ meta, gvcLevel: wide }: GvcState): Record<string, unknown> {
  return {
    ...(meta === undefined ? {} : { [META]: meta }),
    ...(wide === undefined ? {} : { [WIDE]: wide }),
  };
}

function compare<T>(
  change: GvcChange,
  before: Readonly<Record<string, T | undefined>>,
  next: Readonly<Record<string, T>>,
  textOf: (one: T) => string,
  prefix = '',
): void {
  if (before === next) return;
  for (const name in next) {
    const [old, now] = [own(before, name), next[name]];
    if (old === now) continue;
    if (now === undefined) continue;
    const text = textOf(now);
    if (old === undefined || textOf(old) !== text) change.set[prefix + name] = text;
  }
  for (const name in before) {
    if (own(next, name) === undefined && before[name] !== undefined) {
      change.remove.push(prefix + name);
    }
  }
}

/** `constructor` is a valid name for a workload. */
function own<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** Result of the last poll of a GVC; times in milliseconds since the epoch. */
export interface PollStatus {
  /** Time of the last complete poll, 0 = none yet. */
  at: number;
  /** Something changes: poll again soon. */
  moving: boolean;
  failures: number;
  /** No poll before this time; 0 = when it is due. */
  notBefore: number;
  /** Start of the last complete poll, from which the schedule counts. Absent: as `at`. */
  began?: number;
  /** Sentence of the last failure, or ''. */
  error: string;
  skipped: number;
}

export const NO_POLL: PollStatus = {
  at: 0,
  moving: false,
  failures: 0,
  notBefore: 0,
  error: '',
  skipped: 0,
};

export async function readPollStatus(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<PollStatus> {
  const text = await redis.get(keys.pulse(org, gvc));
  return text === null ? NO_POLL : (JSON.parse(text) as PollStatus);
}

/**
 * Forgets a GVC that is no longer watched: when it is watched again, the first poll posts nothing. Fields
 * with numbers are kept as long as their messages, because keys contain those numbers: a used one must not be
 * reused for other news. To be called under the lock of its polls.
 */
export async function forgetGvc(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<void> {
  const hash = keys.rollouts(org, gvc);
  const numbered = (field: string): boolean => field === WIDE || field.startsWith(TRACK);
  const fields = (await redis.hkeys(hash)).filter((field) => !numbered(field));
  if (fields.length > 0) await redis.hdel(hash, ...fields);
  await redis.pexpire(hash, MESSAGE_TTL_MS);
  // Last, because the next poll sees by it whether there is anything to forget.
  await redis.del(keys.pulse(org, gvc));
}

/**
 * Every member with its usual value. The texts hold values without names, in this order, and omit trailing
 * usual values: ten thousand records stay in Redis for months, and their names would be most of the size. A
 * new member goes to the end.
 */
type Layout<T> = { readonly [K in keyof T]-?: T[K] | undefined };

type Triple = [version: number, ready: number, wanted: number];

type StoredSpec = [version: number, containers: Spec['containers'], replicas: number | null];

interface StoredRecord extends Omit<RecordMemory, 'replicas' | 'outgoing' | 'spec' | 'specBefore'> {
  replicas: Triple;
  outgoing: Triple | null;
  spec?: StoredSpec | undefined;
  specBefore?: StoredSpec | undefined;
}

function codecOf<T extends object>(layout: Layout<T>): Codec<T> {
  const names = Object.keys(layout) as (keyof T & string)[];
  const usual = names.map((name) => JSON.stringify(layout[name] ?? null));
  const isOptional = names.map((name) => layout[name] === undefined);
  return {
    write(value) {
      const texts = names.map((name) => JSON.stringify(value[name] ?? null));
      const last = texts.findLastIndex((text, place) => text !== usual[place]);
      return `[${texts.slice(0, last + 1).join(',')}]`;
    },
    read(text) {
      const stored = JSON.parse(text) as unknown[];
      const value: Partial<Record<keyof T, unknown>> = {};
      for (const [place, name] of names.entries()) {
        const member: unknown =
          place < stored.length ? stored[place] : JSON.parse(usual[place] ?? 'null');
        if (member !== null || isOptional[place] !== true) value[name] = member;
      }
      return value as T;
    },
  };
}

interface Codec<T> {
  write(value: T): string;
  /** @throws SyntaxError */
  read(text: string): T;
}

const RECORDS = codecOf<StoredRecord>({
  state: 'ready',
  since: 0,
  version: 0,
  gvc: 0,
  wasReady: false,
  wanted: null,
  replicas: [0, 0, 0],
  served: undefined,
  spec: undefined,
  outgoing: null,
  cron: false,
  notReady: false,
  restarts: 0,
  missing: 0,
  cause: '',
  climbs: [],
  jobs: [],
  grace: null,
  wasDown: undefined,
  heldUpSince: undefined,
  crash: undefined,
  atRest: undefined,
  readyAtNone: undefined,
  counts: undefined,
  specBefore: undefined,
  readyBeside: undefined,
});

const ROLLOUTS = codecOf<RolloutState>({
  version: 0,
  print: '',
  ending: null,
  announced: false,
  ready: false,
  moved: undefined,
  startedAt: null,
  readyAt: null,
  told: {},
  said: {},
  wakeAt: null,
  lostAt: undefined,
  late: {},
  asleep: [],
  left: {},
  changes: [],
  flapping: null,
  forgotten: undefined,
  readyIsCard: undefined,
});

export function recordText(record: RecordMemory): string {
  const { replicas, outgoing, spec, specBefore, ...rest } = record;
  const stored = {
    ...rest,
    replicas: tripleOf(replicas),
    outgoing: outgoing && tripleOf(outgoing),
    spec: spec && storedSpec(spec),
    specBefore: specBefore && storedSpec(specBefore),
  };
  return RECORDS.write(stored);
}

/** @throws SyntaxError */
export function recordFrom(text: string): RecordMemory {
  const { replicas, outgoing, spec, specBefore, ...rest } = RECORDS.read(text);
  return {
    ...rest,
    replicas: replicasOf(replicas),
    outgoing: outgoing && replicasOf(outgoing),
    ...(spec && { spec: specOf(spec) }),
    ...(specBefore && { specBefore: specOf(specBefore) }),
  };
}

export function rolloutText(rollout: RolloutState): string {
  return ROLLOUTS.write(rollout);
}

/** @throws SyntaxError */
export function rolloutFrom(text: string): RolloutState {
  return ROLLOUTS.read(text);
}

function tripleOf({ version, ready, wanted }: Replicas): Triple {
  return [version, ready, wanted];
}

function storedSpec({ version, containers, replicas }: Spec): StoredSpec {
  return [version, containers, replicas];
}

function specOf([version, containers, replicas]: StoredSpec): Spec {
  return { version, containers, replicas };
}

function replicasOf([version, ready, wanted]: Triple): Replicas {
  return { version, ready, wanted };
}
