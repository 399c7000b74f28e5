import { WebAPIRateLimitedError } from '@slack/web-api';
import {
  createReadFile,
  createSendFile,
  uploadRefusal,
  type Upload,
} from '../../../src/slack/files.ts';
import { refusal, type Area, type Entry } from '../entry.ts';
import { ADA, networked, slackSays } from './slack-edge-data.ts';

const API = 'https://slack.com/api/';

/** Slack's error codes for a refused file, and their occasions. */
const CODES: readonly (readonly [code: string, when: string])[] = [
  ['file_type_not_allowed', 'The workspace forbids this kind of file.'],
  ['file_uploads_disabled', 'The workspace forbids all files.'],
  ['file_uploads_except_images_disabled', 'The workspace forbids all files but pictures.'],
  ['file_upload_size_restricted', 'The workspace forbids files of this size.'],
  ['storage_limit_reached', 'The workspace has no room left.'],
  ['not_in_channel', 'Purser may not write to the person.'],
  ['channel_not_found', 'The person has never opened the messages with Purser.'],
  ['cannot_dm_bot', 'It was a bot that asked.'],
  ['messages_tab_disabled', 'The app has no Messages tab.'],
  ['user_disabled', 'The account of the person is switched off.'],
  ['ratelimited', 'Too many files at once, by the word alone.'],
  ['missing_scope', 'The bot lacks a right.'],
  ['some_new_code', 'Slack says something that is not known.'],
];

const name = (code: string): string => code.replaceAll('_', '-');

function send(content: Upload['content']): Promise<unknown> {
  const file = { filename: 'charges.csv', title: 'Charges', comment: 'Charges of October' };
  const { signal: stopping } = new AbortController();
  const sendFile = createSendFile({ slack: undefined as never, stopping });
  return sendFile({ userId: ADA.userId, content, ...file });
}

/** More than 64 MB, piece by piece. */
async function* endless(): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(8 * 1024 * 1024);
  for (;;) yield await Promise.resolve(piece);
}

const ADDRESS = 'https://files.slack.com/f/1';

interface File {
  readonly user?: string;
  readonly size?: number;
  readonly url_private?: string;
}

/** Reads a file of Ada's. @param file Slack's record of the file @param handed the response with its bytes */
function read(
  file: File | Error,
  handed: () => Response = () => new Response(''),
): Promise<unknown> {
  const info = (): Promise<unknown> =>
    file instanceof Error
      ? Promise.reject(file)
      : Promise.resolve({ file: { user: ADA.userId, url_private: ADDRESS, ...file } });
  const readFile = createReadFile({ files: { info }, slackApiUrl: API, token: 'xoxb-1' } as never);
  return networked(handed, () => readFile('F1', ADA.userId));
}

const READS: readonly (readonly [id: string, when: string, attempt: () => Promise<unknown>])[] = [
  ['gone', 'The file is gone.', () => read(slackSays('file_not_found'))],
  ['foreign', 'The file is another person’s.', () => read({ user: 'U0BEN' })],
  ['too-large', 'The file is too large.', () => read({ size: 600 * 1024 })],
  [
    'lost',
    'Slack does not hand out the file.',
    () => read({}, () => new Response('', { status: 500 })),
  ],
  ['no-scope', 'The bot may not read files.', () => read(slackSays('missing_scope'))],
  ['busy', 'Too many files at once.', () => read(slackSays('ratelimited'))],
  [
    'no-text',
    'The file is no text.',
    () => read({}, () => new Response(new Uint8Array([255, 254]))),
  ],
];

export const slackEdgeFiles: Area = {
  id: 'files',
  title: 'Files that do not reach a person, or Purser',
  entries: [
    ...CODES.map(([code, when]): Entry =>
      refusal(`file-not-sent-${name(code)}`, when, () => uploadRefusal('post', slackSays(code))),
    ),
    refusal('file-not-sent-missing-scope-named', 'The bot lacks a right, which Slack names.', () =>
      uploadRefusal('address', slackSays('missing_scope', { needed: 'files:write' })),
    ),
    refusal('file-not-sent-rate-limited', 'Too many files at once, and Slack says how long.', () =>
      uploadRefusal('address', new WebAPIRateLimitedError(30)),
    ),
    refusal('file-not-sent-unclear', 'Slack breaks off while the file is posted.', () =>
      uploadRefusal('post', slackSays('internal_error')),
    ),
    refusal('file-not-sent-unreadable-code', 'Slack’s answer is no answer of Slack.', () =>
      uploadRefusal('post', slackSays('<html> Bad Gateway')),
    ),
    refusal('file-not-sent-unanswered', 'The connection breaks while the file is posted.', () =>
      uploadRefusal('post', new Error('socket hang up')),
    ),
    refusal('file-not-sent-broken-off', 'The connection breaks before the file is posted.', () =>
      uploadRefusal('bytes', new Error('socket hang up')),
    ),
    refusal('file-not-sent-too-large', 'The file would be larger than Purser sends.', () =>
      send(endless()),
    ),
    refusal('file-not-sent-empty', 'There is nothing in the file.', () => send('')),
    ...READS.map(([id, when, attempt]) => refusal(`file-not-read-${id}`, when, attempt)),
  ],
};
