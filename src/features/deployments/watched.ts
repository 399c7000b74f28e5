import { PlatformError, type PlatformReason } from '../../platform/errors.ts';
import type { Target } from '../../platform/deployments/target.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import { effectiveState, type RecordMemory } from '../../rollouts/engine/classify.ts';
import { locationOf, workloadOf } from '../../rollouts/engine/rollout.ts';
import { readGvc, readPollStatus, type PollStatus } from '../../rollouts/gvc-store.ts';
import { createWatches, watchedGvcs, type Watch } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import type { ListedStatus } from './listing.ts';

/** What the polls of the watches have stored: nothing here asks the platform. */

type StoreServices = Pick<Services, 'config' | 'redis' | 'keys'>;

/** A GVC that is watched, as its last complete poll found it. */
export interface WatchedState {
  org: string;
  gvc: string;
  poll: PollStatus;
  watches: readonly Watch[];
  statuses: readonly ListedStatus[];
}

/** The watched GVCs of an org, or of all. */
export async function readWatched(
  services: StoreServices,
  org: string | undefined,
): Promise<WatchedState[]> {
  const all = await createWatches(services).all();
  const gvcs = watchedGvcs(all).filter((one) => org === undefined || one.org === org);
  return Promise.all(gvcs.map((place) => readOne(services, place, all)));
}

async function readOne(
  { redis, keys }: StoreServices,
  { org, gvc }: { org: string; gvc: string },
  all: readonly Watch[],
): Promise<WatchedState> {
  const [{ state }, poll] = await Promise.all([
    readGvc(redis, keys, org, gvc),
    readPollStatus(redis, keys, org, gvc),
  ]);
  const watches = all.filter((watch) => watch.org === org && watch.gvc === gvc);
  return { org, gvc, poll, watches, statuses: statusesOf(state.records) };
}

/** As `statusOf` judges them; what is gone is not there any more. */
function statusesOf(records: GvcState['records']): ListedStatus[] {
  return Object.entries(records)
    .filter(([, { state }]) => state !== 'gone')
    .map(([key, record]) => ({
      workload: workloadOf(key),
      location: locationOf(key),
      state: effectiveState(record),
      version: record.version,
      // It is stored for what went another way alone.
      processed: record.version,
      replicas:
        record.wanted === null && record.replicas.wanted === 0 ? undefined : record.replicas,
      outgoing: record.outgoing ?? undefined,
      restarts: record.restarts,
      cause: record.state === 'ready' ? '' : record.cause,
      ...rememberedOf(record),
    }));
}

/** What the watch engine knows of a deployment beside its state. */
export function rememberedOf({
  since,
  served,
  readyBeside,
}: RecordMemory): Pick<ListedStatus, 'since' | 'served' | 'readyBeside'> {
  return {
    since,
    ...(served === undefined ? {} : { served }),
    ...(readyBeside === undefined ? {} : { readyBeside }),
  };
}

/** What is shown while the platform does not answer. */
export interface LastKnown {
  /** When it was read, ms since the epoch. */
  at: number;
  /** Why nothing newer is known: "the platform does not answer". */
  why: string;
}

/** Reasons that say nothing of the place that was asked for. */
const AWAY: Partial<Readonly<Record<PlatformReason, string>>> = {
  timeout: 'the platform does not answer',
  unreachable: 'the platform does not answer',
  unavailable: 'the platform does not answer',
  'server-error': 'the platform fails',
  'rate-limited': 'the platform asks for fewer calls',
};

/** A place as it was last seen, where the platform is away and its GVC is watched; else undefined. */
export async function readLastKnown(
  services: StoreServices,
  { org, target }: { org: string; target: Target },
  error: unknown,
): Promise<{ statuses: readonly ListedStatus[]; known: LastKnown } | undefined> {
  const why = error instanceof PlatformError ? AWAY[error.reason] : undefined;
  if (why === undefined) return undefined;
  const { gvc, workload, location } = target;
  const all = await createWatches(services).all();
  const isWatched = all.some((watch) => watch.org === org && watch.gvc === gvc);
  if (!isWatched) return undefined;
  const { poll, statuses } = await readOne(services, { org, gvc }, all);
  const asked = statuses.filter(
    (one) =>
      (workload === undefined || one.workload === workload) &&
      (location === undefined || one.location === location),
  );
  if (poll.at === 0 || asked.length === 0) return undefined;
  return { statuses: asked, known: { at: poll.at, why } };
}
