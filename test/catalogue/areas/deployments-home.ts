import { watchesBlocks } from '../../../src/features/deployments/home.ts';
import type { WatchedPlace } from '../../../src/features/deployments/home.ts';
import { URGENCY } from '../../../src/rollouts/engine/states.ts';
import { homeView } from '../../../src/slack/routing/home-view.ts';
import { NOW, home } from '../entry.ts';
import type { Area, Entry } from '../entry.ts';
import { AWAY, NEVER, OPS, poll } from './deployments-data.ts';

function part(id: string, when: string, places: readonly WatchedPlace[]): Entry {
  return home(`home-watches-${id}`, when, () =>
    homeView({
      parts: [{ title: 'Watches', blocks: watchesBlocks(places, NOW) }],
      troubles: [],
      asOf: NOW,
      isReading: false,
    }),
  );
}

function place(name: string, over: Partial<WatchedPlace> = {}): WatchedPlace {
  return { place: name, channels: [OPS], poll: poll(), states: ['ready', 'ready'], ...over };
}

/** A row of a card may wait, a record does not; what is gone is left out. */
const STATES = URGENCY.filter((state) => state !== 'waiting' && state !== 'gone');

export const deploymentsHome: Area = {
  id: 'deployments-home',
  title: 'Home tab: what is watched',
  entries: [
    part('none', 'Nothing is watched.', []),
    part('one', 'One GVC is watched, and all is well.', [place('acme/shop')]),
    part('mixed', 'Several places are watched: trouble comes first.', [
      place('acme/shop', { channels: [OPS, 'C0DEPLOYS', 'C0APPROVE', 'C0BILLING', 'C0GENERAL'] }),
      place('acme/shop/cart', { states: ['failed', 'ready', 'idle', 'suspended', 'cron'] }),
      place('acme/lab', { states: [] }),
      place('acme/data', { poll: { ...AWAY, failures: 1 } }),
      place('beta/edge', { poll: { ...AWAY, at: 0 } }),
      place('beta/lab', { poll: { ...AWAY, at: 0, failures: 1 } }),
      place('beta/new', { poll: NEVER, states: [] }),
      place('beta/old', { poll: AWAY, states: ['stale', 'unknown'] }),
    ]),
    ...STATES.map((state) =>
      part(`state-${state}`, `One place is watched, which is ${state}.`, [
        place('acme/shop/cart', { states: [state] }),
      ]),
    ),
    part(
      'many',
      'More is watched than the home tab has room for.',
      Array.from({ length: 11 }, (_, index) => place(`acme/shop/web-${index + 1}`)),
    ),
  ],
};
