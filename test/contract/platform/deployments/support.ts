import { advance, EMPTY_STATE } from '../../../../src/rollouts/engine/advance.ts';
import { lazyRecordListOf } from '../../../../src/rollouts/engine/facts.ts';
import { FIRST, LOCATIONS, SHOP, startPlatform } from '../../sandbox/platform/support.ts';
import { bearer, startClient } from '../support.ts';

export { FIRST, LOCATIONS, SHOP };
export const SECOND = LOCATIONS[1];
export const THIRD = LOCATIONS[2];
export const PAYMENTS = { ...SHOP, workload: 'payments' };

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
/** Where the clock of the stand-in stands until a test moves it. */
export const NOON = Date.UTC(2026, 9, 5, 12);

/** What is read with the client of acme, from a stand-in whose time a test moves. */
export async function startReading() {
  const { platform, act, wait, api } = await startPlatform();
  const client = startClient(platform.url, {
    credentialOf: (org) => bearer(platform.tokens[org]),
  });
  const ofShop = () => client.listGvc('acme', 'shop');

  let remembered = EMPTY_STATE;
  return {
    act,
    wait,
    api,
    client,
    ofShop,
    /** One workload in one location. */
    read: (workload: string, location: string = FIRST) =>
      client.get('acme', 'shop', workload, location),
    /** The locations in the list of a workload. */
    locationsOf: async (workload: string) => {
      const { deployments } = await client.listWorkload('acme', 'shop', workload);
      return deployments.map(({ location }) => location);
    },
    /** What the bot makes of a poll of the whole GVC now, after the polls before. */
    poll: async () => {
      const list = lazyRecordListOf(await client.scanGvc('acme', 'shop'));
      remembered = advance(remembered, list, platform.clock.now()).state;
      const { records } = remembered;
      return {
        state: (workload: string, location: string = FIRST) =>
          records[`${workload}/${location}`]?.state,
        cause: (workload: string, location: string = FIRST) =>
          records[`${workload}/${location}`]?.cause,
      };
    },
  };
}

export type Reading = Awaited<ReturnType<typeof startReading>>;
