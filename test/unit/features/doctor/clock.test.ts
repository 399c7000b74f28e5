import { describe, expect, it } from 'vitest';
import type { Config } from '../../../../src/config/config.ts';
import { clockProbe, createClockCheck } from '../../../../src/features/doctor/clock.ts';
import { BareError } from '../../../../src/platform/bare-http.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { RedisConnection } from '../../../../src/store/redis.ts';
import { judged, lineOf } from './support.ts';

const S = 1_000;

/** The report when the clocks of Slack, the platform and Redis are so many seconds ahead of Purser's. */
function said(slack?: number, platform?: number, redis?: number): string {
  const all = [
    ...(slack === undefined ? [] : [{ name: 'Slack', aheadMs: slack * S }]),
    ...(platform === undefined ? [] : [{ name: 'the platform', aheadMs: platform * S }]),
    ...(redis === undefined ? [] : [{ name: 'Redis', aheadMs: redis * S, near: true as const }]),
  ];
  return judged(clockProbe)(all).map(lineOf).join('\n');
}

describe('the clock', () => {
  it('is well up to half a minute', () => {
    expect(said(0.7, -0.4, 0)).toBe(
      'well Clock: agrees with Slack, the platform and Redis to about a second',
    );
    expect(said(30, -30)).toMatch(/^well Clock: agrees with Slack and the platform to within 30 s/);
  });

  it.each([
    [
      'all others',
      [31, 31, 31],
      /^doubtful Clock: Purser’s is 31 s behind Slack, the platform and Redis/,
    ],
    ['all others, by much', [-121, -121, -121], /^broken Clock: Purser’s is 2 min 1 s ahead of/],
    ['all that are not near', [200, 201, 0], /^broken Clock: .*behind Slack and the platform/],
    ['Slack, while only Redis backs it', [200, undefined, 0], /^broken Clock: .*behind Slack;/],
    ['the only one', [undefined, undefined, 200], /^broken Clock: .*behind Redis/],
  ] as const)('is wrong itself against %s', (_, [slack, platform, redis], line) => {
    expect(said(slack, platform, redis)).toMatch(line);
    expect(said(slack, platform, redis)).toContain('→ let NTP set the clock of Purser’s machine');
  });

  it.each([
    ['Redis', [0, 1, 600], /^doubtful Clock of Redis: it is 10 min ahead of all others/],
    ['the platform', [0, -90, 0], /^doubtful Clock of the platform: it is 1 min 30 s behind/],
    ['Slack', [600, 0, 0], /^doubtful Clock of Slack/],
    ['Slack, without Redis', [600, 0, undefined], /^doubtful Clock of Slack/],
  ] as const)('is right when %s alone disagrees', (_, [slack, platform, redis], line) => {
    expect(said(slack, platform, redis)).toMatch(line);
    expect(said(slack, platform, redis)).toContain('NTP');
  });

  it('says so when no two agree, and when no one answers', () => {
    expect(said(-200, 300, 0)).toMatch(
      /^broken Clock: no two agree.*Slack is 3 min 20 s behind, the platform is 5 min ahead/,
    );
    expect(said()).toMatch(/^off Clock/);
  });
});

it('a check of the clocks takes the middle of each call, and leaves out servers that do not answer', async () => {
  let now = 1_000_000;
  const clock = { now: () => now };
  const check = createClockCheck({
    clock,
    config: {
      slack: { apiUrl: 'http://slack.test/' } as Config['slack'],
      api: { url: 'http://platform.test', credentials: new Map() },
    },
    bareHttp: {
      get: async (url) => {
        if (url.includes('platform')) {
          throw new BareError('refused', new PlatformError('unreachable', 'no'));
        }
        now += 4_000;
        return { status: 404, headers: new Map(), date: 1_202_000, ms: 4_000 };
      },
      close: async () => undefined,
    },
    redis: { time: () => Promise.reject(new Error('away')) } as unknown as RedisConnection,
  });

  const [finding] = await check.run(new AbortController().signal);

  expect(finding?.says).toContain('3 min 20 s behind Slack');
});
