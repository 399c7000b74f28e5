import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import { createRolloutJobs, RECONCILE_WATCHES } from '../../../src/rollouts/jobs.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { createKeys } from '../../../src/store/redis.ts';

type JobServices = Parameters<typeof createRolloutJobs>[0];

const SHOP: Watch = { org: 'acme', gvc: 'shop', channel: 'C0OPS', quiet: false, configured: false };

/** The regular check of the schedules: those that it wanted, and those that it forgot. */
async function reconcile(
  watches: readonly Watch[],
  gone: readonly string[],
  stored: Record<string, string> = {},
) {
  const wanted: string[] = [];
  const forgotten: string[] = [];
  const posted: Message[] = [];
  const redis = {
    set: async () => 'OK',
    eval: async () => 1,
    hgetall: async () => stored,
    hmget: async () => [null, null],
    pexpire: async () => 1,
    del: async (key: string) => void forgotten.push(key),
    hget: async () => {
      forgotten.push('its outage');
      return null;
    },
  };
  const jobs: JobServices['jobs'] = {
    add: async () => undefined,
    async reconcile(_, __, schedules, leave) {
      wanted.push(...schedules.map(({ id }) => id));
      for (const id of gone) {
        await leave?.(id);
        forgotten.push(`schedule ${id}`);
      }
    },
  };
  const kinds = createRolloutJobs({
    redis,
    keys: { ...createKeys('test'), pulse: (org: string, gvc: string) => `state of ${org}/${gvc}` },
    jobs,
    outbox: { commit: async (messages: Message[]) => (posted.push(...messages), ['C0OPS']) },
    wake: async () => undefined,
    metrics: { counter: () => ({ inc: () => undefined }) },
    config: {
      watches,
      channels: { notify: 'C0OPS', ops: 'C0OPS' },
      polling: { activeMs: 1_000, idleMs: 60_000 },
    },
  } as Partial<Record<keyof JobServices, unknown>> as JobServices);
  await kinds.find(({ name }) => name === RECONCILE_WATCHES)?.run({});
  return { wanted, forgotten, posted };
}

describe('the schedules of the watches', () => {
  it('are one for each GVC, however many watch it', async () => {
    const watches = [SHOP, { ...SHOP, workload: 'cart' }, { ...SHOP, channel: 'C0TEAM' }];

    const { wanted, forgotten } = await reconcile([...watches, { ...SHOP, gvc: 'data' }], []);

    expect(wanted).toEqual(['poll:acme/shop', 'poll:acme/data']);
    expect(forgotten).toEqual([]);
  });

  it('go last, after the state of the GVC, and its outage', async () => {
    const { forgotten } = await reconcile([SHOP], ['poll:acme/data', 'poll:beta/web']);

    expect(forgotten).toEqual([
      'state of acme/data',
      'its outage',
      'schedule poll:acme/data',
      'state of beta/web',
      'its outage',
      'schedule poll:beta/web',
    ]);
  });

  it('go after the last edit of the messages to operators about its lists', async () => {
    const api = { odd: 3, unreadable: { n: 2, since: 1 }, slow: { n: 1 } };
    const { posted } = await reconcile([], ['poll:acme/data'], { '@api': JSON.stringify(api) });

    expect(posted).toMatchObject([
      { channel: 'C0OPS', key: 'acme/data/@api/unreadable/2', editOnly: true },
    ]);
    expect(posted[0]?.text).toBe('data in acme is no longer watched');
  });
});
