import { describe, expect, it } from 'vitest';
import type { UsageClient } from '../../../../src/platform/usage.ts';
import { PlatformError, type PlatformReason } from '../../../../src/platform/errors.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { buttonsOf } from '../../../support/answer.ts';
import { broken, MINUTE, NOON, ready, rolling } from '../../rollouts/platform-json.ts';
import { createDeployments, headOf, SHOP, stored, wordsOf } from './harness.ts';

const READ = { ...NO_POLL, at: NOON - 20_000 };
const PULL = 'Back-off pulling image "cart:v12"';

const CONFIG = {
  links: [],
  channels: { notify: 'C0OPS' },
  polling: { activeMs: 10_000, idleMs: MINUTE, patience: 1 },
};
const DATA = { ...SHOP, gvc: 'data' };

describe('/deployments alone', () => {
  it.each<[string, Parameters<typeof createDeployments>[0], RegExp, RegExp?]>([
    [
      'two are not read yet',
      { configured: [SHOP, DATA], pollStatus: NO_POLL },
      /2 of 2 watched GVCs are not read yet/,
      /doctor/,
    ],
    [
      'nothing serves while it is deployed',
      {
        state: stored({ 'cart/oslo': rolling(12, { versions: [] }) }),
        pollStatus: READ,
      },
      /^🔴 1 watched GVC: 1 deploying · 1 outage · read/,
    ],
    [
      'its list is empty all at once',
      {
        state: {
          ...stored({ 'cart/oslo': ready(1) }),
          meta: { adoptedAt: NOON, emptySince: NOON },
        },
        pollStatus: READ,
      },
      /^⚪ Not everything is known: the list of 1 of 1 watched GVC is suddenly empty/,
    ],
  ])('says first that %s', async (_, over, says, hides) => {
    const built = await createDeployments({ configured: [SHOP], ...over }).type('');

    expect(headOf(built)).toMatch(says);
    expect(wordsOf(built)).not.toMatch(hides ?? /^$/);
  });

  it('lists a rollout that was posted as stuck with what is wrong', async () => {
    const state = stored({ 'web/oslo': rolling(59), 'api/oslo': rolling(3) });
    const web = { ...state.workloads['web']!, ends: { stuck: 1 } };
    const built = await createDeployments({
      configured: [SHOP],
      state: { ...state, workloads: { ...state.workloads, web } },
      pollStatus: READ,
    }).type('');

    expect(wordsOf(built)).toMatch(
      /\*shop\/web\* v59 deploying in oslo since [^·]*· rollout stuck/,
    );
    expect(wordsOf(built)).toContain('Rolling out: shop/api"');
  });

  it('asks the platform nothing, and shows one org where it is named', async () => {
    const configured = [SHOP, { ...SHOP, org: 'beta' }];
    const state = stored({ 'cart/oslo': broken(1, PULL) });
    const harness = createDeployments({ configured, state, pollStatus: READ });

    const [all, beta] = [await harness.type(''), await harness.type('org beta')];

    expect(harness.signals).toEqual([]);
    expect(wordsOf(all)).toContain('*beta/shop/cart* v1 failed');
    expect(wordsOf(all)).toContain('*shop/cart* v1 failed');
    expect(wordsOf(beta)).toContain('*beta/shop/cart* v1 failed');
    expect(headOf(await harness.type('org acme'))).toContain('1 watched GVC: 1 failed');
  });
});

/** A platform that answers every call so. */
const failing = (reason: PlatformReason, status?: number) => {
  const reject = () => Promise.reject(new PlatformError(reason, 'no', { status }));
  return { deployments: { listGvc: reject, listWorkload: reject, get: reject } as never };
};

describe('while the platform is away', () => {
  const pollStatus = { ...READ, at: NOON - 3 * MINUTE };
  const state = stored({
    'cart/oslo': broken(12, PULL),
    'cart/lima': ready(12),
    'web/oslo': ready(3),
  });

  it.each(['timeout', 'unreachable', 'unavailable', 'server-error', 'rate-limited'] as const)(
    'answers with the last known state of a watched GVC: %s',
    async (reason) => {
      const harness = createDeployments({
        configured: [SHOP],
        state,
        pollStatus,
        over: failing(reason),
      });

      const built = await harness.type('shop');

      expect(headOf(built)).toMatch(/^⚪ Last known, 3 min ago: the platform \w+/);
      expect(headOf(built)).toContain('shop: 1 failed, 1 ready · 1 partial outage');
      expect(buttonsOf(built)).toEqual(['Try again']);
      expect(headOf(await harness.press(built, 'Try again'))).toBe(headOf(built));
      expect(headOf(await harness.type('shop/cart/lima'))).toContain(
        'Partial outage (oslo) · shop/cart/lima v12 ready · 2 of 4 serve',
      );
    },
  );

  it('does not call a GVC well of which not everything could be read', async () => {
    const built = await createDeployments({
      configured: [SHOP],
      state: stored({ 'web/oslo': ready(3) }),
      pollStatus: { ...pollStatus, skipped: 2 },
      over: failing('timeout'),
    }).type('shop');

    expect(headOf(built)).toContain('⚪ shop: 1 ready · 2 deployments could not be read');
  });

  it.each(['unauthorized', 'forbidden'] as const)(
    'but not where it refuses: %s',
    async (reason) => {
      const over = failing(reason, 401);
      const harness = createDeployments({ configured: [SHOP], state, pollStatus, over });
      await expect(harness.type('shop')).rejects.toThrow(PlatformError);
    },
  );

  it.each([
    ['that is not watched', [], pollStatus, 'shop'],
    ['that was never read', [SHOP], NO_POLL, 'shop'],
    ['of which nothing is known', [SHOP], pollStatus, 'shop/api'],
  ])('fails for a place %s', async (_, configured, poll, text) => {
    const over = failing('timeout');
    const harness = createDeployments({ configured, state, pollStatus: poll, over });
    await expect(harness.type(text)).rejects.toThrow(PlatformError);
  });
});

async function mistake(typing: Promise<unknown>): Promise<UsageError> {
  const error: unknown = await typing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof UsageError) return error;
  throw error;
}

describe('a name that is not there', () => {
  const state = stored({ 'cart/oslo': ready(12), 'cart/lima': ready(12), 'web/oslo': ready(3) });
  const absent = failing('not-found', 404);
  const harness = (over = {}) =>
    createDeployments({ configured: [SHOP], state, over: { ...absent, ...over } });

  it.each([
    ['sho', 'There is no GVC sho in acme.', '/deployments shop'],
    ['shpo/cart', 'There is no GVC shpo in acme.', '/deployments shop/cart'],
    [
      'shop/cart/osl',
      'There is no shop/cart in osl: it is in lima, oslo.',
      '/deployments shop/cart/oslo',
    ],
    ['jobs shop/crat', 'There is no workload crat in shop.', '/deployments jobs shop/cart'],
    [
      'watch shop/crat in <#C0FIN|fin> only failed quiet',
      'There is no workload crat in shop.',
      '/deployments watch shop/cart in <#C0FIN> only failed quiet',
    ],
    ['watchs', 'There is no GVC watchs in acme: Purser knows shop.', '/deployments watches'],
  ])('is answered with the nearest, and a command that can be run: %s', async (text, said, run) => {
    const error = await mistake(harness().type(text));
    expect(error.message).toBe(said);
    expect(error.suggestion).toBe(run);
  });

  it('is answered with the list of workloads where no name is near', async () => {
    await expect(harness().type('zzz')).rejects.toThrow(
      'There is no GVC zzz in acme, or Purser’s key may not view it: Purser knows shop; for another org add "org NAME".',
    );
    await expect(harness().type('shop/zzz')).rejects.toThrow('shop has cart, web.');
    await expect(harness().type('zzz org beta')).rejects.toThrow('There is no zzz in org beta');
  });

  it('is looked for in the usage of the org, too, where that is configured', async () => {
    const asked: unknown[] = [];
    const tagValues = async (_: string, query: { tag: string; filterBy?: object }) => {
      asked.push(query);
      const values =
        query.filterBy && 'workload' in query.filterBy ? ['data'] : ['data', '', 'prod-eu'];
      return { value: { values, skipped: 0 }, readAt: NOON };
    };
    const usage = () => ({ tagValues }) as unknown as UsageClient;
    const config = { ...CONFIG, watches: [], usageUrl: 'https://u' };
    const over = { usage, config: config as never };

    expect((await mistake(harness(over).type('prod'))).suggestion).toBe('/deployments prod-eu');
    expect(asked).toMatchObject([
      { tag: 'gvc', startTime: '2026-09-04T12:00:00.000Z', endTime: '2026-10-05T12:00:00.000Z' },
    ]);
    const listGvc = async () => ({ deployments: [], unreadable: [], unidentified: 0 });
    const listWorkload = () => Promise.reject(new PlatformError('not-found', 'no'));
    const deployments = { listGvc, listWorkload } as never;
    const { suggestion, message } = await mistake(
      harness({ ...over, deployments }).type('tools/etl org acme'),
    );
    expect(message).toBe('There is no workload etl in tools: it is in data.');
    expect(suggestion).toBe('/deployments data/etl');
  });

  it('gets no suggestion from a usage API that fails, and no second error', async () => {
    const usage = () => ({ tagValues: () => Promise.reject(new Error('away')) }) as never;
    const config = { ...CONFIG, watches: [SHOP], usageUrl: 'u' };

    const error = await mistake(harness({ usage, config: config as never }).type('shpo'));

    expect(error.suggestion).toBe('/deployments shop');
  });

  it('of which nothing is listed is suggested, and is not called absent', async () => {
    const nothing = createDeployments({ configured: [SHOP], state });

    const error = await mistake(nothing.type('shop/crat'));

    expect(error.message).toBe('Nothing is listed of workload crat in shop.');
    expect(error.suggestion).toBe('/deployments shop/cart');
    expect(headOf(await nothing.type('shop/quite-new'))).toContain('no deployments');
  });

  it('with an unknown location names the locations that there are', async () => {
    const shown = createDeployments({ configured: [SHOP], state });

    await expect(shown.type('shop/cart/nowhere')).rejects.toThrow(
      /^Nothing is listed of shop\/cart in nowhere: it is in .+\.$/,
    );
  });
});
