import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, listen, pause, sendWhole } from './http.ts';

/** A post as it was accepted, before anything could befall the answer. */
export interface Post {
  channel: string;
  key: string;
  /** What it said in its metadata to stand for, then or in a later edit. */
  covers: Set<string>;
  ts: string;
  threadTs: string | undefined;
  /** Shown in the channel as well as in its thread. */
  broadcast: boolean;
  /** It was taken into the thread of a card that somebody had deleted. */
  buried: boolean;
  text: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** One key that a channel was told, by a post or in the `covers` of one; in the order of telling. */
export interface Told {
  channel: string;
  key: string;
  /** The post that told it. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** What goes wrong with one call: before it is accepted, or after. */
export type SlackFault =
  | 'limited'
  | 'error'
  | 'failed'
  | 'reset before'
  | 'reset after'
  | 'error after'
  | 'late'
  | 'hangs';
/** What Slack makes of replies to a card that somebody has deleted. */
export type Burial = 'refused' | 'unthreaded' | 'taken';
/** The moments of a post at which a worker can die. */
export type PostMoment = 'post arrived' | 'post accepted' | 'post answered';

interface SlackOptions {
  /** What befalls this call. */
  fault?: (method: string, channel: string) => SlackFault | undefined;
  /** In this channel somebody deletes each card after the first reply to it. */
  burial?: (channel: string) => Burial | undefined;
  /** Kills the worker that is asking, if it is to die now. @returns whether it did */
  strike?: (worker: string, moment: PostMoment) => boolean;
  /** Milliseconds from a post's arrival until it is accepted. */
  slowness?: () => number;
}

export interface ChaosSlack {
  /** Base of the Web API for one worker; calls of it are known as this worker's. */
  apiUrl(worker: string): string;
  readonly posts: readonly Post[];
  readonly told: readonly Told[];
  /** Milliseconds since the epoch of each edit that was accepted. */
  readonly edits: readonly number[];
  readonly faults: ReadonlyMap<string, number>;
  /** Cards that somebody has deleted. */
  readonly buried: ReadonlySet<string>;
  /** How often the bot has looked into a channel or a thread. */
  looks(): number;
  close(): Promise<void>;
}

interface Args extends Readonly<Partial<Record<(typeof WORDS)[number], string>>> {
  readonly metadata?: Metadata | undefined;
}
const WORDS = [
  'channel',
  'ts',
  'thread_ts',
  'reply_broadcast',
  'text',
  'oldest',
  'limit',
  'cursor',
] as const;
const RETRY_AFTER_S = 1;
/** Longer than the bot waits for an answer. */
const LATE_MS = 35_000;
const POSTING = new Set(['chat.postMessage', 'chat.update']);

/**
 * A workspace that writes down what it accepts. It has no more of the Web API than posting, editing and
 * reading back; what of it is true to Slack's own is shown by the tests of the sandbox.
 */
export async function createChaosSlack(options: SlackOptions = {}): Promise<ChaosSlack> {
  const book = createBook(options.burial ?? (() => undefined));
  const faults = new Map<string, number>();
  const server = await listen(async (request, response) => {
    const [, worker = '', , method = ''] = (request.url ?? '').split(/[/?]/);
    const args = await argsOf(request);
    const strike = (moment: PostMoment): boolean =>
      method === 'chat.postMessage' && options.strike?.(worker, moment) === true;
    if (strike('post arrived')) return void response.destroy();
    const fault = POSTING.has(method) ? options.fault?.(method, args.channel ?? '') : undefined;
    if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    if (fault === 'hangs') await pause(LATE_MS);
    if (fault !== undefined && refuse(response, fault)) return;
    if (method === 'chat.postMessage') await pause(options.slowness?.() ?? 0);
    const answer = book.call(method, args);
    if (strike('post accepted') || fault === 'reset after') return void response.destroy();
    if (fault === 'late') await pause(LATE_MS);
    if (fault === 'error after') response.statusCode = 500;
    response.setHeader('content-type', 'application/json');
    await sendWhole(response, JSON.stringify(answer));
    strike('post answered');
  });
  return {
    apiUrl: (worker) => `${server.url}/${worker}/api/`,
    posts: book.posts,
    told: book.told,
    edits: book.edits,
    buried: book.buried,
    looks: book.looks,
    faults,
    close: () => server.close(),
  };
}

/** Answers a call that is not accepted. @returns whether it was one */
function refuse(response: ServerResponse, fault: SlackFault): boolean {
  switch (fault) {
    case 'limited':
      response.writeHead(429, { 'retry-after': String(RETRY_AFTER_S) }).end();
      return true;
    case 'error':
      response.writeHead(503).end();
      return true;
    case 'failed':
      response.end('{"ok":false,"error":"internal_error"}');
      return true;
    case 'reset before':
    case 'hangs':
      response.destroy();
      return true;
    case 'reset after':
    case 'error after':
    case 'late':
      return false;
  }
}

async function argsOf(request: IncomingMessage): Promise<Args> {
  const body = await bodyOf(request);
  const query = new URL(request.url ?? '', 'http://localhost').searchParams;
  const form = { ...Object.fromEntries(query), ...Object.fromEntries(new URLSearchParams(body)) };
  const { metadata, ...words } = form;
  return metadata === undefined ? words : { ...words, metadata: JSON.parse(metadata) as Metadata };
}

interface Metadata {
  event_type?: string;
  event_payload?: { key?: string; covers?: string };
}

const BOT = { bot_id: 'B0CHAOS', user: 'U0BOT' };

/** What was accepted, and how it is read back. */
function createBook(burial: (channel: string) => Burial | undefined) {
  const posts: Post[] = [];
  const told: Told[] = [];
  const edits: number[] = [];
  const metadata = new Map<Post, Metadata | undefined>();
  const buried = new Set<string>();
  let [lastTs, looks] = [0, 0];

  function cover(post: Post, data: Metadata | undefined): void {
    for (const key of (data?.event_payload?.covers ?? '').split(' ')) {
      if (key === '' || post.covers.has(key)) continue;
      post.covers.add(key);
      told.push({ channel: post.channel, key, by: post.key, at: Date.now() });
    }
  }

  function accept(args: Args): object {
    const end = buried.has(args.thread_ts ?? '') ? burial(args.channel ?? '') : undefined;
    if (end === 'refused') return { ok: false, error: 'cannot_reply_to_message' };
    const threadTs = end === 'unthreaded' ? undefined : args.thread_ts;
    const data = args.metadata;
    lastTs = Math.max(lastTs + 1, Date.now() * 1_000);
    const post: Post = {
      channel: args.channel ?? '',
      key: data?.event_payload?.key ?? '',
      covers: new Set(),
      ts: `${Math.floor(lastTs / 1_000_000)}.${String(lastTs % 1_000_000).padStart(6, '0')}`,
      threadTs,
      broadcast: threadTs !== undefined && args.reply_broadcast === 'true',
      buried: end === 'taken',
      text: args.text ?? '',
      at: Date.now(),
    };
    posts.push(post);
    metadata.set(post, data);
    told.push({ channel: post.channel, key: post.key, by: post.key, at: post.at });
    cover(post, data);
    if (threadTs !== undefined && burial(post.channel) !== undefined) buried.add(threadTs);
    const parent = end === 'taken' ? 'USLACKBOT' : 'U0BOT';
    const message = threadTs && { thread_ts: threadTs, parent_user_id: parent };
    return { ok: true, channel: post.channel, ts: post.ts, ...(message && { message }) };
  }

  function edit(args: Args): object {
    const post = posts.find((one) => one.channel === args.channel && one.ts === args.ts);
    if (post === undefined || buried.has(post.ts)) return { ok: false, error: 'message_not_found' };
    post.broadcast ||= args.reply_broadcast === 'true';
    edits.push(Date.now());
    post.text = args.text ?? '';
    if (args.metadata !== undefined) metadata.set(post, args.metadata);
    cover(post, args.metadata);
    return { ok: true, channel: post.channel, ts: post.ts };
  }

  /** A page of the channel, or of a thread, newest first as Slack has it. */
  function read(args: Args, thread: string | undefined): object {
    looks += 1;
    const oldest = Number(args.oldest ?? 0);
    const found = posts.filter(
      (post) =>
        post.channel === args.channel &&
        Number(post.ts) >= oldest &&
        !buried.has(post.ts) &&
        (thread === undefined
          ? post.threadTs === undefined || post.broadcast
          : post.threadTs === thread || post.ts === thread),
    );
    const from = Number(args.cursor || 0);
    const limit = Number(args.limit ?? 100);
    const messages = found
      .toReversed()
      .slice(from, from + limit)
      .map((post) => ({
        ...BOT,
        ts: post.ts,
        text: post.text,
        metadata: metadata.get(post),
        ...(post.buried && { parent_user_id: 'USLACKBOT' }),
        ...(post.broadcast && { subtype: 'thread_broadcast' }),
      }));
    const next_cursor = from + limit < found.length ? String(from + limit) : '';
    return { ok: true, messages, response_metadata: { next_cursor } };
  }

  function call(method: string, args: Args): object {
    switch (method) {
      case 'chat.postMessage':
        return accept(args);
      case 'chat.update':
        return edit(args);
      case 'conversations.history':
        return read(args, undefined);
      case 'conversations.replies':
        return read(args, args.ts);
      case 'conversations.info':
        return { ok: true, channel: { id: args.channel, is_member: true } };
      case 'auth.test':
        return { ok: true, bot_id: BOT.bot_id, user_id: BOT.user, team_id: 'T0CHAOS' };
      default:
        return { ok: false, error: 'unknown_method' };
    }
  }

  return { posts, told, edits, buried, looks: () => looks, call };
}
