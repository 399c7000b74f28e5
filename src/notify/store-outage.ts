import { DAY_MS, type Clock } from '../lib/time.ts';
import type { Logger } from '../lib/logger.ts';
import { formatDuration } from '../lib/text.ts';
import { context, section, sign } from '../slack/kit/blocks.ts';
import { contentOf } from '../slack/kit/message-text.ts';
import { code, mrkdwn, type Mrkdwn } from '../slack/kit/text.ts';
import type { SendResult } from '../slack/sender.ts';
import { acquireLock, type Keys, type RedisConnection, type RefusalWord } from '../store/redis.ts';
import type { Message, MessageContent, MessageSender } from './message.ts';
import { period } from './outage-words.ts';

/** `since`: milliseconds since the epoch. */
interface Outage {
  word: RefusalWord;
  since: number;
}

const WRONG = mrkdwn`Purser’s store takes no writes: no rollout is watched, nothing is posted or carried out`;
const GOES_ON = mrkdwn`Nothing that was accepted is lost: Purser goes on once this is fixed.`;

/** The fix is an imperative, after an arrow. */
function fixOf(word: RefusalWord): Mrkdwn {
  switch (word) {
    case 'OOM':
      return mrkdwn`Redis is full\n→ Give it more memory (${code('maxmemory')})`;
    case 'READONLY':
      return mrkdwn`Redis is a replica\n→ Name the primary in ${code('REDIS_URL')}, and restart Purser; with Cluster or Sentinel, let a replica take over`;
    case 'MISCONF':
      return mrkdwn`Redis cannot save\n→ Look into its log, and whether its disk is full`;
    case 'NOREPLICAS':
      return mrkdwn`Redis lacks replicas\n→ Look into its log, or lower ${code('min-replicas-to-write')}`;
    case 'NOAUTH':
      return mrkdwn`Redis wants a password\n→ Put it into ${code('REDIS_URL')}, and restart Purser`;
    case 'WRONGPASS':
      return mrkdwn`Redis refuses the user or the password\n→ Correct them in ${code('REDIS_URL')}, and restart Purser`;
    case 'CLUSTERDOWN':
      return mrkdwn`The Redis Cluster has no primary for Purser’s keys\n→ Look at its nodes, and let a replica take over`;
    case 'NOPERM':
      return mrkdwn`The user of ${code('REDIS_URL')} lacks a right\n→ Allow it all commands on the keys of ${code('REDIS_PREFIX')}`;
    case 'ERR':
      return mrkdwn`Redis refuses for another reason\n→ Look into Purser’s log for it`;
  }
}

/** Posted once, by the first worker that notices. */
export function storeRefusesContent({ word, since }: Outage): MessageContent {
  const fix = fixOf(word);
  return contentOf([
    section(mrkdwn`${sign('wrong')} *${WRONG}*\n${fix}\n${GOES_ON}`),
    context(mrkdwn`Redis says ${code(word)} · ${period(since)}`),
  ]);
}

/** The same message when the outage is over. `now`: milliseconds since the epoch. */
export function storeTakesContent({ word, since }: Outage, now: number): MessageContent {
  const over = mrkdwn`Purser’s store takes writes again`;
  const end = mrkdwn`after ${formatDuration(now - since)}: everything goes on`;
  return contentOf([
    section(mrkdwn`${sign('good')} *${over}* ${end}`),
    context(mrkdwn`Redis said ${code(word)} · ${period(since, now)}`),
  ]);
}

interface StoreOutageDeps {
  redis: RedisConnection;
  keys: Keys;
  sender: Pick<MessageSender, 'post' | 'update' | 'find'>;
  opsChannel: string;
  /** The value that this process writes as its heartbeat. */
  self: string;
  clock: Clock;
  logger: Logger;
  times?: Partial<typeof TIMES>;
}

const TIMES = {
  /** A shorter outage is not reported. */
  patienceMs: 3_000,
  /** Longer than the interval between two tries of the workers. */
  tryMs: 2_000,
  /** For this time only the process with the last heartbeat reports it. */
  othersMs: 20_000,
  /** Between two tries when Slack fails as well. */
  againMs: 30_000,
};
const LOOK_BACK_MS = DAY_MS;
const LOCK_MS = 30_000;
const NUMBER = '@redis/refuses';

interface Episode extends Outage {
  /** Last refusal. Milliseconds since the epoch. */
  last: number;
  /** Over, with the end not posted yet. */
  isOver: boolean;
  /** Of its message. */
  key?: string;
  ts?: string | undefined;
}

/**
 * The outbox is in the store that takes no writes, so this message goes to Slack directly. The processes
 * cannot agree by a lock on which of them posts it. So the one that wrote the last heartbeat begins, and the
 * others search the channel for its key before they post: it is posted once, unless that process dies and the
 * channel cannot be read. Its number rises when the outage is over: until then all of them mean the same
 * message.
 */
export function createStoreOutage(deps: StoreOutageDeps) {
  const { redis, keys, logger, clock } = deps;
  const { patienceMs, tryMs, othersMs, againMs } = { ...TIMES, ...deps.times };
  const slack = createAttempts(deps);
  const isEndPosted = createEndPoster(deps, slack);
  let episode: Episode | undefined;
  let timer: NodeJS.Timeout | undefined;
  // Sequential: a message cannot be edited while its post is under way.
  let last: Promise<void> = Promise.resolve();

  /** Schedules an update of the message, and retries until it succeeds. */
  function later(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(bringUpToDate).catch((error: unknown) => {
        logger.warn({ err: error }, 'The state of the writes of Redis could not be posted yet');
        later(againMs);
      });
    }, ms).unref();
  }

  async function bringUpToDate(): Promise<void> {
    if (episode?.isOver === false) await post(episode);
    else if (episode !== undefined) await postEnd(episode);
  }

  async function post(one: Episode): Promise<void> {
    if (clock.now() - one.last > tryMs) return later(patienceMs);
    // Without the permission to read, each process posts its own message, named by the minute.
    const minute = new Date(one.since).toISOString().slice(0, 16);
    const next = await nextKey(deps).catch(() => undefined);
    if (isNumbered(one.key) && next !== undefined && next !== one.key) {
      // Another process has posted the end of the last outage meanwhile, so this is a new one.
      Object.assign(one, { key: next, ts: undefined, since: one.last });
    }
    one.key ??= next ?? `${NUMBER}/${minute}`;
    const holder = await redis.get(keys.heartbeat).catch(() => null);
    const waitedMs = clock.now() - one.since;
    if (holder !== null && holder !== deps.self && waitedMs < othersMs) {
      return later(othersMs - waitedMs + Math.random() * patienceMs);
    }
    const content = storeRefusesContent(one);
    // The outage came back before its end was posted, or its end was posted and could not be recorded.
    if (one.ts !== undefined) await slack.editOrPost(one.key, content, one.ts);
    else one.ts = await slack.findOrPost(one.key, content);
  }

  async function postEnd(one: Episode): Promise<void> {
    // It was never posted, so nothing has to be updated.
    if (one.key !== undefined && !(await isEndPosted(one, one.key))) return later(LOCK_MS);
    if (one.isOver) episode = undefined;
    else episode = { word: one.word, since: one.last, last: one.last, isOver: false };
  }

  return {
    refused(word: RefusalWord): void {
      const now = clock.now();
      const goesOn = episode?.isOver === false;
      if (episode === undefined) episode = { word, since: now, last: now, isOver: false };
      else Object.assign(episode, { word, last: now, isOver: false });
      if (!goesOn) later(patienceMs);
    },
    over(): void {
      if (episode?.isOver !== false) return;
      episode.isOver = true;
      later(0);
    },
  };
}

/** The key of the current outage, or of the next one. */
async function nextKey({ redis, keys }: StoreOutageDeps): Promise<string> {
  return `${NUMBER}/${Number((await redis.hget(keys.numbers, NUMBER)) ?? 0) + 1}`;
}

const isNumbered = (key = ''): boolean => /\/\d+$/.test(key);

/** False while another process has the lock: that one posts the end, or this one tries again. */
function createEndPoster(deps: StoreOutageDeps, slack: Attempts) {
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

/** Calls to Slack without the outbox. Each throws when it is to be retried. */
function createAttempts({ sender, opsChannel, logger, clock }: StoreOutageDeps) {
  /** Undefined when the message is absent, or the channel cannot be read. */
  async function find(message: Message): Promise<string | undefined> {
    const found = await sender.find(message, clock.now() - LOOK_BACK_MS, undefined);
    if (found.kind === 'found') return found.ts;
    if (found.kind === 'absent' || found.kind === 'unknown') return undefined;
    throw new Error(`Slack cannot confirm the post: ${found.error}`);
  }

  function tsOf(end: SendResult): string | undefined {
    if (end.kind === 'sent') return end.ts;
    if (end.kind !== 'refused') throw new Error(`Slack does not take it: ${end.error}`);
    logger.error({ says: end.error }, 'Slack refuses the post that Redis takes no writes');
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
