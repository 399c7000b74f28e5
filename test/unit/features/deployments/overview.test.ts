import { describe, expect, it } from 'vitest';
import type { UsageClient } from '../../../../src/platform/usage.ts';
import { PlatformError, type PlatformReason } from '../../../../src/platform/errors.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { buttonsOf, controlOf, stepOf } from '../../../support/answer.ts';
import { broken, idle, MINUTE, NOON, ready, rolling } from '../../rollouts/platform-json.ts';
import { createDeployments, headOf, rowsOf, stored, wordsOf } from './harness.ts';

const SHOP: Watch = { org: 'acme', gvc: 'shop', channel: 'C0OPS', quiet: false, configured: true };

const READ = { ...NO_POLL, at: NOON - 20_000 };
const PULL = 'Back-off pulling image "cart:v12"';

const CONFIG = {
  links: [],
  channels: { notify: 'C0OPS' },
  polling: { activeMs: 10_000, idleMs: MINUTE, patience: 1 },
};
const DATA: Watch = { ...SHOP, gvc: 'data' };
const AWAY = { ...READ, failures: 2, error: 'no answer' };
const FAILED = stored({ 'cart/oslo': broken(12, PULL) });
describe('/deployments alone', () => {
  it.each<[string, Parameters<typeof createDeployments>[0], RegExp, RegExp?]>([
    ['nothing is watched', {}, /^Nothing is watched\./],
    [
      'all is green',
      { state: stored({ 'cart/oslo': ready(1), 'off/oslo': idle(1) }), pollStatus: READ },
      /All is green in 1 watched GVC: 1 ready, 1 idle · read 20 s ago$/,
    ],
    [
      'some is older',
      { configured: [SHOP, DATA], state: FAILED, pollStatus: READ, pollsOf: { data: AWAY } },
      /^🔴 2 watched GVCs: 1 failed · 1 outage · 1 of 2 watched GVCs cannot be read · read 20 s ago$/,
    ],
    [
      'one is not read yet',
      { pollStatus: NO_POLL },
      /^⚪ Not everything is known: 1 of 1 watched GVC is not read yet/,
      /doctor/,
    ],
    [
      'two are not read yet',
      { configured: [SHOP, DATA], pollStatus: NO_POLL },
      /2 of 2 watched GVCs are not read yet/,
      /doctor/,
    ],
    [
      'all is old',
      { state: FAILED, pollStatus: { ...AWAY, at: NOON - 48 * 60 * MINUTE } },
      /^⚪ Last known, 2 d ago: 1 failed · 1 outage · 1 of 1/,
      /🔴/,
    ],
    [
      'the last read was long ago',
      {
        state: stored({ 'cart/oslo': ready(1) }),
        pollStatus: { ...READ, at: NOON - 20 * MINUTE },
      },
      /^⚪ Last known, 20 min ago: 1 ready · 1 of 1 watched GVC not read for more than 5 min$/,
      /green/,
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
      'a record cannot be read',
      { state: stored({ 'cart/oslo': ready(1) }), pollStatus: { ...READ, skipped: 3 } },
      /^⚪ Not everything is known: 3 deployments could not be read · 1 watched GVC: 1 ready/,
      /green/,
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
    const watching = over !== undefined && Object.keys(over).length > 0;
    const built = await createDeployments({
      ...(watching && { configured: [SHOP] }),
      ...over,
    }).type('');

    expect(headOf(built)).toMatch(says);
    expect(wordsOf(built)).not.toMatch(hides ?? /^$/);
  });

  it('lists trouble, the worst first: where, why, since when, and the channel', async () => {
    const state = stored({
      'web/oslo': rolling(59),
      'cart/oslo': broken(12, PULL),
      'cart/lima': ready(12),
      'api/oslo': ready(3),
    });
    const configured = [SHOP, { ...SHOP, workload: 'cart', channel: 'C0DEV' }];
    const built = await createDeployments({ configured, state, pollStatus: READ }).type('');

    expect(headOf(built)).toBe(
      '🔴 1 watched GVC: 1 failed, 1 deploying, 1 ready · 1 partial outage · read 20 s ago',
    );
    const said = wordsOf(built);
    expect(said).toMatch(
      /:red_circle: \*Partial outage \(oslo\)\* · \*shop\/cart\* v12 failed in oslo since <!date\^1791201300\^[^>]*> · 2 of 4 serve · <#C0OPS>, <#C0DEV> · The image cannot be pulled \(`[^`]*`\)\\n→ Check/,
    );
    expect(said).toContain(':hourglass_flowing_sand: Rolling out: shop/web');
    expect(rowsOf(built)).toEqual([
      ['shop/cart', 'failed', '0/2', 'v12', 'oslo'],
      ['shop/cart', 'ready', '2/2', 'v12', 'lima'],
      ['shop/web', 'deploying', '0/2, v58 2/2', 'v59', 'oslo'],
    ]);
    expect(stepOf(built, 'shop/cart')).toMatchObject({
      value: 'acme/shop/cart',
      accessibility_label: 'Details: shop/cart',
    });
    expect(built).toMatchObject({ shareable: true, needs: 'orgs:acme' });
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

  it('can be asked again while a GVC is not read yet', async () => {
    const typed = (pollStatus: typeof READ) =>
      createDeployments({ configured: [SHOP], pollStatus }).type('org acme');

    const answer = await typed(NO_POLL);
    expect(controlOf(answer, 'Try again').value).toBe('/deployments org acme');
    expect(buttonsOf(await typed(READ))).toEqual([]);
  });

  it('names the GVCs that cannot be read, and does not call them green', async () => {
    const pollStatus = { ...READ, at: NOON - 3 * MINUTE, failures: 2, error: 'no answer' };
    const state = stored({ 'cart/oslo': ready(1) });
    const built = await createDeployments({ configured: [SHOP], state, pollStatus }).type('');

    expect(headOf(built)).toBe(
      '⚪ Last known, 3 min ago: 1 ready · 1 of 1 watched GVC cannot be read',
    );
    expect(wordsOf(built)).toContain(
      'GVC *shop* of acme cannot be read, 2 tries failed (`no answer`) · last known state of 3 min ago',
    );
    expect(wordsOf(built)).not.toContain('green');
    expect(wordsOf(built)).toContain('`/purser doctor`');
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

  it('has one line for one cause in many locations, and a row for each workload', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`w${index}/oslo-${index}`, broken(1, PULL)]),
    );
    const built = await createDeployments({
      configured: [SHOP],
      state: stored(many),
      pollStatus: READ,
    }).type('');

    const names = Array.from({ length: 30 }, (_, index) => `shop/w${index}`);
    expect(rowsOf(built).map(([name]) => name)).toEqual(names);
    expect(wordsOf(built).match(/The image cannot be pulled/g)).toHaveLength(1);
    expect(wordsOf(built)).toContain(
      '*shop/w0, shop/w1, shop/w2, shop/w3, shop/w4 and 25 more* failed in oslo-0, oslo-1, oslo-2, oslo-3, oslo-4 and 25 more since',
    );
    expect(built.rest).toBeUndefined();
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
    ['shpo', 'There is no GVC shpo in acme.', '/deployments shop'],
    ['sho', 'There is no GVC sho in acme.', '/deployments shop'],
    ['shpo/cart', 'There is no GVC shpo in acme.', '/deployments shop/cart'],
    ['shop/crat', 'There is no workload crat in shop.', '/deployments shop/cart'],
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
      'There is no GVC zzz in acme, or Purser’s key may not view it: Purser knows shop.',
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
});
