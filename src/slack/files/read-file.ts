import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import type { WebClient } from '@slack/web-api';
import { Refusal } from '../../lib/errors.ts';
import { isSlackAddress } from '../replies/answers.ts';

/**
 * Reads a text file that this person put into a form, at most 512 KB of UTF-8.
 * @throws Refusal that says why not, and what to do
 */
export type ReadFile = (fileId: string, userId: string) => Promise<string>;

const MAX_BYTES = 512 * 1024;
/** For the bytes alone, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Files are fetched from where Slack says they are, and only when that is Slack (design section 7):
 * the bot's token goes along.
 */
export function createReadFile(slack: WebClient): ReadFile {
  return async (fileId, userId) => {
    const file = await describe(slack, fileId);
    // An id can be forged in a request: another person's file is not shown. Slack may name no owner.
    if ((file.user ?? userId) !== userId) throw new Refusal(GONE);
    if ((file.size ?? 0) > MAX_BYTES) throw new Refusal(TOO_LARGE);
    const address = file.url_private_download ?? file.url_private ?? '';
    if (!isSlackAddress(address, slack.slackApiUrl)) {
      throw new Refusal(LOST, new Error('a file’s address that is not Slack’s was not used'));
    }
    return textOf(await download(address, slack.token ?? ''));
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

const SENTENCES: Readonly<Record<string, string>> = {
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
    const code = error instanceof WebAPIPlatformError ? error.data.error : '';
    throw new Refusal(SENTENCES[code] ?? LOST, error);
  }
  throw new Refusal(LOST, new Error('Slack’s answer lacks the file'));
}

async function download(address: string, token: string): Promise<Uint8Array> {
  try {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      // Without the right to see the file Slack redirects to its login page; the token goes nowhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.ok && !isPage(answer)) return await collect(answer);
    await answer.body?.cancel();
    const isLogin = answer.ok || (answer.status >= 300 && answer.status < 400);
    throw new Refusal(isLogin ? NO_SCOPE : LOST, new Error(`HTTP ${answer.status}`));
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(LOST, error);
  }
}

/** A manifest is no web page: to a token without the right, Slack answers with its login page. */
function isPage(answer: Response): boolean {
  return answer.headers.get('content-type')?.startsWith('text/html') === true;
}

async function collect({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop gives up the rest.
    if (length > MAX_BYTES) throw new Refusal(TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(NO_TEXT);
  }
}
