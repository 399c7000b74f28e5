import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Outbox } from '../../notify/outbox.ts';
import { truncate } from '../../lib/text.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Keys } from '../../store/keys.ts';
import { withLock } from '../../store/lock.ts';
import type { RedisConnection } from '../../store/redis.ts';
import { downMessage, moreMessage, overMessages, seatIn } from './outage-messages.ts';
import type { Outage, OutageMessage } from './outage-messages.ts';
import type { OutageFacts } from './outage-view.ts';

/** Says in the ops channel that GVCs cannot be read, once for all that fail alike (ADR 11, "Outage"). */
export interface Outages {
  /** After every failed poll. `failures`: how many in a row by now. What goes wrong here is logged. */
  failed(place: WatchedPlace, failures: number, error: unknown): Promise<void>;
  /**
   * After a poll that succeeded where others had failed. Costs one read when nothing was told.
   * @throws when Redis fails: then it has to be called again, or the outage stays open
   */
  worked(place: WatchedPlace): Promise<void>;
  /** Nobody watches it any more, so no outage waits for it. @throws as `worked` */
  forget(place: WatchedPlace): Promise<void>;
}

interface WatchedPlace {
  org: string;
  gvc: string;
}

interface OutageDeps {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
  clock: Clock;
  opsChannel: string;
  logger: Logger;
}

/** Where a place that fails belongs, and another outage where it seems to belong lately. */
interface Seat {
  outage: string;
  lately?: { outage: string; times: number };
}

/** A failure is told from this poll in a row on; so is a failure of another kind. */
const TELL_FROM = 3;
/** Characters of a sentence about an answer. */
const MAX_FOUND = 200;
const LOCK_TIMES = { ttlMs: 5_000, patienceMs: 20_000 };

const outageField = (outage: string): string => `open ${outage}`;
const seatField = (place: string): string => `in ${place}`;
const numberField = (place: string): string => `n ${place}`;

export function createOutages(deps: OutageDeps): Outages {
  const { redis, keys } = deps;
  const seatOf = (place: string): Promise<Seat | undefined> => stored<Seat>(deps, seatField(place));

  /** Reads, changes and tells in one step, whoever else does. */
  async function change(work: (draft: Draft) => Promise<void>): Promise<void> {
    await withLock(redis, keys.lock('outages'), LOCK_TIMES, async (lock) => {
      const draft = createDraft();
      await work(draft);
      const { messages, set, remove } = draft;
      if (Object.keys(set).length + remove.length === 0) return;
      const told = messages.map((message) => ({ ...message, channel: deps.opsChannel }));
      const channels = await deps.outbox.commit(told, { lock, hash: keys.outages, set, remove });
      if (channels === undefined) throw new Error('the lock of the outages was lost');
      await deps.wake(channels);
    });
  }

  async function fail(place: string, facts: Facts): Promise<void> {
    const name = nameOf(place, facts);
    const known = await seatOf(place);
    if (known?.outage === name && known.lately === undefined) return;
    await change(async (draft) => {
      const seat = await seatOf(place);
      if (seat === undefined) return join(deps, draft, place, facts);
      if (seat.outage === name) return draft.put(seatField(place), { outage: name });
      const times = seat.lately?.outage === name ? seat.lately.times + 1 : 1;
      if (times < TELL_FROM) {
        return draft.put(seatField(place), { ...seat, lately: { outage: name, times } });
      }
      await leave(deps, draft, place, false);
      await join(deps, draft, place, facts);
    });
  }

  async function end({ org, gvc }: WatchedPlace, back: boolean): Promise<void> {
    const place = `${org}/${gvc}`;
    if ((await seatOf(place)) === undefined) return;
    await change((draft) => leave(deps, draft, place, back));
  }

  return {
    async failed({ org, gvc }, failures, error) {
      if (failures < TELL_FROM) return;
      try {
        await fail(`${org}/${gvc}`, factsOf(org, error));
      } catch (cause) {
        // The next failed poll comes here again.
        deps.logger.warn({ err: cause, org, gvc }, 'An outage could not be told');
      }
    },
    worked: (place) => end(place, true),
    forget: (place) => end(place, false),
  };
}

type Store = Pick<OutageDeps, 'redis' | 'keys' | 'clock'>;

async function stored<T>({ redis, keys }: Store, field: string): Promise<T | undefined> {
  const text = await redis.hget(keys.outages, field);
  return text === null ? undefined : (JSON.parse(text) as T);
}

/** Puts a place into the outage that it belongs to, which opens if need be. */
async function join(store: Store, draft: Draft, place: string, facts: Facts): Promise<void> {
  const name = nameOf(place, facts);
  const outage =
    (await stored<Outage>(store, outageField(name))) ?? opened(facts, store.clock.now());
  outage.down.push(place);
  outage.left = outage.left.filter((one) => one !== place);
  // That it was back for a while was never told, so it comes back to its key.
  let post = outage.posts.findIndex((entries) => entries.some((entry) => entry.place === place));
  if (post < 0) {
    const number = ((await stored<number>(store, numberField(place))) ?? 0) + 1;
    post = seatIn(outage, { place, key: `${place}/@api/down/${number}` });
    draft.put(numberField(place), number);
  }
  draft.put(seatField(place), { outage: name } satisfies Seat);
  draft.put(outageField(name), outage);
  draft.messages.push(downMessage(outage));
  if (post > 0) draft.messages.push(moreMessage(outage, post));
}

/** Takes a place out of its outage, which ends with the last one. `back`: it was read again. */
async function leave(store: Store, draft: Draft, place: string, back: boolean): Promise<void> {
  const seat = await stored<Seat>(store, seatField(place));
  if (seat === undefined) return;
  draft.remove.push(seatField(place));
  const field = outageField(seat.outage);
  const outage = await stored<Outage>(store, field);
  if (outage === undefined) return;
  outage.down = outage.down.filter((one) => one !== place);
  if (!back) outage.left.push(place);
  if (outage.down.length > 0) {
    draft.put(field, outage);
    draft.messages.push(downMessage(outage));
    return;
  }
  draft.remove.push(field);
  draft.messages.push(...overMessages(outage, store.clock.now()));
}

/** What is to be written in one step. */
interface Draft {
  messages: OutageMessage[];
  set: Record<string, string>;
  remove: string[];
  put(field: string, value: unknown): void;
}

function createDraft(): Draft {
  const set: Record<string, string> = {};
  const remove: string[] = [];
  return {
    messages: [],
    set,
    remove,
    put(field, value) {
      set[field] = JSON.stringify(value);
      const removed = remove.indexOf(field);
      if (removed >= 0) remove.splice(removed, 1);
    },
  };
}

type Facts = Pick<OutageFacts, 'kind' | 'org' | 'reason' | 'status' | 'found'>;

export function factsOf(org: string, error: unknown): Facts {
  // Not the platform's fault: the log has it, and it is told, because nothing is watched meanwhile.
  if (!(error instanceof PlatformError)) return { kind: 'purser', org };
  const { reason, status, message } = error;
  return {
    kind: kindOf(error),
    org,
    reason,
    ...(status === undefined ? {} : { status }),
    ...(isOwnSentence(error) ? { found: truncate(message, MAX_FOUND) } : {}),
  };
}

/** Of an answer that cannot be used, the error's sentence is Purser's; any other may be the platform's. */
function isOwnSentence({ reason, status }: PlatformError): boolean {
  const isLink = reason === 'redirected' && status === undefined;
  return reason === 'malformed' || reason === 'too-large' || isLink;
}

function kindOf({ reason, status }: PlatformError): OutageFacts['kind'] {
  switch (reason) {
    case 'unauthorized':
    case 'forbidden':
      return 'org';
    case 'bad-request':
      // Without an answer it was the key that could not be sent.
      return status === undefined ? 'org' : 'gvc';
    case 'not-found':
    case 'conflict':
    case 'too-large':
      return 'gvc';
    case 'rate-limited':
    case 'server-error':
    case 'unavailable':
    case 'unreachable':
    case 'timeout':
    case 'malformed':
    case 'redirected':
      return 'platform';
  }
}

function nameOf(place: string, { kind, org }: Facts): string {
  return { platform: 'platform', purser: 'purser', org: `org ${org}`, gvc: `gvc ${place}` }[kind];
}

function opened(facts: Facts, now: number): Outage {
  return { ...facts, since: now, down: [], left: [], posts: [] };
}
