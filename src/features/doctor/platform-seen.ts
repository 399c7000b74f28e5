import { PlatformError } from '../../platform/errors.ts';
import type { PlatformReason } from '../../platform/errors.ts';
import type { Finding } from './check.ts';
import { PATIENCE_MS } from './check.ts';
import { broken, doubtful } from './findings.ts';

/** What a call gave, for a judgment that comes later. */
export type Seen<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: PlatformError };

/** Waits for a call. @throws what is no PlatformError: that is a defect and no finding */
export async function see<T>(call: Promise<T>): Promise<Seen<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof PlatformError) return { ok: false, error };
    throw error;
  }
}

/** The same of a call that gives what it read with its time. */
export async function seeValue<T>(call: Promise<{ readonly value: T }>): Promise<Seen<T>> {
  return see(call.then(({ value }) => value));
}

/** Whether the credential was refused, or what it may do (spec section 7). */
export function isRefused(seen: Seen<unknown> | undefined): boolean {
  return seen?.ok === false && ['unauthorized', 'forbidden'].includes(seen.error.reason);
}

const SAYS: Readonly<Partial<Record<PlatformReason, string>>> = {
  'bad-request': 'the platform does not accept the question',
  conflict: 'the platform does not accept the question',
  'rate-limited': 'the platform asks for fewer calls',
  unreachable: 'the connection fails',
  'too-large': 'the answer is too large to be read',
  malformed: 'the answer cannot be read, as if something else than the platform had given it',
  redirected: 'the address leads on to another one',
};

/** A call that got no answer that could be judged. `variable` holds the address. */
export function unanswered(what: string, variable: string, error: PlatformError): Finding {
  if (error.reason === 'timeout') return slow(what);
  const status = error.status === undefined ? '' : ` (status ${error.status})`;
  const says = SAYS[error.reason] ?? 'the platform fails';
  const isAddress = ['malformed', 'redirected', 'unreachable'].includes(error.reason);
  const fix = isAddress
    ? `check ${variable}, and what stands between Purser and the platform`
    : `try again in a minute, and ask whoever runs the platform if it stays so; ${variable} has its address`;
  const verdict = error.reason === 'rate-limited' ? doubtful : broken;
  return verdict(what, `${says}${status}`, fix);
}

/** Not broken: Purser itself waits longer than the doctor. */
function slow(what: string): Finding {
  return doubtful(
    what,
    `slow: no answer within ${PATIENCE_MS / 1_000} s`,
    'run /purser doctor again in a minute, and ask whoever runs the platform if it stays so; what Purser reads otherwise may take 45 s',
  );
}
