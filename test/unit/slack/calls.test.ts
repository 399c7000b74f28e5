import { describe, expect, it } from 'vitest';
import { bodyResult, measureCall, statusResult } from '../../../src/slack/calls.ts';
import { recorded } from '../../support/metrics.ts';

const METHOD = 'apps.connections.open';
const counted = async (result: string): Promise<number> =>
  (await recorded('purser_slack_request_seconds', { method: METHOD, result })) ?? 0;

describe('a call to Slack', () => {
  it.each([
    ['an answer', '{"ok":true}', 200, 'ok'],
    ['an error code', '{"ok":false,"error":"invalid_auth"}', 200, 'error'],
    ['no JSON', '<html>', 200, 'error'],
    ['a limit in the body', '{"ok":false,"error":"ratelimited"}', 200, 'ratelimited'],
    ['a limit as a status', '', 429, 'ratelimited'],
    ['a status that is no success', '', 503, 'http'],
  ])(
    'whose answer is %s is counted as such, and can still be read',
    async (_, text, status, result) => {
      const before = [await counted(result), await limits()];

      const answer = await measureCall(
        METHOD,
        () => Promise.resolve(new Response(text, { status })),
        bodyResult,
      );

      expect(await answer.text()).toBe(text);
      const limited = result === 'ratelimited' ? 1 : 0;
      expect([await counted(result), await limits()]).toEqual([
        (before[0] ?? 0) + 1,
        (before[1] ?? 0) + limited,
      ]);
    },
  );

  it.each([
    ['timeout', new DOMException('late', 'TimeoutError')],
    ['network', new TypeError('fetch failed')],
  ])('that ends in an error is counted as %s, and throws it', async (result, error) => {
    const before = await counted(result);

    await expect(measureCall(METHOD, () => Promise.reject(error))).rejects.toBe(error);

    expect(await counted(result)).toBe(before + 1);
  });

  it.each([
    [200, 'ok'],
    [429, 'ratelimited'],
    [500, 'http'],
  ])('of status %i without a body that names errors is %s', (status, result) => {
    expect(statusResult(new Response('', { status }))).toBe(result);
  });
});

const limits = async (): Promise<number> =>
  (await recorded('purser_slack_rate_limited_total')) ?? 0;
