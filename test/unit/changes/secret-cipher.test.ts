import { describe, expect, it } from 'vitest';
import { createSecretCipher } from '../../../src/changes/context.ts';
import { Secret } from '../../../src/lib/secret.ts';
import * as fc from '../../support/fast-check.ts';

const keyOf = (letter: string): Buffer => Buffer.alloc(32, letter);
const ownerOf = (id: string, userId = 'U0ADA') => ({ id, requester: { userId, teamId: 'T0ACME' } });
const OWNER = ownerOf('k3m9x2ab');
const cipher = createSecretCipher(() => [keyOf('k')]);
const CANARY = 'svc-bsat-canary-that-stays-hidden';
const CLOSED = 'a sealed secret cannot be opened: it was altered, or the key is another';

describe('a sealed secret', () => {
  it('is opened with the key, under the id that it belongs to', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (id, value) => {
        const sealed = cipher.seal(ownerOf(id), new Secret(value));
        expect(cipher.open(ownerOf(id), sealed).reveal()).toBe(value);
      }),
      { numRuns: 100 },
    );
  });

  it('hides its content, and is different each time', () => {
    const sealed = Array.from({ length: 100 }, () => cipher.seal(OWNER, new Secret(CANARY)));
    expect(new Set(sealed).size).toBe(100);
    const bytes = sealed.map((one) => Buffer.from(one, 'base64').toString('latin1'));
    expect([...sealed, ...bytes].filter((text) => text.includes('canary'))).toEqual([]);
  });

  it('is opened under no other id, and for no other requester', () => {
    const sealed = cipher.seal(OWNER, new Secret(CANARY));
    for (const other of [ownerOf('k3m9x2ac'), ownerOf('k3m9x2ab', 'U0BEN')]) {
      expect(() => cipher.open(other, sealed)).toThrow(CLOSED);
    }
  });

  it('is opened with no other key', () => {
    const sealed = cipher.seal(OWNER, new Secret(CANARY));
    expect(() => createSecretCipher(() => [keyOf('x')]).open(OWNER, sealed)).toThrow(CLOSED);
    expect(
      createSecretCipher(() => [keyOf('x'), keyOf('k')])
        .open(OWNER, sealed)
        .reveal(),
    ).toBe(CANARY);
  });

  it('is not opened when a single bit is different', () => {
    const sealed = Buffer.from(cipher.seal(OWNER, new Secret(CANARY)), 'base64');
    const altered = Array.from(sealed, (byte, index) => {
      const copy = Buffer.from(sealed);
      copy[index] = byte ^ 1;
      return copy.toString('base64');
    });
    for (const one of altered) expect(() => cipher.open(OWNER, one)).toThrow(CLOSED);
  });

  it('is not opened when something is missing', () => {
    const sealed = Buffer.from(cipher.seal(OWNER, new Secret(CANARY)), 'base64');
    for (let length = 0; length < sealed.length; length += 1) {
      const short = sealed.subarray(0, length).toString('base64');
      expect(() => cipher.open(OWNER, short)).toThrow(CLOSED);
    }
  });

  it('takes little room', () => {
    const sealed = cipher.seal(OWNER, new Secret('s'.repeat(71)));
    expect(Buffer.from(sealed, 'base64')).toHaveLength(1 + 12 + 16 + 71);
  });
});
