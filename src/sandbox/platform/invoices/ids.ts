import { createHash } from 'node:crypto';

/** A UUID that says the same about the same thing on every run (RFC 9562, version 5). */
export function uuidOf(...parts: (string | number)[]): string {
  const bytes = createHash('sha1').update(parts.join(' ')).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
