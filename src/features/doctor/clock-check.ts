import type { Clock } from '../../lib/clock.ts';
import type { BareHttp } from '../../platform/bare-http.ts';
import type { Check } from './check.ts';
import { judgeClocks } from './clock-judge.ts';
import type { Witness } from './clock-judge.ts';

export interface ClockCheckDeps {
  readonly bare: Pick<BareHttp, 'get'>;
  /** Who tells the time with every answer, whatever it is: names and addresses. */
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  /** The time of Redis, in milliseconds since the epoch. @throws when it does not answer */
  readonly redisTime: () => Promise<number>;
  readonly clock: Clock;
}

/** Purser's clock against those of Slack, the platform and Redis. Who does not answer is left out. */
export function createClockCheck(deps: ClockCheckDeps): Check {
  const { bare, servers, redisTime, clock } = deps;

  /** The other clock minus ours; ours in the middle of the call, which is when the other one was read. */
  async function aheadOf(read: () => Promise<number | undefined>): Promise<number | undefined> {
    const began = clock.now();
    const theirs = await read().catch(() => undefined);
    return theirs === undefined ? undefined : Math.round(theirs - (began + clock.now()) / 2);
  }

  return {
    area: 'Clock',
    async look(signal) {
      const asked = await Promise.all([
        ...servers.map(async ({ name, url }) => ({
          name,
          aheadMs: await aheadOf(async () => (await bare.get(url, { signal })).date),
        })),
        aheadOf(redisTime).then((aheadMs) => ({ name: 'Redis', aheadMs, near: true as const })),
      ]);
      return judgeClocks(
        asked.flatMap((one): Witness[] =>
          one.aheadMs === undefined ? [] : [{ ...one, aheadMs: one.aheadMs }],
        ),
      );
    },
  };
}
