import { describe, expect, it } from 'vitest';
import { deployment, NOON, pending, ready } from '../../rollouts/platform-json.ts';
import {
  createDeployments,
  listedStatus as status,
  rowsOf,
  statusOf as answer,
  wordsBeside as wordsOf,
} from './harness.ts';

describe('what is wrong with a workload', () => {
  it('says in the first line why, since when and what to do, where that is so of all that was asked for', () => {
    const cause = 'Back-off pulling image';
    const failed = status({ state: 'failed', cause, since: NOON });
    const target = { gvc: 'shop', workload: 'cart', location: 'aws-us-west-2' };
    const why =
      'the image cannot be pulled (`Back-off pulling image`) → check the image’s name, its tag and the pull secret';
    const since = 'since <!date^1791201600^{date_short_pretty} {time}|2026-10-05 12:00 UTC>';

    const one = answer([failed], { target });
    const two = answer([failed, status({ location: 'eu' })], {
      target: { gvc: 'shop', workload: 'cart' },
    });

    expect(one.text).toBe(
      `:large_orange_circle: *shop/cart/aws-us-west-2* v12 failed ${since}: ${why} · org acme`,
    );
    expect(one.blocks.map(({ type }) => type)).toEqual(['section', 'table']);
    expect(two.text).toBe(
      `:large_orange_circle: *shop/cart* v12: failed in aws-us-west-2 ${since} · ready in eu · org acme`,
    );
    expect(wordsOf(two)).toContain(`:large_orange_circle: *aws-us-west-2*: ${why}`);
    expect(wordsOf(answer([failed]))).toContain(`*cart* failed in aws-us-west-2 ${since}: ${why}`);
  });

  it('says once what is so of several workloads', () => {
    const failed = ['web', 'api', 'cart'].map((workload, index) =>
      status({ workload, state: 'failed', cause: 'no route', since: NOON + index }),
    );
    expect(wordsOf(answer(failed))).toContain(
      '*api, cart, web* failed in aws-us-west-2 since <!date^1791201600^',
    );
    expect(wordsOf(answer(failed)).match(/no route/g)).toHaveLength(1);
  });

  it('shows what a location reported last as such, and what to do about its silence', () => {
    const target = { gvc: 'shop', workload: 'cart', location: 'aws-us-west-2' };
    const stale = answer([status({ state: 'stale' })], { target });
    const silent = answer([status({ state: 'stale', replicas: undefined })], { target });

    expect(stale.text).toBe(
      ':white_circle: *shop/cart/aws-us-west-2* v12 stale: no report for more than 45 minutes; last known v12, 3/3 ready → wait some minutes, then ask the platform team · org acme',
    );
    expect(rowsOf(stale)).toEqual([['aws-us-west-2', 'stale', '3/3 (last known)', 'v12']]);
    expect(silent.text).toContain('45 minutes → wait');
    expect(rowsOf(silent)).toEqual([['aws-us-west-2', 'stale', '–', 'v12']]);
  });

  it('says which version a location reports instead of the expected one', () => {
    const diverged = answer([status({ state: 'diverged', processed: 13 })]);

    expect(wordsOf(diverged)).toContain(
      'diverged in aws-us-west-2: it reports v13, v12 is expected → wait',
    );
    expect(rowsOf(diverged)[0]).toContain('v12 (reports v13)');
    expect(wordsOf(answer([status({ state: 'diverged' })]))).toContain(
      'it reports a newer version, v12 is expected',
    );
  });

  it('counts the causes for which there is no line, and has them behind a button', () => {
    const many = Array.from({ length: 11 }, (_, index) =>
      status({ workload: `w${index}`, state: 'failed', cause: `x${index}` }),
    );
    const built = answer(many);

    expect(wordsOf(built)).toContain('… and 6 more');
    expect(built.rest?.button).toBe('All 11 causes');
    expect(JSON.stringify(built.rest?.blocks)).toContain('*w10* failed in aws-us-west-2: `x10`');
  });

  it('says how much of a long cause it leaves out', () => {
    const long = answer([status({ state: 'failed', cause: `no route ${'x'.repeat(991)}` })]);
    const puzzling = answer([status({ state: 'diverged', cause: 'y'.repeat(1_000) })]);

    expect(wordsOf(long)).toContain('x`… (880 more characters)');
    expect(wordsOf(puzzling)).toContain('y`… (700 more characters)');
  });

  it('says what the platform says of a location that is on its way or went another way', async () => {
    const deployments = [
      deployment({ ...pending(12), message: 'Waiting for the rollout before to end' }),
      deployment(
        { ...ready(12, { lastProcessedVersion: 13 }), message: 'Changed by another controller' },
        { workload: 'web' },
      ),
    ];

    const said = wordsOf(await createDeployments({ deployments }).type('shop'));

    expect(said).toContain('*cart* pending in oslo: `Waiting for the rollout before to end`');
    expect(said).toContain(
      '*web* diverged in oslo: it reports v13, v12 is expected: `Changed by another controller` → wait some minutes',
    );
  });
});
