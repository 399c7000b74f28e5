import { describe, expect, it } from 'vitest';
import { count } from './count.ts';

const CHANNEL = 'C0CHAOS';
const never = (): boolean => false;

/** Keys that were reported by posts of their own, in this order. */
const posted = (...keys: string[]) =>
  keys.map((key, at) => ({ channel: CHANNEL, key, by: key, at }));
const wanted = (...keys: string[]) => keys.map((key) => ({ channel: CHANNEL, key, since: 0 }));

describe('the counters', () => {
  it('are silent when everything was reported once and in order', () => {
    const keys = ['acme/shop/api/9/ready', 'acme/shop/api/10/ready'];

    expect(count(posted(...keys), wanted(...keys), never)).toMatchObject({
      lost: [],
      doubled: [],
      ghost: [],
      disorder: [],
    });
  });

  it('see a message that was never reported', () => {
    expect(count([], wanted('acme/shop/api/9/ready'), never).lost).toEqual([
      `${CHANNEL} acme/shop/api/9/ready`,
    ]);
  });

  it('see a message that one channel got by two posts, and let two channels get the same', () => {
    const key = 'acme/shop/api/9/failed';
    const covered = { channel: CHANNEL, key, by: 'acme/@location/ohio/failed/1', at: 1 };
    const elsewhere = { channel: 'C0OTHER', key, by: key, at: 2 };
    const reported = [...posted(key), covered, elsewhere];

    expect(count(reported, wanted(key), () => true).doubled).toEqual([
      `${CHANNEL} ${key} (reported by ${key} and acme/@location/ohio/failed/1)`,
    ]);
  });

  it('see a message about an event that never happened, apart from messages that stand for others', () => {
    const reported = posted('acme/shop/api/9/failed', 'acme/@location/ohio/failed/1');
    const allowed = ({ key }: { key: string }): boolean => key.includes('@location');

    expect(count(reported, [], allowed).ghost).toEqual([
      `${CHANNEL} acme/shop/api/9/failed (reported by acme/shop/api/9/failed)`,
    ]);
  });

  it('see a version that is ready after a later one', () => {
    const keys = ['acme/shop/api/10/ready', 'acme/shop/api/9/ready'];

    expect(count(posted(...keys), wanted(...keys), never).disorder).toEqual([
      `${CHANNEL} acme/shop/api/9/ready after version 10 (reported by acme/shop/api/9/ready)`,
    ]);
  });
});
