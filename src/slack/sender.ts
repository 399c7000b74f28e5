import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import type { KnownBlock } from '@slack/types';
import { errorMessage, StartRefused } from '../lib/errors.ts';
import { errorCode, LIMIT_ERRORS } from './calls.ts';
import { given } from './kit/text.ts';
import type { NativeBlocks } from './native-blocks.ts';

export interface ChannelPost {
  channel: string;
  text: string;
  /** Absent: the text alone. */
  blocks?: KnownBlock[];
  metadata: { event_type: string; event_payload: Record<string, string> };
  broadcast: boolean;
}

/**
 * Why a call did not succeed now. `unsent`: it certainly did not arrive; `unclear`: it may have, and Slack has no
 * idempotency key, so only reading the channel can decide.
 */
export type TransientFailure =
  | { kind: 'limited'; retryAfterMs: number; error: string }
  | { kind: 'unsent' | 'unclear'; error: string };

/** `refused`: Slack will never take it. */
export type SendResult =
  { kind: 'sent'; ts: string } | { kind: 'refused'; error: string } | TransientFailure;

export interface SlackSender {
  /** A reply that its thread refuses is posted without the thread, as a message of the channel. */
  post(post: ChannelPost, threadTs: string | undefined): Promise<SendResult>;
  /** @param broadcast shows a reply in the channel, too */
  update(post: ChannelPost, ts: string, broadcast?: boolean): Promise<SendResult>;
}

/** Content that Slack refuses is sent again without its blocks: a plain message is better than none. */
const CONTENT_ERRORS = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'msg_blocks_too_long',
  'msg_too_long',
]);
/** Whether a call failed for the content of a message or a view. */
export function isContentRefused(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return CONTENT_ERRORS.has(code) || code === 'invalid_arguments';
}

const METADATA_ERRORS = new Set([
  'metadata_too_large',
  'invalid_metadata_format',
  'invalid_metadata_schema',
]);
/** The root was deleted in Slack, or the thread takes no replies. */
export const THREAD_ERRORS: ReadonlySet<string> = new Set([
  'thread_not_found',
  'message_not_found',
  'cannot_reply_to_message',
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
]);
/** Slack's author of the placeholder for a deleted message that has replies. */
export const TOMBSTONE_USER = 'USLACKBOT';
/** After these errors the call may have been done. */
export const UNCLEAR_ERRORS: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);
/** The credential is broken, not the message: messages wait until that is fixed. */
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
/** Rights that an administrator can give back: messages wait for them, reads do not. */
export const RIGHT_ERRORS: ReadonlySet<string> = new Set([
  'missing_scope',
  'no_permission',
  'ekm_access_denied',
  'access_denied',
]);
/** Temporary limits of the whole workspace: its number of messages, its allowed networks. */
const WORKSPACE_ERRORS = new Set(['message_limit_exceeded', 'accesslimited']);
/** The workspace is being migrated; the error ends by itself. */
const MIGRATION_ERRORS = new Set(['team_added_to_org']);
const TEMPORARY_ERRORS = [TOKEN_ERRORS, RIGHT_ERRORS, WORKSPACE_ERRORS, MIGRATION_ERRORS];
const FIX_WAIT_MS = 60_000;
const LIMIT_WAIT_MS = 30_000;
/** Longest wait for a channel, whatever the server demands. Milliseconds. */
const RETRY_AFTER_CAP_MS = 15 * 60_000;

export function createSlackSender(client: WebClient, native: NativeBlocks): SlackSender {
  const update = (post: ChannelPost, ts: string, broadcast = false): Promise<SendResult> =>
    // An edit without blocks would keep those that are there.
    sendPlainer(
      native,
      { ...post, blocks: post.blocks ?? [] },
      ({ channel, text, metadata, blocks = [] }) =>
        attempt(() => {
          const args = { channel, ts, text, metadata, blocks };
          return client.chat.update(broadcast ? { ...args, reply_broadcast: true } : args);
        }),
    );

  async function postOnce(post: ChannelPost, threadTs: string | undefined): Promise<SendResult> {
    const { broadcast, ...content } = post;
    const common = { ...content, unfurl_links: false, unfurl_media: false };
    if (threadTs === undefined) return attempt(() => client.chat.postMessage(common));
    const reply = { ...common, thread_ts: threadTs };
    if (broadcast) {
      return attempt(() => client.chat.postMessage({ ...reply, reply_broadcast: true }));
    }
    let isHidden = false;
    const result = await attempt(async () => {
      const answer = await client.chat.postMessage(reply);
      isHidden = answer.message?.parent_user_id === TOMBSTONE_USER;
      return answer;
    });
    if (!isHidden || result.kind !== 'sent') return result;
    // Slack posted it below a deleted message, where it is invisible: show it in the channel, too.
    const shown = await update(post, result.ts, true);
    if (shown.kind === 'sent') return result;
    // Reading the channel finds it there and tries again; if it can never be shown, it counts as refused.
    return shown.kind === 'refused'
      ? { kind: 'refused', error: 'cannot_reply_to_message' }
      : { kind: 'unclear', error: shown.error };
  }

  return {
    async post(post, threadTs) {
      const result = await sendPlainer(native, post, (tried) => postOnce(tried, threadTs));
      if (threadTs === undefined) return result;
      if (result.kind !== 'refused' || !THREAD_ERRORS.has(result.error)) return result;
      return sendPlainer(native, post, (tried) => postOnce(tried, undefined));
    },
    update,
  };
}

/** Content and metadata that Slack refuses are sent again with less. */
function sendPlainer(
  native: NativeBlocks,
  { blocks: whole, ...post }: ChannelPost,
  send: (post: ChannelPost) => Promise<SendResult>,
): Promise<SendResult> {
  return native.send(
    'message',
    whole,
    async (blocks) => {
      const tried = { ...post, ...given({ blocks: blocks && [...blocks] }) };
      const result = await send(tried);
      const { key, ...others } = post.metadata.event_payload;
      const isMetadata = result.kind === 'refused' && METADATA_ERRORS.has(result.error);
      if (!isMetadata || key === undefined || Object.keys(others).length === 0) return result;
      return send({ ...tried, metadata: { ...post.metadata, event_payload: { key } } });
    },
    (result) => result.kind === 'refused' && CONTENT_ERRORS.has(result.error),
  );
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

/** When the client cannot read the body (cut off, a proxy's page), it gives the body in place of a code. */
const ERROR_CODE = /^\w+$/;

const NEVER_ARRIVED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function isWorkspaceError(error: string): boolean {
  return WORKSPACE_ERRORS.has(error);
}

export function isTokenError(error: string): boolean {
  return TOKEN_ERRORS.has(error);
}

const TOKENS = {
  SLACK_BOT_TOKEN: 'the bot token (xoxb-…) from the page of the app, OAuth & Permissions',
  SLACK_APP_TOKEN:
    'an app-level token (xapp-…) with the scope connections:write from the page of the app, Basic Information',
} as const;

/**
 * Slack refuses the token itself, so that waiting at start is of no use; undefined for other errors.
 * @param error from the Web API client
 */
export function tokenRefusal(
  variable: keyof typeof TOKENS,
  error: unknown,
): StartRefused | undefined {
  const code = errorCode(error) ?? '';
  if (!TOKEN_ERRORS.has(code) && code !== 'missing_scope') return undefined;
  return new StartRefused(`Slack refuses ${variable} (${code}): copy ${TOKENS[variable]}`);
}

/** Reads an error of the Web API client; matched by class and code, never by its wording. */
export function classifyError(error: unknown): Exclude<SendResult, { kind: 'sent' }> {
  if (error instanceof WebAPIRateLimitedError) {
    const retryAfterMs = Math.min(Math.max(error.retryAfter, 1) * 1_000, RETRY_AFTER_CAP_MS);
    return { kind: 'limited', retryAfterMs, error: 'ratelimited' };
  }
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error;
    if (!ERROR_CODE.test(code)) return { kind: 'unclear', error: 'no answer of Slack' };
    if (LIMIT_ERRORS.has(code))
      return { kind: 'limited', retryAfterMs: LIMIT_WAIT_MS, error: code };
    if (TEMPORARY_ERRORS.some((errors) => errors.has(code)))
      return { kind: 'limited', retryAfterMs: FIX_WAIT_MS, error: code };
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
