import { describe, expect, it } from 'vitest';
import { derivedKeys } from '../../../src/lib/derived-key.ts';
import { Secret } from '../../../src/lib/secret.ts';

const keyOf = (byte: number): Secret => new Secret(Buffer.alloc(32, byte).toString('base64'));
const slack = { botToken: new Secret('xoxb-bot-token') };
const hexOf = (keys: readonly Secret[], purpose = 'changes', other = slack): string[] => {
  const [newest, ...older] = keys.map((key) => key.reveal());
  const secretKey = newest === undefined ? {} : { secretKey: new Secret(newest, ...older) };
  return derivedKeys({ ...secretKey, slack: other }, purpose)().map((key) => key.toString('hex'));
};

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

  it('follows its secret, and that of a former bot token stays valid', () => {
    const secretKey = new Secret(keyOf(1).reveal());
    const ofList = derivedKeys({ secretKey, slack }, 'changes');
    const [first] = ofList();
    secretKey.renew(new Secret(keyOf(2).reveal()));
    expect(ofList()).toEqual(derivedKeys({ secretKey: keyOf(2), slack }, 'changes')());

    const botToken = new Secret('xoxb-bot-token');
    const ofToken = derivedKeys({ slack: { botToken } }, 'changes');
    const [old] = ofToken();
    botToken.renew(new Secret('xoxb-another'));
    expect(ofToken()).toHaveLength(2);
    expect(ofToken()[1]).toEqual(old);
    expect(first).not.toEqual(old);
  });

  it('differs by purpose', () => {
    expect(hexOf([keyOf(1)], 'secrets')).not.toEqual(hexOf([keyOf(1)]));
  });
});
