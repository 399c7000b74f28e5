import type { Secret } from '../lib/secret.ts';

/** Encrypts what rests for a while (AES-256-GCM). */
export interface Vault {
  /** @param id what it belongs to: it opens under the same id only */
  seal(id: string, secret: Secret): string;
  /** @throws when it was altered, belongs to something else, or the key is another */
  open(id: string, sealed: string): Secret;
}
