import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Secret } from '../lib/secret.ts';

/** Encrypts what rests for a while (AES-256-GCM). */
export interface SecretCipher {
  /** @param id what it belongs to: it opens under the same id only */
  seal(id: string, secret: Secret): string;
  /** @throws when it was altered, belongs to something else, or the key is another */
  open(id: string, sealed: string): Secret;
}

const CIPHER = 'aes-256-gcm';
/** What is before the text, in bytes: how it was sealed, a nonce that is never used twice, the proof. */
const [VERSION, NONCE, TAG] = [1, 12, 16];
/** As described here; another way of sealing would get another number. */
const THIS_WAY = 1;

/**
 * @param key 32 bytes in base64 (SECRET_KEY)
 * @throws when it is anything else
 */
export function createSecretCipher(key: Secret): SecretCipher {
  const bytes = Buffer.from(key.reveal(), 'base64');
  if (bytes.length !== 32) throw new Error('the key of the vault has to be 32 bytes in base64');
  return {
    seal(id, secret) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG });
      cipher.setAAD(Buffer.from(id));
      const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(THIS_WAY), nonce, cipher.getAuthTag(), text]).toString(
        'base64',
      );
    },
    open(id, sealed) {
      try {
        return new Secret(opened(bytes, id, Buffer.from(sealed, 'base64')));
      } catch {
        // Whatever is wrong with it, nothing of it may be told.
        throw new Error('a sealed secret cannot be opened: it was altered, or the key is another');
      }
    },
  };
}

function opened(key: Buffer, id: string, sealed: Buffer): string {
  if (sealed[0] !== THIS_WAY) throw new Error('it was sealed in another way');
  const nonce = sealed.subarray(VERSION, VERSION + NONCE);
  const tag = sealed.subarray(VERSION + NONCE, VERSION + NONCE + TAG);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG });
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(tag);
  const text = sealed.subarray(VERSION + NONCE + TAG);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}
