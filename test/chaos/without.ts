import { WebClient } from '@slack/web-api';
import { Redis } from 'ioredis';

/**
 * Takes one guard out of the process into which it is loaded, so that a run shows the purpose of
 * the guard. The bot itself has no switch for that.
 */
const guard = process.env['CHAOS_WITHOUT'];

type Eval = (script: string, keys: number, ...words: string[]) => Promise<unknown>;
type ApiCall = (this: unknown, method: string, args: unknown) => Promise<unknown>;
type Prototype = Record<string, (...words: never[]) => Promise<unknown>>;
const redis = Redis.prototype as unknown as Prototype;
const own = { eval: redis['eval'] as Eval, hgetall: redis['hgetall'] };

const REMOVALS: Readonly<Record<string, () => void>> = {
  /** A mark that is gone as soon as it is made. */
  'pending mark': () => {
    redis['eval'] = async function (this: Redis, script: string, keys: number, ...words: string[]) {
      const answer = await own.eval.call(this, script, keys, ...words);
      const marks = script.includes("'pendingSince'") && !script.includes("'HDEL'");
      for (const key of marks ? words.slice(0, keys) : []) {
        // The lock is a string, the record a hash.
        await this.hdel(key, 'pendingSince').catch(() => 0);
      }
      return answer;
    };
  },
  /** A check of the channel that never finds anything. */
  reconcile: () => {
    const client = WebClient.prototype as { apiCall: ApiCall };
    const own = client.apiCall;
    client.apiCall = function (method, args) {
      return /^conversations\.(history|replies)$/.test(method)
        ? Promise.resolve({ ok: true, messages: [] })
        : own.call(this, method, args);
    };
  },
  /** Every lock is granted, and nothing compares the token. */
  fencing: () => {
    redis['set'] = async function (this: Redis, key: string, ...words: string[]) {
      const isLock = words.includes('NX') && words.includes('PX');
      const rest = isLock ? words.filter((word) => word !== 'NX') : words;
      const answer: unknown = await this.call('set', key, ...rest.map(String));
      return isLock ? 'OK' : answer;
    };
    redis['eval'] = function (this: Redis, script: string, keys: number, ...words: string[]) {
      const open = script
        .replaceAll("redis.call('GET', KEYS[1]) ~= ARGV[1]", 'false')
        .replaceAll("redis.call('GET', KEYS[1]) == ARGV[1]", 'true');
      return own.eval.call(this, open, keys, ...words);
    };
  },
  /** A GVC that was never seen looks as if it had been, with nothing in it. */
  'silent adoption': () => {
    redis['hgetall'] = async function (this: Redis, key: string) {
      const found = (await own.hgetall?.call(this, key as never)) as Record<string, string>;
      const isFirst = key.includes(':rollouts:') && Object.keys(found).length === 0;
      return isFirst ? { '@meta': '{"adoptedAt":1,"emptySince":null}' } : found;
    };
  },
};

REMOVALS[guard ?? '']?.();
