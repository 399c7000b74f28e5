import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import { createWatchesPart, watchesBlocks } from '../../../../src/features/deployments/home.ts';
import type { WatchedPlace } from '../../../../src/features/deployments/home.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { storeOf } from './harness.ts';

const NOW = Date.UTC(2026, 10, 21, 4);
const READ = { ...NO_POLL, at: NOW - 12_000 };

const watched = (changes: Partial<WatchedPlace> = {}): WatchedPlace => ({
  place: 'acme/shop',
  channels: ['C0DEPLOYS'],
  poll: READ,
  states: ['ready', 'ready'],
  ...changes,
});
const said = (...places: WatchedPlace[]): string => JSON.stringify(watchesBlocks(places, NOW));
const order = (text: string): string[] => text.match(/acme\/\w+/g) ?? [];

describe('watches on the home tab', () => {
  it('have their channel, the states that were counted, and when that was', () => {
    expect(said(watched({ states: ['idle', 'ready', 'failed', 'ready'] }))).toContain(
      ':large_orange_circle: *acme/shop* in <#C0DEPLOYS> – 1 failed, 2 ready, 1 idle · read 12 s ago',
    );
  });

  it('are well when all that is not ready is quiet on purpose', () => {
    expect(said(watched({ states: ['suspended', 'ready', 'cron'] }))).toContain(
      ':white_check_mark: *acme/shop*',
    );
    expect(said(watched({ states: ['suspended'] }))).toContain(':double_vertical_bar: *acme/shop*');
  });

  it('stand with trouble first', () => {
    const text = said(
      watched({ place: 'acme/calm' }),
      watched({ place: 'acme/moving', states: ['ready', 'deploying'] }),
      watched({ place: 'acme/sick', states: ['ready', 'unhealthy'] }),
      watched({ place: 'acme/unread', poll: { ...READ, failures: 2, error: 'HTTP 500' } }),
    );

    expect(order(text)).toEqual(['acme/unread', 'acme/sick', 'acme/moving', 'acme/calm']);
    expect(text).toContain('last read 12 s ago, 2 tries failed since');
  });

  it('say that nothing is known yet', () => {
    const never = { ...NO_POLL, failures: 1 };

    expect(said(watched({ poll: NO_POLL, states: [] }))).toContain('not read yet');
    expect(said(watched({ poll: never, states: [] }))).toContain('cannot be read, 1 try failed');
    expect(said(watched({ states: [] }))).toContain('no deployments');
  });

  it('are at most eight, of which each names at most three channels', () => {
    const many = Array.from({ length: 11 }, (_, index) => watched({ place: `acme/gvc${index}` }));
    const channels = ['C1', 'C2', 'C3', 'C4', 'C5'];

    expect(order(said(...many))).toHaveLength(8);
    expect(said(...many)).toContain('… and 3 more');
    expect(said(watched({ channels }))).toContain('<#C1>, <#C2>, <#C3> and 2 more');
  });

  it('are explained where there are none', () => {
    expect(said()).toContain('Nothing is watched. `/deployments watch GVC`');
  });

  const watch = (changes: Partial<Watch> = {}): Watch => ({
    org: 'acme',
    gvc: 'shop',
    channel: 'C0DEPLOYS',
    quiet: false,
    configured: false,
    ...changes,
  });
  const GVC = {
    meta: undefined,
    records: {
      'cart/aws': { state: 'ready' },
      'cart/gcp': { state: 'gone' },
      'cart-api/aws': { state: 'failed' },
    } as never,
    rollouts: {},
    gvcLevel: undefined,
  };
  const partOf = (watches: Watch[], over: Partial<Parameters<typeof createWatchesPart>[0]> = {}) =>
    createWatchesPart({
      ...storeOf({ configured: watches, stateOf: () => GVC, pollStatus: READ }),
      access: { requireOrgAccess: () => Promise.resolve() } as unknown as Authorizer,
      clock: { now: () => NOW },
      ...over,
    });
  const nobodySays = () => Promise.reject(new Error('Nobody has to be known for this'));
  const ada = () => ({ userId: 'U0ADA', teamId: 'T0ACME' });

  it('of one place are one line, and of one workload count that alone', async () => {
    const part = partOf([watch(), watch({ channel: 'C0OPS' }), watch({ workload: 'cart' })]);

    const text = JSON.stringify(await part.fill(ada(), nobodySays));

    expect(text).toContain('*acme/shop* in <#C0DEPLOYS>, <#C0OPS> – 1 failed, 1 ready');
    expect(text).toContain('*acme/shop/cart* in <#C0DEPLOYS> – 1 ready');
  });

  it('of one GVC are read once, however many there are', async () => {
    const read: string[] = [];
    const workloads = ['cart', 'cart-api', 'mail'].map((workload) => watch({ workload }));
    const watches = [watch(), ...workloads, watch({ gvc: 'data' })];
    const store = storeOf({ configured: watches, stateOf: () => GVC, pollStatus: READ });
    const { keys, redis } = store;
    const noting =
      <T>(call: (key: string) => Promise<T>) =>
      (key: string) => {
        read.push(key);
        return call(key);
      };
    const noted = {
      hgetall: noting((key) => redis.hgetall(key)),
      get: noting((key) => redis.get(key)),
    };
    const part = partOf(watches, { ...store, redis: noted as typeof redis });

    expect(order(JSON.stringify(await part.fill(ada(), nobodySays)))).toHaveLength(5);
    const places = ['data', 'shop'].flatMap((gvc) => [
      keys.pulse('acme', gvc),
      keys.rollouts('acme', gvc),
    ]);
    expect(read.filter((key) => key !== keys.watches).toSorted()).toEqual(places.toSorted());
  });

  it('are not for who may not read the orgs', async () => {
    const part = partOf([watch()], {
      access: {
        requireOrgAccess: () => Promise.reject(new Refusal('This takes a user group.')),
      } as unknown as Authorizer,
    });

    await expect(part.fill(ada(), nobodySays)).rejects.toThrow('This takes a user group.');
  });

  it('are not for them either as soon as it is known who they are', () => {
    const who = { userId: 'U0ADA', email: undefined, roles: [] };

    expect(partOf([watch()]).refusal?.({ ...who, orgRefusal: 'A role.' })).toBe('A role.');
    expect(partOf([watch()]).refusal?.(who)).toBeUndefined();
  });
});
