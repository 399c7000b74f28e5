import type { Logger } from '../lib/logger.ts';
import { formatDuration } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { context, section, SIGN } from '../slack/kit/blocks.ts';
import { contentOf } from '../slack/kit/message-text.ts';
import { code, joinMrkdwn, mentionChannel, mrkdwn, Mrkdwn, stepLine } from '../slack/kit/text.ts';
import type { ReadResult } from '../slack/own-posts.ts';
import { isTokenError, isWorkspaceError } from '../slack/sender.ts';
import { withLock, type Keys, type RedisConnection } from '../store/redis.ts';
import {
  findIn,
  isOfWatch,
  LOOK_MARGIN_MS,
  searchPlaces,
  type FindResult,
  type Message,
  type MessageContent,
  type MessageSender,
} from './message.ts';
import { period } from './outage-words.ts';
import type { Outbox } from './outbox.ts';
import { numberedKey } from './records.ts';

/** `covered`: another post covers the message. */
export type SearchResult = FindResult | { kind: 'covered'; by: string };

type Sought = Pick<Message, 'channel' | 'key' | 'madeAt'>;

export type LookBack = ReturnType<typeof createLookBack>;

/** How long after the return of Redis: failed polls, and an outage of Slack, are over by then. */
const WINDOW_MS = 15 * 60_000;

/**
 * Compares the run of Redis with the last seen one. Each start has its own run, and so has each node of a
 * cluster. If Redis hides its run (ACL), there is no search.
 *
 * KEYS: run, window. ARGV: now, milliseconds of a window. @returns the start of the search, or nil; the run
 */
const SEE_RUN = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
local seen, at = unpack(redis.call('HMGET', KEYS[1], 'run', 'at'))
if seen == run then
  -- A Redis that takes no writes now keeps an earlier time, and the search goes further back.
  redis.pcall('HSET', KEYS[1], 'at', ARGV[1])
else
  if seen then
    redis.call('SET', KEYS[2], redis.call('GET', KEYS[2]) or at, 'PX', ARGV[2])
  end
  redis.call('HSET', KEYS[1], 'run', run, 'at', ARGV[1])
end
return { redis.call('GET', KEYS[2]), run }`;

/**
 * Finds posts that Redis has lost. Redis writes to disk once a second, and a replica lags by as much: after
 * the crash of its host, or a fail-over, it does not know the last posts, and the bot would post them again.
 * So for some minutes each first post is searched for by its key (ADR 19).
 */
export function createLookBack(deps: {
  redis: RedisConnection;
  keys: Keys;
  sender: Pick<MessageSender, 'read' | 'time'>;
  clock: Clock;
}) {
  const { redis, keys, sender, clock } = deps;
  const readings = createReadings(sender);

  async function see(): Promise<Window | undefined> {
    const now = (await sender.time()) ?? clock.now();
    const [since, run] = (await redis.eval(
      SEE_RUN,
      2,
      keys.redisRun,
      keys.lookBack,
      String(now),
      String(WINDOW_MS),
    )) as [string | null, string];
    return since === null ? undefined : { name: `${since} ${run}`, since: Number(since) };
  }

  return {
    /** To be called every few seconds: posts since the last call can be lost. */
    async noteRun(): Promise<void> {
      await see();
    },
    /**
     * Searches for a message without a known post; undefined when Redis has lost nothing. Each channel and
     * thread is read once.
     * @param older earlier posts with its key
     */
    async find(
      message: Sought,
      threadTs: string | undefined,
      older: readonly string[],
    ): Promise<SearchResult | undefined> {
      const window = await see();
      if (window === undefined) return readings.close();
      return searchPlaces(threadTs, async (place) =>
        endOf(await readings.of(window, message.channel, place), message, older),
      );
    },
  };
}

interface Window {
  name: string;
  since: number;
}

/** Channels and threads that were read in a window. Redis knows later posts. */
function createReadings(sender: Pick<MessageSender, 'read'>) {
  const readings = new Map<string, ReadResult>();
  let current = '';
  return {
    close(): undefined {
      readings.clear();
    },
    async of(window: Window, channel: string, threadTs: string | undefined): Promise<ReadResult> {
      if (window.name !== current) readings.clear();
      current = window.name;
      const place = `${channel} ${threadTs ?? ''}`;
      const known = readings.get(place);
      if (known !== undefined) return known;
      const seen = await sender.read(channel, window.since - LOOK_MARGIN_MS, threadTs);
      const isFinal = seen.kind === 'read' || seen.kind === 'unknown';
      if (isFinal && window.name === current) readings.set(place, seen);
      return seen;
    },
  };
}

function endOf(seen: ReadResult, message: Sought, older: readonly string[]): SearchResult {
  const found = findIn(seen, message, older);
  if (seen.kind !== 'read' || found.kind === 'found') return found;
  const covering = seen.posts.find(
    ({ ts, covers }) => !older.includes(ts) && covers.includes(message.key),
  );
  return covering === undefined ? found : { kind: 'covered', by: covering.key };
}

/** `error`: Slack's code; `since`: milliseconds since the epoch; `watched`: the message was of a watch. */
interface Refusal {
  channel: string;
  error: string;
  since: number;
  watched: boolean;
}

const OF_WATCHES = {
  instead: mrkdwn`or end its watches with ${code('/deployments unwatch in #channel')}`,
  elsewhere: mrkdwn`. Watches of WATCHES and NOTIFY_CHANNEL are changed in Purser’s environment`,
  meanwhile: mrkdwn`Its posts are gathered, and follow in one message once Purser can post there`,
};
const OF_OTHERS = {
  instead: mrkdwn`or set another channel in Purser’s environment`,
  elsewhere: mrkdwn``,
  meanwhile: undefined,
};
const WAIT = mrkdwn`Nothing is lost: the messages wait`;

/** `todo` is an imperative. */
interface Advice {
  wrong: Mrkdwn;
  meanwhile: Mrkdwn | undefined;
  todo: Mrkdwn;
  /** Slack takes other messages: the refused one is not sent again. */
  givenUp?: true;
}

function adviceOf({ channel: id, error, watched }: Refusal): Advice {
  const channel = mentionChannel(id);
  const { instead, elsewhere, meanwhile } = watched ? OF_WATCHES : OF_OTHERS;
  const unposted = mrkdwn`Purser cannot post to ${channel}`;
  const refused = mrkdwn`Slack refuses a message of Purser to ${channel}`;
  switch (error) {
    case 'not_in_channel':
    case 'channel_not_found': {
      const wrong = mrkdwn`${unposted}: it is not a member, or the channel is gone`;
      const todo = mrkdwn`invite it there with ${code('/invite')}, ${instead}`;
      return { wrong, meanwhile, todo };
    }
    case 'is_archived': {
      const wrong = mrkdwn`${unposted}: the channel is archived`;
      const todo = mrkdwn`unarchive it and invite Purser, ${instead}${elsewhere}`;
      return { wrong, meanwhile, todo };
    }
    // The workspace holds Purser back, and the token is fine.
    case 'org_login_required': {
      const wrong = mrkdwn`Slack is moving the workspace to another organization`;
      return { wrong, meanwhile: WAIT, todo: mrkdwn`wait until Slack has finished` };
    }
    case 'two_factor_setup_required': {
      const wrong = mrkdwn`The workspace demands two factors, and Purser’s installation lacks them`;
      return { wrong, meanwhile: WAIT, todo: mrkdwn`ask an administrator of the workspace` };
    }
    case 'message_limit_exceeded': {
      const wrong = mrkdwn`The workspace takes no more messages: Slack’s limit for it is used up`;
      const todo = mrkdwn`ask an administrator of the workspace what uses it up`;
      return { wrong, meanwhile: mrkdwn`${WAIT}, and are tried again every minute`, todo };
    }
    case 'accesslimited': {
      const wrong = mrkdwn`Slack does not admit the network from which Purser asks`;
      const todo = mrkdwn`add Purser’s network to the allowed IP addresses, of the app or of the workspace`;
      return { wrong, meanwhile: WAIT, todo };
    }
    case 'missing_scope':
    case 'no_permission':
    case 'ekm_access_denied':
    case 'access_denied': {
      const wrong = mrkdwn`Purser lacks a right that a post to ${channel} needs`;
      const todo = mrkdwn`reinstall the app from its manifest, so that it has every scope, or ask an administrator of the workspace`;
      return { wrong, meanwhile: WAIT, todo };
    }
  }
  if (isTokenError(error)) {
    const wrong = mrkdwn`Slack does not take Purser’s token`;
    const todo = mrkdwn`reinstall the app if needed, and give Purser the new token in ${code('SLACK_BOT_TOKEN')}`;
    return { wrong, meanwhile: WAIT, todo };
  }
  if (error.startsWith('restricted_action')) {
    const wrong = mrkdwn`${refused}: the channel restricts posts`;
    return { wrong, meanwhile, todo: mrkdwn`allow Purser to post there, ${instead}` };
  }
  const todo = mrkdwn`look for its key in Purser’s log`;
  return { wrong: refused, meanwhile: mrkdwn`It is not sent again`, todo, givenUp: true };
}

export function refusalContent(refusal: Refusal): MessageContent {
  const { wrong, meanwhile, todo } = adviceOf(refusal);
  const head = mrkdwn`${new Mrkdwn(SIGN.wrong)} *${wrong}*`;
  const all = [head, ...(meanwhile === undefined ? [] : [meanwhile]), stepLine(todo)];
  return contentOf([section(joinMrkdwn(all, '\n')), context(slackWordOf(refusal))]);
}

/** The same notice after a successful post. `now`: milliseconds since the epoch. */
export function recoveredContent(refusal: Refusal, now: number): MessageContent {
  const { since } = refusal;
  const { wrong, givenUp } = adviceOf(refusal);
  const lasted = formatDuration(now - since);
  const [sign, over] = givenUp
    ? [SIGN.over, mrkdwn`One message was given up, Slack takes others again`]
    : [SIGN.good, mrkdwn`Slack takes messages again after ${lasted}`];
  return contentOf([
    section(mrkdwn`${new Mrkdwn(sign)} *${over}*\nReported before: ${wrong}`),
    context(slackWordOf(refusal, now)),
  ]);
}

/** @param until milliseconds since the epoch; absent while the refusal lasts */
function slackWordOf({ error, since }: Refusal, until?: number): Mrkdwn {
  const verb = until === undefined ? 'says' : 'said';
  return mrkdwn`Slack ${verb} ${code(error)} · ${period(since, until)}`;
}

type Refused = Pick<Message, 'channel' | 'key'>;
type PostedRefusal = Refused & Refusal;

/** The reported refusals, until a post to their channel succeeds. */
export async function readRefusals(deps: { redis: RedisConnection; keys: Keys }) {
  const all = Object.values(await deps.redis.hgetall(deps.keys.refusals));
  return all.flatMap((text) => JSON.parse(text) as PostedRefusal[]);
}

/** Without the token, a scope or the workspace nothing works anywhere: reported for one channel. */
const isEverywhere = (error: string): boolean =>
  isTokenError(error) || isWorkspaceError(error) || error === 'missing_scope';
const LOCK_TIMES = { ttlMs: 5_000, patienceMs: 5_000 };

/**
 * Reports problems that only people can fix in Slack: a channel that refuses posts, a missing token or scope.
 * @param deps `wake` gets the channels that have something to deliver; `opsChannel` gets the messages
 */
export function createRefusals(deps: {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  wake: (channels: readonly string[]) => Promise<void>;
  opsChannel: string;
  clock: Clock;
  logger: Logger;
}) {
  const { redis, keys, outbox, clock, opsChannel } = deps;
  const isPosted = (all: readonly PostedRefusal[], channel: string, error: string): boolean =>
    all.some((one) => one.error === error && (one.channel === channel || isEverywhere(error)));

  async function post(refused: Refused, error: string): Promise<void> {
    const { channel } = refused;
    await withLock(redis, keys.lock('refusals'), LOCK_TIMES, async (lock) => {
      const all = await readRefusals(deps);
      if (isPosted(all, channel, error)) return;
      const key = await numberedKey(redis, keys, `@slack/${channel}/${error}`);
      const since = clock.now();
      const refusal: PostedRefusal = { key, channel, error, watched: isOfWatch(refused), since };
      const own = [...all.filter((one) => one.channel === channel), refusal];
      const message = { channel: opsChannel, key, madeAt: since, ...refusalContent(refusal) };
      const set = { [channel]: JSON.stringify(own) };
      const change = { lock, hash: keys.refusals, set, remove: [] };
      await deps.wake((await outbox.commit([message], change)) ?? []);
    });
  }

  async function postRecovery(channel: string): Promise<void> {
    await withLock(redis, keys.lock('refusals'), LOCK_TIMES, async (lock) => {
      const own = (await readRefusals(deps)).filter((one) => one.channel === channel);
      const messages = own.map((refusal) => ({
        channel: opsChannel,
        key: refusal.key,
        editOnly: true,
        ...recoveredContent(refusal, clock.now()),
      }));
      const change = { lock, hash: keys.refusals, set: {}, remove: [channel] };
      await deps.wake((await outbox.commit(messages, change)) ?? []);
    });
  }

  return {
    /** Notifies the ops channel once, until a post to this channel succeeds. `error`: Slack's code. */
    async refused(message: Refused, error: string): Promise<void> {
      const { channel } = message;
      // Refusals of the ops channel itself can only be logged.
      if (channel === opsChannel && !isEverywhere(error)) return;
      await quietly(deps.logger, async () => {
        if (!isPosted(await readRefusals(deps), channel, error)) await post(message, error);
      });
    },
    async worked(channel: string): Promise<void> {
      await quietly(deps.logger, async () => {
        if ((await redis.hexists(keys.refusals, channel)) === 1) await postRecovery(channel);
      });
    },
  };
}

/** The ops notice is optional: an error there must not stop the delivery. */
async function quietly(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.warn({ err: error }, 'A refusal of Slack could not be posted');
  }
}
