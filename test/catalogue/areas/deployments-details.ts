import { detailsModal, type DetailsView } from '../../../src/features/deployments/details-view.ts';
import { modalBlocks } from '../../../src/slack/replies/reply.ts';
import {
  container,
  ready,
  rolling,
  version,
  type Json,
} from '../../unit/rollouts/platform-json.ts';
import { MINUTE, modal, NOW, type Area, type Entry } from '../entry.ts';
import {
  crashing,
  IN_STATE,
  iso,
  LINKS,
  LOCATIONS,
  NOT_UP,
  plainContainer,
  rerolled,
  seen,
  workloadsOf,
  type Seen,
} from './deployments-data.ts';

const CART = { gvc: 'shop', workload: 'cart' };
const SHOP = { target: { gvc: 'shop' } };
const STATES = Object.keys(IN_STATE) as (keyof typeof IN_STATE)[];

function details(
  id: string,
  when: string,
  entries: () => readonly Seen[],
  over: Partial<DetailsView> = {},
): Entry {
  const usual = {
    org: 'acme',
    defaultOrg: 'acme',
    target: CART,
    links: [],
    skipped: 0,
    page: 1,
    now: NOW,
  };
  return modal(`deployments-details-${id}`, when, () => {
    const all = entries();
    const deployments = all.map(({ deployment }) => deployment);
    const content = detailsModal({
      ...usual,
      workloads: workloadsOf(all),
      deployments,
      ...over,
    });
    return { title: content.title, blocks: modalBlocks(content) };
  });
}

function many(name: string, count: number): Seen[] {
  return Array.from({ length: count }, (_, index) =>
    seen(ready(3), { workload: `${name}-${index + 1}` }),
  );
}

function unwatched({ deployment, listed }: Seen): Seen {
  return { deployment, listed: { ...listed, since: 0 } };
}

function crowd(): Json {
  return Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`sidecar-${index + 1}`, container()]),
  );
}

/** A message of the platform that is too long. */
function said(times: number): string {
  return 'Waiting for it. '.repeat(times);
}

/** Two containers, zones, an endpoint and a message of the platform. */
const RICH = rolling(12, {
  endpoint: 'https://cart-8xk2.shop.example.com',
  message: 'Waiting for 1 of 2 replicas',
  versions: [
    version(12, {
      ...NOT_UP,
      zone: 'eu-central-1a',
      desiredScale: 2,
      created: iso(NOW - 4 * MINUTE),
      message: 'Initializing',
      containers: {
        main: crashing(),
        proxy: container({ name: 'proxy', image: 'registry.example.com/acme/proxy:v3' }),
      },
    }),
    version(11, { zone: 'eu-central-1b', desiredScale: 1 }),
  ],
});

export const deploymentsDetails: Area = {
  id: 'deployments-details',
  title: '/deployments: the details behind the button',
  entries: [
    details('workload', 'Details of a workload of which all is known.', () => [seen(RICH)]),
    details(
      'links',
      'Details of a workload, with buttons that lead on (LINKS).',
      () => [IN_STATE.ready()],
      { links: LINKS },
    ),
    ...STATES.map((state) =>
      details(state, `Details of a workload that is ${state}.`, () => [IN_STATE[state]()]),
    ),
    details('locations', 'Details of a workload that fails in two of three locations.', () => [
      IN_STATE.ready(),
      ...LOCATIONS.slice(1).map((location) => IN_STATE.failed({ location })),
    ]),
    details('old-gvc', 'The GVC has a new version, which rolls out.', rerolled),
    details('many-locations', 'Details of a workload that fails in 60 locations.', () =>
      Array.from({ length: 60 }, (_, at) => IN_STATE.failed({ location: `edge-${at + 1}` })),
    ),
    details(
      'little-known',
      'The platform reports neither image nor endpoint nor zone, and the workload is not watched.',
      () => [
        unwatched(
          seen(
            ready(12, {
              versions: [
                version(12, {
                  gvc: 0,
                  created: undefined,
                  containers: {
                    main: plainContainer(1, 1),
                    side: container({ image: '', resources: {} }),
                    again: container({ restarts: { count: 1 } }),
                    code: container({ restarts: { count: 2, exitCode: 1 } }),
                  },
                }),
              ],
            }),
          ),
        ),
      ],
    ),
    details(
      'gvc',
      'Details of a GVC: the worst comes first.',
      () => [
        ...LOCATIONS.map((location) => IN_STATE.ready({ workload: 'checkout', location })),
        IN_STATE.failed({ workload: 'cart', location: LOCATIONS[1] }),
      ],
      SHOP,
    ),
    details(
      'many',
      'A GVC has more deployments than the window shows at once.',
      () => many('web', 51),
      SHOP,
    ),
    details(
      'many-last-page',
      'The last page of the deployments, while the platform’s reports of two make no sense.',
      () => many('web', 51),
      { ...SHOP, page: 2, skipped: 2 },
    ),
    details('many-containers', 'One version has more containers than a section takes.', () => [
      seen(ready(12, { versions: [version(12, { zone: 'eu-central-1a', containers: crowd() })] })),
    ]),
    details(
      'long-texts',
      'The platform says more of a container and of a version than there is room for.',
      () => [
        seen(
          ready(12, {
            endpoint: `https://${'cart.'.repeat(90)}example.com`,
            message: said(200),
            versions: [
              version(12, {
                message: said(120),
                containers: {
                  main: container({ image: `registry.example.com/${'a/'.repeat(220)}cart` }),
                },
              }),
            ],
          }),
        ),
      ],
    ),
    details('odd-names', 'Names that Slack would take for markup.', () => [
      seen(
        ready(12, {
          versions: [
            version(12, {
              zone: '*bold*',
              containers: { '~gone~': container({ message: '_x_' }) },
            }),
          ],
        }),
        { workload: '_cart_', location: ':fire:' },
      ),
    ]),
    details(
      'unreadable-one',
      'The platform’s report of one location makes no sense: its last state is shown.',
      () => [IN_STATE.ready(), IN_STATE.failed({ location: LOCATIONS[1] })],
      { deployments: [IN_STATE.ready().deployment], skipped: 1 },
    ),
    details('nothing', 'Nothing is listed there now.', () => []),
    details(
      'nothing-readable',
      'The platform’s reports of all deployments there make no sense.',
      () => [],
      { skipped: 2 },
    ),
  ],
};
