import { MAX_COVERS } from '../../notify/message.ts';
import type { Config } from '../../config/config.ts';
import type { Services } from '../../services.ts';
import { truncate } from '../../lib/text.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { PlatformError } from '../../platform/errors.ts';
import { withLock } from '../../store/redis.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  downMessage,
  moreMessage,
  overMessages,
  type Entry,
  type Outage,
  type OutageFacts,
  type OutageMessage,
} from './outage-view.ts';

/** Says in the ops channel that GVCs cannot be read, once for all that fail alike (ADR 11, "Outage"). */
export interface Outages {
  /** After every failed poll. `failures`: how many in a row by now. What goes wrong here is logged. */
  failed(place: WatchedGvc, failures: number, error: unknown): Promise<void>;
  /**
   * After a poll that succeeded where others had failed. Costs one read when nothing was told.
   * @throws when Redis fails: then it has to be called again, or the outage stays open
   */
  worked(place: WatchedGvc): Promise<void>;
  /** It is not watched any more, so no outage waits for it. @throws as `worked` */
  forget(place: WatchedGvc): Promise<void>;
}

/** What outages are told with. */
type OutageServices = Pick<Services, 'redis' | 'keys' | 'outbox' | 'wake' | 'clock' | 'logger'> & {
  config: Pick<Config, 'contact'> & { readonly channels: Pick<Config['channels'], 'ops'> };
};

/** Where a place that fails belongs, and another outage where it seems to belong lately. */
interface Membership {
  outage: string;
  lately?: { outage: string; times: number };
}

/** A failure is told from this poll in a row on; so is a failure of another kind. */
const TELL_FROM = 3;
/** Characters of a sentence about an answer. */
const MAX_FOUND = 200;
/** GVCs that are not found in the same quarter of an hour are one outage; a later one would only edit an old message. */
const GATHER_MS = HOUR_MS / 4;
const LOCK_TIMES = { ttlMs: 5_000, patienceMs: 20_000 };

const outageField = (outage: string): string => `open ${outage}`;
const memberField = (place: string): string => `in ${place}`;
const numberField = (place: string): string => `n ${place}`;

export function createOutages(services: OutageServices): Outages {
  const { redis, keys, clock } = services;
  const seatOf = (place: string): Promise<Membership | undefined> =>
    stored<Membership>(services, memberField(place));

  /** Reads, changes and tells in one step, under the lock of all processes. */
  async function change(work: (draft: OutageDraft) => Promise<void>): Promise<void> {
    await withLock(redis, keys.lock('outages'), LOCK_TIMES, async (lock) => {
      const draft = createDraft();
      await work(draft);
      const { messages, set, remove } = draft;
      if (Object.keys(set).length + remove.length === 0) return;
      const told = messages.map((message) => ({
        ...message,
        channel: services.config.channels.ops,
      }));
      const channels = await services.outbox.commit(told, {
        lock,
        hash: keys.outages,
        set,
        remove,
      });
      if (channels === undefined) throw new Error('the lock of the outages was lost');
      await services.wake(channels);
    });
  }

  async function fail(place: string, facts: Facts): Promise<void> {
    const known = await seatOf(place);
    const now = clock.now();
    if (known?.outage === nameOf(place, facts, now, known) && known.lately === undefined) return;
    await change(async (draft) => {
      const seat = await seatOf(place);
      const name = nameOf(place, facts, now, seat);
      if (seat === undefined) return join(services, draft, place, facts);
      if (seat.outage === name) return draft.put(memberField(place), { outage: name });
      const times = seat.lately?.outage === name ? seat.lately.times + 1 : 1;
      if (times < TELL_FROM) {
        return draft.put(memberField(place), { ...seat, lately: { outage: name, times } });
      }
      await leave(services, draft, place, false);
      await join(services, draft, place, facts);
    });
  }

  async function end({ org, gvc }: WatchedGvc, back: boolean): Promise<void> {
    const place = `${org}/${gvc}`;
    if ((await seatOf(place)) === undefined) return;
    await change((draft) => leave(services, draft, place, back));
  }

  return {
    async failed({ org, gvc }, failures, error) {
      if (failures < TELL_FROM) return;
      try {
        await fail(`${org}/${gvc}`, factsOf(org, error));
      } catch (cause) {
        // The next failed poll comes here again.
        services.logger.warn({ err: cause, org, gvc }, 'An outage could not be told');
      }
    },
    worked: (place) => end(place, true),
    forget: (place) => end(place, false),
  };
}

type Store = Pick<OutageServices, 'redis' | 'keys' | 'clock' | 'config'>;

async function stored<T>(
  { redis, keys }: Pick<Store, 'redis' | 'keys'>,
  field: string,
): Promise<T | undefined> {
  const text = await redis.hget(keys.outages, field);
  return text === null ? undefined : (JSON.parse(text) as T);
}

/** Puts a place into the outage that it belongs to, which opens if need be. */
async function join(store: Store, draft: OutageDraft, place: string, facts: Facts): Promise<void> {
  const now = store.clock.now();
  const name = nameOf(place, facts, now);
  const outage = (await stored<Outage>(store, outageField(name))) ?? opened(facts, now);
  outage.down.push(place);
  outage.left = outage.left.filter((one) => one !== place);
  // That it was back for a while was never told, so it comes back to its key.
  let post = outage.posts.findIndex((entries) => entries.some((entry) => entry.place === place));
  if (post < 0) {
    const number = ((await stored<number>(store, numberField(place))) ?? 0) + 1;
    post = addToPosts(outage, { place, key: `${place}/@api/down/${number}` });
    draft.put(numberField(place), number);
  }
  draft.put(memberField(place), { outage: name } satisfies Membership);
  draft.put(outageField(name), outage);
  draft.messages.push(downMessage(outage, store.config.contact));
  if (post > 0) draft.messages.push(moreMessage(outage, post));
}

/** Puts a place into the last message that has room for its key, else into one more. @returns which */
function addToPosts({ posts }: Outage, entry: Entry): number {
  const last = posts.at(-1);
  const covers = [...(last ?? []), entry].slice(1).map(({ key }) => key);
  if (last !== undefined && covers.join(' ').length <= MAX_COVERS) last.push(entry);
  else posts.push([entry]);
  return posts.length - 1;
}

/** Takes a place out of its outage, which ends with the last one. `back`: it was read again. */
async function leave(
  store: Store,
  draft: OutageDraft,
  place: string,
  back: boolean,
): Promise<void> {
  const seat = await stored<Membership>(store, memberField(place));
  if (seat === undefined) return;
  draft.remove.push(memberField(place));
  const field = outageField(seat.outage);
  const outage = await stored<Outage>(store, field);
  if (outage === undefined) return;
  outage.down = outage.down.filter((one) => one !== place);
  if (!back) outage.left.push(place);
  if (outage.down.length > 0) {
    draft.put(field, outage);
    draft.messages.push(downMessage(outage, store.config.contact));
    return;
  }
  draft.remove.push(field);
  draft.messages.push(...overMessages(outage, store.clock.now()));
}

/** What is to be written in one step. */
interface OutageDraft {
  messages: OutageMessage[];
  set: Record<string, string>;
  remove: string[];
  put(field: string, value: unknown): void;
}

function createDraft(): OutageDraft {
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
      return 'missing';
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

/** @param seat where the place is now */
function nameOf(place: string, { kind, org }: Facts, now: number, seat?: Membership): string {
  switch (kind) {
    case 'platform':
    case 'purser':
      return kind;
    case 'org':
      return `org ${org}`;
    case 'gvc':
      return `gvc ${place}`;
    case 'missing': {
      const missing = `missing ${org} `;
      const isThere = seat?.outage.startsWith(missing) === true;
      return isThere ? seat.outage : `${missing}${Math.floor(now / GATHER_MS)}`;
    }
  }
}

function opened(facts: Facts, now: number): Outage {
  return { ...facts, since: now, down: [], left: [], posts: [] };
}
