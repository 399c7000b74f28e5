import type { WebAPICallResult, WebClient } from '@slack/web-api';
import { settledWithin } from '../lib/time.ts';
import { createIdentity, slackTime, type Identity } from './client.ts';
import { given } from './kit/text.ts';
import {
  classifyError,
  RIGHT_ERRORS,
  THREAD_ERRORS,
  TOMBSTONE_USER,
  type TransientFailure,
} from './sender.ts';

export interface OwnPost {
  ts: string;
  key: string;
  /** The keys of other messages that it covers, from its metadata. */
  covers: readonly string[];
  /** It is in the thread of a deleted message and not shown in the channel. */
  hidden: boolean;
}

/** `whole`: there are no other posts; `unknown`: the channel cannot be read. */
export type ReadResult =
  | { kind: 'read'; posts: OwnPost[]; whole: boolean }
  | { kind: 'unknown'; error: string }
  | TransientFailure;

const PAGES = 20;
const PAGE_SIZE = 200;
/** How long a first post waits for Slack's time. Milliseconds. */
const TIME_WAIT_MS = 3_000;

export type OwnPosts = ReturnType<typeof createOwnPosts>;

export function createOwnPosts(client: WebClient) {
  const identity = createIdentity(client);
  let asked = false;
  return {
    /**
     * The bot's own posts of an event type from `sinceMs` (milliseconds by Slack's clock) on: in a channel, or in one
     * of its threads. Posts of people and other apps do not count, whatever their metadata.
     */
    async read(
      channel: string,
      eventType: string,
      sinceMs: number,
      threadTs: string | undefined,
    ): Promise<ReadResult> {
      const oldest = (sinceMs / 1_000).toFixed(6);
      const args = { channel, oldest, include_all_metadata: true, limit: PAGE_SIZE };
      try {
        const own = await identity.get();
        const pages = client.paginate(
          threadTs === undefined ? 'conversations.history' : 'conversations.replies',
          { ...args, ...given({ ts: threadTs }) },
        ) as AsyncIterable<FoundPage>;
        return await readPages(pages, own, eventType);
      } catch (error) {
        return failedRead(error, threadTs);
      }
    },
    /**
     * The time by Slack's clock, in milliseconds since the epoch, as measured by its answers; undefined before an
     * answer.
     */
    async time(): Promise<number | undefined> {
      if (slackTime(client) === undefined && !asked) {
        asked = true;
        await settledWithin(identity.get(), TIME_WAIT_MS);
      }
      return slackTime(client);
    },
  };
}

interface FoundMessage {
  ts?: string;
  user?: string;
  bot_id?: string;
  subtype?: string;
  parent_user_id?: string;
  metadata?: unknown;
}

interface FoundPage extends WebAPICallResult {
  messages?: FoundMessage[];
}

async function readPages(
  pages: AsyncIterable<FoundPage>,
  own: Identity,
  eventType: string,
): Promise<ReadResult> {
  const posts: OwnPost[] = [];
  let read = 0;
  for await (const { messages = [], response_metadata: more } of pages) {
    posts.push(...messages.flatMap((one) => ownPost(one, own, eventType)));
    read += 1;
    if (read === PAGES && more?.next_cursor) return { kind: 'read', posts, whole: false };
  }
  return { kind: 'read', posts, whole: true };
}

function ownPost(message: FoundMessage, own: Identity, eventType: string): OwnPost[] {
  const { ts, user, bot_id: botId } = message;
  const isOwn = botId === undefined ? user === own.botUserId : botId === own.botId;
  const metadata = message.metadata as
    { event_type?: unknown; event_payload?: { key?: unknown; covers?: unknown } } | undefined;
  const { key, covers } = metadata?.event_payload ?? {};
  if (!isOwn || ts === undefined || metadata?.event_type !== eventType) return [];
  if (typeof key !== 'string') return [];
  const covered = typeof covers === 'string' ? covers.split(' ').filter((one) => one !== '') : [];
  const hidden =
    message.parent_user_id === TOMBSTONE_USER && message.subtype !== 'thread_broadcast';
  return [{ ts, key, covers: covered, hidden }];
}

/** Only a refusal is final; otherwise the read is repeated, because a guess could post twice. */
function failedRead(error: unknown, threadTs: string | undefined): ReadResult {
  const failure = classifyError(error);
  // A thread that does not exist has no posts.
  if (threadTs !== undefined && failure.kind === 'refused' && THREAD_ERRORS.has(failure.error)) {
    return { kind: 'read', posts: [], whole: true };
  }
  return failure.kind === 'refused' || RIGHT_ERRORS.has(failure.error)
    ? { kind: 'unknown', error: failure.error }
    : failure;
}
