import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Services } from '../services.ts';
import type { Message } from '../notify/message.ts';
import { MESSAGE_TTL_MS, type Outbox } from '../notify/outbox.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';
import type { GvcState, Cache } from './watch/advance.ts';
import { EMPTY_ORG, type Group, type OrgState } from './watch/group.ts';
import { STATES, type Location } from './watch/location.ts';
import type { ApiState } from './watch/operators.ts';
import type { Jobs } from './watch/jobs.ts';
import { own, type Spec, type Workload } from './watch/workload.ts';

/** The stored state of a GVC. */
export interface StoredGvc {
  state: GvcState;
  /** Changes with every write, '' before the first one. */
  revision: string;
}

export interface StoredOrg {
  state: OrgState;
  /** Changes with every write, '' before the first one. */
  revision: string;
}

/** A GVC and its org, opened by the one poll that may write the GVC. */
export interface OpenGvc extends StoredGvc {
  org: StoredOrg;
  cache: Cache;
}

export interface GvcChange {
  set: Record<string, string>;
  remove: string[];
}

export type GvcStore = ReturnType<typeof createGvcStore>;

const META = '@meta';
const API = '@api';
const REVISION = '@revision';
const JOBS = '@jobs/';
/** Names of the platform never begin with it. */
const OWN = '@';
/** About 1 KB each. */
const KEPT_LOCATIONS = 50_000;

/** @param keptLocations locations of all GVCs kept in memory */
export function createGvcStore(
  { redis, keys }: Pick<Services, 'redis' | 'keys'>,
  keptLocations = KEPT_LOCATIONS,
) {
  const kept = new LRUCache<string, OpenGvc>({ maxSize: keptLocations });
  const orgs = new Map<string, StoredOrg>();

  async function openOrg(org: string): Promise<StoredOrg> {
    const known = orgs.get(org);
    const revision = (await redis.hget(keys.org(org), ORG_REVISION)) ?? '';
    if (known?.revision === revision) return known;
    const stored = revision === '' ? EMPTY : await readOrg(redis, keys, org);
    orgs.set(org, stored);
    return stored;
  }

  async function openGvc(org: string, gvc: string): Promise<StoredGvc & { cache: Cache }> {
    const known = kept.get(`${org}/${gvc}`);
    kept.delete(`${org}/${gvc}`);
    if (known !== undefined) {
      const revision = await redis.hget(keys.rollouts(org, gvc), REVISION);
      if (revision === known.revision) return known;
    }
    return { ...(await readGvc(redis, keys, org, gvc)), cache: new Map() };
  }

  return {
    /**
     * The state of a GVC and its org. The copies in memory are used while no other process has written, so that
     * an unchanged poll reads two fields. To be called under the lock of its polls.
     */
    async open(org: string, gvc: string): Promise<OpenGvc> {
      const [stored, own] = await Promise.all([openOrg(org), openGvc(org, gvc)]);
      return { ...own, org: stored };
    },
    /** Keeps the result of a poll, after the change is written. A poll that fails before keeps nothing. */
    keep(org: string, gvc: string, next: OpenGvc, change: GvcChange): void {
      orgs.set(org, next.org);
      const revision = change.set[REVISION] ?? next.revision;
      if (revision === '') return;
      kept.set(`${org}/${gvc}`, { ...next, revision }, { size: Math.max(1, countOf(next.state)) });
    },
  };
}

const EMPTY: StoredOrg = { state: EMPTY_ORG, revision: '' };

function countOf({ workloads }: GvcState): number {
  return Object.values(workloads).reduce(
    (sum, { locations }) => sum + Object.keys(locations).length,
    0,
  );
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
  // Names are foreign: `__proto__` must be a key like any other.
  const workloads = Object.create(null) as Record<string, Workload>;
  const jobs = Object.create(null) as Record<string, Jobs>;
  const state: GvcState = { workloads, jobs };
  for (const [field, text] of Object.entries(fields)) {
    if (field === META) state.meta = JSON.parse(text) as NonNullable<GvcState['meta']>;
    else if (field === API) state.api = JSON.parse(text) as ApiState;
    else if (field.startsWith(JOBS)) jobs[field.slice(JOBS.length)] = JSON.parse(text) as Jobs;
    else if (!field.startsWith(OWN)) workloads[field] = workloadFrom(text);
  }
  return state;
}

/**
 * Changes of the hash from `before` to `next`, with a new revision; empty for an unchanged poll. Identical
 * objects are unchanged.
 */
export function changesOf(before: GvcState, next: GvcState): GvcChange {
  const change: GvcChange = { set: {}, remove: [] };
  compare(change, partsOf(before), partsOf(next), JSON.stringify);
  compare(change, before.jobs, next.jobs, JSON.stringify, JOBS);
  compare(change, before.workloads, next.workloads, workloadText);
  if (Object.keys(change.set).length + change.remove.length > 0) {
    change.set[REVISION] = randomUUID();
  }
  return change;
}

function partsOf({ meta, api }: GvcState): Record<string, unknown> {
  return { ...(meta && { [META]: meta }), ...(api && { [API]: api }) };
}

function compare<T>(
  change: GvcChange,
  before: Readonly<Record<string, T>>,
  next: Readonly<Record<string, T>>,
  textOf: (one: T) => string,
  prefix = '',
): void {
  if (before === next) return;
  for (const [name, now] of Object.entries(next)) {
    const old = own(before, name);
    if (old === now) continue;
    const text = textOf(now);
    if (old === undefined || textOf(old) !== text) change.set[prefix + name] = text;
  }
  for (const name of Object.keys(before)) {
    if (own(next, name) === undefined) change.remove.push(prefix + name);
  }
}

type StoredSpec = readonly [
  version: number,
  containers: Spec['containers'],
  replicas: number | null,
];

/** `flags`: number of the state, 16 = was ready, 32 = served. `more`: everything rare. */
type StoredLocation = readonly [
  name: string,
  flags: number,
  since: number,
  version: number,
  gvc: number,
  have: number,
  fresh: number,
  wanted: number,
  more?: Partial<Location>,
];

type StoredWorkload = readonly [
  version: number,
  gvc: number,
  locations: readonly StoredLocation[],
  spec: StoredSpec | null,
  more: Omit<Workload, 'version' | 'gvc' | 'locations' | 'spec'>,
];

/**
 * A workload with its locations. What each location has is stored without names: ten thousand locations stay
 * in Redis for months, and the names would be most of the size.
 */
export function workloadText(workload: Workload): string {
  const { version, gvc, locations, spec, ...more } = workload;
  const stored: StoredWorkload = [
    version,
    gvc,
    Object.entries(locations).map(([name, location]) => storedLocation(name, location)),
    spec === undefined ? null : [spec.version, spec.containers, spec.replicas ?? null],
    more,
  ];
  return JSON.stringify(stored);
}

/** @throws SyntaxError */
export function workloadFrom(text: string): Workload {
  const [version, gvc, stored, spec, more] = JSON.parse(text) as StoredWorkload;
  const locations = Object.create(null) as Record<string, Location>;
  for (const one of stored) locations[one[0]] = locationFrom(one);
  const known =
    spec === null
      ? {}
      : { spec: { version: spec[0], containers: spec[1], replicas: spec[2] ?? undefined } };
  return { ...more, version, gvc, ...known, locations };
}

const WAS_READY = 16;
const SERVED = 32;

function storedLocation(name: string, location: Location): StoredLocation {
  const { state, since, version, gvc, have, fresh, wanted, wasReady, served, ...more } = location;
  const flags = STATES.indexOf(state) + (wasReady ? WAS_READY : 0) + (served ? SERVED : 0);
  const stored = [name, flags, since, version, gvc, have, fresh, wanted] as const;
  return Object.values(more).some((value) => value !== undefined) ? [...stored, more] : stored;
}

function locationFrom(stored: StoredLocation): Location {
  const [, flags, since, version, gvc, have, fresh, wanted, more] = stored;
  return {
    state: STATES[flags % WAS_READY] ?? 'unknown',
    since,
    version,
    gvc,
    have,
    fresh,
    wanted,
    wasReady: (flags & WAS_READY) > 0,
    served: (flags & SERVED) > 0,
    ...more,
  };
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

/** In the order of the places. */
export async function readPollStatuses(
  redis: RedisConnection,
  keys: Keys,
  places: readonly { org: string; gvc: string }[],
): Promise<PollStatus[]> {
  if (places.length === 0) return [];
  const texts = await redis.mget(places.map(({ org, gvc }) => keys.pulse(org, gvc)));
  return texts.map((text) => (text === null ? NO_POLL : (JSON.parse(text) as PollStatus)));
}

const ORG_STATE = 'state';
const ORG_REVISION = 'revision';

export async function readOrg(redis: RedisConnection, keys: Keys, org: string): Promise<StoredOrg> {
  const [text, revision] = await redis.hmget(keys.org(org), ORG_STATE, ORG_REVISION);
  if (typeof text !== 'string' || typeof revision !== 'string') return EMPTY;
  return { state: JSON.parse(text) as OrgState, revision };
}

/** The org after a poll; the very object that was there where nothing has changed. */
export function nextOrg(before: StoredOrg, state: OrgState): StoredOrg {
  const isSame = state === before.state || JSON.stringify(state) === JSON.stringify(before.state);
  return isSame ? before : { state, revision: randomUUID() };
}

/** The change of an org for a commit, which is refused if another poll was faster. */
export function orgChange(hash: string, { revision }: StoredOrg, next: StoredOrg) {
  return {
    hash,
    expect: { [ORG_REVISION]: revision === '' ? null : revision },
    set: next.revision === revision ? {} : orgFields(next),
  };
}

export function orgFields({ state, revision }: StoredOrg): Record<string, string> {
  return { [ORG_STATE]: JSON.stringify(state), [ORG_REVISION]: revision };
}

/**
 * Forgets a GVC that is no longer watched: when it is watched again, the first poll posts nothing. Numbers
 * are kept as long as their messages, because keys contain those numbers: a used one must not be reused for
 * other news. To be called under the lock of its polls.
 * @param messages the last edits, which are written in the same step
 * @returns the channels that have something to deliver
 */
export async function forgetGvc(
  { redis, keys, outbox }: Pick<Services, 'redis' | 'keys'> & { outbox: Pick<Outbox, 'commit'> },
  { org, gvc }: { org: string; gvc: string },
  messages: readonly Message[] = [],
): Promise<string[]> {
  const hash = keys.rollouts(org, gvc);
  const { state } = await readGvc(redis, keys, org, gvc);
  const change = changesOf(state, numbersOf(state));
  let channels: string[] | undefined;
  // Polls of other GVCs may write the org meanwhile.
  while (channels === undefined) {
    const before = await readOrg(redis, keys, org);
    const shared = orgChange(keys.org(org), before, nextOrg(before, withoutGvc(before.state, gvc)));
    channels = await outbox.commit(messages, { hash, ...change, shared });
  }
  await redis.pexpire(hash, MESSAGE_TTL_MS);
  // Last, because the next poll sees by it whether there is anything to forget.
  await redis.del(keys.pulse(org, gvc));
  return channels;
}

function numbersOf(state: GvcState): GvcState {
  const workloads = Object.create(null) as Record<string, Workload>;
  for (const [name, { version, gvc, numbers, older }] of Object.entries(state.workloads)) {
    if (Object.keys(numbers).length === 0 && older === undefined) continue;
    workloads[name] = { version, gvc, ends: {}, numbers, older, locations: {} };
  }
  const { api: known } = state;
  const api = known && { odd: 0, unreadable: { n: known.unreadable.n }, slow: { n: known.slow.n } };
  return { workloads, jobs: {}, api };
}

/** The org without a GVC: its ill workloads, and those in groups. */
export function withoutGvc({ ill, groups, numbers }: OrgState, gvc: string): OrgState {
  const isOther = (name: string): boolean => !name.startsWith(`${gvc}/`);
  const { [gvc]: _, ...others } = ill;
  const kept: Record<string, Group> = {};
  for (const [id, group] of Object.entries(groups)) {
    const members = Object.entries(group.members).filter(([name]) => isOther(name));
    if (members.length === 0 || (group.kind === 'gvc' && group.name === gvc)) continue;
    const isSame = members.length === Object.keys(group.members).length;
    kept[id] = isSame ? group : { ...group, members: Object.fromEntries(members) };
  }
  return { ill: others, groups: kept, numbers };
}
