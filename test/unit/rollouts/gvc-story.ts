import type { DeploymentList } from '../../../src/platform/deployments/client.ts';
import type { Deployment } from '../../../src/platform/deployments/deployment.ts';
import { EMPTY_STATE, advance } from '../../../src/rollouts/advance.ts';
import type { Advance, GvcState } from '../../../src/rollouts/advance.ts';
import type { Telling } from '../../../src/rollouts/telling.ts';
import { cardKey, outcomeKey } from '../../../src/rollouts/view.ts';
import { NOON, SECOND, deployment } from './platform-json.ts';
import type { Json } from './platform-json.ts';

export const PLACE = { org: 'acme', gvc: 'shop' };

/** What the list says of a location: a status, that it cannot be read, or that it is not there. */
export type Listed = Json | 'unreadable' | 'absent' | undefined;

/** Locations of `cart`, or `workload/location`. */
export type Listing = Record<string, Listed>;

/** Reading a status costs more than judging it, and a story repeats the same one often. */
const read = new WeakMap<Json, Map<string, Deployment>>();

function readOnce(status: Json, workload: string, location: string): Deployment {
  const known = read.get(status) ?? new Map<string, Deployment>();
  read.set(status, known);
  const name = `${workload}/${location}`;
  const deployed = known.get(name) ?? deployment(status, { workload, location });
  known.set(name, deployed);
  return deployed;
}

export function listOf(listing: Listing, unidentified = 0): DeploymentList {
  const list: DeploymentList = { deployments: [], unreadable: [], unidentified };
  for (const [name, listed] of Object.entries(listing)) {
    const [workload = '', location = ''] = name.includes('/') ? name.split('/') : ['cart', name];
    if (listed === 'absent') continue;
    if (listed === 'unreadable') list.unreadable.push(`${workload}/${location}`);
    else if (listed === undefined)
      list.deployments.push(deployment(listed, { workload, location }));
    else list.deployments.push(readOnce(listed, workload, location));
  }
  return list;
}

/** A telling in one line: what is posted or edited, by its key without org and GVC. */
export function line(telling: Telling): string {
  if (telling.outcome !== undefined) {
    const { kind, n, locations } = telling.outcome;
    return `${short(outcomeKey(PLACE, telling, kind, n))} in ${locations.join(', ')}`;
  }
  const ending = telling.track.ending === null ? '' : `: ${telling.track.ending}`;
  return `${telling.opens ? 'open' : 'edit'} ${short(cardKey(PLACE, telling))}${ending}`;
}

function short(key: string): string {
  return key.split('/').slice(2).join('/');
}

export interface GvcStory {
  /** The next poll, ten seconds later: what changed against the list before; gives the tellings. */
  poll(changes?: Listing, options?: { after?: number; unidentified?: number }): string[];
  /** Tellings of the last poll. */
  told(): Telling[];
  state(): GvcState;
  moving(): boolean;
}

/** A GVC whose first poll saw `first`; that poll is the adoption. */
export function gvcStory(first: Listing): GvcStory {
  let listing = first;
  let now = NOON;
  let step: Advance = advance(EMPTY_STATE, listOf(listing), now);
  if (step.tellings.length > 0) throw new Error('the adoption is not silent');
  return {
    poll(changes = {}, { after = 10 * SECOND, unidentified = 0 } = {}) {
      listing = { ...listing, ...changes };
      now += after;
      step = advance(step.state, listOf(listing, unidentified), now);
      return step.tellings.map(line);
    },
    told: () => step.tellings,
    state: () => step.state,
    moving: () => step.moving,
  };
}

/** The outcomes of a poll without the cards. */
export function outcomes(lines: readonly string[]): string[] {
  return lines.filter((text) => !/^(open|edit) /.test(text));
}
