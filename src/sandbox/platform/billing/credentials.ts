import {
  isWorkloadToken,
  readAuthorization,
  refuseWorkload,
  type Auth,
  type OrgKey,
} from '../auth.ts';
import type { LoggedCaller } from '../request-log.ts';
import type { Ledger } from './ledger.ts';
import type { Account, BillingToken } from './model.ts';

/** The content of the Authorization header, which may open nothing. */
export type Credential = { readonly token: string } & (
  | { readonly kind: 'user'; readonly email: string }
  | { readonly kind: 'billing-token'; readonly account: Account; readonly record: BillingToken }
  | { readonly kind: 'org-key'; readonly key: OrgKey }
);

export interface Credentials {
  /** Undefined for none and for an invented one; a workload's own token is a SandboxError (403). */
  read(header: string | undefined): Credential | undefined;
  /** The same for the request log, by name only. */
  callerOf(header: string | undefined): LoggedCaller | undefined;
}

export function createCredentials({ auth, ledger }: { auth: Auth; ledger: Ledger }): Credentials {
  const billingToken = (token: string) => {
    for (const account of ledger.accounts) {
      const record = account.tokens.find(({ secret }) => secret === token);
      if (record !== undefined) return { account, record };
    }
    return undefined;
  };

  const read: Credentials['read'] = (header) => {
    const authorization = readAuthorization(header);
    refuseWorkload(authorization);
    const { scheme, token } = authorization;
    if (scheme !== 'Bearer') return undefined;

    const email = ledger.emailOf(token);
    if (email !== undefined) return { kind: 'user', token, email };
    const found = billingToken(token);
    if (found !== undefined) return { kind: 'billing-token', token, ...found };
    const key = auth.keyOf(header);
    return key === undefined ? undefined : { kind: 'org-key', token, key };
  };

  return {
    read,
    callerOf(header) {
      if (isWorkloadToken(readAuthorization(header))) {
        return { kind: 'workload', name: 'workload' };
      }
      const credential = read(header);
      return credential && { kind: credential.kind, name: nameOf(credential) };
    },
  };
}

/** A person's address, a token's name, a key's org. */
export function nameOf(credential: Credential): string {
  switch (credential.kind) {
    case 'user':
      return credential.email;
    case 'billing-token':
      return credential.record.name;
    case 'org-key':
      return credential.key.org;
  }
}
