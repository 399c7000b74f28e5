import { record } from '../metrics.ts';
import type { Services } from '../services.ts';
import { readPollStatuses } from './gvc-store.ts';
import { createWatches, watchedGvcs, type WatchConfig } from './watches.ts';

/** Reads when the watched GVCs were polled, for the metrics. */
export async function measurePolls(
  services: Pick<Services, 'redis' | 'keys' | 'clock'> & { config: WatchConfig },
): Promise<void> {
  const { redis, keys, clock } = services;
  const watched = watchedGvcs(await createWatches(services).all());
  const statuses = await readPollStatuses(redis, keys, watched);
  const polled = statuses.filter(({ at }) => at > 0);
  const oldest = Math.min(...polled.map(({ at }) => at));
  const ageMs = polled.length === 0 ? 0 : Math.max(0, clock.now() - oldest);
  record.pollAge.set({}, ageMs / 1_000);
  record.unreadable.set(
    {},
    polled.reduce((sum, { skipped }) => sum + skipped, 0),
  );
}
