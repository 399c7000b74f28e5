import { broken, idle, type Json } from '../../unit/rollouts/platform-json.ts';
import { HOUR, MINUTE, NOW, type Area } from '../entry.ts';
import {
  AWS,
  all,
  THREE,
  SEVEN,
  IN_PLACE,
  AZURE,
  LATER,
  BEFORE,
  PULL,
  READINESS,
  failing,
  outcome,
  restarted,
} from './watch-data.ts';

/** What the platform says, by what people call it. */
const MESSAGES = {
  'out-of-memory': 'container cart exceeded its memory limit of 512Mi',
  processor: 'exec /usr/local/bin/cart: exec format error',
  image: PULL,
  secret: 'secret "cart-payment-key" not found',
  setting: 'CreateContainerConfigError: couldn’t find key PORT in ConfigMap acme/cart',
  command: 'exec: "npm": executable file not found in $PATH',
  liveness: 'Liveness probe failed: Get "http://10.4.1.7:8080/healthz": context deadline exceeded',
  'start-up': 'Startup probe failed: dial tcp 10.4.1.7:8080: connect: connection refused',
  readiness: READINESS,
  restarts: 'Back-off restarting failed container cart in pod cart-7d9f6c5b8-x2x4k',
  room: '0/12 nodes are available: 12 Insufficient cpu.',
  volume: 'FailedMount: MountVolume.SetUp failed for volume "cart-cache"',
  'not-converging': 'The deployment is not converging on the expected version',
  time: 'ProgressDeadlineExceeded: ReplicaSet "cart-7d9f6c5b8" has timed out progressing',
  quota: 'pods "cart-7d9f6c5b8-x2x4k" is forbidden: exceeded quota: memory',
  'none-known': 'The moon is full',
  long: `Readiness probe failed: ${'the database does not answer at orders-db:5432, '.repeat(12)}giving up`,
  code: 'Readiness probe failed: `SELECT 1` gave <nil> & *no rows*',
};

/** What is known of restarts where nothing is said. */
const RESTARTS: readonly [id: string, when: string, over: Json][] = [
  ['memory-limit', 'Nothing is said, but containers were stopped for want of memory.', {}],
  [
    'exit-code',
    'Nothing is said, but containers ended by themselves.',
    { reason: 'Error', exitCode: 1 },
  ],
  [
    'restarts-only',
    'Nothing is said, but containers restarted.',
    { reason: '', exitCode: undefined },
  ],
  [
    'restarts-uncounted',
    'Nothing is said, but a container restarted, nobody knows how often.',
    {
      reason: '',
      exitCode: undefined,
      count: undefined,
      lastRestartTime: new Date(NOW - MINUTE).toISOString(),
    },
  ],
];

export const rolloutCauses: Area = {
  id: 'rollout-causes',
  title: 'Why a rollout failed: the platform’s own words, and what they mean',
  entries: [
    ...Object.entries(MESSAGES).map(([id, message]) =>
      outcome(
        'broadcast',
        [`rollout-cause-${id}`, 'A new version fails, and the platform gives this as the reason.'],
        'failed',
        { first: BEFORE, polls: [[HOUR, { [AWS]: failing(message) }]] },
      ),
    ),
    outcome(
      'broadcast',
      ['rollout-causes-many', 'A new version fails in seven locations, each for another reason.'],
      'failed',
      {
        first: all(SEVEN, IN_PLACE),
        polls: [
          [
            HOUR,
            Object.fromEntries(
              SEVEN.map((one, index) => [one, failing(Object.values(MESSAGES)[index] ?? '')]),
            ),
          ],
        ],
      },
    ),
    ...RESTARTS.map(([id, when, over]) =>
      outcome('broadcast', [`rollout-cause-${id}`, when], 'unhealthy', {
        ...LATER,
        polls: [
          [
            HOUR,
            { [AZURE]: broken(12, '', { desiredScale: 3, versions: [restarted(1, 6, over)] }) },
          ],
        ],
      }),
    ),
    outcome(
      'broadcast',
      ['rollout-failed-at-zero', 'A new version of what is scaled to zero fails.'],
      'failed',
      {
        first: all(THREE, idle(11)),
        polls: [[10_000, all(THREE, broken(12, PULL, { desiredScale: 0 }))]],
      },
    ),
  ],
};
