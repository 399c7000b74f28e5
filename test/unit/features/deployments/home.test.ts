import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import {
  createDeploymentsHome,
  hurtBlocks,
  watchesBlocks,
  type WatchedPlace,
} from '../../../../src/features/deployments/home.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import type { RecordState } from '../../../../src/rollouts/engine/states.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { storeOf, watchedWorkload } from './harness.ts';

const NOW = Date.UTC(2026, 10, 21, 4);
const HOUR = 3_600_000;
const READ = { ...NO_POLL, at: NOW - 12_000 };

const watched = (changes: Partial<WatchedPlace> = {}): WatchedPlace => ({
  org: 'acme',
  gvc: 'shop',
  workload: undefined,
  channels: ['C0DEPLOYS'],
  poll: READ,
  workloads: one('ready'),
  ...changes,
});
/** A workload of its own in each of these states. */
const one = (...states: RecordState[]) =>
  states.map((state, index) => watchedWorkload(`${state}-${index}`, [state]));
const OOM = 'cart: OOMKilled, exit code 137';
const LATE = { ...NO_POLL, at: NOW - HOUR / 3 };
const served = { served: true, since: NOW - HOUR } as const;
const said = (...places: WatchedPlace[]): string => JSON.stringify(watchesBlocks(places, NOW));
const hurts = (...places: WatchedPlace[]): string =>
  JSON.stringify(hurtBlocks(places, NOW, 'acme'));
const order = (text: string): string[] =>
  (text.match(/\*[a-z\d/-]+\*/g) ?? []).map((name) => name.replaceAll('*', ''));

describe('what hurts, on the home tab', () => {
  it.each<[string, Partial<WatchedPlace>, RegExp, RegExp?]>([
    [
      'green',
      { workloads: one('ready', 'ready', 'idle', 'cron') },
      /Nothing: 2 workloads ready, 1 idle, 1 on/,
    ],
    [
      'out of memory',
      { workloads: [watchedWorkload('cart', ['failed'], { cause: OOM })] },
      /failed in place-1 · out of memory/,
    ],
    [
      'on its way',
      { workloads: one('ready', 'deploying', 'pending') },
      /Nothing: 1 workload dep.*Rolling out: shop\/deploying-1, shop\/pending-2/,
    ],
    [
      'unknown',
      { workloads: [watchedWorkload('cart', ['unknown'], served)] },
      /shop\/cart\* unknown in place-1/,
      /Nothing|Rolling out/,
    ],
    [
      'read long ago',
      { poll: LATE },
      /last read 20 min ago: what hurts since then is not known/,
      /Nothing/,
    ],
    ['not read', { poll: NO_POLL, workloads: [] }, /Not read yet/],
    [
      'silent in one place',
      { workloads: ['a', 'b'].map((name) => watchedWorkload(name, ['stale', 'ready'])) },
      /\*shop\/a, shop\/b\* stale in place-1/,
    ],
  ])('%s is one line of what it is', (_, place, shows, hides) => {
    expect(hurts(watched(place))).toMatch(shows);
    expect(hurts(watched(place))).not.toMatch(hides ?? /^$/);
  });

  it('has each workload with its state, where, and since when, the worst first', () => {
    const outgoing = { version: 2, ready: 1, wanted: 1 };
    const text = hurts(
      watched({
        workloads: [
          watchedWorkload('late', ['diverged', 'ready'], served),
          watchedWorkload('cart', ['failed', 'ready', 'ready'], { ...served, outgoing }),
          watchedWorkload('web', ['unhealthy', 'unhealthy', 'ready'], served),
        ],
      }),
    );

    expect(order(text)).toEqual(['shop/web', 'shop/cart', 'shop/late']);
    expect(text).toMatch(
      /:red_circle: \*shop\/web\* .* in place-1, place-2 · 1 of 3 replicas ready · since/,
    );
    expect(text).toContain(':large_orange_circle: *shop/cart* failed in place-1 · since <!date^');
  });

  it('leads on to the cause of the worst', () => {
    const workloads = [watchedWorkload('web', ['failed']), watchedWorkload('api', ['failed'])];

    expect(hurts(watched({ workloads }))).toContain('`/deployments shop/web`');
    expect(hurts(watched({ org: 'beta', workloads }))).toContain(
      '`/deployments shop/web org beta`',
    );
    expect(hurts(watched())).not.toContain('/deployments');
  });

  it('names a GVC that cannot be read once, with the age of what is known', () => {
    const poll = { ...NO_POLL, at: NOW - 3 * HOUR, failures: 4 };
    const text = hurts(watched({ poll }), watched({ poll, workload: 'cart' }));

    expect(text.match(/GVC \*shop\* of acme cannot be read, 4 tries failed/g)).toHaveLength(1);
    expect(text).toContain('last known state of 3 h ago');
    expect(text).not.toContain('Nothing');
  });

  it('has no workload twice, and names the orgs where there are several', () => {
    const sick = one('failed');
    const twice = [watched({ workloads: sick }), watched({ workload: 'cart', workloads: sick })];

    expect(order(hurts(...twice))).toEqual(['shop/failed-0']);
    expect(order(hurts(...twice, watched({ org: 'beta' })))).toEqual(['acme/shop/failed-0']);
  });

  it('has eight lines, and counts the others', () => {
    const many = Array.from({ length: 11 }, (_, index) =>
      watched({
        gvc: `gvc-${index}`,
        workloads: [watchedWorkload('web', ['failed'], { location: `place-${index}` })],
      }),
    );
    expect(order(hurts(...many))).toHaveLength(8);
    expect(hurts(...many)).toContain('… and 3 more: `/deployments` lists them all');
  });

  it('is not there where nothing is watched', () => {
    expect(hurtBlocks([], NOW, 'acme')).toEqual([]);
  });
});

describe('watches on the home tab', () => {
  it.each<[string, Partial<WatchedPlace>]>([
    [
      ':large_orange_circle: *shop* 1 workload failed, 2 ready, 1 idle · <#C0DEPLOYS>',
      { workloads: one('idle', 'ready', 'failed', 'ready') },
    ],
    [
      '*shop/cart* 1 location stale, 2 ready',
      { workload: 'cart', workloads: [watchedWorkload('cart', ['ready', 'ready', 'stale'])] },
    ],
    [':red_circle: *shop*', { workloads: [watchedWorkload('web', ['unhealthy'], served)] }],
    [':white_check_mark: *shop*', { workloads: one('suspended', 'ready', 'cron') }],
    [':double_vertical_bar: *shop*', { workloads: one('suspended') }],
    [':white_circle: *shop*', { poll: LATE }],
    ['not read yet', { poll: NO_POLL, workloads: [] }],
    ['cannot be read', { poll: { ...NO_POLL, failures: 1 }, workloads: [] }],
    ['no deployments', { workloads: [] }],
    ['last known 1 h ago', { poll: { ...READ, at: NOW - HOUR } }],
    ['<#C1>, <#C2>, <#C3> and 2 more', { channels: ['C1', 'C2', 'C3', 'C4', 'C5'] }],
  ])('are one line each: %s', (words, place) => {
    expect(said(watched(place))).toContain(words);
  });

  it('stand with trouble first, and say how old they are only when they are', () => {
    const text = said(
      watched({ gvc: 'calm' }),
      watched({ gvc: 'moving', workloads: one('ready', 'deploying') }),
      watched({ gvc: 'sick', workloads: one('ready', 'unhealthy') }),
      watched({ gvc: 'unread', poll: { ...READ, failures: 2, error: 'HTTP 500' } }),
    );
    expect(order(text)).toEqual(['unread', 'sick', 'moving', 'calm']);
    expect(text.match(/last known 12 s ago/g)).toHaveLength(1);
  });

  it('are at most eight, and explained where there are none', () => {
    const many = Array.from({ length: 11 }, (_, index) => watched({ gvc: `gvc${index}` }));

    expect(order(said(...many))).toHaveLength(8);
    expect(said(...many)).toContain('… and 3 more');
    expect(said()).toContain('Nothing is watched.');
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
  const partOf = (
    watches: Watch[],
    over: Partial<Parameters<typeof createDeploymentsHome>[0]> = {},
  ) =>
    createDeploymentsHome({
      ...storeOf({ configured: watches, stateOf: () => GVC, pollStatus: READ }),
      access: { requireOrgAccess: () => Promise.resolve() } as unknown as Authorizer,
      clock: { now: () => NOW },
      ...over,
    });
  const nobodySays = () => Promise.reject(new Error('Nobody has to be known for this'));
  const ada = () => ({ userId: 'U0ADA', teamId: 'T0ACME' });

  it('of one place are one line, and of one workload count that alone', async () => {
    const parts = partOf([watch(), watch({ channel: 'C0OPS' }), watch({ workload: 'cart' })]);

    const [hurt, text] = (await Promise.all(parts.map((part) => part.fill(ada(), nobodySays)))).map(
      (blocks) => JSON.stringify(blocks),
    );

    expect(hurt).toContain(':large_orange_circle: *shop/cart-api* failed in aws');
    expect(text).toContain('*shop* 1 workload failed, 1 ready · <#C0DEPLOYS>, <#C0OPS>');
    expect(text).toContain('*shop/cart* 1 location ready · <#C0DEPLOYS>');
  });

  it('of one GVC are read once, however many there are, for both parts', async () => {
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
    const parts = partOf(watches, { ...store, redis: noted as typeof redis });

    const [, shown] = await Promise.all(parts.map((part) => part.fill(ada(), nobodySays)));

    expect(order(JSON.stringify(shown))).toHaveLength(5);
    const places = ['data', 'shop'].flatMap((gvc) => [
      keys.pulse('acme', gvc),
      keys.rollouts('acme', gvc),
    ]);
    expect(read.filter((key) => key !== keys.watches).toSorted()).toEqual(places.toSorted());
  });

  it('are not for people who may not read the orgs, nor is what hurts', async () => {
    const parts = partOf([watch()], {
      access: {
        requireOrgAccess: () => Promise.reject(new Refusal('This takes a user group.')),
      } as unknown as Authorizer,
    });
    for (const part of parts) {
      await expect(part.fill(ada(), nobodySays)).rejects.toThrow('This takes a user group.');
    }
  });

  it('are not for them either as soon as it is known who they are; one part says why', () => {
    const who = { userId: 'U0ADA', email: undefined, roles: [] };
    const parts = partOf([watch()]);

    for (const part of parts) {
      expect(part.refusal?.({ ...who, orgRefusal: 'A role.' })).toBe('A role.');
      expect(part.refusal?.(who)).toBeUndefined();
    }
    expect(parts.map(({ hidden }) => hidden)).toEqual([true, undefined]);
  });
});
