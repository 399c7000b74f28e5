import { describe, expect, it } from 'vitest';
import { createSecretCipher } from '../../../src/changes/context.ts';
import { Secret } from '../../../src/lib/secret.ts';
import * as fc from '../../support/fast-check.ts';

const keyOf = (letter: string): Secret => new Secret(Buffer.alloc(32, letter).toString('base64'));
const cipher = createSecretCipher(keyOf('k'));
const CANARY = 'svc-bsat-canary-that-nobody-may-see';
const CLOSED = 'a sealed secret cannot be opened: it was altered, or the key is another';

describe('a sealed secret', () => {
  it('is opened with the key, under the id that it belongs to', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (id, value) => {
        const sealed = cipher.seal(id, new Secret(value));
        expect(cipher.open(id, sealed).reveal()).toBe(value);
      }),
      { numRuns: 100 },
    );
  });

  it('says nothing of what is in it, nor twice the same', () => {
    const sealed = Array.from({ length: 100 }, () => cipher.seal('k3m9x2ab', new Secret(CANARY)));
    expect(new Set(sealed).size).toBe(100);
    const bytes = sealed.map((one) => Buffer.from(one, 'base64').toString('latin1'));
    expect([...sealed, ...bytes].filter((text) => text.includes('canary'))).toEqual([]);
  });

  it('is opened under no other id', () => {
    const sealed = cipher.seal('k3m9x2ab', new Secret(CANARY));
    expect(() => cipher.open('k3m9x2ac', sealed)).toThrow(CLOSED);
  });

  it('is opened with no other key', () => {
    const sealed = cipher.seal('k3m9x2ab', new Secret(CANARY));
    expect(() => createSecretCipher(keyOf('x')).open('k3m9x2ab', sealed)).toThrow(CLOSED);
    expect(createSecretCipher(keyOf('k')).open('k3m9x2ab', sealed).reveal()).toBe(CANARY);
  });

  it('is not opened when a single bit of it is another', () => {
    const sealed = Buffer.from(cipher.seal('k3m9x2ab', new Secret(CANARY)), 'base64');
    const altered = Array.from(sealed, (byte, index) => {
      const copy = Buffer.from(sealed);
      copy[index] = byte ^ 1;
      return copy.toString('base64');
    });
    for (const one of altered) expect(() => cipher.open('k3m9x2ab', one)).toThrow(CLOSED);
  });

  it('is not opened when something is missing', () => {
    const sealed = Buffer.from(cipher.seal('k3m9x2ab', new Secret(CANARY)), 'base64');
    for (let length = 0; length < sealed.length; length += 1) {
      const short = sealed.subarray(0, length).toString('base64');
      expect(() => cipher.open('k3m9x2ab', short)).toThrow(CLOSED);
    }
  });

  it('takes little room', () => {
    const sealed = cipher.seal('k3m9x2ab', new Secret('s'.repeat(71)));
    expect(Buffer.from(sealed, 'base64')).toHaveLength(1 + 12 + 16 + 71);
  });
});

it('a key of another length is none, and is not told', () => {
  const short = new Secret(Buffer.alloc(31, 'k').toString('base64'));
  expect(() => createSecretCipher(short)).toThrow(
    'the key of the vault has to be 32 bytes in base64',
  );
});
