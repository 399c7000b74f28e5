import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openWorld, type SeenMessage } from '../../support/world.ts';
import { logger } from './support.ts';

export const CHANNEL = 'C0DEPLOYS';
export const ELSEWHERE = 'C0APPROVE';
export const WEST = 'aws-us-west-2';
/** Polls more than three minutes apart are not in a row. */
const STEP_MINUTES = 2;

/** A world in which the time can be moved, for the bot in this process and for the platform. */
export async function openMovable() {
  const world = await openWorld();
  let ahead = 0;
  const environment = world.environment({ port: 0, opsPort: 0 });
  const watches = `acme/shop;acme/data=${ELSEWHERE};globex/staging=${ELSEWHERE}`;
  const clock = { now: () => Date.now() + ahead };
  const variables = { ...environment, WATCHES: watches, WATCH_PATIENCE: '1' };
  const app = await createApp(loadConfig(variables), logger, { clock });
  await app.start();
  const url = `http://127.0.0.1:${app.ports().slack}/slack/events`;
  await world.slack('request-url', { url });
  await world.calm(3);

  const act = (path: string, workload: string, more: object = {}) =>
    world.platform(path, { org: 'acme', gvc: 'shop', workload, ...more });
  const see = (key: string, fits?: (one: SeenMessage) => boolean) =>
    world.message(CHANNEL, `acme/shop/${key}`, fits);
  return {
    world,
    act,
    see,
    /** The bot's clock and the platform's go on, in steps so short that the polls stay in a row. */
    async later(minutes: number): Promise<void> {
      await world.calm();
      for (let left = minutes; left > 0; left -= STEP_MINUTES) {
        const step = Math.min(left, STEP_MINUTES);
        ahead += step * 60_000;
        await world.platform('clock', { advanceSeconds: step * 60 });
        await world.calm();
      }
    },
    reported: async (channel: string, beginning: string) => {
      await world.calm();
      return world.reported(channel, beginning);
    },
    async deployed(workload: string): Promise<string> {
      const { version } = await act('rollout', workload, { seconds: 0.5 });
      await see(`${workload}/${String(version)}/ready`);
      return `${workload}/${String(version)}`;
    },
    async close(): Promise<void> {
      await app.stop();
      await world.close();
    },
  };
}
