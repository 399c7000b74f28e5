import { formatDuration } from '../../lib/text.ts';
import { readRedisTime } from '../../store/redis.ts';
import { broken, doubtful, listed, off, well } from './check.ts';
import type { Check, CheckServices, Finding } from './check.ts';

/** A clock that Purser’s is compared with. */
export interface OtherClock {
  /** "Slack". */
  readonly name: string;
  /** It minus ours, in milliseconds. */
  readonly aheadMs: number;
  /** It may run on the same machine as Purser, and so agree with it for that reason. */
  readonly near?: boolean;
}

const DOUBTFUL_MS = 30_000;
const BROKEN_MS = 120_000;
const WHAT = 'Clock';

/** Purser's clock against those of Slack, the platform and Redis. One that does not answer is left out. */
export function createClockCheck({
  bareHttp,
  redis,
  clock,
  config: { slack, api },
}: CheckServices<'bareHttp' | 'redis' | 'clock', 'slack' | 'api'>): Check {
  /** Ours in the middle of the call: that is when the other one was read. */
  async function compared(
    name: string,
    read: () => Promise<number | undefined>,
    near = false,
  ): Promise<OtherClock[]> {
    const began = clock.now();
    const theirs = await read().catch(() => undefined);
    if (theirs === undefined) return [];
    return [{ name, aheadMs: Math.round(theirs - (began + clock.now()) / 2), near }];
  }

  return {
    area: 'Clock',
    async run(signal) {
      // Every answer has the time in its head, whatever it says.
      const dateOf = async (url: string) => (await bareHttp.get(url, { signal })).date;
      const others = await Promise.all([
        compared('Slack', () => dateOf(`${slack.apiUrl}api.test`)),
        compared('the platform', () => dateOf(api.url)),
        compared('Redis', () => readRedisTime(redis), true),
      ]);
      return judgeClocks(others.flat());
    },
  };
}

/**
 * Purser's clock by those of others. Slack's signatures are good for 5 minutes, so a clock that is off
 * refuses every request. One clock that disagrees with all others is wrong itself.
 */
export function judgeClocks(others: readonly OtherClock[]): readonly Finding[] {
  if (others.length === 0) return [off(WHAT, 'nobody whose clock could be compared answers')];
  const far = others.filter(({ aheadMs }) => Math.abs(aheadMs) > DOUBTFUL_MS);
  const [first] = far;
  if (first === undefined) {
    const most = Math.max(...others.map(({ aheadMs }) => Math.abs(aheadMs)));
    return [well(WHAT, `agrees with ${named(others)} ${closeness(most)}`)];
  }
  const isBacked = others.some((one) => !far.includes(one) && (one.near !== true || first.near));
  if (far.length === 1 && isBacked) return [theirs(first)];
  const aheads = far.map(({ aheadMs }) => aheadMs);
  const spread = Math.max(...aheads) - Math.min(...aheads);
  return spread > DOUBTFUL_MS ? [scattered(far)] : [ours(far)];
}

function theirs({ name, aheadMs }: OtherClock): Finding {
  return doubtful(
    `Clock of ${name}`,
    `it is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} all others`,
    `let NTP set the clock there; Purser’s own agrees with the others`,
  );
}

function ours(far: readonly OtherClock[]): Finding {
  const sorted = far.map(({ aheadMs }) => aheadMs).toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(far.length / 2)] ?? 0;
  const away = Math.abs(middle);
  const says = `Purser’s is ${formatDuration(away)} ${middle > 0 ? 'behind' : 'ahead of'} ${named(far)}`;
  return oursIsOff(away, `${says}; from 5 min on Slack’s requests are refused`);
}

function scattered(far: readonly OtherClock[]): Finding {
  const each = far.map(
    ({ name, aheadMs }) =>
      `${name} is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`,
  );
  const most = Math.max(...far.map(({ aheadMs }) => Math.abs(aheadMs)));
  return oursIsOff(most, `no two agree, seen from Purser: ${each.join(', ')}`);
}

function oursIsOff(ms: number, says: string): Finding {
  const fix = 'let NTP set the clock of the machine that Purser runs on (timedatectl set-ntp true)';
  return (ms > BROKEN_MS ? broken : doubtful)(WHAT, says, fix);
}

function closeness(ms: number): string {
  return ms < 2_000 ? 'to about a second' : `to within ${formatDuration(ms)}`;
}

function named(clocks: readonly OtherClock[]): string {
  return listed(clocks.map(({ name }) => name));
}
