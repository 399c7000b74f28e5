import { DAY_MS, type Clock } from '../lib/time.ts';
import type { Logger } from '../lib/logger.ts';
import { formatDuration } from '../lib/text.ts';
import { context, section, SIGN, topText } from '../slack/kit/blocks.ts';
import { code, joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../slack/kit/text.ts';
import type { SendResult } from '../slack/sender.ts';
import { acquireLock, type Keys, type RedisConnection, type RefusalWord } from '../store/redis.ts';
import type { Message, MessageContent, MessageSender } from './message.ts';

/** Redis refuses writes. `since`: milliseconds since the epoch. */
interface Outage {
  word: RefusalWord;
  since: number;
}

const WRONG = mrkdwn`Purser’s store takes no writes: nothing is watched, told or carried out`;
const GOES_ON = mrkdwn`Nothing that was accepted is lost: Purser goes on once this is mended.`;

/** What to do: an order, after an arrow. */
function fixOf(word: RefusalWord): Mrkdwn {
  switch (word) {
    case 'OOM':
      return mrkdwn`Redis is full → give it more memory (${code('maxmemory')})`;
    case 'READONLY':
      return mrkdwn`Redis is a replica → name the primary in ${code('REDIS_URL')}, and restart Purser`;
    case 'MISCONF':
      return mrkdwn`Redis cannot save → look into its log, and whether its disk is full`;
    case 'NOREPLICAS':
      return mrkdwn`Redis misses replicas → look into its log, or lower ${code('min-replicas-to-write')}`;
    case 'NOAUTH':
      return mrkdwn`Redis wants a password → put it into ${code('REDIS_URL')}, and restart Purser`;
    case 'NOPERM':
      return mrkdwn`The user of ${code('REDIS_URL')} lacks a right → allow it all commands on the keys of ${code('REDIS_PREFIX')}`;
    case 'ERR':
      return mrkdwn`Redis has another reason → look into Purser’s log for it`;
  }
}

/** Told once, by the first worker that finds it. */
export function storeRefusesContent({ word, since }: Outage): MessageContent {
  const fix = fixOf(word);
  return {
    text: topText(mrkdwn`${WRONG} (${word}). ${fix}. ${GOES_ON}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGN.unknown)} *${WRONG}*\n${fix}\n${GOES_ON}`),
      context(
        joinMrkdwn([mrkdwn`Redis says ${code(word)}`, mrkdwn`since ${moment(since)}`], ' · '),
      ),
    ],
  };
}

/** The same message when it takes them again. `now`: milliseconds since the epoch. */
export function storeTakesContent({ word, since }: Outage, now: number): MessageContent {
  const over = mrkdwn`Purser’s store takes writes again`;
  const end = mrkdwn`after ${formatDuration(now - since)}: everything goes on`;
  return {
    text: topText(mrkdwn`${over} ${end}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGN.good)} *${over}* ${end}`),
      context(
        joinMrkdwn(
          [mrkdwn`Redis said ${code(word)}`, mrkdwn`${moment(since)} to ${moment(now)}`],
          ' · ',
        ),
      ),
    ],
  };
}

interface StoreOutageDeps {
  redis: RedisConnection;
  keys: Keys;
  sender: Pick<MessageSender, 'post' | 'update' | 'find'>;
  /** The people who run the bot read here. */
  opsChannel: string;
  /** What this process writes into the key of the heartbeat. */
  self: string;
  clock: Clock;
  logger: Logger;
  /** Milliseconds; see below. */
  times?: Partial<typeof TIMES>;
}

/** Tells the ops channel that Redis takes no writes, and that it takes them again. */
interface StoreOutageReporter {
  refused(word: RefusalWord): void;
  over(): void;
}

const TIMES = {
  /** A refusal that is over so soon is not told. */
  patienceMs: 3_000,
  /** Longer than from one try of the workers to the next. */
  tryMs: 2_000,
  /** For this time the process with the last heartbeat tells it alone. */
  othersMs: 20_000,
  /** Between two tries when Slack does not take it either. */
  againMs: 30_000,
};
/** An outage may be older than this process. */
const LOOK_BACK_MS = DAY_MS;
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
 * The outbox lies in the store that takes no writes, so this one message goes to Slack directly. The
 * processes cannot agree by a lock on which of them tells it. So the one that wrote the last heartbeat begins,
 * and the others look for its key in the channel before they tell it themselves: it is told once, unless
 * that process dies and the channel cannot be read. Its number rises when the outage is over: until then
 * all of them mean the same message.
 */
export function createStoreOutage(deps: StoreOutageDeps): StoreOutageReporter {
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
    // Where the right to read is missing as well, each process tells it, by the minute.
    const minute = new Date(one.since).toISOString().slice(0, 16);
    const next = await nextKey(deps).catch(() => undefined);
    if (isNumbered(one.key) && next !== undefined && next !== one.key) {
      // Another process has told the end of the last one meanwhile, so this is one of its own.
      Object.assign(one, { key: next, ts: undefined, since: one.last });
    }
    one.key ??= next ?? `${NUMBER}/${minute}`;
    const holder = await redis.get(keys.heartbeat).catch(() => null);
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
    // It was not told, so there is nothing to take back.
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

/** Answers false while another process has the lock: that one tells the end, or this one tries again. */
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

type Attempts = ReturnType<typeof createAttempts>;

/** Calls of Slack for a message that is in no outbox. Each throws when it is to be tried again. */
function createAttempts({ sender, opsChannel, logger, clock }: StoreOutageDeps) {
  /** Where the message is; undefined when it is not there, or cannot be found out. */
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
    async findOrPost(key: string, content: MessageContent): Promise<string | undefined> {
      const message = { channel: opsChannel, key, ...content };
      return (await find(message)) ?? tsOf(await sender.post(message, undefined));
    },
    async editOrPost(
      key: string,
      content: MessageContent,
      known: string | undefined,
    ): Promise<void> {
      const message = { channel: opsChannel, key, ...content };
      const ts = known ?? (await find(message));
      tsOf(await (ts === undefined ? sender.post(message, undefined) : sender.update(message, ts)));
    },
  };
}
