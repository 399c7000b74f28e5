import { hkdfSync } from 'node:crypto';
import type { Secret } from './secret.ts';

export interface SigningSecrets {
  /** SECRET_KEY, 32 bytes in base64 each; the newest comes first. */
  readonly secretKeys: readonly Secret[];
  readonly slack: { readonly botToken: Secret };
}

/** Of 32 bytes; the first signs and seals, and any verifies and opens. */
export type DerivedKeys = readonly [Buffer, ...Buffer[]];

/**
 * Keys of 32 bytes for one purpose (HKDF-SHA256): from each key of SECRET_KEY, newest first, else from the bot token,
 * which every process of the bot has. Keys of different purposes say nothing about each other.
 */
export function derivedKeys({ secretKeys, slack }: SigningSecrets, purpose: string): DerivedKeys {
  const [newest, ...older] = secretKeys.map((key) => Buffer.from(key.reveal(), 'base64'));
  const derive = (secret: Buffer): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `purser ${purpose}`, 32));
  return [derive(newest ?? Buffer.from(slack.botToken.reveal())), ...older.map(derive)];
}
