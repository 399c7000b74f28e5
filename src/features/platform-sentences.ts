import { withoutStop } from '../lib/text.ts';
import { PlatformError } from '../platform/errors.ts';

/** The likely cause where the API does not know one, as for a key that is not configured. */
const KEY_HINT = 'a key may be missing or lack a permission; a change of that can take 5 minutes';

const UNSENT =
  'Purser did not ask the platform, since it still waits for the answers to other calls: please try again in a minute.';

/**
 * One sentence for a person about a call that the platform did not answer as hoped: what is wrong
 * and what to do. Undefined for anything that is not the platform's.
 */
export function explainPlatformError(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) return undefined;
  switch (error.reason) {
    case 'unauthorized':
    case 'forbidden':
      return `The platform refuses Purser’s key (${withoutEnd(error.message)}), so whoever runs Purser has to check ${variableOf(error)}: ${error.hint ?? KEY_HINT}.`;
    case 'not-found':
      return error.credential === 'account'
        ? 'The platform knows no such billing account: whoever runs Purser has to check BILLING_ACCOUNT_ID.'
        : 'The platform knows nothing of that name: check the spelling, and the org if there are several.';
    case 'rate-limited':
      return 'The platform asks for fewer calls just now: please try again in a minute.';
    case 'unreachable':
    case 'timeout':
    case 'unavailable':
      if (error.isUnsent) return UNSENT;
      return 'The platform does not answer just now: please try again in a minute.';
    case 'too-large':
      return 'The platform’s answer is too large to be read: ask for less, for example one workload.';
    case 'bad-request':
    case 'conflict':
      if (isOwn(error)) return begun(ended(error.message));
      return `The platform did not accept that, please check what you typed. It says: ${ended(error.message)}`;
    case 'server-error':
      return `The platform failed at that, please try again in a minute. It says: ${ended(error.message)}`;
    case 'malformed':
    case 'redirected':
      return 'The platform’s answer cannot be read: please try again, and tell whoever runs Purser if it stays so.';
  }
}

/** Whether the question was refused before anybody asked the platform: then the words are ours. */
function isOwn({ reason, status }: PlatformError): boolean {
  return reason === 'bad-request' && status === undefined;
}

/** Where the refused credential is configured. */
function variableOf({ credential }: PlatformError): string {
  switch (credential) {
    case 'account':
      return 'BILLING_TOKEN and BILLING_ACCOUNT_ID';
    case 'user':
      return 'BILLING_USER_TOKEN';
    case undefined:
      return 'ORG_TOKENS';
  }
}

/** The server's words as the end of a sentence of ours, whatever they end with. */
function ended(message: string): string {
  const words = withoutEnd(message);
  return /[!?…]$/.test(words) ? words : `${words}.`;
}

/** As a sentence begins, unless it begins with a name such as "endTime". */
function begun(sentence: string): string {
  return sentence.replace(/^[a-z]+(?=[\s,])/, (word) => word[0]!.toUpperCase() + word.slice(1));
}

function withoutEnd(message: string): string {
  return withoutStop(message);
}
