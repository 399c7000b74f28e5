import { setMaxListeners } from 'node:events';
import type { WebClient } from '@slack/web-api';
import { Refusal } from '../lib/refusal.ts';
import { escapeText, Mrkdwn, tidy, topText } from './kit/index.ts';
import { clip } from './kit/plain.ts';
import { isSlackAddress } from './response-url.ts';
import { notTaken } from './upload-refusals.ts';

/** A file for one person. */
export interface Upload {
  userId: string;
  /** With its extension. */
  filename: string;
  title: string;
  /** The words above the file. */
  comment: string;
  content: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** What a picture shows, for those who cannot see it. */
  altText?: string;
}

/**
 * Puts a file into the person's messages with the bot and gives its address there, if Slack says one.
 * A private answer cannot hold a file, and a file without a place could be read by nobody.
 * @throws Refusal when Slack does not take it; the content's own errors
 */
export type SendFile = (upload: Upload) => Promise<string | undefined>;

const MAX_BYTES = 64 * 1024 * 1024;
/** For the bytes alone, in milliseconds. */
const TIMEOUT_MS = 120_000;
const MAX_NAME = 200;
/** Slack's limit of a description, in characters. */
const MAX_ALT_TEXT = 1_000;
/** Slack shares no other file that comes with a description, and does not say so. */
const IS_PICTURE = /\.(?:png|jpe?g|gif)$/i;

interface SendFileDeps {
  client: WebClient;
  apiUrl: string;
  /** Aborted when the process is asked to stop: bytes on their way are given up, and nothing is posted. */
  stopping: AbortSignal;
}

/**
 * Sends files by Slack's external upload: an address is asked for, the bytes go there, and the file
 * is posted. Nothing is asked of Slack before the whole content is there, because its length has to
 * be known; it is held once.
 */
export function createSendFile(deps: SendFileDeps): SendFile {
  const { client, apiUrl, stopping } = deps;
  return async ({ userId, filename, title, comment, content, altText }) => {
    const bytes = await collect(content);
    const name = safeName(filename);
    const alt = altText !== undefined && IS_PICTURE.test(name) ? describing(altText) : {};
    const { channel } = await asked('place', client.conversations.open({ users: userId }));
    const place = await asked(
      'place',
      client.files.getUploadURLExternal({ filename: name, length: bytes.length, ...alt }),
    );
    if (channel?.id === undefined || !place.file_id || !place.upload_url) throw notTaken('place');
    const { upload_url: address, file_id: id } = place;
    if (!isSlackAddress(address, apiUrl)) {
      throw notTaken('bytes', new Error('an upload address that is not Slack’s was not used'));
    }
    await asked(
      'bytes',
      withinTime(stopping, (signal) => put(address, bytes, signal)),
    );
    const { files } = await asked(
      'post',
      client.files.completeUploadExternal({
        files: [{ id, title: safeTitle(title) }],
        channel_id: channel.id,
        initial_comment: topText(new Mrkdwn(escapeText(comment))),
      }),
    );
    return files?.[0]?.permalink;
  };
}

interface Bytes {
  chunks: readonly Uint8Array[];
  length: number;
}

async function collect(content: Upload['content']): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(content)) {
    length += chunk.length;
    if (length > MAX_BYTES) {
      throw new Refusal('The file would be larger than 64 MB: ask for less at a time.');
    }
    chunks.push(chunk);
  }
  if (length === 0) throw new Refusal('The file was not sent, because there is nothing in it.');
  return { chunks, length };
}

function chunksOf(content: Upload['content']): AsyncIterable<Uint8Array> | Uint8Array[] {
  if (typeof content === 'string') return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

/** Slack's name for the description; the client's types have another one, which Slack does not know. */
function describing(altText: string): { alt_txt: string } {
  return { alt_txt: clip(tidy(altText), MAX_ALT_TEXT) };
}

async function asked<T>(step: Parameters<typeof notTaken>[0], call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw notTaken(step, error);
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
  // As many files as are sent at once; Node takes more than ten for a leak.
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

async function put(address: string, { chunks, length }: Bytes, signal: AbortSignal): Promise<void> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(length) },
    body: ReadableStream.from(chunks),
    duplex: 'half',
    redirect: 'error',
    signal,
  });
  // Read in any case: a body that is left lying holds its connection.
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}

/** Without what file systems give a meaning to; a long name keeps its extension. */
function safeName(filename: string): string {
  const clean = tidy(filename).replace(/[\s/\\:*?"<>|&]+/g, '-');
  const extension = /\.\w{1,8}$/.exec(clean)?.[0] ?? '';
  const stem = clean.slice(0, clean.length - extension.length).replace(/^[.-]+/, '');
  return `${stem === '' ? 'file' : clip(stem, MAX_NAME)}${extension}`;
}

/** A title is no mrkdwn, where entities would be undone; still it holds nothing like a mention. */
function safeTitle(title: string): string {
  const clean = tidy(title).replaceAll('<', '‹').replaceAll('>', '›').replace(/\s+/g, ' ').trim();
  return clean === '' ? 'File' : clip(clean, MAX_NAME);
}
