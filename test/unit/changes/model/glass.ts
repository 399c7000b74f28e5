import type { Vault } from '../../../../src/changes/vault.ts';
import { Secret } from '../../../../src/lib/secret.ts';

/** A vault that everybody can look into: whoever searches for secrets has to find what lies in it. */
export const GLASS: Vault = {
  seal: (id, secret) => `${id} ${secret.reveal()}`,
  open: (id, sealed) => new Secret(sealed.slice(id.length + 1)),
};
