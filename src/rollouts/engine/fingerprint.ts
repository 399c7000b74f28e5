import { createHash } from 'node:crypto';

/** Of what a message shows: the same shown again is no edit. */
export function fingerprint(shown: unknown): string {
  return createHash('sha1').update(JSON.stringify(shown)).digest('base64').slice(0, 12);
}
