import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { TEAM } from '../bench/slack.ts';
import { listen } from '../support/http.ts';
import { sendWhole } from './platform.ts';

/** A post as it was accepted, before anything could befall the answer. */
interface Post {
  channel: string;
  key: string;
  /** The messages that it stands for by its metadata, then or in a later edit. */
  covers: Set<string>;
  ts: string;
  threadTs: string | undefined;
  /** Shown in the channel as well as in its thread. */
  broadcast: boolean;
  /** It was taken into the thread of a card that a person had deleted. */
  buried: boolean;
  text: string;
  metadata: Metadata | undefined;
  /** Milliseconds since the epoch. */
  at: number;
}

/** One key that a channel was notified, by a post or in the `covers` of one; in the order of reporting. */
export interface Reported {
  channel: string;
  key: string;
  /** The post that reported it. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Faults of one call: before it is accepted, or after. */
export type SlackFault = keyof typeof REFUSALS | 'reset after' | 'error after' | 'late';
/** Slack's answers to replies to a card that a person has deleted. */
export type Burial = 'refused' | 'unthreaded' | 'taken';
/** The moments of a post at which a worker can die. */
export type PostMoment = 'post arrived' | 'post accepted' | 'post answered';

export interface SlackOptions {
  slackFault?: (method: string, channel: string) => SlackFault | undefined;
  /** In this channel a person deletes each card after the first reply to it. */
  slackBurial?: (channel: string) => Burial | undefined;
  /** Milliseconds from a post's arrival until it is accepted. */
  slowness?: () => number;
}

type Word = 'channel' | 'ts' | 'thread_ts' | 'reply_broadcast' | 'text' | 'oldest' | 'limit';
interface Args extends Readonly<Partial<Record<Word | 'cursor', string>>> {
  readonly metadata?: Metadata;
}
interface Metadata {
  event_payload?: { key?: string; covers?: string };
}

/** Longer than the bot waits for an answer. */
const LATE_MS = 35_000;
const POSTING = new Set(['chat.postMessage', 'chat.update']);
/** Answers to calls that are not accepted. */
const REFUSALS = {
  limited: (response: ServerResponse) => response.writeHead(429, { 'retry-after': '1' }).end(),
  error: (response: ServerResponse) => response.writeHead(503).end(),
  failed: (response: ServerResponse) => response.end('{"ok":false,"error":"internal_error"}'),
  'reset before': (response: ServerResponse) => response.destroy(),
  hangs: async (response: ServerResponse) => {
    await pause(LATE_MS, undefined, { ref: false });
    response.destroy();
  },
};

/**
 * A workspace that records the calls that it accepts. Of the Web API it has only posting, editing and
 * reading back; the tests of the sandbox show how true these are to Slack's own.
 * @param strike kills the worker that is asking, if it is to die now; says whether it did
 */
export async function createChaosSlack(
  { slackFault, slackBurial = () => undefined, slowness = () => 0 }: SlackOptions,
  strike: (worker: string, moment: PostMoment) => boolean,
) {
  const { call, ...book } = createBook(slackBurial);
  const faults = new Map<string, number>();
  const server = await listen(
    async (request, response, body) => {
      const [, worker = '', , method = ''] = (request.url ?? '').split(/[/?]/);
      const args = argsOf(request, body);
      const dies = (moment: PostMoment): boolean =>
        method === 'chat.postMessage' && strike(worker, moment);
      if (dies('post arrived')) return response.destroy();
      const fault = POSTING.has(method) ? slackFault?.(method, args.channel ?? '') : undefined;
      if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      if (fault !== undefined && fault in REFUSALS) {
        return REFUSALS[fault as keyof typeof REFUSALS](response);
      }
      if (method === 'chat.postMessage') await pause(slowness(), undefined, { ref: false });
      const answer = call(method, args);
      if (dies('post accepted') || fault === 'reset after') return response.destroy();
      if (fault === 'late') await pause(LATE_MS, undefined, { ref: false });
      if (fault === 'error after') response.statusCode = 500;
      response.setHeader('content-type', 'application/json');
      await sendWhole(response, JSON.stringify(answer));
      return dies('post answered');
    },
    { mayFail: true },
  );
  return {
    ...book,
    faults,
    /** Base of the Web API for one worker; its calls are known as this worker's. */
    apiUrl: (worker: string) => `${server.url}/${worker}/api/`,
    close: server.close,
  };
}

function argsOf({ url = '' }: IncomingMessage, body: string): Args {
  const query = new URL(url, 'http://localhost').searchParams;
  const form = { ...Object.fromEntries(query), ...Object.fromEntries(new URLSearchParams(body)) };
  const { metadata, ...words } = form;
  return metadata === undefined ? words : { ...words, metadata: JSON.parse(metadata) as Metadata };
}

const BOT = { bot_id: 'B0CHAOS', user: 'U0BOT' };

/** The accepted messages, and how they are read back. */
function createBook(burial: (channel: string) => Burial | undefined) {
  const posts: Post[] = [];
  const reported: Reported[] = [];
  /** Cards that a person has deleted. */
  const buried = new Set<string>();
  let [lastTs, looks] = [0, 0];

  function cover(post: Post): void {
    for (const key of (post.metadata?.event_payload?.covers ?? '').split(' ')) {
      if (key === '' || post.covers.has(key)) continue;
      post.covers.add(key);
      reported.push({ channel: post.channel, key, by: post.key, at: Date.now() });
    }
  }

  function accept(args: Args): object {
    const { channel = '', metadata } = args;
    const end = buried.has(args.thread_ts ?? '') ? burial(channel) : undefined;
    if (end === 'refused') return { ok: false, error: 'cannot_reply_to_message' };
    const threadTs = end === 'unthreaded' ? undefined : args.thread_ts;
    lastTs = Math.max(lastTs + 1, Date.now() * 1_000);
    const ts = `${Math.floor(lastTs / 1_000_000)}.${String(lastTs % 1_000_000).padStart(6, '0')}`;
    const post: Post = {
      channel,
      key: metadata?.event_payload?.key ?? '',
      covers: new Set(),
      ts,
      threadTs,
      broadcast: threadTs !== undefined && args.reply_broadcast === 'true',
      buried: end === 'taken',
      text: args.text ?? '',
      metadata,
      at: Date.now(),
    };
    posts.push(post);
    reported.push({ channel, key: post.key, by: post.key, at: post.at });
    cover(post);
    if (threadTs === undefined) return { ok: true, channel, ts };
    if (burial(channel) !== undefined) buried.add(threadTs);
    const parent = end === 'taken' ? 'USLACKBOT' : BOT.user;
    return { ok: true, channel, ts, message: { thread_ts: threadTs, parent_user_id: parent } };
  }

  function edit(args: Args): object {
    const post = posts.find((one) => one.channel === args.channel && one.ts === args.ts);
    if (post === undefined || buried.has(post.ts)) return { ok: false, error: 'message_not_found' };
    post.broadcast ||= args.reply_broadcast === 'true';
    post.text = args.text ?? '';
    post.metadata = args.metadata ?? post.metadata;
    cover(post);
    return { ok: true, channel: post.channel, ts: post.ts };
  }

  /** A page of the channel, or of a thread, newest first as Slack has it. */
  function read(args: Args, thread?: string): object {
    looks += 1;
    const isThere = (post: Post): boolean =>
      thread === undefined
        ? post.threadTs === undefined || post.broadcast
        : post.threadTs === thread || post.ts === thread;
    const found = posts.filter(
      (post) =>
        post.channel === args.channel &&
        Number(post.ts) >= Number(args.oldest ?? 0) &&
        !buried.has(post.ts) &&
        isThere(post),
    );
    const from = Number(args.cursor || 0);
    const to = from + Number(args.limit ?? 100);
    const messages = found
      .toReversed()
      .slice(from, to)
      .map(({ ts, text, metadata, ...post }) => ({
        ...BOT,
        ts,
        text,
        metadata,
        ...(post.buried && { parent_user_id: 'USLACKBOT' }),
        ...(post.broadcast && { subtype: 'thread_broadcast' }),
      }));
    const next_cursor = to < found.length ? String(to) : '';
    return { ok: true, messages, response_metadata: { next_cursor } };
  }

  const calls: Readonly<Record<string, (args: Args) => object>> = {
    'chat.postMessage': accept,
    'chat.update': edit,
    'conversations.history': (args) => read(args),
    'conversations.replies': (args) => read(args, args.ts),
    'conversations.info': ({ channel }) => ({
      ok: true,
      channel: { id: channel, is_member: true },
    }),
    'auth.test': () => ({ ok: true, bot_id: BOT.bot_id, user_id: BOT.user, team_id: TEAM }),
  };
  const call = (method: string, args: Args): object =>
    calls[method]?.(args) ?? { ok: false, error: 'unknown_method' };
  /** `looks` is how often the bot has looked into a channel or a thread. */
  return { posts, reported, buried, looks: () => looks, call };
}
