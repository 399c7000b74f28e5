import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import {
  attentionBlocks,
  createDeploymentsHome,
  watchesBlocks,
} from '../../../../src/features/deployments/home.ts';
import type { WatchedState } from '../../../../src/features/deployments/watched.ts';
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
const OOM = 'container cart: 3 restarts (OOMKilled, exit code 137)';
const LATE = { ...NO_POLL, at: NOW - HOUR / 3 };
const said = (...gvcs: WatchedState[]): string => JSON.stringify(watchesBlocks(gvcs, NOW));
const hurts = (...gvcs: WatchedState[]): string => JSON.stringify(attentionBlocks(gvcs, NOW));
const order = (text: string): string[] =>
  (text.match(/\*[a-z\d/-]+[*:]/g) ?? []).map((name) => name.replaceAll(/[*:]/g, ''));

describe('the workloads that need attention, on the home tab', () => {
  it.each<[string, Parameters<typeof watched>[0], RegExp, RegExp?]>([
    ['green', { listed: one('ready', 'ready', 'idle', 'cron') }, /Nothing: 2 ready, 1 idle, 1 on/],
    [
      'out of memory',
      { listed: [{ ...down('cart'), state: 'failed', cause: OOM }] },
      /:red_circle: \*Outage\* · \*shop\/cart\* v12 failed in place-1 since <[^>]*> · 0 of 3 serve · Out of memory: cart\\n→ Raise/,
    ],
    [
      'on its way',
      { listed: one('ready', 'deploying', 'pending') },
      /Nothing: 1 deploying, 1 pending, 1 ready.*Rolling out: shop\/deploying-1, shop\/pending-2/,
    ],
    [
      'on its way, and waits for a person',
      {
        listed: [
          { workload: 'cart', state: 'pending', location: 'oslo', cause: 'secret "x" not found' },
        ],
      },
      /:hourglass_flowing_sand: \*No impact\* · \*shop\/cart\* v12 pending in oslo · 3 of 3 serve · A secret is missing \(.*→ Create/,
      /Nothing:|Rolling out/,
    ],
    [
      'on its way, and says what it does',
      { listed: [{ workload: 'cart', state: 'deploying', location: 'oslo', cause: 'Pulling' }] },
      /Nothing: 1 deploying.*Rolling out: shop\/cart/,
    ],
    [
      'stuck',
      { listed: [{ workload: 'cart', state: 'deploying', location: 'oslo' }], stuck: ['cart'] },
      /:large_orange_circle: \*No impact\* · \*shop\/cart\* v12 deploying in oslo · rollout stuck · 3 of 3 serve · No reason is reported\\n→ Look in its logs/,
      /Nothing:|Rolling out/,
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
      'unknown',
      { listed: [{ workload: 'cart', state: 'unknown', location: 'place-1' }] },
      /:white_circle: \*Unknown\* · \*shop\/cart\* v12 unknown in place-1/,
      /Nothing:|Rolling out/,
    ],
    [
      'ready, with too few replicas',
      { listed: [{ workload: 'cart', have: 2, fresh: 2, location: 'place-1' }] },
      /\*Reduced capacity \(2 of 3\)\* · \*shop\/cart\* v12 ready in place-1 · 2 of 3 serve/,
    ],
    [
      'silent in one place, and down in another',
      { listed: [down('web'), { workload: 'web', location: 'place-2', state: 'stale' }] },
      /\*Outage\* · \*shop\/web\* v12 unhealthy in place-1 since <[^>]*> · 0 of 3 serve · No/,
    ],
    [
      'read long ago',
      { poll: LATE },
      /last read 20 min ago: its state since then is unknown/,
      /Nothing/,
    ],
    [
      'read in part',
      { poll: { ...READ, skipped: 2 } },
      /2 deployments could not be read/,
      /Nothing/,
    ],
    [
      'empty all at once',
      { isEmpty: true },
      /its list is suddenly empty.*`\/purser doctor`/,
      /Nothing/,
    ],
    ['not read', { poll: NO_POLL, listed: [] }, /Not read yet/],
    [
      'silent in one place',
      {
        listed: ['a', 'b'].flatMap((workload): Listed[] => [
          { workload, location: 'place-1', state: 'stale' },
          { workload, location: 'place-2' },
        ]),
      },
      /\*No report \(place-1\)\* · \*shop\/a, shop\/b\* stale in place-1 · 3 of 3 serve each in the other locations/,
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

  it('names a GVC that cannot be read once, with the age of the last known state', () => {
    const poll = { ...NO_POLL, at: NOW - 3 * HOUR, failures: 4 };
    const text = hurts(watched({ poll, watches: [watch(), watch({ workload: 'cart' })] }));

    expect(text.match(/GVC \*shop\* of acme cannot be read, 4 tries failed/g)).toHaveLength(1);
    expect(text).toContain('last known state of 3 h ago');
    expect(text).not.toContain('Nothing');
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
  it.each<[string, Parameters<typeof watched>[0]]>([
    [
      ':large_orange_circle: *shop: 1 failed, 2 ready, 1 idle* · <#C0DEPLOYS>',
      { listed: one('idle', 'ready', 'failed', 'ready') },
    ],
    [
      '*shop/cart: 1 stale, 2 ready in 3 locations*',
      {
        watches: [watch({ workload: 'cart' })],
        listed: [{ location: 'a' }, { location: 'b' }, { location: 'c', state: 'stale' }],
      },
    ],
    [
      ':red_circle: *shop: 1 unhealthy, 1 ready* · 1 outage',
      { listed: [down('web'), ...one('ready')] },
    ],
    [
      ':white_check_mark: *shop: 1 ready, 1 suspended, 1 on a schedule*',
      { listed: one('suspended', 'ready', 'cron') },
    ],
    [':double_vertical_bar: *shop: 1 suspended*', { listed: one('suspended') }],
    [':white_circle: *shop: 1 ready*', { poll: LATE }],
    [':white_circle: *shop: 1 ready* · last known', { isEmpty: true }],
    [
      ':white_circle: *shop: 1 ready* · 2 deployments could not be read',
      { poll: { ...READ, skipped: 2 } },
    ],
    ['not read yet', { poll: NO_POLL, listed: [] }],
    ['cannot be read', { poll: { ...NO_POLL, failures: 1 }, listed: [] }],
    ['no deployments', { listed: [] }],
    ['last known 1 h ago', { poll: { ...READ, at: NOW - HOUR } }],
    [
      '<#C1>, <#C2>, <#C3> and 2 more',
      { watches: ['C1', 'C2', 'C3', 'C4', 'C5'].map((channel) => watch({ channel })) },
    ],
  ])('are one line each: %s', (words, place) => {
    expect(said(watched(place))).toContain(words);
  });

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
