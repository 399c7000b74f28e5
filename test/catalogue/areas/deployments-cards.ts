import { unwatchedContent } from '../../../src/rollouts/unwatch.ts';
import { END_WATCHES_ACTION } from '../../../src/rollouts/outages/outage-view.ts';
import { CARD_ACTIONS } from '../../../src/rollouts/render/parts.ts';
import { HOUR, MINUTE, NOW, answer, post, type Area, type Entry } from '../entry.ts';
import { configured, harness } from './deployments-data.ts';

const PLACE = 'acme/shop/cart';

/** A click below a card, after other lines were typed in the channel. */
function clicked(
  id: string,
  when: string,
  action: keyof typeof CARD_ACTIONS,
  lines: readonly string[] = ['watch shop/cart'],
  { place = PLACE, ...setting }: Parameters<typeof harness>[0] & { place?: string } = {},
): Entry {
  return answer(`deployments-card-${id}`, when, async () => {
    const at = harness(setting);
    for (const line of lines) await at.type(line);
    const said = await at.click(CARD_ACTIONS[action], place);
    if (said === undefined) throw new Error('nothing was answered');
    return said;
  });
}

function ended404(id: string, when: string, setting: Parameters<typeof harness>[0] = {}): Entry {
  return answer(`outage-watches-ended-${id}`, when, async () => {
    const at = harness({ missing: ['acme/shop', 'acme/blog'], ...setting });
    await at.type('watch blog', 'C0OTHER');
    if (setting.configured === undefined) await at.type('watch shop');
    const said = await at.click(END_WATCHES_ACTION, 'acme/shop/@api/down/1', 'C0OTHER');
    if (said === undefined) throw new Error('nothing was answered');
    return said;
  });
}

type Card = Parameters<typeof unwatchedContent>[0];

/** The last edit of a card; without a time, nothing was ever read. */
function ended(id: string, when: string, over: Partial<Card>, at = NOW - 20_000): Entry {
  const card: Card = {
    key: 'acme/shop/cart/12/card',
    scopes: [],
    name: 'shop/cart',
    version: 'v12',
    word: 'deploying',
    startedAt: NOW - 4 * MINUTE,
    ...over,
  };
  return post(`deployments-card-unwatched-${id}`, when, () => unwatchedContent(card, at));
}

export const deploymentsCards: Area = {
  id: 'deployments-card-clicks',
  title: 'The buttons below a card, and a card that is watched no longer',
  entries: [
    clicked('mute-one-hour', '“Mute 1 h” was clicked below a card.', 'muteOneHour'),
    clicked('mute-eight-hours', '“Mute 8 h” was clicked below a card.', 'muteEightHours'),
    clicked(
      'mute-not-watched',
      'Mute was clicked where nothing is watched now.',
      'muteOneHour',
      [],
    ),
    clicked('unwatch-ask', '“Unwatch” was chosen in the menu of a card.', 'unwatchAsk'),
    clicked(
      'unwatch-ask-whole-gvc',
      '“Unwatch” was chosen in the menu of a card; the watch is of the whole GVC.',
      'unwatchAsk',
      ['watch shop'],
    ),
    clicked('unwatch', '“Unwatch” was clicked below a card.', 'unwatch'),
    clicked(
      'unwatch-whole-gvc',
      '“Unwatch” was clicked below a card; the watch was of the whole GVC.',
      'unwatch',
      ['watch shop'],
    ),
    clicked(
      'unwatch-whole-gvc-other-org',
      'The same, in an org that has to be named.',
      'unwatch',
      ['watch shop org beta'],
      { place: 'beta/shop/cart' },
    ),
    ended404('all', 'All watches of GVCs that are not found were ended by the button.'),
    ended404('some', 'One of them is watched in a channel of others.', {
      channels: { hasPerson: false },
    }),
    ended404('configured', 'One of them is set by the environment.', {
      configured: [configured()],
    }),
    ended404('none', 'The GVCs can be read again.', { missing: [] }),
    clicked('unwatch-again', '“Unwatch” was clicked a second time.', 'unwatch', []),
    clicked(
      'unwatch-configured',
      '“Unwatch” was clicked, and the environment set the watch.',
      'unwatch',
      [],
      { configured: [configured()] },
    ),
    clicked(
      'unwatch-some-stay',
      '“Unwatch” was clicked, and one of two watches was set by the environment.',
      'unwatch',
      ['watch shop'],
      { configured: [configured({ workload: 'cart' })] },
    ),
    ended('deploying', 'The last edit of the card of a workload that is no longer watched.', {}),
    ended('failed', 'The same, of a rollout that failed.', { word: 'failed' }),
    ended('gvc', 'The same, of the card of a whole GVC.', {
      name: 'shop',
      version: 'GVC v3',
      word: '',
      startedAt: NOW - HOUR,
    }),
    ended('beginning-unknown', 'The beginning of the rollout was not seen.', {
      startedAt: undefined,
    }),
    ended('never-read', 'The GVC was never read completely.', {}, 0),
  ],
};
