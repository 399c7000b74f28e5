import { detailsModal } from '../../../src/features/deployments/details-view.ts';
import type { DetailedDeployment } from '../../../src/features/deployments/details-view.ts';
import { container, ready, rolling, version } from '../../unit/rollouts/platform-json.ts';
import { MINUTE, NOW, modal } from '../entry.ts';
import type { Area, Entry } from '../entry.ts';
import {
  IN_STATE,
  LOCATIONS,
  NOT_UP,
  crashing,
  iso,
  plainContainer,
  seen,
} from './deployments-data.ts';

const CART = { gvc: 'shop', workload: 'cart' };
const STATES = Object.keys(IN_STATE) as (keyof typeof IN_STATE)[];

function details(
  id: string,
  when: string,
  entries: () => readonly DetailedDeployment[],
  target: Parameters<typeof detailsModal>[0]['target'] = CART,
): Entry {
  return modal(`deployments-details-${id}`, when, () =>
    detailsModal({ org: 'acme', target }, entries()),
  );
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
    ...STATES.map((state) =>
      details(state, `Details of a workload that is ${state}.`, () => [IN_STATE[state]()]),
    ),
    details(
      'little-known',
      'The platform tells neither image nor endpoint nor zone, and nobody has seen it before.',
      () => [
        {
          ...seen(
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
          since: undefined,
        },
      ],
    ),
    details(
      'gvc',
      'Details of a GVC: what is worst comes first.',
      () => [
        ...LOCATIONS.map((location) => IN_STATE.ready({ workload: 'checkout', location })),
        IN_STATE.failed({ workload: 'cart', location: LOCATIONS[1] }),
      ],
      { gvc: 'shop' },
    ),
    details(
      'many',
      'A GVC has more deployments than the window can show.',
      () =>
        Array.from({ length: 47 }, (_, index) => seen(ready(3), { workload: `web-${index + 1}` })),
      { gvc: 'shop' },
    ),
    details('nothing', 'Nothing is listed there any more.', () => []),
  ],
};
