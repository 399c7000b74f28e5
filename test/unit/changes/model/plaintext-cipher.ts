import type { SecretCipher } from '../../../../src/changes/context.ts';
import { Secret } from '../../../../src/lib/secret.ts';

/** Does not encrypt: a search for secrets has to find what it keeps. */
export const PLAINTEXT_CIPHER: SecretCipher = {
  seal: (id, secret) => `${id} ${secret.reveal()}`,
  open: (id, sealed) => new Secret(sealed.slice(id.length + 1)),
};
