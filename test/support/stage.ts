import { findChromium, launchBrowser } from './browser.ts';
import { visit } from './page.ts';
import type { Visitor } from './page.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** The whole bot between its stand-ins, and people who look at it in a browser. */
export interface Stage {
  readonly world: World;
  /** Opens the page as a person, at what stands behind `#` in its address. */
  visit(user: string, place?: string): Promise<Visitor>;
  /** What the platform does wrong from now on; nothing without a fault. */
  faults(...faults: object[]): Promise<unknown>;
  close(): Promise<void>;
}

export async function createStage(environment: Record<string, string> = {}): Promise<Stage> {
  const world = await createWorld();
  try {
    await world.startBot({ environment });
  } catch (error) {
    await world.close();
    throw error;
  }
  const browser = await launchBrowser(findChromium() ?? '');
  return {
    world,
    visit: (user, place = 'C0BILLING') => visit(browser, world.slackUrl, { user, place }),
    faults: (...faults) => world.platform('faults', { faults }),
    async close() {
      await browser.close();
      await world.close();
    },
  };
}
