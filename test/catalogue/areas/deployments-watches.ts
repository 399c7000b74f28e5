import { watchesAnswer, type WatchesView } from '../../../src/features/deployments/watch.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { broken, ready, stale } from '../../unit/rollouts/platform-json.ts';
import { DAY, NOW, answer, type Area, type Entry } from '../entry.ts';
import {
  AWAY,
  NEVER,
  OPS,
  configured,
  harness,
  mute,
  platform,
  poll,
  seen,
  watch,
} from './deployments-data.ts';

const DEPLOYMENTS = ['cart', 'checkout'].map(
  (workload) => seen(ready(12), { workload }).deployment,
);

/** The answer to the last line, after other ones. */
function typed(
  id: string,
  when: string,
  lines: readonly [...before: string[], last: string],
  setting: Parameters<typeof harness>[0] = {},
): Entry {
  return answer(`deployments-${id}`, when, async () => {
    const at = harness({ deployments: DEPLOYMENTS, ...setting });
    for (const line of lines.slice(0, -1)) await at.type(line);
    return at.type(lines.at(-1) ?? '');
  });
}

/** A platform on which a GVC has a workload `cart`, and nothing by the name that is asked for. */
const MISTYPED = {
  over: {
    deployments: platform({
      listGvc: () => Promise.resolve({ deployments: DEPLOYMENTS, unreadable: [], unidentified: 0 }),
      listWorkload: () => Promise.resolve({ deployments: [], unreadable: [], unidentified: 0 }),
    }),
  },
};

export const deploymentsWatch: Area = {
  id: 'deployments-watch',
  title: '/deployments watch and unwatch',
  entries: [
    typed('watch-gvc', 'A channel begins to watch a GVC.', ['watch shop']),
    typed('watch-workload', 'A channel begins to watch one workload.', ['watch shop/cart']),
    typed('watch-narrowed', 'A watch that waits for some outcomes, and keeps them in threads.', [
      'watch shop only failed,unhealthy,crashloop quiet',
    ]),
    typed('watch-notify', 'A watch that mentions a group when it gets serious.', [
      'watch shop notify <!subteam^S0ONCALL|@oncall>',
    ]),
    typed('watch-ill', 'A GVC is watched in which something is ill now.', ['watch shop'], {
      deployments: [
        seen(broken(12), { workload: 'cart' }).deployment,
        seen(stale(3), { workload: 'pay' }).deployment,
        seen(ready(3), { workload: 'web' }).deployment,
      ],
    }),
    typed('watch-changed', 'The channel watched that already; the watch is another one now.', [
      'watch shop',
      'watch shop quiet',
    ]),
    typed(
      'watch-other-channel',
      'A person makes a watch for another channel than the one they type in.',
      ['watch shop in <#C0DEPLOYS|deploys>'],
    ),
    typed('watch-quiet-beside', 'A quiet watch is made beside one that is not.', [
      'watch shop',
      'watch shop/cart quiet',
    ]),
    typed('watch-outspoken-beside', 'A narrow watch is made beside one that shows all.', [
      'watch shop',
      'watch shop/cart only failed quiet',
    ]),
    typed(
      'watch-outspoken-configured',
      'A narrow watch is made beside one that shows all and was set by the environment.',
      ['watch shop only failed'],
      { configured: [configured()] },
    ),
    typed('watch-muted', 'The new watch is muted in the channel.', [
      'watch shop',
      'mute 8h shop',
      'watch shop/cart',
    ]),
    typed('watch-unlisted', 'A GVC is watched in which nothing is listed yet.', ['watch shop'], {
      deployments: [],
    }),
    typed(
      'watch-mistyped',
      'Nothing is listed by that name, and there is one much like it.',
      ['watch shop/crat'],
      MISTYPED,
    ),
    typed(
      'watch-mistyped-other-org',
      'The same, in an org that has to be named.',
      ['watch shop/crat org beta'],
      MISTYPED,
    ),
    typed(
      'watch-mistyped-other-channel',
      'The same, of a watch for another channel.',
      ['watch shop/crat in <#C0DEPLOYS|deploys>'],
      MISTYPED,
    ),
    typed('unwatch-one', 'A watch of the channel ends.', ['watch shop', 'unwatch shop']),
    typed('unwatch-several', 'All watches of the channel end.', [
      'watch shop',
      'watch data/etl',
      'watch shop/cart org beta',
      'unwatch',
    ]),
    typed(
      'unwatch-some-stay',
      'Of the watches of the channel one was set by the environment.',
      ['watch data', 'unwatch'],
      { configured: [configured()] },
    ),
    typed('unwatch-configured', 'The only watch was set by the environment.', ['unwatch shop'], {
      configured: [configured()],
    }),
    typed(
      'unwatch-several-configured',
      'Several watches were set by the environment.',
      ['unwatch'],
      {
        configured: [configured(), configured({ gvc: 'data', workload: 'etl' })],
      },
    ),
    typed('unwatch-nothing', 'There is no such watch in the channel.', ['unwatch lab']),
  ],
};

function list(id: string, when: string, over: Partial<WatchesView>): Entry {
  return answer(`deployments-watches-${id}`, when, () =>
    watchesAnswer({
      channel: OPS,
      here: true,
      defaultOrg: 'acme',
      outside: false,
      entries: [{ watch: watch(), poll: poll() }],
      mutes: [],
      elsewhere: 0,
      now: NOW,
      ...over,
    }),
  );
}

/** Without the person who made it. */
const { by: _, ...OLD } = watch({ gvc: 'lab' });

const EVERY_KIND: readonly (readonly [Watch, WatchesView['entries'][number]['poll']])[] = [
  [watch(), poll()],
  [watch({ workload: 'cart', only: ['failed', 'unhealthy'], quiet: true }), poll()],
  [watch({ workload: 'pay', notify: '<!subteam^S0ONCALL>' }), poll()],
  [configured({ gvc: 'data' }), AWAY],
  [watch({ gvc: 'edge' }), { ...AWAY, at: 0 }],
  [OLD, NEVER],
  [watch({ org: 'beta', gvc: 'odd', by: 'U0CLEO' }), poll({ skipped: 1 })],
  [watch({ org: 'beta', gvc: 'odder', by: 'U0CLEO' }), poll({ skipped: 3 })],
];
const entries = EVERY_KIND.map(([one, health]) => ({ watch: one, poll: health }));
const workloads = (count: number): Watch[] =>
  Array.from({ length: count }, (_unused, index) => watch({ workload: `web-${index + 1}` }));

export const deploymentsWatches: Area = {
  id: 'deployments-watches',
  title: '/deployments watches',
  entries: [
    list('one', 'The channel watches one GVC.', {}),
    list('every-kind', 'Watches of each kind, in each health.', { entries, elsewhere: 2 }),
    list('one-unreachable', 'The one thing that is watched cannot be read.', {
      entries: [{ watch: watch(), poll: AWAY }],
    }),
    list('muted', 'The watch of the channel is muted.', { mutes: [mute()] }),
    list('muted-in-part', 'One workload of the watched GVC is muted.', {
      mutes: [mute({ workload: 'cart' })],
    }),
    list('muted-in-many-parts', 'Many workloads of the watched GVC are muted.', {
      mutes: workloads(7).map(({ workload = '' }) => mute({ workload, until: NOW + DAY })),
    }),
    list('many', 'The channel watches many workloads.', {
      entries: workloads(63).map((one) => ({ watch: one, poll: poll() })),
    }),
    list('one-more', 'The channel watches more than fit in one answer of before.', {
      entries: workloads(61).map((one) => ({ watch: one, poll: poll() })),
    }),
    list('outside', 'Purser was taken out of the channel.', { outside: true }),
    list('none', 'The channel watches nothing, and no other one does.', { entries: [] }),
    list('none-here', 'The channel watches nothing, others do.', { entries: [], elsewhere: 3 }),
    list('none-outside', 'The channel watches nothing, and Purser is not in it.', {
      entries: [],
      outside: true,
    }),
  ],
};
