import type { Clock } from '../../lib/clock.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Watch, Watches } from '../../rollouts/watches.ts';
import type { HomePart, Person } from '../../slack/routes.ts';
import { watchesBlocks } from './home-view.ts';
import type { WatchedPlace } from './home-view.ts';

export interface WatchesHomeDeps {
  readonly watches: Pick<Watches, 'all'>;
  /** What the watch engine knows of a GVC. */
  readonly readGvc: (org: string, gvc: string) => Promise<GvcState>;
  readonly readPulse: (org: string, gvc: string) => Promise<Pulse>;
  /** Whether a person may read what needs org permissions. @throws Refusal */
  readonly requireOrgAccess: (person: Person) => Promise<void>;
  readonly clock: Clock;
}

/** What is watched and how it is, on the home tab (design section 3): all from the store, nothing from the platform. */
export function createWatchesPart(deps: WatchesHomeDeps): HomePart {
  return {
    title: 'Watches',
    rank: 50,
    async fill(person) {
      await deps.requireOrgAccess(person);
      return watchesBlocks(await readPlaces(deps), deps.clock.now());
    },
  };
}

async function readPlaces({ watches, readGvc, readPulse }: WatchesHomeDeps) {
  const all = await watches.all();
  const places = new Map(all.map((watch) => [placeOf(watch), watch]));
  return Promise.all(
    [...places].map(async ([place, watch]): Promise<WatchedPlace> => {
      const { org, gvc } = watch;
      const [{ records }, pulse] = await Promise.all([readGvc(org, gvc), readPulse(org, gvc)]);
      const hearing = all.filter((one) => placeOf(one) === place).map(({ channel }) => channel);
      return { place, channels: [...new Set(hearing)], pulse, states: statesOf(watch, records) };
    }),
  );
}

/** Of what the watch is about; what is gone is not there any more. */
function statesOf({ workload }: Watch, records: GvcState['records']): WatchedPlace['states'] {
  return Object.entries(records)
    .filter(([name]) => workload === undefined || name.startsWith(`${workload}/`))
    .map(([, { state }]) => state)
    .filter((state) => state !== 'gone');
}
