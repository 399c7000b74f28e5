import { describe, expect, it } from 'vitest';
import { broken, deployment, ready, version } from '../../rollouts/platform-json.ts';
import { buttonsOf, spoken } from '../../../support/answer.ts';
import {
  createDeployments,
  headOf,
  noneMay,
  rowsOf,
  statusesOf,
  statusOf,
  stored,
  wordsBeside,
  type Listed,
} from './harness.ts';

const answer = (
  listed: readonly Listed[],
  over: Parameters<typeof statusOf>[1] = {},
): ReturnType<typeof statusOf> => statusOf(statusesOf(listed), over);

describe('the status of a GVC', () => {
  it('never says that all is well where it could not read everything', () => {
    const target = { gvc: 'shop', workload: 'cart' };
    const said = '3 deployments could not be read · org acme';

    expect(headOf(answer([{}], { skipped: 3 }))).toBe(`⚪ shop: 1 ready · ${said}`);
    expect(headOf(answer([{ state: 'failed' }], { skipped: 3 }))).toBe(
      `🟠 shop: 1 failed · ${said}`,
    );
    expect(headOf(answer([{}, { location: 'eu' }], { skipped: 3, target }))).toBe(
      `⚪ shop/cart v12 ready in aws-us-west-2, eu · ${said}`,
    );
  });

  it.each([
    [
      { gvc: 'shop' },
      /^shop: 1 deploying[^]*\n🟠 No impact · cart v12 deploying [^]*rollout stuck/,
    ],
    [{ gvc: 'shop', workload: 'cart' }, /shop\/cart v12 deploying[^]*rollout stuck[^]*Look in its/],
  ])('names a rollout that was posted as stuck: %j', (target, expected) => {
    const stuck = answer([{ state: 'deploying', fresh: 1 }], { target, stuck: ['cart'] });
    expect(spoken(stuck)).toMatch(expected);
    const over = answer([{}], { target, stuck: ['cart'] });
    expect(spoken(over)).not.toContain('stuck');
  });

  it('counts a workload that serves less than it should', () => {
    expect(headOf(answer([{ have: 2, fresh: 2 }]))).toContain('1 ready · 1 with reduced capacity');
  });

  it('has one row for the locations of a workload that are alike', () => {
    const built = answer([
      { location: 'oslo' },
      { location: 'lima' },
      { location: 'pune', state: 'failed', counts: [['main', 2]] },
      { workload: 'web', location: 'oslo', fresh: 0, others: [[11, 3]] },
      { workload: 'web', location: 'lima', fresh: 0, others: [[11, 2]] },
      { workload: 'old', location: 'oslo', gvc: 3 },
    ]);
    expect(rowsOf(built)).toEqual([
      ['cart', 'failed', '3/3', 'v12', '2', 'pune'],
      ['cart', 'ready', '6/6', 'v12', '–', 'lima, oslo'],
      ['old', 'ready', '3/3', 'v12 (still GVC v3)', '–', 'oslo'],
      ['web', 'ready', '0/6, v11 5/6', 'v12', '–', 'all 2'],
    ]);
  });

  it('marks an older GVC version only of what runs', () => {
    const versions = answer([
      { gvc: 5 },
      { workload: 'idle', state: 'idle', gvc: 3 },
      { workload: 'lost', state: 'stale', gvc: 3 },
      { workload: 'unset', gvc: 0 },
    ]);
    expect(rowsOf(versions).map((row) => row[3])).toEqual(['v12', 'v12', 'v12', 'v12']);
  });

  it('marks a workload that the GVC version of the others has not reached, also when it is asked for alone', async () => {
    const versions = [version(3, { gvc: 5 })];
    const state = stored({ 'web/oslo': ready(3, { versions }) });
    const harness = createDeployments({ state, deployments: [deployment(ready(12))] });

    expect(rowsOf(await harness.type('shop/cart'))).toEqual([
      ['oslo', 'ready', '2/2', 'v12 (still GVC v4)'],
    ]);
  });

  it('lists all causes, however many there are', () => {
    const many = Array.from({ length: 40 }, (_, index): Listed => ({
      workload: `w${index}`,
      state: 'failed',
      cause: `x${index}`,
    }));
    const said = wordsBeside(answer(many));

    for (const { workload, cause } of many) {
      expect(said).toContain(
        `*${workload}* v12 failed in aws-us-west-2 · 3 of 3 serve · \`${cause}\``,
      );
    }
  });

  it('has at most five controls, however many LINKS there are', () => {
    const links = ['Logs', 'Metrics', 'Traces', 'Wiki'].map((name) => ({
      name,
      template: 'https://x.example/{gvc}',
    }));
    expect(buttonsOf(answer([{}], { links }))).toEqual(['Details', 'Logs', 'Metrics', 'Traces']);
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
    await expect(harness.turn(answer([{}]), 2)).rejects.toThrow('user group');
  });
});
