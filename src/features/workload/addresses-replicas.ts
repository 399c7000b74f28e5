import { plural } from '../../lib/text.ts';
import type { Addresses } from '../../platform/workload/addresses.ts';
import { code, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';

type InLocation = Addresses['locations'][number];

/** Lines of one kind of address: more are no help to a reader, and Slack has limits. */
const ROOM = 18;

/** An address to be copied: as a whole, because a cut one would be a wrong one. */
export function copyable(address: string): Mrkdwn {
  return code(address, 600);
}

/**
 * The addresses of replicas, location by location: all of them where there is room, else the first ones
 * and the last, with a count. An unknown number of replicas leaves the placeholder of the index.
 */
export function replicaLines(
  locations: readonly InLocation[],
  addressOf: (one: InLocation) => (index?: number) => string,
): Mrkdwn[] {
  const running = locations.filter(({ replicas }) => replicas !== 0);
  const idle = locations.length - running.length;
  const each = Math.max(2, Math.floor(ROOM / Math.max(1, running.length)));
  const shown = running.slice(0, ROOM / 2);
  const hidden = running.length - shown.length;
  return [
    ...shown.flatMap((one) => ofLocation(one, addressOf(one), each)),
    ...(hidden > 0 ? [mrkdwn`… and in ${plural(hidden, 'more location')}, alike`] : []),
    ...(idle > 0 ? [mrkdwn`no replicas now in ${plural(idle, 'location')}`] : []),
  ];
}

/** At most `room` lines, 2 or more. */
function ofLocation(
  { location, replicas }: InLocation,
  addressOf: (index?: number) => string,
  room: number,
): Mrkdwn[] {
  if (replicas === undefined) return [mrkdwn`${copyable(addressOf())} ${location}`];
  const first = replicas <= room ? replicas : room - 1;
  const all = Array.from({ length: first }, (_, index) => copyable(addressOf(index)));
  if (first < replicas) {
    const last = copyable(addressOf(replicas - 1));
    all.push(mrkdwn`… ${last}, the last of ${plural(replicas, 'replica')}`);
  }
  return all;
}
