import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import type { Write } from '../notify/outbox.ts';
import type { Keys } from '../store/redis.ts';
import type { Services } from '../services.ts';
import { KEPT_MS, readAudit, type AuditEntry } from '../store/audit.ts';
import { derivedKeys, type DerivedKeys } from '../lib/derived-key.ts';
import { Refusal } from '../lib/errors.ts';
import { record } from '../metrics.ts';
import { lineOf, refusedLine, type NotedEvent, type Refused } from './audit.ts';
import { dueOf, move, type ChangeEvent } from './states.ts';
import { Change, inputKey, isOpen, STATES, type Actor } from './change.ts';
import { messagesOf, unreadableMessage } from './messages/messages.ts';

type ChangeKind = Change['order']['kind'];

/** Open requests of one person: more would bury those of the others. */
export const MAX_OPEN = 10;

/**
 * The slots of a person (of one or several accounts) among the open requests: fields of their hash. Taking one is
 * part of the write that files a request, so two requests cannot take the same. An input is never such a field: its key
 * begins with a bracket.
 */
export function slotsOf({ userId, email }: Pick<Actor, 'userId' | 'email'>): string[] {
  return Array.from({ length: MAX_OPEN }, (_, index) => `${email ?? userId}/${index + 1}`);
}

export interface MoveOptions {
  /** Stores the sealed secret, or deletes it. `forMs` in milliseconds. */
  secret?: { readonly sealed: string; readonly forMs: number } | 'drop';
}

/** After this time a record that cannot be read is tried again. Milliseconds. */
const SHELVED_MS = HOUR_MS;

type Created = { readonly made: true } | { readonly same: Change } | { readonly full: number };

export type ChangeStore = ReturnType<typeof createChangeStore>;

type StoreServices = Pick<
  Services,
  'redis' | 'keys' | 'outbox' | 'wake' | 'logger' | 'config' | 'clock'
>;

/**
 * The requests for changes, in Redis (design section 8). Each move is a compare-and-swap. They and the audit are kept
 * for 400 days.
 */
export function createChangeStore(services: StoreServices) {
  const { redis, keys } = services;
  const reader = createReader(services);
  const write = createWriter(services);
  const openRequests = createOpenRequests(services);
  const { sign, isGenuine } = createSignature(derivedKeys(services.config, 'changes'));

  return {
    /** Whether Purser wrote it: nothing else may have an effect (ADR 29). */
    isGenuine,
    /**
     * Stores a new request, unless an equal one is open already, which is then returned. Repeating the call with the same
     * request after an error is safe. `full`: the requester's number of open requests is at the limit.
     * @throws when the store does not answer
     */
    async create(unsigned: Change): Promise<Created> {
      const change = sign(unsigned);
      for (;;) {
        const { open, taken } = await openRequests.find(change);
        const same = open === null ? undefined : (await reader.some([open]))[0];
        if (same?.id === change.id) return { made: true };
        if (same && isOpen(same)) return { same };
        if ((await redis.exists(keys.change(change.id))) === 1) {
          throw new Error(`there is a change ${change.id} already`);
        }
        const free = await reader.over(taken);
        if (free === -1) return { full: taken.length };
        const isWritten = await write(
          change,
          { hash: keys.changesOpen, ...openRequests.entry(change, { open, taken, free }) },
          [
            ['HSET', keys.change(change.id), ...Object.entries(fieldsOf(change)).flat()],
            ['HINCRBY', keys.changesByState, change.state, 1],
          ],
          { kind: 'request', at: change.requestedAt },
        );
        if (isWritten) return { made: true };
      }
    },
    /** @throws UnreadableError */
    get: reader.get,
    move: createMover(services, { sign, isGenuine }),
    refused: createRefusedWriter(services),
    shelve: createShelf(services),
    /** Adds a line to the audit that moves no change. */
    async note(change: Change, event: NotedEvent): Promise<void> {
      const audit = lineOf(change, event);
      if (audit) await services.outbox.commit([], { ...unguarded(keys), audit });
    },
    /** The latest requests first; `offset` and `count` include unreadable ones, which are left out. */
    async list(offset: number, count: number): Promise<Change[]> {
      if (count <= 0) return [];
      return reader.some(await redis.zrevrange(keys.changes, offset, offset + count - 1));
    },
    /** Of each of these kinds the change that was sent to the platform last, however long ago it was requested. */
    async lastSent(kinds: readonly ChangeKind[]): Promise<Change[]> {
      const ids = await redis.hmget(keys.changesSent, ...kinds);
      return reader.some(ids.filter((id) => id !== null));
    },
    count: (): Promise<number> => redis.zcard(keys.changes),
    /** The oldest first. */
    async open(): Promise<Change[]> {
      const ids = await redis.hvals(keys.changesOpen);
      const all = await reader.some([...new Set(ids)]);
      return all.filter(isOpen).toSorted(byRequest);
    },
    /** Ids that are due at that time (ms since the epoch), the longest due first. */
    due: (now: number): Promise<string[]> => redis.zrangebyscore(keys.changesDue, '-inf', now),
    /** Reads and deletes the sealed secret of a change. */
    takeSecret: async (id: string) => (await redis.getdel(keys.secret(id))) ?? undefined,
    /** The oldest first; of one change, or of all. */
    audit: (change?: string): AsyncIterable<AuditEntry> =>
      readAudit(redis, change === undefined ? keys.audit : keys.auditOf(change), services.logger),
  };
}

function createMover(
  services: StoreServices,
  { sign, isGenuine }: ReturnType<typeof createSignature>,
) {
  const { redis, keys } = services;
  const write = createWriter(services);
  const openRequests = createOpenRequests(services);
  /**
   * Moves a change together with its messages and its audit line: everything, or nothing.
   * @param change as it was read @returns the change after the move; undefined when it is not possible, or another
   * process moved it meanwhile: read it again. A change that Purser did not write can only be disowned.
   * @throws when the store does not answer: it may have moved, so read it again
   */
  return async (
    change: Change,
    event: ChangeEvent,
    { secret }: MoveOptions = {},
  ): Promise<Change | undefined> => {
    if (event.kind !== 'disown' && !isGenuine(change)) return undefined;
    const moved = move(change, event);
    if (moved === undefined) return undefined;
    const next = sign(moved);
    const hash = keys.change(next.id);
    const expect = { version: String(change.version) };
    const set = fieldsOf(next);
    const writes = secretWrites(keys.secret(next.id), secret);
    // Only then: later the same input may be open again, as another change.
    const closes = isOpen(change) && !isOpen(next);
    writes.push(...sentWrites(keys, change, next));
    if (next.state !== change.state) {
      writes.push(
        ['HINCRBY', keys.changesByState, change.state, -1],
        ['HINCRBY', keys.changesByState, next.state, 1],
      );
    }
    if (closes) writes.push(['HDEL', keys.changesOpen, ...(await openRequests.fieldsOf(next))]);
    if (await write(next, { hash, expect, set }, writes, event)) return next;
    // After a lost connection the client repeats the command, which fails because the first one succeeded.
    return (await redis.hget(hash, 'mark')) === set.mark ? next : undefined;
  };
}

/**
 * Signs stored changes (HMAC-SHA256), because Redis is not trusted with authority: a record that was written or edited
 * by anything but Purser has no valid signature, and nothing is done for it (ADR 29). It covers every field.
 * @param keys the first signs, and any verifies
 */
export function createSignature(keys: () => DerivedKeys) {
  const macOf = (key: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  return {
    sign: (change: Change): Change => ({
      ...change,
      signature: macOf(keys()[0], signedText(change)).toString('hex'),
    }),
    isGenuine: (change: Change): boolean => {
      const signature = Buffer.from(change.signature ?? '', 'hex');
      const text = signedText(change);
      return keys().some((key) => {
        const mac = macOf(key, text);
        return mac.length === signature.length && timingSafeEqual(mac, signature);
      });
    },
  };
}

/** Parsing puts the fields in one order. */
function signedText(change: Change): string {
  return JSON.stringify(Change.parse({ ...change, signature: undefined }));
}

/** Reads the states of the changes, for the metrics. */
export async function measureChanges({
  redis,
  keys,
  logger,
  clock,
}: Pick<Services, 'redis' | 'keys' | 'logger' | 'clock'>): Promise<void> {
  const counts = await redis.hmget(keys.changesByState, ...STATES);
  for (const [index, state] of STATES.entries()) {
    record.changes.set({ state }, Math.max(0, Number(counts[index] ?? 0)));
  }
  const ids = [...new Set(await redis.hvals(keys.changesOpen))];
  const open = await createReader({ redis, keys, logger }).some(ids);
  for (const state of OPEN_STATES) {
    const since = open.filter((change) => change.state === state).map(inStateSince);
    const ageMs = since.length === 0 ? 0 : clock.now() - Math.min(...since);
    record.changeOldest.set({ state }, Math.max(0, ageMs) / 1_000);
  }
}

const OPEN_STATES = ['pending', 'approved', 'executing'] as const;

function inStateSince({ state, requestedAt, decision, sentAt }: Change): number {
  const decidedAt = decision?.at ?? requestedAt;
  if (state === 'pending') return requestedAt;
  return state === 'approved' ? decidedAt : (sentAt ?? decidedAt);
}

/** A write that expects nothing. */
function unguarded(keys: Keys) {
  return { hash: keys.lock('none'), set: {}, remove: [] };
}

function createShelf({ redis, keys, outbox, wake, config, clock }: StoreServices) {
  /**
   * Puts the due work of a record that is gone or cannot be read away for an hour, and reports it once, so that it
   * blocks no other change.
   */
  return async (id: string): Promise<void> => {
    if ((await redis.exists(keys.change(id))) === 0) {
      await redis.zrem(keys.changesDue, id);
      return;
    }
    const message = unreadableMessage(config.channels.ops, id);
    const writes: Write[] = [['ZADD', keys.changesDue, clock.now() + SHELVED_MS, id]];
    await wake((await outbox.commit([message], { ...unguarded(keys), writes })) ?? []);
  };
}

/** The hash of the open requests: by their input, and by the slots of their requesters. */
function createOpenRequests({ redis, keys }: StoreServices) {
  return {
    /** The change with the same input, and those in the slots of the requester; null for free ones. */
    async find({ order, requester }: Change) {
      const fields = [inputKey(order), ...slotsOf(requester)];
      const [open = null, ...taken] = await redis.hmget(keys.changesOpen, ...fields);
      return { open, taken };
    },
    /** The fields of a new request, and their expected values until then. */
    entry({ id, order, requester }: Change, { open, taken, free }: Seen) {
      const [key, slot] = [inputKey(order), slotsOf(requester)[free] ?? ''];
      return {
        expect: { [key]: open, [slot]: taken[free] ?? null },
        set: { [key]: id, [slot]: id },
      };
    },
    async fieldsOf({ id, order, requester }: Change): Promise<string[]> {
      const slots = slotsOf(requester);
      const taken = await redis.hmget(keys.changesOpen, ...slots);
      return [inputKey(order), ...slots.filter((_, index) => taken[index] === id)];
    },
  };
}

interface Seen {
  readonly open: string | null;
  readonly taken: readonly (string | null)[];
  readonly free: number;
}

/** The older request first; of the same moment by id, as in the index. */
function byRequest(a: Change, b: Change): number {
  return a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1);
}

/** @throws when the result would be unreadable: nothing is written then */
function fieldsOf(change: Change): { version: string; data: string; mark: string } {
  const data = JSON.stringify(Change.parse(change));
  return { version: String(change.version), data, mark: randomUUID() };
}

function secretWrites(key: string, secret: MoveOptions['secret']): Write[] {
  if (secret === undefined) return [];
  if (secret === 'drop') return [['DEL', key]];
  return [['SET', key, secret.sealed, 'PX', Math.max(1, Math.ceil(secret.forMs))]];
}

function sentWrites(keys: Keys, before: Change, { id, order, sentAt, resentAt }: Change): Write[] {
  const isSent = sentAt !== before.sentAt || resentAt !== before.resentAt;
  return isSent ? [['HSET', keys.changesSent, order.kind, id]] : [];
}

/** A change and its audit are kept for 400 days after its last event, by the clock of Redis. */
function ageWrites(keys: Keys, id: string): Write[] {
  return [
    ['PEXPIRE', keys.change(id), KEPT_MS],
    ['PEXPIRE', keys.auditOf(id), KEPT_MS],
    ['TRIM', keys.changes],
  ];
}

function createRefusedWriter({ redis, keys, outbox }: StoreServices) {
  /**
   * Adds a refusal to the audit: once for each person, change and reason, and once a day without a change, so that it
   * cannot be flooded.
   * @throws when the store does not answer
   */
  return async (refusal: Refused): Promise<void> => {
    const { about, at, by, what, why } = refusal;
    const id = typeof about === 'object' ? about.id : undefined;
    const day = new Date(at).toISOString().slice(0, 10);
    const hash = id === undefined ? keys.changesRefused(day) : keys.change(id);
    const field =
      typeof about === 'object' ? `refused/${by}/${why}` : `${by}/${about ?? what}/${why}`;
    if ((await redis.hexists(hash, field)) === 1) return;
    await outbox.commit([], {
      hash,
      // Of two at once one is written.
      expect: { [field]: null },
      set: { [field]: 'audited' },
      remove: [],
      writes: id === undefined ? [['PEXPIRE', hash, 2 * DAY_MS]] : ageWrites(keys, id),
      audit: refusedLine(refusal),
    });
  };
}

/** Writes a change with its index, audit and messages; false when the guarded hash is not as expected. */
function createWriter({ keys, outbox, wake, logger }: StoreServices) {
  function indexOf(change: Change): Write[] {
    const due = dueOf(change);
    const { id } = change;
    return [
      ['ZADD', keys.changes, change.requestedAt, id],
      due === undefined ? ['ZREM', keys.changesDue, id] : ['ZADD', keys.changesDue, due, id],
    ];
  }

  return async (
    change: Change,
    guarded: { hash: string; expect: Record<string, string | null>; set: Record<string, string> },
    beside: readonly Write[],
    event: Parameters<typeof lineOf>[1],
  ): Promise<boolean> => {
    const line = lineOf(change, event);
    const writes = [...beside, ...indexOf(change), ...ageWrites(keys, change.id)];
    const channels = await outbox.commit(messagesOf(change), {
      ...guarded,
      remove: [],
      writes,
      ...(line && { audit: line }),
    });
    if (channels === undefined) return false;
    try {
      await wake(channels);
    } catch (error) {
      // It is written, and the sweep of the outbox finds it.
      logger.warn({ err: error, change: change.id }, 'No worker was woken for a change');
    }
    return true;
  };
}

function createReader({ redis, keys, logger }: Pick<StoreServices, 'redis' | 'keys' | 'logger'>) {
  async function get(id: string): Promise<Change | undefined> {
    const [data = null, version] = await redis.hmget(keys.change(id), 'data', 'version');
    if (data === null) return undefined;
    try {
      const change = Change.parse(JSON.parse(data));
      const isConsistent = change.id === id && String(change.version) === version;
      if (!isConsistent) throw new Error('the record is of another change or version');
      return change;
    } catch (error) {
      throw new UnreadableError(error);
    }
  }

  return {
    get,
    /** Index of the first free slot, or of a change that is over or gone; -1 when all are of open ones. */
    async over(ids: readonly (string | null)[]): Promise<number> {
      const free = ids.indexOf(null);
      if (free !== -1) return free;
      const all = await Promise.all(ids.map((id) => get(id ?? '').catch(skip(id ?? ''))));
      return all.findIndex((change) => change === undefined || !isOpen(change));
    },
    async some(ids: readonly string[]): Promise<Change[]> {
      const all = await Promise.all(ids.map((id) => get(id).catch(skip(id))));
      return all.filter((change) => change !== undefined);
    },
  };

  /** An unreadable record must not hide the others. */
  function skip(id: string): (error: unknown) => undefined {
    return (error) => {
      if (!(error instanceof UnreadableError)) throw error;
      logger.error({ err: error, change: id }, 'A change cannot be read');
    };
  }
}

/** The stored record is damaged, or of a later release. */
export class UnreadableError extends Refusal {
  constructor(cause: unknown) {
    super('This request cannot be read: ask again, and contact your Purser administrator.', cause);
  }
}
