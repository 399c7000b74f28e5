import { plural } from '../../lib/text.ts';
import type { Addresses } from '../../platform/workload/addresses.ts';
import { mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { copyable } from './addresses-kind.ts';

type InLocation = Addresses['locations'][number];
type AddressOf = (one: InLocation) => (index?: number) => string;

/**
 * The addresses of replicas, location by location, which their hosts name: all of them where there is room,
 * else the first ones and the last, with a count. An unknown number leaves the placeholder of the index.
 * @param room lines for addresses, two for each location that is shown
 */
export function replicaLines(
  locations: readonly InLocation[],
  addressOf: AddressOf,
  room: number,
): Mrkdwn[] {
  const running = locations.filter(isRunning);
  const idle = locations.length - running.length;
  const shown = running.slice(0, Math.max(1, Math.floor(room / 2)));
  const hidden = running.length - shown.length;
  const each = roomOfEach(shown.map(linesOf), room);
  return [
    ...shown.flatMap((one) => ofLocation(one, addressOf(one), each)),
    ...(hidden > 0 ? [mrkdwn`… and in ${plural(hidden, 'more location')}, alike`] : []),
    ...(idle > 0 ? [mrkdwn`no replicas now in ${plural(idle, 'location')}`] : []),
  ];
}

function isRunning({ replicas }: InLocation): boolean {
  return replicas !== 0;
}

function linesOf({ replicas = 1 }: InLocation): number {
  return replicas;
}

/** Lines that each location may have, 2 or more, so that what few of them need is left for the others. */
function roomOfEach(wanted: readonly number[], room: number): number {
  let left = room;
  const rising = wanted.toSorted((a, b) => a - b);
  for (const [index, count] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (count > share) return Math.max(2, share);
    left -= count;
  }
  return Math.max(2, rising.at(-1) ?? 0);
}

/** At most `room` lines, 2 or more. */
function ofLocation(
  { replicas }: InLocation,
  addressOf: (index?: number) => string,
  room: number,
): Mrkdwn[] {
  if (replicas === undefined) return [copyable(addressOf())];
  const first = replicas <= room ? replicas : room - 1;
  const all = Array.from({ length: first }, (_, index) => copyable(addressOf(index)));
  if (first < replicas) {
    const last = copyable(addressOf(replicas - 1));
    all.push(mrkdwn`… ${last}, the last of ${plural(replicas, 'replica')}`);
  }
  return all;
}
