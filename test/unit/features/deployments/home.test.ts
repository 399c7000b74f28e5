import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import {
  attentionBlocks,
  createDeploymentsHome,
  watchesBlocks,
} from '../../../../src/features/deployments/home.ts';
import type { WatchedState } from '../../../../src/features/watched.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import type { State } from '../../../../src/rollouts/watch/location.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { broken, ready } from '../../rollouts/platform-json.ts';
import { statusesOf, stored, storeOf, type Listed } from './harness.ts';

const NOW = Date.UTC(2026, 10, 21, 4);
const HOUR = 3_600_000;
const READ = { ...NO_POLL, at: NOW - 12_000 };

const watch = (changes: Partial<Watch> = {}): Watch => ({
  org: 'acme',
  gvc: 'shop',
  channel: 'C0DEPLOYS',
  quiet: false,
  configured: false,
  ...changes,
});

/** A GVC that is watched as a whole, where nothing else is named. */
const watched = ({
  listed = one('ready'),
  ...changes
}: Partial<WatchedState> & { listed?: Listed[] } = {}): WatchedState => {
  const { org = 'acme', gvc = 'shop' } = changes;
  return {
    org,
    gvc,
    poll: READ,
    isEmpty: false,
    stuck: [],
    watches: [watch({ org, gvc })],
    workloads: statusesOf(listed, NOW),
    ...changes,
  };
};
/** A workload of its own in each of these states, with all its replicas. */
const one = (...states: State[]): Listed[] =>
  states.map((state, index) => ({ workload: `${state}-${index}`, state, location: 'place-1' }));
const down = (workload: string, location = 'place-1'): Listed => ({
  workload,
  location,
  state: 'unhealthy',
  have: 0,
  fresh: 0,
  since: NOW - HOUR,
});
const said = (...gvcs: WatchedState[]): string => JSON.stringify(watchesBlocks(gvcs, NOW));
const hurts = (...gvcs: WatchedState[]): string => JSON.stringify(attentionBlocks(gvcs, NOW));
const order = (text: string): string[] =>
  (text.match(/\*[a-z\d/-]+[*:]/g) ?? []).map((name) => name.replaceAll(/[*:]/g, ''));

describe('the workloads that need attention, on the home tab', () => {
  it.each<[string, Parameters<typeof watched>[0], RegExp, RegExp?]>([
    [
      'on its way, and says what it does',
      { listed: [{ workload: 'cart', state: 'deploying', location: 'oslo', cause: 'Pulling' }] },
      /Nothing: 1 deploying.*Rolling out: shop\/cart/,
    ],
    [
      'ready, though its rollout was stuck',
      { listed: one('ready'), stuck: ['ready-0'] },
      /Nothing: 1 ready/,
    ],
    [
      'on its way, and serves nothing',
      { listed: [{ ...down('cart'), state: 'deploying' }] },
      /:red_circle: \*Outage\* · \*shop\/cart\* v12 deploying in place-1/,
      /Nothing|Rolling out/,
    ],
    [
      'silent in one place, and down in another',
      { listed: [down('web'), { workload: 'web', location: 'place-2', state: 'stale' }] },
      /\*Outage\* · \*shop\/web\* v12 unhealthy in place-1 since <[^>]*> · 0 of 3 serve · No/,
    ],
  ])('%s is one line about its state', (_, place, shows, hides) => {
    expect(hurts(watched(place))).toMatch(shows);
    expect(hurts(watched(place))).not.toMatch(hides ?? /^$/);
  });

  it('has each workload with its impact, where, and since when, the worst first', () => {
    const text = hurts(
      watched({
        listed: [
          { workload: 'cart', location: 'place-1', state: 'failed', fresh: 0, since: NOW - HOUR },
          { workload: 'cart', location: 'place-2' },
          down('web'),
          down('web', 'place-2'),
          { workload: 'web', location: 'place-3' },
          down('web-10'),
          down('web-2'),
        ],
      }),
    );

    expect(order(text)).toEqual(['shop/web', 'shop/cart']);
    expect(text).toContain('*shop/web-2, shop/web-10* unhealthy in place-1');
    expect(text).toMatch(
      /:red_circle: \*Partial outage \(place-1, place-2\)\* · \*shop\/web\* v12 unhealthy in place-1, place-2 since <[^>]*> · 3 of 9 serve · No reason/,
    );
    expect(text).toContain(
      ':large_orange_circle: *No impact* · *shop/cart* v12 failed in place-1 since <!date^',
    );
  });

  it('has a button to the details of each', () => {
    const text = hurts(watched({ org: 'beta', listed: [down('web')] }));

    expect(text).toContain('"action_id":"deployments.details"');
    expect(text).toContain(
      '"value":"beta/shop/web","accessibility_label":"Details: beta/shop/web"',
    );
    expect(hurts(watched({ listed: [down('web'), down('api')] }))).toContain('"value":"acme/shop"');
    const two = ['shop', 'data'].map((gvc) => watched({ gvc, listed: [down('web')] }));
    for (const gvc of ['shop', 'data'])
      expect(hurts(...two)).toContain(`"value":"acme/${gvc}/web"`);
  });

  it('has only watched workloads, and names the orgs where there are several', () => {
    const listed = [down('cart'), { ...down('web'), location: 'place-2' }];
    const some = watched({ listed, watches: [watch({ workload: 'cart' })] });

    expect(order(hurts(some))).toEqual(['shop/cart']);
    expect(hurts(some, watched({ org: 'beta' }))).toContain('*acme/shop/cart*');
  });

  it('has eight with a button, and lines for all others', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      watched({ gvc: `gvc-${index}`, listed: [down('web', `place-${index}`)] }),
    );
    expect(hurts(...many).match(/\*gvc-\d+\/web\*/g)).toHaveLength(30);
    expect(hurts(...many).match(/deployments\.details/g)).toHaveLength(8);
    expect(attentionBlocks(many, NOW).length).toBeLessThanOrEqual(15);
  });

  it('is not there where nothing is watched', () => {
    expect(attentionBlocks([], NOW)).toEqual([]);
  });
});

describe('watches on the home tab', () => {
  it('have trouble first, and show their age only when they are old', () => {
    const text = said(
      watched({ gvc: 'calm' }),
      watched({ gvc: 'moving', listed: one('ready', 'deploying') }),
      watched({ gvc: 'sick', listed: one('ready', 'unhealthy') }),
      watched({ gvc: 'down', listed: [down('web')] }),
      watched({ gvc: 'unread', poll: { ...READ, failures: 2, error: 'HTTP 500' } }),
    );
    expect(order(text)).toEqual(['unread', 'down', 'sick', 'moving', 'calm']);
    expect(text.match(/last known 12 s ago/g)).toHaveLength(1);
  });

  it('are at most twelve, each with Details, in natural order, and explained when the list is empty', () => {
    const many = Array.from({ length: 15 }, (_, index) => watched({ gvc: `gvc${index}` }));

    expect(order(said(...many))).toEqual(many.slice(0, 12).map(({ gvc }) => gvc));
    expect(said(...many)).toContain('… and 3 more');
    expect(said()).toContain('Nothing is watched yet.');
  });

  const GVC = stored({
    'cart/aws': ready(12),
    'cart-api/aws': broken(12),
  });
  const partOf = (
    watches: Watch[],
    over: Partial<Parameters<typeof createDeploymentsHome>[0]> = {},
  ) =>
    createDeploymentsHome({
      ...storeOf({ configured: watches, stateOf: () => GVC, pollStatus: READ }),
      access: {
        readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
        requireOrgAccess: () => Promise.resolve(),
      } as unknown as Authorizer,
      clock: { now: () => NOW },
      ...over,
    });
  const noneSays = () => Promise.reject(new Error('No person is needed for this'));
  const ada = () => ({ userId: 'U0ADA', teamId: 'T0ACME' });

  it('of one place are one line, and of one workload count that alone', async () => {
    const parts = partOf([watch(), watch({ channel: 'C0OPS' }), watch({ workload: 'cart' })]);

    const [hurt, text] = (await Promise.all(parts.map((part) => part.fill(ada(), noneSays)))).map(
      (blocks) => JSON.stringify(blocks),
    );

    expect(hurt).toContain(':red_circle: *Outage* · *shop/cart-api* v12 failed in aws');
    expect(text).toContain('*shop: 1 failed, 1 ready* · 1 outage · <#C0DEPLOYS>, <#C0OPS>');
    expect(text).toContain('*shop/cart: 1 ready* · <#C0DEPLOYS>');
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

    const [, shown] = await Promise.all(parts.map((part) => part.fill(ada(), noneSays)));

    expect(order(JSON.stringify(shown))).toHaveLength(5);
    const places = ['data', 'shop'].flatMap((gvc) => [
      keys.pulse('acme', gvc),
      keys.rollouts('acme', gvc),
    ]);
    expect(read.filter((key) => key !== keys.watches).toSorted()).toEqual(places.toSorted());
  });

  it('are not for people without access to the orgs, nor is the list of trouble', async () => {
    const parts = partOf([watch()], {
      access: {
        requireOrgAccess: () => Promise.reject(new Refusal('This takes a user group.')),
      } as unknown as Authorizer,
    });
    for (const part of parts) {
      await expect(part.fill(ada(), noneSays)).rejects.toThrow('This takes a user group.');
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
