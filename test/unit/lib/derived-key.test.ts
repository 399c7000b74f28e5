import { describe, expect, it } from 'vitest';
import { derivedKeys } from '../../../src/lib/derived-key.ts';
import { Secret } from '../../../src/lib/secret.ts';

const keyOf = (byte: number): Secret => new Secret(Buffer.alloc(32, byte).toString('base64'));
const slack = { botToken: new Secret('xoxb-bot-token') };
const hexOf = (secretKeys: readonly Secret[], purpose = 'changes', other = slack): string[] =>
  derivedKeys({ secretKeys, slack: other }, purpose).map((key) => key.toString('hex'));

describe('a derived key', () => {
  it('is made of each key of SECRET_KEY, the newest first', () => {
    const [first, second] = [hexOf([keyOf(1)]), hexOf([keyOf(2)])];
    expect(hexOf([keyOf(2), keyOf(1)])).toEqual([...second, ...first]);
    expect(first[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is made of the bot token without SECRET_KEY', () => {
    const rotated = { botToken: new Secret('xoxb-another') };
    expect(hexOf([])).toEqual(hexOf([]));
    expect(hexOf([], 'changes', rotated)).not.toEqual(hexOf([]));
    expect(hexOf([keyOf(1)], 'changes', rotated)).toEqual(hexOf([keyOf(1)]));
  });

  it('differs by purpose', () => {
    expect(hexOf([keyOf(1)], 'secrets')).not.toEqual(hexOf([keyOf(1)]));
  });
});
