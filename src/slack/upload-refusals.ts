import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { Refusal } from '../lib/refusal.ts';
import { plural } from '../lib/text.ts';

/** Where a file was lost: before it was sent, on its way, or when it was posted. */
type Step = 'place' | 'bytes' | 'post';

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
const LIMIT_CODES = new Set(['ratelimited', 'rate_limited']);
/** Slack's own words for "perhaps it was done". */
const UNCLEAR_CODES = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

const UNCLEAR =
  'Slack did not confirm the file: look into your messages with Purser before you try again.';

/** The sentence for what a step of an upload threw. */
export function notTaken(step: Step, error?: unknown): Refusal {
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
  if (LIMIT_CODES.has(code)) {
    return new Refusal('Slack takes no more files just now: try again in a minute.', error);
  }
  if (step === 'post' && UNCLEAR_CODES.has(code)) return new Refusal(UNCLEAR, error);
  const known = SENTENCES[code];
  if (known !== undefined) return new Refusal(known, error);
  const named = /^\w{1,60}$/.test(code) ? ` (${code})` : '';
  return new Refusal(`Slack did not take the file${named}: please try again.`, error);
}
