import { hkdfSync } from 'node:crypto';
import type { Secret } from './secret.ts';

export interface SigningSecrets {
  /** SECRET_KEY: 32 bytes in base64 each. */
  readonly secretKey?: Secret | undefined;
  readonly slack: { readonly botToken: Secret };
}

/** Of 32 bytes; the first signs and seals, and any verifies and opens. */
export type DerivedKeys = readonly [Buffer, ...Buffer[]];

/**
 * Keys of 32 bytes for one purpose (HKDF-SHA256): from each key of SECRET_KEY, newest first, else from the bot token,
 * which every process of the bot has, and from those that it replaced since the start. Keys of different purposes reveal
 * nothing about each other. Ask for them at each use: the secrets may change.
 */
export function derivedKeys(
  { secretKey, slack: { botToken } }: SigningSecrets,
  purpose: string,
): () => DerivedKeys {
  const derive = (secret: string): Buffer =>
    Buffer.from(
      hkdfSync('sha256', Buffer.from(secret, secretKey && 'base64'), '', `purser ${purpose}`, 32),
    );
  let source: readonly string[] = [];
  let keys: DerivedKeys | undefined;
  return () => {
    const present = secretKey?.all() ?? botToken.known();
    if (keys !== undefined && present === source) return keys;
    const [newest = '', ...older] = present;
    source = present;
    return (keys = [derive(newest), ...older.map(derive)]);
  };
}
