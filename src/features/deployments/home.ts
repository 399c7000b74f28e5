import type { Standing } from '../../access/changes.ts';
import type { Clock } from '../../lib/clock.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import { watchedGvcs } from '../../rollouts/schedule.ts';
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
export function createWatchesPart(deps: WatchesHomeDeps): HomePart<Standing> {
  return {
    title: 'Watches',
    rank: 50,
    async fill(person) {
      await deps.requireOrgAccess(person);
      return watchesBlocks(await readPlaces(deps), deps.clock.now());
    },
    refusal: ({ orgRefusal }) => orgRefusal,
  };
}

async function readPlaces({ watches, readGvc, readPulse }: WatchesHomeDeps) {
  const all = await watches.all();
  const places = await Promise.all(
    watchedGvcs(all).map(async ({ org, gvc }) => {
      const [{ records }, pulse] = await Promise.all([readGvc(org, gvc), readPulse(org, gvc)]);
      const here = all.filter((watch) => watch.org === org && watch.gvc === gvc);
      return placesIn(here, records, pulse);
    }),
  );
  return places.flat();
}

/** What is watched of one GVC: the GVC, workloads of it, or both. */
function placesIn(
  watches: readonly Watch[],
  records: GvcState['records'],
  pulse: Pulse,
): WatchedPlace[] {
  const places = new Map(watches.map((watch) => [placeOf(watch), watch]));
  return [...places].map(([place, watch]) => {
    const hearing = watches.filter((one) => placeOf(one) === place).map(({ channel }) => channel);
    return { place, channels: [...new Set(hearing)], pulse, states: statesOf(watch, records) };
  });
}

/** Of what the watch is about; what is gone is not there any more. */
function statesOf({ workload }: Watch, records: GvcState['records']): WatchedPlace['states'] {
  return Object.entries(records)
    .filter(([name]) => workload === undefined || name.startsWith(`${workload}/`))
    .map(([, { state }]) => state)
    .filter((state) => state !== 'gone');
}
