import { readDeployment } from '../../../../src/platform/deployments/deployment.ts';
import { advance, EMPTY_GVC, type Cache } from '../../../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG } from '../../../../src/rollouts/watch/group.ts';
import { pollTime } from '../../../../src/rollouts/watch/spans.ts';
import { rememberedStatuses } from '../../../../src/rollouts/watch/status.ts';
import { FIRST, LOCATIONS, SHOP, startPlatform } from '../../sandbox/platform/support.ts';
import { bearer, startClient } from '../support.ts';

export { FIRST, LOCATIONS, SHOP };
export const SECOND = LOCATIONS[1];
export const THIRD = LOCATIONS[2];
export const PAYMENTS = { ...SHOP, workload: 'payments' };

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
/** The time of the stand-in until a test moves its clock. */
export const NOON = Date.UTC(2026, 9, 5, 12);

/** Polls up to a quarter of an hour apart are in a row. */
const PACE = { patience: 1, idleMs: 5 * MINUTE * 1_000 };

export const pathTo = (workload: string, location: string) =>
  `/org/acme/gvc/shop/workload/${workload}/deployment/${location}`;

/** Readings with the client of acme, from a stand-in whose clock a test moves. */
export async function startReading() {
  const { platform, act, wait, api } = await startPlatform();
  const client = startClient(platform.url, {
    credentialOf: (org) => bearer(platform.tokens[org]),
  });
  const ofShop = () => client.listGvc('acme', 'shop');

  let remembered = EMPTY_GVC;
  let previousAt = 0;
  const cache: Cache = new Map();
  return {
    act,
    wait,
    api,
    client,
    ofShop,
    /** One workload in one location. */
    read: async (workload: string, location: string = FIRST) =>
      readDeployment(workload, await (await api(pathTo(workload, location))).json()),
    /** The locations in the list of a workload. */
    locationsOf: async (workload: string) => {
      const { deployments } = await client.listWorkload('acme', 'shop', workload);
      return deployments.map(({ location }) => location);
    },
    /** States and causes after a poll of the whole GVC now, with the polls before. */
    poll: async () => {
      const { listed: seen, ...unread } = await client.scanGvc('acme', 'shop');
      const now = platform.clock.now();
      const options = { gvc: 'shop', now, previousAt, ...PACE, cache };
      remembered = advance(remembered, EMPTY_ORG, { seen, ...unread }, options).state;
      previousAt = now;
      const all = rememberedStatuses(remembered, pollTime(now, now, PACE));
      const rowOf = (workload: string, location: string) =>
        all.find((one) => one.workload === workload)?.rows.find((row) => row.location === location);
      return {
        state: (workload: string, location: string = FIRST) => rowOf(workload, location)?.state,
        cause: (workload: string, location: string = FIRST) => rowOf(workload, location)?.cause,
        diverged: (workload: string, location: string = FIRST) =>
          rowOf(workload, location)?.diverged,
      };
    },
  };
}

export type Reading = Awaited<ReturnType<typeof startReading>>;
