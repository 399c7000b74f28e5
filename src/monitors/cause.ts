import { Refusal } from '../lib/errors.ts';
import { truncate } from '../lib/text.ts';
import { PlatformError, type PlatformReason } from '../platform/errors.ts';
import { CannotSee } from './monitor.ts';

/** Why monitors cannot see, as their messages say it. Those of one name are one outage. */
export interface Cause {
  name: string;
  /** BILLING_TOKEN, an org's key, the platform, unreadable rights of people or readers of a channel, or Purser itself. */
  kind: 'token' | 'key' | 'platform' | 'rights' | 'readers' | 'purser';
  reason?: PlatformReason;
  status?: number;
  /** A sentence of Purser's own about it. */
  found?: string;
  /** A second question confirmed it, so it is posted at once. */
  isSure?: boolean;
}

/** Characters of a sentence about an answer. */
const MAX_FOUND = 200;

export function causeOf(thrown: unknown): Cause {
  const error = thrown instanceof Refusal ? thrown.cause : thrown;
  if (error instanceof CannotSee) {
    return { name: error.of, kind: error.of, found: truncate(error.message, MAX_FOUND) };
  }
  if (!(error instanceof PlatformError)) return { name: 'purser', kind: 'purser' };
  const { reason, status, credential, message } = error;
  const facts = { reason, ...(status !== undefined && { status }) };
  if (isRefused(error)) {
    return credential === 'account'
      ? { name: 'token', kind: 'token', ...facts }
      : { name: 'key', kind: 'key', ...facts };
  }
  // Of an answer that cannot be used, the error's sentence is Purser's; any other may be the platform's.
  const isOwn = reason === 'malformed' || reason === 'too-large';
  return {
    name: 'platform',
    kind: 'platform',
    ...facts,
    ...(isOwn && { found: truncate(message, MAX_FOUND) }),
  };
}

/** A credential is refused, or was never sent because of its characters. */
function isRefused({ reason, status, credential }: PlatformError): boolean {
  const isUnsent = reason === 'bad-request' && status === undefined;
  const isNoAccount = reason === 'not-found' && credential === 'account';
  return reason === 'unauthorized' || reason === 'forbidden' || isUnsent || isNoAccount;
}
