import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { errorMessage } from '../lib/errors.ts';

/** A post to a channel, in Slack's terms. */
export interface ChannelPost {
  channel: string;
  text: string;
  /** None at all: the text alone. */
  blocks?: KnownBlock[];
  metadata: { event_type: string; event_payload: Record<string, string> };
  broadcast: boolean;
}

/**
 * Why a call did not succeed now. `unsent`: it certainly did not arrive; `unclear`: it may have, and
 * Slack has no idempotency key, so only a look into the channel tells.
 */
type NotNow =
  | { kind: 'limited'; retryAfterMs: number; error: string }
  | { kind: 'unsent' | 'unclear'; error: string };

/** How a post or an edit ended. `refused`: Slack will never take it. */
export type SendResult = { kind: 'sent'; ts: string } | { kind: 'refused'; error: string } | NotNow;

/** How a look into a channel ended; `unknown` when it cannot be read. */
export type FindResult =
  { kind: 'found'; ts: string } | { kind: 'absent' } | { kind: 'unknown'; error: string } | NotNow;

export interface SlackSender {
  post(post: ChannelPost, threadTs: string | undefined): Promise<SendResult>;
  update(post: ChannelPost, ts: string): Promise<SendResult>;
  /** Finds the bot's own post whose metadata has this key, from `sinceMs` (milliseconds since the epoch) on. */
  find(
    channel: string,
    metadata: ChannelPost['metadata'],
    sinceMs: number,
    threadTs: string | undefined,
  ): Promise<FindResult>;
}

/** Content that Slack refuses goes out again with less: rather a plain message than none. */
const CONTENT_ERRORS = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'msg_blocks_too_long',
  'msg_too_long',
]);
const METADATA_ERRORS = new Set([
  'metadata_too_large',
  'invalid_metadata_format',
  'invalid_metadata_schema',
]);
/** The root was deleted in Slack: then the news stands in the channel by itself. */
const NO_THREAD = 'thread_not_found';
/** Slack's own words for "perhaps it was done". */
const UNCLEAR_ERRORS = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);
/** The credential is broken, not the message: it waits until someone has mended that. */
const TOKEN_ERRORS = new Set([
  'invalid_auth',
  'not_authed',
  'not_allowed_token_type',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'team_access_not_granted',
  'org_login_required',
  'two_factor_setup_required',
]);
/** Rights that an administrator gives back: a message waits for them, a look does without. */
const RIGHT_ERRORS = new Set(['missing_scope', 'no_permission', 'ekm_access_denied']);
/** The workspace is on the move and comes back by itself. */
const MOVING_ERROR = 'team_added_to_org';
const LIMIT_ERRORS = new Set(['ratelimited', 'rate_limited']);
const MENDING_WAIT_MS = 60_000;
const LIMIT_WAIT_MS = 30_000;
const FIND_PAGES = 20;

export function createSlackSender(client: WebClient): SlackSender {
  async function postOnce(post: ChannelPost, threadTs: string | undefined): Promise<SendResult> {
    const common = {
      channel: post.channel,
      text: post.text,
      ...blocksOf(post),
      metadata: post.metadata,
      unfurl_links: false,
      unfurl_media: false,
    };
    return attempt(() =>
      client.chat.postMessage(
        threadTs === undefined
          ? common
          : post.broadcast
            ? { ...common, thread_ts: threadTs, reply_broadcast: true }
            : { ...common, thread_ts: threadTs },
      ),
    );
  }

  return {
    async post(post, threadTs) {
      const result = await plainIfRefused(post, (tried) => postOnce(tried, threadTs));
      if (result.kind !== 'refused' || result.error !== NO_THREAD) return result;
      return plainIfRefused(post, (tried) => postOnce(tried, undefined));
    },
    update(post, ts) {
      return plainIfRefused(post, ({ channel, text, metadata, ...content }) =>
        attempt(() => client.chat.update({ channel, ts, text, metadata, ...blocksOf(content) })),
      );
    },
    async find(channel, metadata, sinceMs, threadTs) {
      const args = {
        channel,
        oldest: (sinceMs / 1000).toFixed(6),
        include_all_metadata: true,
        limit: 200,
      };
      const look = async (page: PageOf): Promise<FindResult> => {
        try {
          return await findIn(page, metadata);
        } catch (error) {
          return failedFind(error);
        }
      };
      const inChannel: PageOf = (next) => client.conversations.history({ ...args, ...next });
      if (threadTs === undefined) return look(inChannel);
      const result = await look((next) =>
        client.conversations.replies({ ...args, ...next, ts: threadTs }),
      );
      return result.kind === 'unknown' && result.error === NO_THREAD ? look(inChannel) : result;
    },
  };
}

async function plainIfRefused(
  post: ChannelPost,
  send: (post: ChannelPost) => Promise<SendResult>,
): Promise<SendResult> {
  let result = await send(post);
  for (let tried = post; result.kind === 'refused'; result = await send(tried)) {
    const plainer = plainerThan(tried, result.error);
    if (plainer === undefined) return result;
    tried = plainer;
  }
  return result;
}

/** The same with less of what is refused; undefined when there is nothing to leave out. */
function plainerThan(post: ChannelPost, error: string): ChannelPost | undefined {
  if (METADATA_ERRORS.has(error)) {
    const { key, ...others } = post.metadata.event_payload;
    if (key === undefined || Object.keys(others).length === 0) return undefined;
    return { ...post, metadata: { ...post.metadata, event_payload: { key } } };
  }
  if (!CONTENT_ERRORS.has(error) || post.blocks === undefined) return undefined;
  if (post.blocks.length > 0) return { ...post, blocks: [] };
  const { channel, text, metadata, broadcast } = post;
  return { channel, text, metadata, broadcast };
}

function blocksOf({ blocks }: Pick<ChannelPost, 'blocks'>): Pick<ChannelPost, 'blocks'> {
  return blocks === undefined ? {} : { blocks };
}

type PageOf = (next: { cursor?: string }) => Promise<{
  messages?: { ts?: string; metadata?: unknown }[];
  response_metadata?: { next_cursor?: string };
}>;

async function findIn(pageOf: PageOf, metadata: ChannelPost['metadata']): Promise<FindResult> {
  let next: { cursor?: string } = {};
  for (let page = 0; page < FIND_PAGES; page += 1) {
    const answer = await pageOf(next);
    const found = answer.messages?.find((message) => isThisPost(message, metadata));
    if (found?.ts !== undefined) return { kind: 'found', ts: found.ts };
    const cursor = answer.response_metadata?.next_cursor;
    if (!cursor) return { kind: 'absent' };
    next = { cursor };
  }
  return { kind: 'unknown', error: 'too many pages' };
}

function isThisPost(message: { metadata?: unknown }, metadata: ChannelPost['metadata']): boolean {
  const found = message.metadata as
    { event_type?: unknown; event_payload?: { key?: unknown } } | undefined;
  return (
    found?.event_type === metadata.event_type &&
    found.event_payload?.key === metadata.event_payload['key']
  );
}

/** Only a refusal is final; anything else is asked again, because guessing would double a post. */
function failedFind(error: unknown): FindResult {
  const failure = classifyError(error);
  return failure.kind === 'refused' || RIGHT_ERRORS.has(failure.error)
    ? { kind: 'unknown', error: failure.error }
    : failure;
}

async function attempt(call: () => Promise<{ ts?: string }>): Promise<SendResult> {
  try {
    const { ts } = await call();
    return ts === undefined
      ? { kind: 'unclear', error: 'no ts in the answer' }
      : { kind: 'sent', ts };
  } catch (error) {
    return classifyError(error);
  }
}

/** The client puts a body that it cannot read, cut off or a proxy's page, in the place of a code. */
const ERROR_CODE = /^\w+$/;

const NEVER_ARRIVED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether Slack's word for an error means the token, and so every channel. */
export function isTokenError(error: string): boolean {
  return TOKEN_ERRORS.has(error);
}

/**
 * Whether Slack refuses the token itself, so that a start has nothing to wait for.
 * @param error what a call of the Web API client threw
 */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && TOKEN_ERRORS.has(error.data.error);
}

/** Reads an error of the Web API client; matched by class and code, never by its wording. */
function classifyError(error: unknown): Exclude<SendResult, { kind: 'sent' }> {
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: 'limited', retryAfterMs: error.retryAfter * 1000, error: 'ratelimited' };
  }
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error;
    if (!ERROR_CODE.test(code)) return { kind: 'unclear', error: 'no answer of Slack' };
    if (LIMIT_ERRORS.has(code))
      return { kind: 'limited', retryAfterMs: LIMIT_WAIT_MS, error: code };
    if (TOKEN_ERRORS.has(code) || RIGHT_ERRORS.has(code) || code === MOVING_ERROR)
      return { kind: 'limited', retryAfterMs: MENDING_WAIT_MS, error: code };
    return { kind: UNCLEAR_ERRORS.has(code) ? 'unclear' : 'refused', error: code };
  }
  if (error instanceof WebAPIHTTPError)
    return { kind: 'unclear', error: `http ${error.statusCode}` };
  const code = error instanceof WebAPIRequestError ? causeCode(error.original) : undefined;
  if (code !== undefined && NEVER_ARRIVED.has(code)) return { kind: 'unsent', error: code };
  return { kind: 'unclear', error: code ?? errorMessage(error) };
}

function causeCode(error: unknown): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    if (cause instanceof AggregateError) return causeCode((cause.errors as unknown[])[0]);
  }
  return undefined;
}
