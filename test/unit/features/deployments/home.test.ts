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
const served = { served: true, since: NOW - HOUR } as const;
const said = (...places: WatchedPlace[]): string => JSON.stringify(watchesBlocks(places, NOW));
const hurts = (...places: WatchedPlace[]): string =>
  JSON.stringify(hurtBlocks(places, NOW, 'acme'));
const order = (text: string): string[] =>
  (text.match(/\*[a-z\d/-]+\*/g) ?? []).map((name) => name.replaceAll('*', ''));

describe('what hurts, on the home tab', () => {
  it('is one line where all is green', () => {
    expect(hurts(watched({ workloads: one('ready', 'ready', 'idle', 'cron') }))).toContain(
      ':white_check_mark: Nothing: 2 workloads ready, 1 idle, 1 on a schedule',
    );
  });

  it('has each workload with its state, where, and since when, the worst first', () => {
    const text = hurts(
      watched({
        workloads: [
          watchedWorkload('late', ['diverged', 'ready'], served),
          watchedWorkload('cart', ['failed', 'ready', 'ready'], {
            ...served,
            outgoing: { version: 2, ready: 1, wanted: 1 },
          }),
          watchedWorkload('web', ['unhealthy', 'unhealthy', 'ready'], served),
        ],
      }),
    );

    expect(order(text)).toEqual(['shop/web', 'shop/cart', 'shop/late']);
    expect(text).toContain(
      ':red_circle: *shop/web* unhealthy in place-1, place-2 · 1 of 3 replicas ready · since <!date^',
    );
    expect(text).toContain(':large_orange_circle: *shop/cart* failed in place-1 · since <!date^');
  });

  it('says in our words what is wrong', () => {
    const cause = 'cart: OOMKilled, exit code 137';
    const text = hurts(watched({ workloads: [watchedWorkload('cart', ['failed'], { cause })] }));

    expect(text).toContain('failed in place-1 · out of memory');
  });

  it('says once what is so of several workloads, as where a location does not report', () => {
    const names = ['cart', 'mail', 'search'];
    const text = hurts(
      watched({
        workloads: names.map((name) => watchedWorkload(name, ['stale', 'ready'], served)),
      }),
    );

    expect(text).toContain(
      ':white_circle: *shop/cart, shop/mail, shop/search* stale in place-1 · since',
    );
  });

  it('has what is on its way in a line of its own', () => {
    const text = hurts(watched({ workloads: one('ready', 'deploying', 'pending') }));

    expect(text).toContain(
      ':hourglass_flowing_sand: Rolling out: shop/deploying-1, shop/pending-2',
    );
    expect(text).toContain('Nothing: 1 workload deploying, 1 pending, 1 ready');
  });

  it('takes what is unknown neither for well nor for a rollout', () => {
    const text = hurts(watched({ workloads: [watchedWorkload('cart', ['unknown'], served)] }));

    expect(text).toContain(':white_circle: *shop/cart* unknown in place-1 · since <!date^');
    expect(text).not.toContain('Nothing');
    expect(text).not.toContain('Rolling out');
  });

  it('does not say that nothing hurts where nobody has looked for a while', () => {
    const late = { ...NO_POLL, at: NOW - HOUR / 3 };

    expect(hurts(watched({ poll: late }))).toContain(
      ':white_circle: GVC *shop* of acme was last read 20 min ago: what hurts since then is not known',
    );
    expect(hurts(watched({ poll: late }))).not.toContain('Nothing');
    expect(said(watched({ poll: late }))).toContain(':white_circle: *shop*');
  });

  it('leads on to the cause of the worst', () => {
    const workloads = [watchedWorkload('web', ['failed']), watchedWorkload('api', ['failed'])];
    const text = hurts(watched({ workloads }));

    expect(text).toContain('Causes and next steps: `/deployments shop/web`');
    expect(hurts(watched({ org: 'beta', workloads }))).toContain(
      '`/deployments shop/web org beta`',
    );
    expect(hurts(watched())).not.toContain('/deployments');
  });

  it('names a GVC that cannot be read, with the age of what is known', () => {
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

  it('is not there where nothing is watched, and is not known where nothing was read', () => {
    expect(hurtBlocks([], NOW, 'acme')).toEqual([]);
    expect(hurts(watched({ poll: NO_POLL, workloads: [] }))).toContain('Not read yet');
  });
});

describe('watches on the home tab', () => {
  it('count workloads by state, and name the channel', () => {
    expect(said(watched({ workloads: one('idle', 'ready', 'failed', 'ready') }))).toContain(
      ':large_orange_circle: *shop* 1 workload failed, 2 ready, 1 idle · <#C0DEPLOYS>',
    );
  });

  it('count the locations of a single workload', () => {
    const workloads = [watchedWorkload('cart', ['ready', 'ready', 'stale'])];

    expect(said(watched({ workload: 'cart', workloads }))).toContain(
      '*shop/cart* 1 location stale, 2 ready',
    );
  });

  it('say by their sign that users are hurt', () => {
    const workloads = [watchedWorkload('web', ['unhealthy'], served)];

    expect(said(watched({ workloads }))).toContain(':red_circle: *shop*');
  });

  it('are well when all that is not ready is quiet on purpose', () => {
    expect(said(watched({ workloads: one('suspended', 'ready', 'cron') }))).toContain(
      ':white_check_mark: *shop*',
    );
    expect(said(watched({ workloads: one('suspended') }))).toContain(
      ':double_vertical_bar: *shop*',
    );
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
    expect(said(watched({ poll: { ...READ, at: NOW - HOUR } }))).toContain('last known 1 h ago');
  });

  it('say that nothing is known yet', () => {
    const never = { ...NO_POLL, failures: 1 };

    expect(said(watched({ poll: NO_POLL, workloads: [] }))).toContain('not read yet');
    expect(said(watched({ poll: never, workloads: [] }))).toContain('cannot be read');
    expect(said(watched({ workloads: [] }))).toContain('no deployments');
  });

  it('are at most eight, of which each names at most three channels', () => {
    const many = Array.from({ length: 11 }, (_, index) => watched({ gvc: `gvc${index}` }));
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
