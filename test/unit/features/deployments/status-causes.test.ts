import { describe, expect, it } from 'vitest';
import { deployment, MINUTE, NOON, pending, ready } from '../../rollouts/platform-json.ts';
import {
  createDeployments,
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

describe('the trouble of a workload', () => {
  it('says in the first line why, since when and the next step, where these are the same for every workload of the question', () => {
    const cause = 'Back-off pulling image';
    const failed = status({ state: 'failed', cause, since: NOON });
    const target = { gvc: 'shop', workload: 'cart', location: 'aws-us-west-2' };
    const pull = 'The image cannot be pulled (`Back-off pulling image`)';
    const next = 'Check the image’s name, its tag and the pull secret';
    const why = `${pull}\\n→ ${next}`;
    const since = 'since <!date^1791201600^{date_short_pretty} {time}|2026-10-05 12:00 UTC>';

    const one = answer([failed], { target });
    const two = answer([failed, status({ location: 'eu' })], {
      target: { gvc: 'shop', workload: 'cart' },
    });

    expect(headOf(one)).toBe(
      `🟠 No impact · shop/cart/aws-us-west-2 v12 failed · 3 of 3 serve · ${since} · org acme · ${pull} · Next: ${next}`,
    );
    expect(one.blocks.map(({ type }) => type)).toEqual(['section', 'data_table']);
    expect(headOf(two)).toBe(
      `🟠 No impact · shop/cart v12: failed in aws-us-west-2, ready in eu · 6 of 6 serve · ${since} · org acme`,
    );
    expect(wordsOf(two)).toContain(`:large_orange_circle: *aws-us-west-2* · ${why}`);
    expect(wordsOf(answer([failed]))).toContain(
      `*cart* v12 failed in aws-us-west-2 ${since} · 3 of 3 serve · ${why}`,
    );
  });

  it('names a common cause of several workloads once', () => {
    const failed = ['web', 'api', 'cart'].map((workload, index) =>
      status({ workload, state: 'failed', cause: 'no route', since: NOON + index }),
    );
    expect(wordsOf(answer(failed))).toContain(
      '*api, cart, web* failed in aws-us-west-2 since <!date^1791201600^',
    );
    expect(wordsOf(answer(failed)).match(/no route/g)).toHaveLength(1);
  });

  it('shows the last report of a location as such, and the next step for a silent one', () => {
    const target = { gvc: 'shop', workload: 'cart', location: 'aws-us-west-2' };
    const stale = answer([status({ state: 'stale' })], { target });
    const silent = answer([status({ state: 'stale', wanted: 0 })], { target });

    expect(headOf(stale)).toBe(
      '⚪ Unknown · shop/cart/aws-us-west-2 v12 stale · org acme · No report for more than 45 minutes · Next: Check it from outside',
    );
    expect(rowsOf(stale)).toEqual([['aws-us-west-2', 'stale', '3/3 (last known)', 'v12']]);
    expect(rowsOf(silent)).toEqual([['aws-us-west-2', 'stale', '–', 'v12']]);
  });

  it('says which version a location reports instead of the expected one, once that has lasted', () => {
    const apart = (minutes: number): ReturnType<typeof answer> =>
      answer([status({ apart: { version: 13, since: NOON - minutes * MINUTE } })]);

    expect(wordsOf(apart(10))).toContain('Diverged: it reports v13, v12 is expected');
    expect(rowsOf(apart(10))[0]).toContain('v12 (reports v13)');
    expect(wordsOf(apart(9))).not.toContain('iverged');
    expect(rowsOf(apart(9))[0]).toContain('v12');
  });

  it('lists all causes, however many there are', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      status({ workload: `w${index}`, state: 'failed', cause: `x${index}` }),
    );
    const built = answer(many);

    for (let index = 0; index < 40; index += 1) {
      expect(wordsOf(built)).toContain(
        `*w${index}* v12 failed in aws-us-west-2 · 3 of 3 serve · \`x${index}\``,
      );
    }
    expect(built.rest).toBeUndefined();
  });

  it('quotes the first 120 characters of a long cause', () => {
    const long = answer([status({ state: 'failed', cause: `no route ${'x'.repeat(991)}` })]);

    expect(wordsOf(long)).toContain(`\`no route ${'x'.repeat(110)}…\`\\n→ `);
  });

  it("repeats the platform's message for a location that is on its way, or ready", async () => {
    const deployments = [
      deployment({ ...pending(12), message: 'Waiting for the rollout before to end' }),
      deployment({ ...ready(12), message: 'Changed by another controller' }, { workload: 'web' }),
    ];

    const said = wordsOf(await createDeployments({ deployments }).type('shop'));

    expect(said).toContain(
      '*cart* v12 pending in oslo · 2 of 2 serve · `Waiting for the rollout before to end`',
    );
    expect(said).toContain('*web* v12 ready in oslo · `Changed by another controller`');
  });
});
