import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Keys } from '../store/keys.ts';
import { acquireLock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { SendResult } from '../slack/sender.ts';
import type { RefusalWord } from '../store/refusal.ts';
import type { Message } from './message.ts';
import type { MessageSender } from './sender.ts';
import { storeRefusesContent, storeTakesContent } from './store-outage-view.ts';

export interface StoreOutageDeps {
  redis: RedisConnection;
  keys: Keys;
  sender: Pick<MessageSender, 'post' | 'update' | 'find'>;
  /** Who runs the bot reads here. */
  opsChannel: string;
  /** What this process writes into the key of the beat. */
  self: string;
  clock: Clock;
  logger: Logger;
  /** Milliseconds; see below. */
  times?: Partial<typeof TIMES>;
}

/** Tells the ops channel that Redis takes no writes, and that it takes them again. */
export interface StoreOutageTeller {
  refused(word: RefusalWord): void;
  over(): void;
}

const TIMES = {
  /** A refusal that is over so soon is not told. */
  patienceMs: 3_000,
  /** Longer than from one try of the workers to the next. */
  tryMs: 2_000,
  /** So long whoever had the beat last has the first word. */
  othersMs: 20_000,
  /** Between two tries when Slack does not take it either. */
  againMs: 30_000,
};
/** An outage may be older than this process. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
const LOCK_MS = 30_000;
/** Name of the outages of the store in `keys.numbers`. */
const NUMBER = '@redis/refuses';

/** What this process knows of an outage. */
interface Episode {
  word: RefusalWord;
  /** Milliseconds since the epoch. */
  since: number;
  /** When it was seen last. Milliseconds since the epoch. */
  last: number;
  /** Its end is not told yet. */
  isOver: boolean;
  /** Of its message, as soon as it is known. */
  key?: string;
  ts?: string | undefined;
}

/**
 * The outbox lies in the store that takes no writes, so this one message goes to Slack directly. Which
 * process tells it can only be read: the one that wrote the beat last begins, and the others look into
 * the channel for its key before they tell it themselves. So it is told once, unless that process dies and
 * the channel cannot be read. Its number rises when it is over: until then all of them mean the same message.
 */
export function createStoreOutage(deps: StoreOutageDeps): StoreOutageTeller {
  const { redis, keys, logger, clock } = deps;
  const { patienceMs, tryMs, othersMs, againMs } = { ...TIMES, ...deps.times };
  const slack = createAttempts(deps);
  const isEndTold = createEndTeller(deps, slack);
  let episode: Episode | undefined;
  let timer: NodeJS.Timeout | undefined;
  // One after the other: a message cannot be edited while its post is under way.
  let last: Promise<void> = Promise.resolve();

  /** Brings the message up to date then, again and again until that has worked. */
  function later(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(bringUpToDate).catch((error: unknown) => {
        logger.warn({ err: error }, 'Whether Redis takes writes could not be told yet');
        later(againMs);
      });
    }, ms).unref();
  }

  async function bringUpToDate(): Promise<void> {
    if (episode?.isOver === false) await tell(episode);
    else if (episode !== undefined) await tellOver(episode);
  }

  async function tell(one: Episode): Promise<void> {
    if (clock.now() - one.last > tryMs) return later(patienceMs);
    // Where the right to read is missing as well, everybody tells it, by the minute.
    const minute = new Date(one.since).toISOString().slice(0, 16);
    const next = await nextKey(deps).catch(() => undefined);
    if (isNumbered(one.key) && next !== undefined && next !== one.key) {
      // Another process has told the end of the last one meanwhile, so this is one of its own.
      Object.assign(one, { key: next, ts: undefined, since: one.last });
    }
    one.key ??= next ?? `${NUMBER}/${minute}`;
    const holder = await redis.get(keys.beat).catch(() => null);
    const waitedMs = clock.now() - one.since;
    if (holder !== null && holder !== deps.self && waitedMs < othersMs) {
      return later(othersMs - waitedMs + Math.random() * patienceMs);
    }
    const content = storeRefusesContent(one);
    // It has come back before its end was told, or that was told already and could not be written down.
    if (one.ts !== undefined) await slack.editOrPost(one.key, content, one.ts);
    else one.ts = await slack.findOrPost(one.key, content);
  }

  async function tellOver(one: Episode): Promise<void> {
    // Nobody came to tell it, so there is nothing to take back.
    if (one.key !== undefined && !(await isEndTold(one, one.key))) return later(LOCK_MS);
    if (one.isOver) episode = undefined;
    else episode = { word: one.word, since: one.last, last: one.last, isOver: false };
  }

  return {
    refused(word) {
      const now = clock.now();
      const goesOn = episode?.isOver === false;
      if (episode === undefined) episode = { word, since: now, last: now, isOver: false };
      else Object.assign(episode, { word, last: now, isOver: false });
      if (!goesOn) later(patienceMs);
    },
    over() {
      if (episode?.isOver !== false) return;
      episode.isOver = true;
      later(0);
    },
  };
}

/** The key of the outage that is on, or of the next one. */
async function nextKey({ redis, keys }: StoreOutageDeps): Promise<string> {
  return `${NUMBER}/${Number((await redis.hget(keys.numbers, NUMBER)) ?? 0) + 1}`;
}

const isNumbered = (key = ''): boolean => /\/\d+$/.test(key);

/** Answers false when another process is at it: whoever has the lock tells it; if that fails, this one does. */
function createEndTeller(deps: StoreOutageDeps, slack: Attempts) {
  const { redis, keys, clock } = deps;
  return async (one: Episode, key: string): Promise<boolean> => {
    const lock = await acquireLock(redis, keys.lock('store-outage'), LOCK_MS);
    if (lock === undefined) return false;
    try {
      if (isNumbered(key) && (await nextKey(deps)) !== key) return true;
      await slack.editOrPost(key, storeTakesContent(one, clock.now()), one.ts);
      if (isNumbered(key)) await redis.hincrby(keys.numbers, NUMBER, 1);
      return true;
    } finally {
      await lock.release();
    }
  };
}

type Content = Pick<Message, 'text' | 'blocks'>;

type Attempts = ReturnType<typeof createAttempts>;

/** Calls of Slack for a message that is in no outbox. Each throws when it is to be tried again. */
function createAttempts({ sender, opsChannel, logger, clock }: StoreOutageDeps) {
  /** Where the message is; undefined when it is not there, or nobody can tell. */
  async function find(message: Message): Promise<string | undefined> {
    const found = await sender.find(message, clock.now() - LOOK_BACK_MS, undefined);
    if (found.kind === 'found') return found.ts;
    if (found.kind === 'absent' || found.kind === 'unknown') return undefined;
    throw new Error(`Slack does not say whether it was told: ${found.error}`);
  }

  function tsOf(end: SendResult): string | undefined {
    if (end.kind === 'sent') return end.ts;
    if (end.kind !== 'refused') throw new Error(`Slack does not take it: ${end.error}`);
    logger.error({ says: end.error }, 'Slack refuses to tell that Redis takes no writes');
    return undefined;
  }

  return {
    async findOrPost(key: string, content: Content): Promise<string | undefined> {
      const message = { channel: opsChannel, key, ...content };
      return (await find(message)) ?? tsOf(await sender.post(message, undefined));
    },
    async editOrPost(key: string, content: Content, known: string | undefined): Promise<void> {
      const message = { channel: opsChannel, key, ...content };
      const ts = known ?? (await find(message));
      tsOf(await (ts === undefined ? sender.post(message, undefined) : sender.update(message, ts)));
    },
  };
}
