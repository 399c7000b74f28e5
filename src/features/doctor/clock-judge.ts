import { formatDuration } from '../../lib/text.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, listed, off, well } from './findings.ts';

/** Somebody whose clock can be read. */
export interface Witness {
  /** "Slack". */
  readonly name: string;
  /** Its clock minus ours, in milliseconds. */
  readonly aheadMs: number;
  /** It may run on the same machine as Purser, and so agree with it for that reason. */
  readonly near?: true;
}

const DOUBTFUL_MS = 30_000;
const BROKEN_MS = 120_000;
const WHAT = 'Clock';

/**
 * Purser's clock by those of others. Slack's signatures are good for 5 minutes, so a clock that is off
 * refuses every request. One witness that disagrees with all others is wrong itself.
 */
export function judgeClocks(witnesses: readonly Witness[]): readonly Finding[] {
  if (witnesses.length === 0) {
    return [off(WHAT, 'nobody whose clock could be compared answers')];
  }
  const far = witnesses.filter(({ aheadMs }) => Math.abs(aheadMs) > DOUBTFUL_MS);
  if (far.length === 0) {
    const most = Math.max(...witnesses.map(({ aheadMs }) => Math.abs(aheadMs)));
    return [well(WHAT, `agrees with ${named(witnesses)} ${closeness(most)}`)];
  }
  const [first] = far;
  const backing = witnesses.some((one) => !far.includes(one) && (one.near !== true || first?.near));
  if (first !== undefined && far.length === 1 && backing) return [theirs(first)];
  const spread = Math.max(...far.map(ahead)) - Math.min(...far.map(ahead));
  return spread > DOUBTFUL_MS ? [scattered(far)] : [ours(far)];
}

const ahead = ({ aheadMs }: Witness): number => aheadMs;

function theirs({ name, aheadMs }: Witness): Finding {
  return doubtful(
    `Clock of ${name}`,
    `it is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} all others`,
    `let NTP set the clock there; Purser’s own agrees with the others`,
  );
}

function ours(far: readonly Witness[]): Finding {
  const middle = far.map(ahead).toSorted((a, b) => a - b)[Math.floor(far.length / 2)] ?? 0;
  const away = Math.abs(middle);
  const says = `Purser’s is ${formatDuration(away)} ${middle > 0 ? 'behind' : 'ahead of'} ${named(far)}`;
  return verdictOn(away)(WHAT, `${says}; from 5 min on Slack’s requests are refused`, OURS);
}

function scattered(far: readonly Witness[]): Finding {
  const each = far.map(
    ({ name, aheadMs }) =>
      `${name} is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`,
  );
  const most = Math.max(...far.map(({ aheadMs }) => Math.abs(aheadMs)));
  return verdictOn(most)(WHAT, `no two agree, seen from Purser: ${each.join(', ')}`, OURS);
}

const OURS = 'let NTP set the clock of the machine that Purser runs on (timedatectl set-ntp true)';

function verdictOn(ms: number): typeof broken {
  return ms > BROKEN_MS ? broken : doubtful;
}

function closeness(ms: number): string {
  return ms < 2_000 ? 'to about a second' : `to within ${formatDuration(ms)}`;
}

function named(witnesses: readonly Witness[]): string {
  return listed(witnesses.map(({ name }) => name));
}
