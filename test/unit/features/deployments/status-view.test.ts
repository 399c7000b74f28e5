import { describe, expect, it } from 'vitest';
import { broken, deployment, ready } from '../../rollouts/platform-json.ts';
import { buttonsOf, stepOf } from '../../../support/answer.ts';
import {
  createDeployments,
  noneMay,
  rowsOf,
  statusesOf,
  statusOf,
  wordsBeside as wordsOf,
  type Listed,
  headOf,
} from './harness.ts';

const status = (changes: Listed = {}): Listed => changes;
const answer = (
  listed: readonly Listed[],
  over: Parameters<typeof statusOf>[1] = {},
): ReturnType<typeof statusOf> => statusOf(statusesOf(listed), over);

describe('the status of a GVC', () => {
  it('says the trouble first, and how many workloads are well', () => {
    const built = answer([
      status(),
      status({ location: 'eu' }),
      status({ workload: 'api' }),
      status({ workload: 'web', state: 'failed' }),
      status({ workload: 'web', location: 'eu' }),
      status({ workload: 'new', state: 'deploying' }),
      status({ workload: 'off', state: 'suspended' }),
      status({ workload: 'etl', state: 'cron' }),
    ]);
    expect(headOf(built)).toBe(
      '🟠 shop: 1 failed, 1 deploying, 2 ready, 1 suspended, 1 on a schedule · org acme',
    );
  });

  it.each([
    [1, '1 deployment could not be read'],
    [3, '3 deployments could not be read'],
  ])('never says that all is well where it could not read everything: %i', (skipped, said) => {
    expect(headOf(answer([status()], { skipped }))).toBe(`⚪ shop: 1 ready · ${said} · org acme`);
    expect(wordsOf(answer([status()], { skipped }))).toContain('Why, and what helps: `/purser');
    expect(headOf(answer([status({ state: 'failed' })], { skipped }))).toBe(
      `🟠 shop: 1 failed · ${said} · org acme`,
    );
    const target = { gvc: 'shop', workload: 'cart' };
    expect(headOf(answer([status(), status({ location: 'eu' })], { skipped, target }))).toBe(
      `⚪ shop/cart v12 ready in aws-us-west-2, eu · ${said} · org acme`,
    );
  });

  it.each<[string, Listed[], RegExp]>([
    [
      'nothing serves, in whatever state',
      [{ state: 'deploying', have: 0, fresh: 0 }],
      /^🔴 shop: 1 deploying · 1 outage · org/,
    ],
    [
      'a location serves nothing',
      [{ state: 'unhealthy', have: 0, fresh: 0 }, { location: 'eu' }],
      /^🔴 shop: 1 unhealthy · 1 partial outage · org/,
    ],
    [
      'less serves than should',
      [{ have: 2, fresh: 2 }],
      /^🟠 shop: 1 ready · 1 with reduced capacity · org/,
    ],
    [
      'nothing served before',
      [{ state: 'deploying', have: 0, fresh: 0, served: false }],
      /^shop: 1 deploying · org/,
    ],
    ['nothing is known', [{ state: 'stale' }], /^⚪ shop: 1 stale · org/],
  ])('names the impact on users where %s', (_, listed, says) => {
    expect(headOf(answer(listed))).toMatch(says);
  });

  it('begins with the impact of one workload, over all its locations', () => {
    const down = { state: 'unhealthy', have: 0, fresh: 0 } as const;
    const target = { gvc: 'shop', workload: 'cart' };
    const all = answer([down, { ...down, location: 'eu' }], { target });
    const some = answer([down, { location: 'eu' }], { target });

    expect(headOf(all)).toMatch(
      /^🔴 Outage · shop\/cart v12 unhealthy in both locations · 0 of 6 serve · org acme · No reason is reported · Next: Look in its logs/,
    );
    expect(headOf(some)).toBe(
      '🔴 Partial outage (aws-us-west-2) · shop/cart v12: unhealthy in aws-us-west-2, ready in eu · 3 of 6 serve · org acme',
    );
    const behind = answer([{ location: 'eu', version: 11 }, {}], { target });
    expect(headOf(behind)).toContain('shop/cart: pending in eu, ready in aws-us-west-2');
    expect(rowsOf(behind)).toEqual([
      ['aws-us-west-2', 'ready', '3/3', 'v12'],
      ['eu', 'pending, still v11', '3/3', 'v11'],
    ]);
    expect(headOf(answer([{ location: 'eu' }, { state: 'stale' }], { target }))).toBe(
      '⚪ No report (aws-us-west-2) · shop/cart v12: stale in aws-us-west-2, ready in eu · 3 of 3 serve in the other locations · org acme',
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

    expect(headOf(built)).toBe(
      '🟠 No impact · shop/cart v12: failed in lima, ready in oslo · 6 of 6 serve · org acme',
    );
    expect(rowsOf(built)).toEqual([
      ['lima', 'failed', '3/3', 'v12'],
      ['oslo', 'ready', '3/3', 'v12'],
    ]);
    expect(headOf(answer(rows.slice(0, 1), { target: { ...target, location: 'oslo' } }))).toBe(
      '✅ shop/cart/oslo v12 ready · org acme',
    );
  });

  it('shows a location that the newest version has not reached as pending, and no workload with it green', () => {
    const built = answer([status(), status({ location: 'lima', version: 11 })]);
    expect(headOf(built)).toContain('shop: 1 pending');
    expect(rowsOf(built).map(([, state, , version]) => [state, version])).toEqual([
      ['ready', 'v12'],
      ['pending, still v11', 'v11'],
    ]);
  });

  it('counts the locations of a workload in the same state everywhere, and names others', () => {
    const rows = ['oslo', 'lima', 'rome'].map((location) => status({ location }));
    const other = status({ location: 'bern', state: 'suspended' });
    const whereOf = (statuses: typeof rows) => rowsOf(answer(statuses)).map((row) => row.at(-1));
    expect(whereOf(rows)).toEqual(['all 3']);
    expect(whereOf([...rows, other])).toEqual(['lima, oslo, rome', 'bern']);
    expect(whereOf([other])).toEqual(['bern']);
  });

  it('has a row with Details for each of many workloads, and none of them is folded', async () => {
    const deployments = [
      ...Array.from({ length: 30 }, (_, index) =>
        deployment(ready(1), { workload: `web-${index + 1}` }),
      ),
      deployment(broken(2, 'Back-off pulling image'), { workload: 'bad' }),
    ];
    const harness = createDeployments({ deployments });

    const built = await harness.type('shop');

    expect(headOf(built)).toBe('🔴 shop: 1 failed, 30 ready · 1 outage · org acme');
    expect(rowsOf(built)[0]).toEqual(['bad', 'failed', '0/2', 'v2', 'oslo']);
    expect(rowsOf(built).map(([name]) => name)).toEqual([
      'bad',
      ...Array.from({ length: 30 }, (_, index) => `web-${index + 1}`),
    ]);
    expect(wordsOf(built)).toContain(
      ':red_circle: *Outage* · *bad* v2 failed in oslo · 0 of 2 serve · The image cannot be pulled (`Back-off pulling image`)\\n→ Check the image’s name',
    );
    expect(buttonsOf(built)).toEqual(['Details']);
    expect(stepOf(built, 'bad')).toMatchObject({
      action_id: 'deployments.details',
      text: { text: 'Details' },
      value: 'acme/shop/bad',
    });
  });

  it('of one workload has Details for each location', () => {
    const target = { gvc: 'shop', workload: 'cart' };
    const built = answer([status({ location: 'oslo' })], { target });
    expect(stepOf(built, 'oslo').value).toBe('acme/shop/cart/oslo');
  });

  it('has at most five controls, however many LINKS there are', () => {
    const links = ['Logs', 'Metrics', 'Traces', 'Wiki'].map((name) => ({
      name,
      template: 'https://x.example/{gvc}',
    }));
    expect(buttonsOf(answer([status()], { links }))).toEqual([
      'Details',
      'Logs',
      'Metrics',
      'Traces',
    ]);
  });

  it('has the trouble first, with the next step', () => {
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
      ':large_orange_circle: *No impact* · *web* v12 failed in aws-us-west-2 · 3 of 3 serve · The image cannot be pulled (`Back-off pulling image`)\\n→ Check the image’s name, its tag and the pull secret',
    );
  });

  it.each([
    ['failed', 'No reason is reported\\n→ Look in its logs'],
    ['unhealthy', 'No reason is reported\\n→ Look in its logs'],
    ['stale', 'No report for more than 45 minutes\\n→ Check it from outside'],
    ['unknown', 'Nothing is reported\\n→ Check it from outside'],
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
    expect(headOf(answer([]))).toContain('no deployments');
    expect(answer([]).blocks).toHaveLength(1);
  });

  it('has pages where there are more rows than Slack shows, the worst first', async () => {
    const deployments = Array.from({ length: 250 }, (_, index) =>
      deployment(index === 249 ? broken(1, 'no route') : ready(1), { workload: `w${index}` }),
    );
    const harness = createDeployments({ deployments });

    const first = await harness.type('shop');
    const last = await harness.turn(first, 2);
    const names = [first, last].map((one) => rowsOf(one).map(([name]) => name));

    expect(first).toMatchObject({ pages: 2, asked: { page: 1 } });
    expect(names[0]).toHaveLength(200);
    expect(names.flat()).toEqual(['w249', ...deployments.slice(0, -1).map((one) => one.workload)]);
    expect(headOf(last)).toBe('🔴 shop: 1 failed, 249 ready · 1 outage · org acme');
    expect(last).toMatchObject({ shareable: true, needs: 'orgs:acme', asked: { page: 2 } });
  });

  it('asks for the right on every page', async () => {
    const harness = createDeployments({ over: noneMay });
    await expect(harness.turn(answer([status()]), 2)).rejects.toThrow('user group');
  });

  it('shows names with signs of markup in them as they are', () => {
    const built = answer([status({ workload: '_cart_', location: ':fire:', state: 'failed' })]);
    expect(wordsOf(built)).toContain('*`_cart_`* v12 failed in `:fire:`');
  });
});
