import { randomUUID } from 'node:crypto';
import type { Logger } from '../lib/logger.ts';
import type { Outbox, Write } from '../notify/outbox.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { lineOf, readLine } from './audit.ts';
import type { AuditEntry } from './audit.ts';
import { Change, isOpen, orderKey } from './change.ts';
import { messagesOf } from './messages/messages.ts';
import { dueOf, move } from './states.ts';
import type { ChangeEvent } from './states.ts';

/** What is kept beside a change, in the same step as its move. */
export interface Beside {
  /** Puts the sealed secret by, or takes it away. `forMs` in milliseconds. */
  secret?: { readonly sealed: string; readonly forMs: number } | 'drop';
}

/**
 * The requests for changes, in Redis (design section 8). Each move is a compare-and-swap. They are kept
 * for good, and so is the audit.
 */
export interface Changes {
  /**
   * Keeps a new request, unless the same is open already: then that one is given. The request itself
   * is not the same: asking again after an error is safe.
   * @throws when the store does not answer
   */
  create(change: Change): Promise<{ readonly made: true } | { readonly same: Change }>;
  /** @throws when what is there cannot be read as a change */
  get(id: string): Promise<Change | undefined>;
  /**
   * Moves a change on together with its messages and its line in the audit: all of it, or nothing.
   * @param change as it was read
   * @returns as it is now; undefined when it cannot move so, or somebody else moved it meanwhile:
   *   read it again. @throws when the store does not answer: then nobody knows whether it moved, and
   *   only what is read again counts
   */
  move(change: Change, event: ChangeEvent, beside?: Beside): Promise<Change | undefined>;
  /** The latest requests first; `offset` and `count` go by all there are, what cannot be read is left out. */
  list(offset: number, count: number): Promise<Change[]>;
  /** How many there are. */
  count(): Promise<number>;
  /** All that are open, the oldest first. */
  open(): Promise<Change[]>;
  /** Ids for which something is due at that time (ms since the epoch), the longest due first. */
  due(now: number): Promise<string[]>;
  /** The sealed secret of a change, which is gone then. */
  takeSecret(id: string): Promise<string | undefined>;
  /** What happened, the oldest first; of one change, or of all. */
  audit(change?: string): AsyncIterable<AuditEntry>;
}

interface ChangesDeps {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly outbox: Outbox;
  /** Told which channels have something to deliver. */
  readonly wake: (channels: readonly string[]) => Promise<void>;
  readonly logger: Logger;
}

/** Lines of the audit that are read in one go. */
const PAGE = 500;

export function createChanges(deps: ChangesDeps): Changes {
  const { redis, keys } = deps;
  const reader = createReader(deps);
  const write = createWriter(deps);
  return {
    async create(change) {
      const order = orderKey(change.order);
      for (;;) {
        const open = await redis.hget(keys.changesOpen, order);
        const same = open === null ? undefined : (await reader.some([open]))[0];
        if (same?.id === change.id) return { made: true };
        if (same && isOpen(same)) return { same };
        if ((await redis.exists(keys.change(change.id))) === 1) {
          throw new Error(`there is a change ${change.id} already`);
        }
        const isWritten = await write(
          change,
          { hash: keys.changesOpen, expect: { [order]: open }, set: { [order]: change.id } },
          [['HSET', keys.change(change.id), ...Object.entries(fieldsOf(change)).flat()]],
          { kind: 'request', at: change.requestedAt },
        );
        if (isWritten) return { made: true };
      }
    },
    get: reader.get,
    async move(change, event, { secret } = {}) {
      const next = move(change, event);
      if (next === undefined) return undefined;
      const hash = keys.change(next.id);
      const expect = { version: String(change.version) };
      const set = fieldsOf(next);
      const writes = secretWrites(keys.secret(next.id), secret);
      // Only then: later the same order may be open again, as another change.
      const closes = isOpen(change) && !isOpen(next);
      if (closes) writes.push(['HDEL', keys.changesOpen, orderKey(next.order)]);
      if (await write(next, { hash, expect, set }, writes, event)) return next;
      // After a lost connection a command is sent again, and is refused for what it did the first time.
      return (await redis.hget(hash, 'mark')) === set.mark ? next : undefined;
    },
    async list(offset, count) {
      if (count <= 0) return [];
      return reader.some(await redis.zrevrange(keys.changes, offset, offset + count - 1));
    },
    count: () => redis.zcard(keys.changes),
    async open() {
      const all = await reader.some(await redis.hvals(keys.changesOpen));
      return all.filter(isOpen).toSorted(byRequest);
    },
    due: (now) => redis.zrangebyscore(keys.changesDue, '-inf', now),
    takeSecret: async (id) => (await redis.getdel(keys.secret(id))) ?? undefined,
    audit: (change) => reader.audit(change === undefined ? keys.audit : keys.auditOf(change)),
  };
}

/** The older request first; of the same moment by id, as in the index. */
function byRequest(a: Change, b: Change): number {
  return a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1);
}

/** @throws when it would not be read as a change again: nothing is written then */
function fieldsOf(change: Change): { version: string; data: string; mark: string } {
  const data = JSON.stringify(Change.parse(change));
  return { version: String(change.version), data, mark: randomUUID() };
}

function secretWrites(key: string, secret: Beside['secret']): Write[] {
  if (secret === undefined) return [];
  if (secret === 'drop') return [['DEL', key]];
  return [['SET', key, secret.sealed, 'PX', Math.max(1, Math.ceil(secret.forMs))]];
}

/** Writes a change with all that goes with it; false when the guarded hash is not as expected. */
function createWriter({ keys, outbox, wake, logger }: ChangesDeps) {
  function indexOf(change: Change): Write[] {
    const due = dueOf(change);
    const { id } = change;
    return [
      ['ZADD', keys.changes, change.requestedAt, id],
      due === undefined ? ['ZREM', keys.changesDue, id] : ['ZADD', keys.changesDue, due, id],
    ];
  }

  function auditOf(change: Change, event: Parameters<typeof lineOf>[1]): Write[] {
    const line = lineOf(change, event);
    if (line === undefined) return [];
    const data = JSON.stringify(line);
    return [keys.audit, keys.auditOf(change.id)].map((key) => {
      return ['XADD', key, '*', 'change', change.id, 'event', event.kind, 'data', data] as const;
    });
  }

  return async (
    change: Change,
    guarded: { hash: string; expect: Record<string, string | null>; set: Record<string, string> },
    beside: readonly Write[],
    event: Parameters<typeof lineOf>[1],
  ): Promise<boolean> => {
    const writes = [...beside, ...indexOf(change), ...auditOf(change, event)];
    const channels = await outbox.commit(messagesOf(change), { ...guarded, remove: [], writes });
    if (channels === undefined) return false;
    try {
      await wake(channels);
    } catch (error) {
      // It is written, and the sweep of the outbox finds it.
      logger.warn({ err: error, change: change.id }, 'Nobody was woken for a change');
    }
    return true;
  };
}

function createReader({ redis, keys, logger }: ChangesDeps) {
  async function get(id: string): Promise<Change | undefined> {
    const data = await redis.hget(keys.change(id), 'data');
    if (data === null) return undefined;
    try {
      return Change.parse(JSON.parse(data));
    } catch (error) {
      throw new UnreadableError(`the change ${id} cannot be read`, { cause: error });
    }
  }

  return {
    get,
    /** Those of them that are there and can be read. */
    async some(ids: readonly string[]): Promise<Change[]> {
      const all = await Promise.all(ids.map((id) => get(id).catch(skip(id))));
      return all.filter((change) => change !== undefined);
    },
    async *audit(stream: string): AsyncIterable<AuditEntry> {
      for (let from = '-'; ;) {
        const page = await redis.xrange(stream, from, '+', 'COUNT', PAGE);
        for (const [entry, fields] of page) {
          const line = read(entry, fields);
          if (line) yield line;
        }
        const last = page.at(-1)?.[0];
        if (last === undefined || page.length < PAGE) return;
        from = `(${last}`;
      }
    },
  };

  /** One that cannot be read must not hide the others. */
  function skip(id: string): (error: unknown) => undefined {
    return (error) => {
      if (!(error instanceof UnreadableError)) throw error;
      logger.error({ err: error, change: id }, 'A change cannot be read');
    };
  }

  function read(entry: string, fields: readonly string[]): AuditEntry | undefined {
    try {
      return readLine(entry, fields[fields.indexOf('data') + 1] ?? '');
    } catch (error) {
      logger.error({ err: error, entry }, 'A line of the audit cannot be read');
      return undefined;
    }
  }
}

class UnreadableError extends Error {}
