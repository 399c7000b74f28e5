import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKeys } from '../lib/derived-key.ts';
import { Change } from './change.ts';

/**
 * Signs stored changes (HMAC-SHA256), because Redis is not trusted with authority: a record that was written or edited
 * by anything but Purser has no valid signature, and nothing is done for it (ADR 29). It covers every field.
 */
export interface Signature {
  readonly sign: (change: Change) => Change;
  readonly isGenuine: (change: Change) => boolean;
}

/** @param keys the first signs, and any verifies */
export function createSignature(keys: () => DerivedKeys): Signature {
  const macOf = (key: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  return {
    sign: (change) => ({
      ...change,
      signature: macOf(keys()[0], signedText(change)).toString('hex'),
    }),
    isGenuine(change) {
      const signature = Buffer.from(change.signature ?? '', 'hex');
      const text = signedText(change);
      return keys().some((key) => {
        const mac = macOf(key, text);
        return mac.length === signature.length && timingSafeEqual(mac, signature);
      });
    },
  };
}

/** Parsing puts the fields in one order. */
function signedText(change: Change): string {
  return JSON.stringify(Change.parse({ ...change, signature: undefined }));
}
