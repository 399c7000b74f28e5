import type { Credential } from './credential.ts';

/** Likely causes of a refused credential, as the end of a sentence (spec section 5). */

export const DELAY = 'changes take up to 5 minutes';

/** Of a 403: a workload's own token outside of its workload gives one. */
export function forbiddenHint(kind: Credential['kind']): string {
  return kind === 'workload'
    ? 'the token that a workload is injected with works only inside of that workload'
    : `it may lack a permission that this takes; ${DELAY}`;
}

/** Of a 401 of an org's key that lacks `permission`. */
export function orgKeyHint(org: string, permission: string): string {
  return `the key of org ${org} may be mistyped, expired or of another org, or lack ${permission}; ${DELAY}`;
}
