import type { Secret } from '../../lib/secret.ts';
import type { Credential } from '../../platform/credential.ts';

/** What is known of a token by its looks (spec 2.5 and section 5). */
export type TokenKind =
  /** A billing service account token, which works on account paths alone. */
  | 'billing'
  /** The same with the prefix of another brand. */
  | 'other-billing'
  /** An org's key or a user's token: they look alike. */
  | 'unknown';

/** @param prefix BRAND_PREFIX */
export function kindOf(token: Secret, prefix: string): TokenKind {
  const text = token.reveal();
  if (text.startsWith(`${prefix}-bsat-`)) return 'billing';
  return /^[a-z][a-z0-9]*-bsat-/.test(text) ? 'other-billing' : 'unknown';
}

export function isSameToken(one: Secret, other: Secret | undefined): boolean {
  return other !== undefined && one.reveal() === other.reveal();
}

/** The orgs whose key this is. */
export function orgsWithKey(
  token: Secret,
  credentials: ReadonlyMap<string, Credential>,
): readonly string[] {
  return [...credentials]
    .filter(([, { kind, secret }]) => kind === 'bearer' && isSameToken(secret, token))
    .map(([org]) => org);
}
