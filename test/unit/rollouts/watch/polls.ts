import { readFacts, type Facts } from '../../../../src/rollouts/watch/facts.ts';
import { nextLocation, type Location } from '../../../../src/rollouts/watch/location.ts';
import { pollTime, type PollTime } from '../../../../src/rollouts/watch/spans.ts';
import { deployment, MINUTE, NOON, type Json } from '../platform-json.ts';

export function factsOf(status: Json | undefined): Facts {
  return readFacts(deployment(status));
}

/** The time of a poll, in minutes after noon; the poll before was a minute earlier. */
export function minute(n: number): PollTime {
  const now = NOON + n * MINUTE;
  return pollTime(now, now - MINUTE, { patience: 1, idleMs: MINUTE });
}

/** One location after each of these polls, a minute apart, of which the first is the first poll of its GVC. */
export function locationsOf(...statuses: readonly (Json | undefined)[]): Location[] {
  return follow(statuses, true);
}

/** The same of a location that came to a GVC which is polled for long. */
export function newLocationsOf(...statuses: readonly (Json | undefined)[]): Location[] {
  return follow(statuses, false);
}

function follow(statuses: readonly (Json | undefined)[], adopts: boolean): Location[] {
  const all: Location[] = [];
  for (const [index, status] of statuses.entries()) {
    const isFirst = adopts && index === 0;
    all.push(nextLocation(factsOf(status), all.at(-1), minute(index), isFirst));
  }
  return all;
}

export function statesOf(...statuses: readonly (Json | undefined)[]): string[] {
  return locationsOf(...statuses).map(({ state }) => state);
}

/** The state of a location that is seen for the first time. */
export function stateOf(status: Json | undefined): string | undefined {
  return statesOf(status)[0];
}
