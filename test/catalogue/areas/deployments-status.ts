import type { StatusView } from '../../../src/features/deployments/status-view.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { statusOf } from '../../unit/features/deployments/harness.ts';
import { broken, ready } from '../../unit/rollouts/platform-json.ts';
import { NOW, answer, type Area, type Entry } from '../entry.ts';
import {
  diverged,
  IN_STATE,
  LINKS,
  LOCATIONS,
  rerolled,
  seen,
  workloadsOf,
  type Seen,
} from './deployments-data.ts';

const SHOP = { gvc: 'shop' };
const CART = { gvc: 'shop', workload: 'cart' };
const STATES = Object.keys(IN_STATE) as (keyof typeof IN_STATE)[];
const [HERE] = LOCATIONS;

const status = (
  target: StatusView['target'],
  all: readonly Seen[],
  over: Partial<StatusView> = {},
): Answer => statusOf(workloadsOf(all), { target, now: NOW, ...over });

/** All well, and too many for one answer. */
const fleet = (count: number): Seen[] =>
  Array.from({ length: count }, (_, index) => seen(ready(3), { workload: `web-${index + 1}` }));

/** Everywhere ready. */
const READY = ['cart', 'checkout'].flatMap((workload) =>
  LOCATIONS.map((location) => IN_STATE.ready({ workload, location })),
);

function inState(state: (typeof STATES)[number]): Entry {
  return answer(
    `deployments-status-${state}`,
    `Asked for one location of a workload, which is ${state}.`,
    () => status({ ...CART, location: HERE }, [IN_STATE[state]()]),
  );
}

function saying({ listed, ...one }: Seen, cause: string): Seen {
  return { ...one, listed: { ...listed, cause } };
}

/** Without a word of the platform that says why. */
function unexplained(state: 'failed' | 'unhealthy'): Entry {
  return answer(
    `deployments-status-${state}-unexplained`,
    `A location is ${state}, and the platform gives no reason.`,
    () => status({ ...CART, location: HERE }, [saying(IN_STATE[state](), '')]),
  );
}

/** Messages of the platform about an image, a memory limit, a check and so on. */
const CAUSES = [
  'OOMKilled',
  'Readiness probe failed: HTTP probe failed with statuscode: 503',
  '0/6 nodes are available: 6 Insufficient cpu.',
  'secret "payments" not found',
  'FailedMount: unable to attach volume orders-data',
  'exec format error',
  'the upstream said no',
];

export const deploymentsStatus: Area = {
  id: 'deployments-status',
  title: '/deployments: is it deployed?',
  entries: [
    answer('deployments-status-gvc', 'Asked for a GVC in which everything is ready.', () =>
      status(SHOP, READY),
    ),
    answer(
      'deployments-status-gvc-every-state',
      'Asked for a GVC with a workload in each state that there is.',
      () =>
        status(
          SHOP,
          STATES.map((state) => IN_STATE[state]({ workload: `is-${state}` })),
        ),
    ),
    answer(
      'deployments-status-workload',
      'Asked for one workload while its new version comes up in one location.',
      () =>
        status(CART, [
          IN_STATE.deploying(),
          ...LOCATIONS.slice(1).map((location) => IN_STATE.pending({ location })),
        ]),
    ),
    answer(
      'deployments-status-links',
      'Asked for a workload, with buttons that lead to its logs and metrics (LINKS).',
      () => status(CART, READY.slice(0, 3), { links: LINKS }),
    ),
    answer('deployments-status-old-gvc', 'The GVC has a new version, which rolls out.', () =>
      status(CART, rerolled()),
    ),
    answer('deployments-status-old-gvc-all', 'The same, asked for the whole GVC.', () =>
      status(SHOP, rerolled()),
    ),
    answer('deployments-status-links-location', 'The same of one location.', () =>
      status({ ...CART, location: HERE }, READY.slice(0, 1), { links: LINKS }),
    ),
    answer('deployments-status-links-gvc', 'The same of a GVC: only the links of the GVC.', () =>
      status(SHOP, READY, { links: LINKS }),
    ),
    ...STATES.map(inState),
    unexplained('failed'),
    unexplained('unhealthy'),
    answer(
      'deployments-status-causes',
      'Several locations failed, each for another of the usual reasons.',
      () =>
        status(
          SHOP,
          CAUSES.map((cause, index) => seen(broken(12, cause), { workload: `w${index}` })),
        ),
    ),
    answer(
      'deployments-status-many-problems',
      'Eleven workloads failed in the same way: one cause, eleven rows.',
      () =>
        status(
          SHOP,
          Array.from({ length: 11 }, (_, index) =>
            IN_STATE.failed({ workload: `web-${index + 1}` }),
          ),
        ),
    ),
    answer('deployments-status-many', 'A GVC has more workloads than Slack shows in a table.', () =>
      status(SHOP, fleet(250)),
    ),
    answer('deployments-status-many-last-page', 'The last page.', () =>
      status(SHOP, fleet(250), { page: 2 }),
    ),
    answer(
      'deployments-status-remarks',
      'The platform explains a location that is deploying, or that failed.',
      () =>
        status(SHOP, [
          saying(IN_STATE.pending(), 'Waiting for the rollout before to end'),
          saying(
            IN_STATE.pending({ workload: 'checkout' }),
            'The secret payments no longer exists. Workload updates are paused.',
          ),
          saying(diverged({ workload: 'web' }), 'Another controller has changed the deployment'),
        ]),
    ),
    answer('deployments-status-odd-names', 'Names that Slack would take for markup.', () =>
      status(SHOP, [IN_STATE.failed({ workload: '_cart_', location: ':fire:' })]),
    ),
    answer('deployments-status-cron-in-gvc', 'A GVC holds a cron workload among others.', () =>
      status({ gvc: 'data' }, [
        IN_STATE.ready({ workload: 'orders-db' }),
        IN_STATE.cron({ workload: 'etl' }),
      ]),
    ),
    answer('deployments-status-cron-other-org', 'The same, in an org that has to be named.', () =>
      status(CART, [IN_STATE.cron()], { org: 'beta' }),
    ),
    answer(
      'deployments-status-unreadable-one',
      'The platform’s report of one deployment makes no sense.',
      () => status(SHOP, READY, { skipped: 1, unreadable: ['cart/aws-us-west-2'] }),
    ),
    answer(
      'deployments-status-unreadable-several',
      'The platform’s reports of several deployments make no sense.',
      () => status(SHOP, READY, { skipped: 3 }),
    ),
    answer('deployments-status-empty', 'Asked for a GVC in which nothing is listed.', () =>
      status(SHOP, []),
    ),
    answer(
      'deployments-status-nothing-readable',
      'Of a GVC nothing could be read, although something is listed.',
      () => status(SHOP, [], { skipped: 4 }),
    ),
  ],
};
