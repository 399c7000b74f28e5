import { createHmac } from 'node:crypto';
import type { DerivedKeys } from '../lib/derived-key.ts';
import type { Logger } from '../lib/logger.ts';
import type { AuditLine } from './audit.ts';

/**
 * Logs each line of the audit with its hash. An e-mail address in it is replaced by a keyed hash: the same address has
 * the same one, and without the key no address can be found by trying.
 */
export function createAuditLog(
  logger: Pick<Logger, 'info'>,
  keys: () => DerivedKeys,
): (line: AuditLine, hash: string) => void {
  return (line, hash) => {
    logger.info({ audit: true, ...(hideEmails(line, keys()[0]) as AuditLine), hash }, 'Audit');
  };
}

/** In all texts of a value, and in the names of its fields. */
function hideEmails(value: unknown, key: Buffer): unknown {
  if (typeof value === 'string') return withoutEmails(value, key);
  if (Array.isArray(value)) return value.map((one) => hideEmails(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [withoutEmails(name, key), hideEmails(one, key)]),
  );
}

/** A word, or a quoted local part with its domain: `"ada l"@acme.example`. */
const WORDS = /"[^"\n]{1,64}"@[^\s<>()[\]{}",;:|`\\]+|[^\s<>()[\]{}",;:|`\\]+/g;
/** Punctuation around an address. */
const SIGNS = "'*_~./=!?";

/** In doubt more is replaced: whatever has an @ within a word. */
function withoutEmails(text: string, key: Buffer): string {
  if (!text.includes('@')) return text;
  return text.replace(WORDS, (word) => {
    let [from, to] = [0, word.length];
    while (from < to && SIGNS.includes(word.charAt(from))) from += 1;
    while (from < to && SIGNS.includes(word.charAt(to - 1))) to -= 1;
    const address = word.slice(from, to);
    if (!/.@./u.test(address)) return word;
    const hash = createHmac('sha256', key).update(address.toLowerCase()).digest('hex');
    return `${word.slice(0, from)}email:${hash.slice(0, 12)}${word.slice(to)}`;
  });
}
