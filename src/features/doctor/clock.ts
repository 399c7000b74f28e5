import { formatDuration } from '../../lib/text.ts';
import { readRedisTime } from '../../store/redis.ts';
import { type Check, checkOf, type CheckServices, listed, type Probe, probe } from './probe.ts';

export interface OtherClock {
  readonly name: string;
  /** Its time minus ours, in milliseconds. */
  readonly aheadMs: number;
  /** It may run on the same machine as Purser, and agree for that reason. */
  readonly near?: boolean;
}

const DOUBTFUL_MS = 30_000;
const BROKEN_MS = 120_000;

/** A clock that does not answer is left out. */
export function createClockCheck({
  bareHttp,
  redis,
  clock,
  config: { slack, api },
}: CheckServices<'bareHttp' | 'redis' | 'clock', 'slack' | 'api'>): Check {
  /** Uses our time in the middle of the call, when the other clock was read. */
  async function compared(name: string, read: () => Promise<number | undefined>, near = false) {
    const began = clock.now();
    const theirs = await read().catch(() => undefined);
    if (theirs === undefined) return [];
    return [{ name, aheadMs: Math.round(theirs - (began + clock.now()) / 2), near }];
  }

  async function readAll(signal: AbortSignal) {
    // Every response has a Date header, whatever its status.
    const dateOf = async (url: string) => (await bareHttp.get(url, { signal })).date;
    const others = await Promise.all([
      compared('Slack', () => dateOf(`${slack.apiUrl}api.test`)),
      compared('the platform', () => dateOf(api.url)),
      compared('Redis', () => readRedisTime(redis), true),
    ]);
    return others.flat();
  }

  return checkOf('Clock', readAll, (others) => [clockProbe(others)]);
}

/** Slack's signatures are valid for 5 minutes. A single clock that disagrees with all others is itself wrong. */
export function clockProbe(others: readonly OtherClock[]): Probe {
  const most = Math.max(0, ...others.map(({ aheadMs }) => Math.abs(aheadMs)));
  const far = others.filter(({ aheadMs }) => Math.abs(aheadMs) > DOUBTFUL_MS);
  const [first] = far;
  const isBacked = others.some((one) => !far.includes(one) && (one.near !== true || first?.near));
  const lone = far.length === 1 && isBacked ? first : undefined;
  const aheads = far.map(({ aheadMs }) => aheadMs).toSorted((a, b) => a - b);
  const middle = aheads[Math.floor(far.length / 2)] ?? 0;
  const isScattered = (aheads.at(-1) ?? 0) - (aheads[0] ?? 0) > DOUBTFUL_MS;
  const each = far.map(({ name, aheadMs }) => `${name} is ${apart(aheadMs, 'ahead')}`);
  const says = isScattered
    ? `no two agree, seen from Purser: ${each.join(', ')}`
    : `Purser’s is ${apart(-middle, 'ahead of')} ${named(far)}; at 5 min Purser refuses every request of Slack’s`;
  const isBroken = (isScattered ? most : Math.abs(middle)) > BROKEN_MS;
  const closeness = most < 2_000 ? 'to about a second' : `to within ${formatDuration(most)}`;
  return probe(
    lone ? `Clock of ${lone.name}` : 'Clock',
    `agrees with ${named(others)} ${closeness}`,
    {
      '- no other clock answered, so it could not be compared': others.length === 0,
      [`? it is ${apart(lone?.aheadMs ?? 0, 'ahead of')} all others → let NTP set that clock; Purser’s own agrees with the others`]:
        lone,
      [`${isBroken ? '!' : '?'} ${says} → let NTP set the clock of Purser’s machine: \`timedatectl set-ntp true\``]:
        far.length > 0,
    },
  );
}

function apart(aheadMs: number, ahead: string): string {
  return `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? ahead : 'behind'}`;
}

function named(clocks: readonly OtherClock[]): string {
  return listed(clocks.map(({ name }) => name));
}
