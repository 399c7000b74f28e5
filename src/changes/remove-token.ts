import { PlatformError } from '../platform/errors.ts';
import type { OfficeDeps } from './office.ts';

/** Deletes a token whose secret nobody has; one that is gone is as good. @throws PlatformError, Refusal */
export async function removeToken(
  { platform }: Pick<OfficeDeps, 'platform'>,
  tokenId: string,
): Promise<void> {
  try {
    await platform().removeToken(tokenId);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Not when it is the account that the platform does not know: that says nothing of the token. */
function isGone(error: unknown): boolean {
  return (
    error instanceof PlatformError && error.reason === 'not-found' && error.credential === undefined
  );
}
