import { EMPTY_STATE, advance } from '../../../src/rollouts/engine/advance.ts';
import type { GvcState } from '../../../src/rollouts/engine/advance.ts';
import type { Settled } from '../../../src/rollouts/engine/sighting.ts';
import type { News, Telling } from '../../../src/rollouts/engine/telling.ts';
import type { AnyPoll } from './any-gvc.ts';
import { sightings } from './gvc-story.ts';
import type { Listing } from './gvc-story.ts';
import { NOON } from './platform-json.ts';

interface Story {
  first: Listing;
  polls: readonly AnyPoll[];
}

/** One poll of a story that was run. */
export interface Step {
  before: GvcState;
  after: GvcState;
  tellings: Telling[];
  news: News[];
  moving: boolean;
  listing: Listing;
  unidentified: number;
  now: number;
}

/** Runs a story; `between` is what happens to the state between two polls. */
export function run(
  { first, polls }: Story,
  {
    between = (state) => state,
    settled,
  }: { between?: (state: GvcState) => GvcState; settled?: Settled } = {},
): Step[] {
  const steps: Step[] = [];
  let state = EMPTY_STATE;
  let listing: Listing = {};
  let now = NOON;
  for (const poll of [{ changes: first, after: 0, unidentified: 0 }, ...polls]) {
    const { unidentified } = poll;
    listing = { ...listing, ...poll.changes };
    now += poll.after;
    const list = sightings(listing, unidentified, { prints: settled !== undefined });
    const { state: after, ...told } = advance(state, list, now, settled);
    steps.push({ before: state, after, ...told, listing, unidentified, now });
    state = between(after);
  }
  return steps;
}

/** What the polls of a story told. */
export function toldIn(steps: readonly Step[]): Pick<Step, 'tellings' | 'news' | 'moving'>[] {
  return steps.map(({ tellings, news, moving }) => ({ tellings, news, moving }));
}

/** What has been stored and read again. */
export function stored(state: GvcState): GvcState {
  return JSON.parse(JSON.stringify(state)) as GvcState;
}
