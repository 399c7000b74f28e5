import type { Secret } from '../lib/secret.ts';

/** What a call is authorized with (spec section 5). */
export interface Credential {
  /** `workload`: the token that a workload is injected with, sent as the plain header value. */
  readonly kind: 'bearer' | 'workload';
  readonly secret: Secret;
}

/** The credential of an org; undefined when none is configured. */
export type OrgCredentials = (org: string) => Credential | undefined;

/** The value of the Authorization header (spec section 5). */
export function authorizationOf({ kind, secret }: Credential): string {
  return kind === 'bearer' ? `Bearer ${secret.reveal()}` : secret.reveal();
}
