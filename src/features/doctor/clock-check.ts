import { formatDuration } from '../../lib/text.ts';
import { readRedisTime } from '../../store/redis.ts';
import {
  broken,
  doubtful,
  listed,
  off,
  well,
  type Check,
  type CheckServices,
  type Finding,
} from './check.ts';

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
  async function compared(name: string, read: () => Promise<number | undefined>, near = false) {
    const began = clock.now();
    const theirs = await read().catch(() => undefined);
    if (theirs === undefined) return [];
    return [{ name, aheadMs: Math.round(theirs - (began + clock.now()) / 2), near }];
  }

  return {
    area: WHAT,
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
  if (others.length === 0)
    return [off(WHAT, 'no other clock answered, so it could not be compared')];
  const most = Math.max(...others.map(({ aheadMs }) => Math.abs(aheadMs)));
  const far = others.filter(({ aheadMs }) => Math.abs(aheadMs) > DOUBTFUL_MS);
  const [first] = far;
  if (first === undefined) {
    const closeness = most < 2_000 ? 'to about a second' : `to within ${formatDuration(most)}`;
    return [well(WHAT, `agrees with ${named(others)} ${closeness}`)];
  }
  const isBacked = others.some((one) => !far.includes(one) && (one.near !== true || first.near));
  if (far.length === 1 && isBacked) {
    const says = `it is ${apart(first.aheadMs, 'ahead of')} all others`;
    const fix = 'let NTP set that clock; Purser’s own agrees with the others';
    return [doubtful(`Clock of ${first.name}`, says, fix)];
  }
  const aheads = far.map(({ aheadMs }) => aheadMs).toSorted((a, b) => a - b);
  const middle = aheads[Math.floor(far.length / 2)] ?? 0;
  const isScattered = Math.max(...aheads) - Math.min(...aheads) > DOUBTFUL_MS;
  const each = far.map(({ name, aheadMs }) => `${name} is ${apart(aheadMs, 'ahead')}`);
  const ours = `Purser’s is ${apart(-middle, 'ahead of')} ${named(far)}`;
  const says = isScattered
    ? `no two agree, seen from Purser: ${each.join(', ')}`
    : `${ours}; at 5 min Purser refuses every request of Slack’s`;
  const fix = 'let NTP set the clock of Purser’s machine: `timedatectl set-ntp true`';
  const isBroken = (isScattered ? most : Math.abs(middle)) > BROKEN_MS;
  return [(isBroken ? broken : doubtful)(WHAT, says, fix)];
}

/** "2 min behind", "2 min ahead of". */
function apart(aheadMs: number, ahead: string): string {
  return `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? ahead : 'behind'}`;
}

function named(clocks: readonly OtherClock[]): string {
  return listed(clocks.map(({ name }) => name));
}
