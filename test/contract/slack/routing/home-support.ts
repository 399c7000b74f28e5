import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { HomePart } from '../../../../src/slack/routing/routes.ts';
import { until } from '../../../support/until.ts';
import { ADA, openSlackHarness, type HomeTab, type Known } from '../harness.ts';

/** A part that says one sentence, with a button that carries it. */
export const part = (
  title: string,
  says: () => Promise<string>,
  more: Partial<HomePart<Known>> = {},
): HomePart<Known> => ({
  title,
  rank: 1,
  async fill() {
    const text = await says();
    const beside = button({ action: 'press', text: 'Press', value: text });
    return [section(mrkdwn`${text}`, beside)];
  },
  ...more,
});

/** The bot's home tab, with parts of the test's own, and Ada who looks at it. */
export async function openHome(
  parts: readonly HomePart<Known>[],
  options: Parameters<typeof openSlackHarness>[0] = {},
) {
  const harness = await openSlackHarness({ ...options, home: parts });
  const { post } = harness;
  const home = async (): Promise<HomeTab | null> => (await harness.bootstrap()).home;
  const tab = (what: string, fits: (said: string) => boolean): Promise<HomeTab> =>
    until(what, async () => {
      const now = await home();
      return now !== null && fits(JSON.stringify(now.blocks)) && now;
    });
  return {
    ...harness,
    home,
    /** The home tab, once it fits. */
    tab,
    /** The home tab, once all its parts are read. */
    whole: () => tab('a whole home tab', (said) => !/[Rr]eading/.test(said)),
    /** The published views so far, as text. */
    published: async (): Promise<string[]> =>
      (await harness.requests('views.publish')).map(({ args }) => JSON.stringify(args['view'])),
    visit: (user = ADA, on: 'home' | 'messages' = 'home') => post('/page/home', { user, tab: on }),
    replay: () => post('/_sandbox/replay', {}),
    /** Presses the button of this action on the home tab. */
    pressHome: async (action: string): Promise<void> => {
      const { id, blocks } = (await home()) ?? { id: '', blocks: [] };
      const at = blocks.find((block) => JSON.stringify(block).includes(`"action_id":"${action}"`));
      await harness.pressInView(id, { block_id: at?.block_id, action_id: action });
    },
  };
}

/** As `openHome`, once Ada has visited it and all its parts are read. */
export async function readHome(...all: Parameters<typeof openHome>) {
  const home = await openHome(...all);
  await home.visit();
  await home.whole();
  return home;
}

/** Whether one text comes before another in a third one. */
export const before = (text: string, one: string, other: string): boolean =>
  text.includes(one) && text.includes(other) && text.indexOf(one) < text.indexOf(other);
