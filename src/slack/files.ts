import { setMaxListeners } from 'node:events';
import { WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { Refusal } from '../lib/errors.ts';
import { plural } from '../lib/text.ts';
import { errorCode, LIMIT_ERRORS, measureCall, statusResult } from './calls.ts';
import { topText } from './kit/blocks.ts';
import { clip, escapeText, given, Mrkdwn, tidy } from './kit/text.ts';
import { isSlackAddress } from './replies/answers.ts';
import { UNCLEAR_ERRORS } from './sender.ts';

/**
 * Reads a text file that this person put into a form, at most 512 KB of UTF-8.
 * @throws Refusal with the reason and the next step
 */
export type ReadFile = (fileId: string, userId: string) => Promise<string>;

const MAX_TEXT_BYTES = 512 * 1024;
/** For the bytes alone, in milliseconds. */
const READ_TIMEOUT_MS = 15_000;

/** Files are fetched only from Slack's own addresses (design section 7), because the bot's token goes along. */
export function createReadFile(slack: WebClient): ReadFile {
  return async (fileId, userId) => {
    const file = await describe(slack, fileId);
    // An id can be forged in a request: a file of another person, or of an owner that Slack omits, is not shown.
    if (file.user !== userId) throw new Refusal(GONE);
    if ((file.size ?? 0) > MAX_TEXT_BYTES) throw new Refusal(TOO_LARGE);
    const address = file.url_private_download ?? file.url_private ?? '';
    if (!isSlackAddress(address, slack.slackApiUrl)) {
      throw new Refusal(LOST, new Error('a file’s address that is not Slack’s was not used'));
    }
    const bytes = await download(address, slack.token ?? '');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new Refusal(NO_TEXT);
    }
  };
}

const GONE =
  'Slack does not find this file among yours: choose it again, or paste the manifest in place of it.';
const TOO_LARGE = 'The file is larger than 512 KB: hand in a part of it.';
const LOST = 'Slack did not hand out the file: try again, or paste the manifest in place of it.';
const NO_SCOPE =
  'Purser may not read files: an administrator must give it the scope files:read. Until then paste the manifest in place of the file.';
const BUSY =
  'Slack hands out no more files just now: try again in a minute, or paste the manifest.';
const NO_TEXT =
  'The file is no UTF-8 text: save it as UTF-8, or paste the manifest in place of it.';

const READ_SENTENCES: Readonly<Record<string, string>> = {
  missing_scope: NO_SCOPE,
  file_not_found: GONE,
  file_deleted: GONE,
  ratelimited: BUSY,
};

async function describe(slack: WebClient, fileId: string) {
  try {
    const { file } = await slack.files.info({ file: fileId });
    if (file !== undefined) return file;
  } catch (error) {
    if (error instanceof WebAPIRateLimitedError) throw new Refusal(BUSY, error);
    throw new Refusal(READ_SENTENCES[errorCode(error) ?? ''] ?? LOST, error);
  }
  throw new Refusal(LOST, new Error('Slack’s answer lacks the file'));
}

async function download(address: string, token: string): Promise<Uint8Array> {
  try {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      // Without the right to see the file Slack redirects to its login page; the token goes nowhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(READ_TIMEOUT_MS),
    });
    // A manifest is no web page: to a token without the right, Slack answers with its login page.
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
    if (answer.ok && !isPage) {
      const { chunks } = await collect(answer.body ?? [], MAX_TEXT_BYTES, TOO_LARGE);
      return Buffer.concat(chunks);
    }
    await answer.body?.cancel();
    const isLogin = answer.ok || (answer.status >= 300 && answer.status < 400);
    throw new Refusal(isLogin ? NO_SCOPE : LOST, new Error(`HTTP ${answer.status}`));
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(LOST, error);
  }
}

/** @throws Refusal that says `tooLarge`, beyond `max` bytes */
async function collect(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  max: number,
  tooLarge: string,
) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > max) throw new Refusal(tooLarge);
    chunks.push(chunk);
  }
  return { chunks, length };
}

export interface Upload {
  userId: string;
  filename: string;
  title: string;
  comment: string;
  content: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** A description of a picture, for screen readers. */
  altText?: string | undefined;
}

/**
 * Puts a file into the person's messages with the bot and returns its address there, if Slack gives one. A private
 * answer cannot hold a file, and a file that is not shared anywhere cannot be opened.
 * @throws Refusal when Slack does not take it; the content's own errors
 */
export type SendFile = (upload: Upload) => Promise<string | undefined>;

const MAX_BYTES = 64 * 1024 * 1024;
const TOO_MUCH = 'The file would be larger than 64 MB: ask for less at a time.';
/** For the bytes alone, in milliseconds. */
const TIMEOUT_MS = 120_000;
const MAX_NAME = 200;
/** Slack's limit of a description, in characters. */
const MAX_ALT_TEXT = 1_000;
/** Slack silently does not share any other kind of file that has a description. */
const IS_PICTURE = /\.(?:png|jpe?g|gif)$/i;

/**
 * Sends files by Slack's external upload: request an address, send the bytes, post the file. The first call waits for
 * the whole content, because it needs the length; the content is held once.
 */
export function createSendFile({
  slack,
  stopping,
}: {
  slack: WebClient;
  /** Aborted when the process is asked to stop: uploads that run are cancelled, and nothing is posted. */
  stopping: AbortSignal;
}): SendFile {
  return async ({ userId, filename, title, comment, content, altText }) => {
    const bytes = await collect(chunksOf(content), MAX_BYTES, TOO_MUCH);
    if (bytes.length === 0) {
      throw new Refusal('The file was not sent, because there is nothing in it.');
    }
    const name = safeName(filename);
    // Slack's field for the description; the client's types have another name, which Slack ignores.
    const alt_txt =
      altText !== undefined && IS_PICTURE.test(name)
        ? clip(tidy(altText), MAX_ALT_TEXT)
        : undefined;
    const { channel } = await slackCall('address', slack.conversations.open({ users: userId }));
    const target = await slackCall(
      'address',
      slack.files.getUploadURLExternal({
        filename: name,
        length: bytes.length,
        ...given({ alt_txt }),
      }),
    );
    if (channel?.id === undefined || !target.file_id || !target.upload_url)
      throw uploadRefusal('address');
    const { upload_url: address, file_id: id } = target;
    if (!isSlackAddress(address, slack.slackApiUrl)) {
      throw uploadRefusal('bytes', new Error('an upload address that is not Slack’s was not used'));
    }
    await slackCall(
      'bytes',
      withinTime(stopping, (signal) => put(address, bytes, signal)),
    );
    const { files } = await slackCall(
      'post',
      slack.files.completeUploadExternal({
        files: [{ id, title: safeTitle(title) }],
        channel_id: channel.id,
        initial_comment: topText(new Mrkdwn(escapeText(comment))),
      }),
    );
    return files?.[0]?.permalink;
  };
}

function chunksOf(content: Upload['content']): AsyncIterable<Uint8Array> | Uint8Array[] {
  if (typeof content === 'string') return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

async function slackCall<T>(step: Step, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw uploadRefusal(step, error);
  }
}

/** Not AbortSignal.any: Node 20 keeps a trace of each file on a signal that lives as long as the process. */
async function withinTime(
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const end = () => controller.abort();
  const timer = setTimeout(end, TIMEOUT_MS);
  // One listener for each file being sent; Node reports more than ten as a leak.
  setMaxListeners(0, stopping);
  stopping.addEventListener('abort', end);
  if (stopping.aborted) end();
  try {
    await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', end);
  }
}

async function put(
  address: string,
  { chunks, length }: Awaited<ReturnType<typeof collect>>,
  signal: AbortSignal,
): Promise<void> {
  const send = async (): Promise<Response> => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(length) },
      body: ReadableStream.from(chunks),
      duplex: 'half',
      redirect: 'error',
      signal,
    });
    // Read in any case: an unread body keeps its connection.
    await answer.arrayBuffer();
    return answer;
  };
  const answer = await measureCall('upload_url', send, statusResult);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}

/** Without characters that have a meaning in file systems; a long name keeps its extension. */
function safeName(filename: string): string {
  const clean = tidy(filename).replace(/[\s/\\:*?"<>|&]+/g, '-');
  const extension = /\.\w{1,8}$/.exec(clean)?.[0] ?? '';
  const stem = clean.slice(0, clean.length - extension.length).replace(/^[.-]+/, '');
  return `${stem === '' ? 'file' : clip(stem, MAX_NAME)}${extension}`;
}

/** A title is not mrkdwn, so it is not escaped, but it must not look like a mention either. */
function safeTitle(title: string): string {
  const clean = tidy(title).replaceAll('<', '‹').replaceAll('>', '›').replace(/\s+/g, ' ').trim();
  return clean === '' ? 'File' : clip(clean, MAX_NAME);
}

type Step = 'address' | 'bytes' | 'post';

const SENTENCES: Readonly<Record<string, string>> = {
  file_type_not_allowed: 'This workspace does not take files of this kind: ask an administrator.',
  file_uploads_disabled: 'This workspace takes no files: ask an administrator to allow them.',
  file_uploads_except_images_disabled:
    'This workspace takes no files but pictures: ask an administrator to allow them.',
  file_upload_size_restricted:
    'This workspace does not take files of this size: ask for less at a time.',
  storage_limit_reached: 'This workspace has no room for files: ask an administrator.',
  not_in_channel: 'Purser cannot write to your messages: ask an administrator to check its rights.',
  channel_not_found: 'Slack does not find your messages with Purser: open its Messages tab once.',
  cannot_dm_bot: 'Slack lets Purser send files to people only.',
  messages_tab_disabled:
    'Purser’s Messages tab is switched off: ask an administrator to switch it on.',
  user_disabled: 'Slack says that this account is switched off.',
};
const UNCLEAR =
  'Slack did not confirm the file: look into your messages with Purser before you try again.';

/** The refusal for an error of a step of an upload; without an error: Slack's answer lacks a part. */
export function uploadRefusal(step: Step, error?: unknown): Refusal {
  if (error instanceof WebAPIRateLimitedError) {
    const wait = plural(error.retryAfter, 'second');
    return new Refusal(`Slack takes no more files just now: try again in ${wait}.`, error);
  }
  if (error instanceof WebAPIPlatformError) return refusedBySlack(step, error);
  const sentence = step === 'post' ? UNCLEAR : 'The file did not reach Slack: please try again.';
  return new Refusal(sentence, error ?? new Error('Slack’s answer lacks a part'));
}

function refusedBySlack(step: Step, error: WebAPIPlatformError): Refusal {
  const code = error.data.error;
  if (code === 'missing_scope') {
    const needed =
      /^[\w:.,]+$/.exec(String('needed' in error.data ? error.data.needed : ''))?.[0] ??
      'files:write';
    return new Refusal(
      `Purser may not send files: an administrator must give it the scope ${needed}.`,
      error,
    );
  }
  if (LIMIT_ERRORS.has(code)) {
    return new Refusal('Slack takes no more files just now: try again in a minute.', error);
  }
  if (step === 'post' && UNCLEAR_ERRORS.has(code)) return new Refusal(UNCLEAR, error);
  const known = SENTENCES[code];
  if (known !== undefined) return new Refusal(known, error);
  const named = /^\w{1,60}$/.test(code) ? ` (${code})` : '';
  return new Refusal(`Slack did not take the file${named}: please try again.`, error);
}
