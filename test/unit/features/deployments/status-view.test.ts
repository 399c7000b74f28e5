import { describe, expect, it } from 'vitest';
import { broken, deployment, ready } from '../../rollouts/platform-json.ts';
import { buttonsOf } from '../../../support/answer.ts';
import {
  createDeployments,
  nobodyMay,
  rowsOf,
  statusesOf,
  statusOf,
  wordsBeside as wordsOf,
  type Listed,
} from './harness.ts';

const status = (changes: Listed = {}): Listed => changes;
const answer = (
  listed: readonly Listed[],
  over: Parameters<typeof statusOf>[1] = {},
): ReturnType<typeof statusOf> => statusOf(statusesOf(listed), over);

const ready8 = (): string[] => Array.from({ length: 8 }, (_, index) => `w${index}`);

describe('the status of a GVC', () => {
  it('says first what is wrong, and how many workloads are well', () => {
    const { text } = answer([
      status(),
      status({ location: 'eu' }),
      status({ workload: 'api' }),
      status({ workload: 'web', state: 'failed' }),
      status({ workload: 'web', location: 'eu' }),
      status({ workload: 'new', state: 'deploying' }),
      status({ workload: 'off', state: 'suspended' }),
      status({ workload: 'etl', state: 'cron' }),
    ]);
    expect(text).toBe(
      '🟠 *shop*: 1 workload failed, 1 deploying · 2 workloads ready, 1 suspended, 1 on a schedule · org acme',
    );
  });

  it.each([
    [1, '1 deployment could not be read'],
    [3, '3 deployments could not be read'],
  ])('never says that all is well where it could not read all of it: %i', (skipped, said) => {
    expect(answer([status()], { skipped }).text).toBe(
      `⚪ *shop*: ${said} · 1 workload ready · org acme`,
    );
    expect(answer([status({ state: 'failed' })], { skipped }).text).toBe(
      `🟠 *shop*: 1 workload failed · ${said} · org acme`,
    );
    const target = { gvc: 'shop', workload: 'cart' };
    expect(answer([status(), status({ location: 'eu' })], { skipped, target }).text).toBe(
      `⚪ *shop/cart* v12 ready in aws-us-west-2, eu · ${said} · org acme`,
    );
  });

  it.each<[string, Listed[], RegExp]>([
    [
      'nothing serves, in whatever state',
      [{ state: 'deploying', have: 0, fresh: 0 }],
      /^🔴 \*shop\*: 1 outage · org/,
    ],
    [
      'a location serves nothing',
      [{ state: 'unhealthy', have: 0, fresh: 0 }, { location: 'eu' }],
      /^🔴 \*shop\*: 1 partial outage · org/,
    ],
    [
      'less serves than should',
      [{ have: 2, fresh: 2 }],
      /^🟠 \*shop\*: 1 with reduced capacity · org/,
    ],
    [
      'nothing served before',
      [{ state: 'deploying', have: 0, fresh: 0, served: false }],
      /^⏳ \*shop\*: 1 workload deploying · org/,
    ],
    ['nothing is known', [{ state: 'stale' }], /^⚪ \*shop\*: 1 workload stale · org/],
  ])('says what users get where %s', (_, listed, says) => {
    expect(answer(listed).text).toMatch(says);
  });

  it('begins with the impact of one workload, over all its locations', () => {
    const down = { state: 'unhealthy', have: 0, fresh: 0 } as const;
    const target = { gvc: 'shop', workload: 'cart' };
    const all = answer([down, { ...down, location: 'eu' }], { target });
    const some = answer([down, { location: 'eu' }], { target });

    expect(all.text).toMatch(
      /^🔴 \*Outage\* · \*shop\/cart\* v12 unhealthy in both locations · 0 of 6 serve · No reason is reported → Look in its logs/,
    );
    expect(some.text).toBe(
      '🔴 *Partial outage (aws-us-west-2)* · *shop/cart* v12: unhealthy in aws-us-west-2 · ready in eu · 3 of 6 serve · org acme',
    );
    expect(answer([{ location: 'eu' }, { state: 'stale' }], { target }).text).toBe(
      '⚪ *No impact* · *shop/cart* v12: stale in aws-us-west-2 · ready in eu · 3 of 3 serve · org acme',
    );
  });

  it('has one row for the locations of a workload that are alike', () => {
    const built = answer([
      status({ location: 'oslo' }),
      status({ location: 'lima' }),
      status({ location: 'pune', state: 'failed', counts: [['main', 2]] }),
      status({ workload: 'web', location: 'oslo' }),
    ]);
    expect(rowsOf(built)).toEqual([
      ['cart', 'failed', '3/3', 'v12', '2', 'pune'],
      ['cart', 'ready', '6/6', 'v12', '–', 'lima, oslo'],
      ['web', 'ready', '3/3', 'v12', '–', 'oslo'],
    ]);
  });

  it('has a row for each location of one workload, and says of each how it is', () => {
    const target = { gvc: 'shop', workload: 'cart' };
    const rows = [status({ location: 'oslo' }), status({ location: 'lima', state: 'failed' })];
    const built = answer(rows, { target });

    expect(built.text).toBe(
      '🟠 *No impact* · *shop/cart* v12: failed in lima · ready in oslo · 6 of 6 serve · org acme',
    );
    expect(rowsOf(built)).toEqual([
      ['lima', 'failed', '3/3', 'v12'],
      ['oslo', 'ready', '3/3', 'v12'],
    ]);
    expect(answer(rows.slice(0, 1), { target: { ...target, location: 'oslo' } }).text).toBe(
      '✅ *shop/cart/oslo* v12 ready · org acme',
    );
  });

  it('shows a location that the newest version has not reached as it is, and no workload with it green', () => {
    const built = answer([status(), status({ location: 'lima', version: 11 })]);
    expect(built.text).toContain('⏳ *shop*: 1 workload pending');
    expect(rowsOf(built).map(([, state, , , version]) => [state, version])).toEqual([
      ['ready', 'v12'],
      ['ready', 'v11'],
    ]);
  });

  it('of more than eight workloads has rows for those that are not green, and a button for all', async () => {
    const deployments = [
      ...Array.from({ length: 8 }, (_, index) => deployment(ready(1), { workload: `w${index}` })),
      deployment(broken(2, 'Back-off pulling image'), { workload: 'bad' }),
    ];
    const few = await createDeployments({ deployments: deployments.slice(1) }).type('shop');
    const harness = createDeployments({ deployments });

    const some = await harness.type('shop');
    const all = await harness.press(some, 'All 9 workloads');

    expect(rowsOf(few)).toHaveLength(8);
    expect(buttonsOf(few)).toEqual(['Details']);
    expect(some.text).toBe('🔴 *shop*: 1 outage · 8 workloads ready · org acme');
    expect(rowsOf(some)).toEqual([['bad', 'failed', 'oslo', '0/2', 'v2']]);
    expect(wordsOf(some)).toContain(
      ':red_circle: *Outage* · *bad* failed in oslo · 0 of 2 serve · The image cannot be pulled (`Back-off pulling image`) → Check the image’s name',
    );
    expect(rowsOf(all).map(([name]) => name)).toEqual(['bad', ...ready8()]);
    expect(buttonsOf(all)).toEqual(['Details']);
  });

  it('of more than eight that are all green has no table', async () => {
    const deployments = Array.from({ length: 9 }, (_, index) =>
      deployment(ready(1), { workload: `w${index}` }),
    );

    const built = await createDeployments({ deployments }).type('shop');

    expect(built.text).toBe('✅ *shop*: all well · 9 workloads ready · org acme');
    expect(built.blocks).toHaveLength(1);
    expect(buttonsOf(built)).toEqual(['All 9 workloads', 'Details']);
  });

  it('has what is wrong first, with what to do about it', () => {
    const built = answer([
      status(),
      status({
        workload: 'web',
        state: 'failed',
        cause: 'Back-off pulling image',
        counts: [['main', 4]],
      }),
      status({ workload: 'api', state: 'deploying', fresh: 0, others: [[11, 3]] }),
      status({ workload: 'new', state: 'unknown', version: 0, wanted: 0 }),
    ]);
    expect(rowsOf(built)).toEqual([
      ['web', 'failed', '3/3', 'v12', '4', 'aws-us-west-2'],
      ['api', 'deploying', '0/3, v11 3/3', 'v12', '–', 'aws-us-west-2'],
      ['new', 'unknown', '–', '–', '–', 'aws-us-west-2'],
      ['cart', 'ready', '3/3', 'v12', '–', 'aws-us-west-2'],
    ]);
    expect(wordsOf(built)).toContain(
      ':large_orange_circle: *No impact* · *web* failed in aws-us-west-2 · 3 of 3 serve · The image cannot be pulled (`Back-off pulling image`) → Check the image’s name, its tag and the pull secret',
    );
  });

  it.each([
    ['failed', 'No reason is reported → Look in its logs'],
    ['unhealthy', 'No reason is reported → Look in its logs'],
    ['stale', 'No report for more than 45 minutes → Check it from outside'],
    ['unknown', 'Nothing is reported → Check it from outside'],
  ] as const)('explains %s also where the platform gives no reason', (state, words) => {
    expect(wordsOf(answer([status({ state })]))).toContain(words);
  });

  it('leads from a cron workload to its runs', () => {
    expect(rowsOf(answer([status({ state: 'cron' })]))[0]?.[1]).toBe('on a schedule');
    expect(wordsOf(answer([status({ state: 'cron' })]))).toContain('`/deployments jobs shop/cart`');
    expect(wordsOf(answer([status()]))).not.toContain('jobs');
    expect(wordsOf(answer([status({ state: 'cron' })], { org: 'beta' }))).toContain(
      '`/deployments jobs shop/cart org beta`',
    );
  });

  it('of a GVC without deployments is one line', () => {
    expect(answer([]).text).toContain('no deployments');
    expect(answer([]).blocks).toHaveLength(1);
  });

  it('turns the pages of a large GVC in its place, the worst first', async () => {
    const deployments = Array.from({ length: 150 }, (_, index) =>
      deployment(index === 149 ? broken(1, 'no route') : ready(1), {
        workload: `w${String(index).padStart(3, '0')}`,
      }),
    );
    const harness = createDeployments({ deployments });

    const first = await harness.press(await harness.type('shop'), 'All 150 workloads');
    const second = await harness.press(first, 'Next');
    const last = await harness.press(second, 'Next');
    const back = await harness.press(last, 'Previous');

    expect(rowsOf(first)).toHaveLength(60);
    expect(rowsOf(first)[0]?.[0]).toBe('w149');
    expect(wordsOf(first)).toContain('Page 1 of 3, read at <!date^1791201600^{time_secs}|');
    expect(buttonsOf(first)).toEqual(['Next', 'Details']);
    expect([...rowsOf(first), ...rowsOf(second), ...rowsOf(last)].map(([name]) => name)).toEqual([
      'w149',
      ...deployments.slice(0, -1).map(({ workload }) => workload),
    ]);
    expect(last.text).toBe('🔴 *shop*: 1 outage · 149 workloads ready · org acme');
    expect(wordsOf(last)).not.toContain('no route');
    expect(last).toMatchObject({ shareable: true, needs: 'orgs:acme' });
    expect(back).toEqual(second);
  });

  it('asks for the right on every page', async () => {
    const harness = createDeployments({ over: nobodyMay });
    await expect(harness.click('deployments.status', 'acme/shop#2')).rejects.toThrow('user group');
  });

  it('cuts no name, however long, and has more pages instead', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      status({ workload: `${'w'.repeat(120)}-${index}` }),
    );

    const pages = [1, 2].map((page) => rowsOf(answer(many, { page, all: true })));

    const shown = new Set(pages.flat().map(([name]) => name));
    expect(pages.map(({ length }) => length > 0)).toEqual([true, true]);
    expect(shown).toEqual(new Set(many.map(({ workload }) => workload)));
  });

  it('shows names with signs of markup in them as they are', () => {
    const built = answer([status({ workload: '_cart_', location: ':fire:', state: 'failed' })]);
    expect(wordsOf(built)).toContain('*`_cart_`* failed in `:fire:`');
  });
});
