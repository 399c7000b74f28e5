import { Refusal } from '../../../src/lib/errors.ts';
import {
  homeView,
  type HomeState,
  type PartView,
  createHome,
  type HomeServices,
} from '../../../src/slack/routing/home.ts';
import { section } from '../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import type { HomePart } from '../../../src/slack/routing/routes.ts';
import type { HomeView } from '@slack/types';
import { MINUTE, NOW, home, type Area, type Entry } from '../entry.ts';
import { ADA, BOUNDARY, BUSY, last, scrub } from './slack-edge-data.ts';
import { NO_VERSIONS, nativeBlocks } from '../../support/native-blocks.ts';

const TITLES = ['Money', 'Changes', 'Watches'];
const BLOCKS = [section(mrkdwn`(What this part says.)`)];
const known = (title: string): PartView => ({ title, blocks: BLOCKS });
const READING = undefined;
const OLD = NOW - 3 * MINUTE;

function frame(id: string, when: string, state: Partial<HomeState>): Entry {
  return home(`home-frame-${id}`, when, () =>
    homeView({
      parts: TITLES.map(known),
      troubles: [],
      asOf: NOW,
      isReading: false,
      ...state,
    }),
  );
}

/** The last view that a person sees. */
async function drawn(
  parts: readonly Partial<HomePart>[],
  over: Partial<HomeServices<object>> = {},
): Promise<HomeView> {
  const views: HomeView[] = [];
  const publish = ({ view }: { view: HomeView }): Promise<object> => {
    views.push(view);
    return Promise.resolve({ ok: true });
  };
  const bot = createHome(
    {
      ...BOUNDARY,
      slack: { views: { publish } } as never,
      authorize: () => Promise.resolve(),
      principal: () => Promise.resolve({}),
      scrub,
      native: nativeBlocks(),
      versions: NO_VERSIONS,
      clock: { now: () => NOW },
      partMs: 20,
      ...over,
    },
    parts.map((part, rank) => ({
      title: TITLES[rank] ?? '',
      rank,
      fill: () => Promise.resolve(BLOCKS),
      ...part,
    })),
  );
  await bot.show(ADA);
  return last(views);
}

const NO = '(Why not, and what to do.)';

export const slackEdgeHome: Area = {
  id: 'home-frame',
  title: 'Home tab: its frame',
  entries: [
    frame('reading', 'A person opens the home tab for the first time.', {
      parts: TITLES.map((title) => ({ title, blocks: READING })),
      asOf: undefined,
      isReading: true,
    }),
    frame('partly-read', 'The first part has come, the others are still being read.', {
      parts: TITLES.map((title, index) =>
        index === 0 ? known(title) : { title, blocks: READING },
      ),
      isReading: true,
    }),
    frame(
      'reading-again',
      'It was open before: the earlier content, until all parts are read again.',
      {
        asOf: OLD,
        isReading: true,
      },
    ),
    frame('read', 'All parts have come.', {}),
    frame('part-left-out', 'One part has nothing to say, and is left out.', {
      parts: TITLES.map((title, index) => (index === 1 ? { title, blocks: [] } : known(title))),
    }),
    frame('part-unknown', 'One part cannot be read, and never was.', {
      parts: TITLES.map((title, index) =>
        index === 0 ? { title, blocks: [], failed: { shownOf: undefined } } : known(title),
      ),
      troubles: [NO],
    }),
    frame('part-old', 'One part can no longer be read: its earlier content.', {
      parts: TITLES.map((title, index) => ({
        ...known(title),
        ...(index === 0 ? { failed: { shownOf: OLD } } : {}),
      })),
      troubles: [NO],
      asOf: OLD,
    }),
    frame('full', 'There is more than a home tab holds.', {
      parts: Array.from({ length: 9 }, (_, index) => ({
        title: `Part ${index + 1}`,
        blocks: Array.from({ length: 15 }, () => section(mrkdwn`(A line.)`)),
      })),
    }),
    home('home-frame-nothing-read', 'Nothing can be read, for two reasons.', () =>
      drawn([
        { fill: () => Promise.reject(BUSY) },
        { fill: () => Promise.reject(BUSY) },
        { fill: () => Promise.reject(new TypeError('a defect')) },
      ]),
    ),
    home('home-frame-too-slow', 'One part does not come in time.', () =>
      drawn([{ fill: () => new Promise<never>(() => undefined) }, {}, {}]),
    ),
    home('home-frame-part-refused', 'One part is not for this person.', () =>
      drawn([{ fill: () => Promise.reject(new Refusal(NO)) }, {}, {}]),
    ),
    home('home-frame-refused', 'A person may not use Purser at all.', () =>
      drawn([{}], { authorize: () => Promise.reject(new Refusal(NO)) }),
    ),
  ],
};
