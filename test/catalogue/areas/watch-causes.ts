import { workload } from '../../stories/watch/records.ts';
import type { Area, Entry } from '../entry.ts';
import { scene, storyFrom } from './watch-scenes.ts';

/** Words of the platform, by what people call the cause. */
const MESSAGES = {
  'out-of-memory': 'container cart exceeded its memory limit of 512Mi',
  processor: 'exec /usr/local/bin/cart: exec format error',
  image: 'Back-off pulling image "registry.example.com/acme/cart:v12"',
  registry: 'Failed to pull image "registry.example.com/acme/cart:v12": i/o timeout',
  secret: 'secret "cart-payment-key" not found',
  setting: 'CreateContainerConfigError: couldn’t find key PORT in ConfigMap acme/cart',
  command: 'exec: "npm": executable file not found in $PATH',
  liveness: 'Liveness probe failed: Get "http://10.4.1.7:8080/healthz": context deadline exceeded',
  'start-up': 'Startup probe failed: dial tcp 10.4.1.7:8080: connect: connection refused',
  readiness: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
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

const cart = workload('cart').in('lima');
const before = [cart.v(11).ready(2)];

function cause(id: string, title: string, then: typeof cart): Entry {
  const story = storyFrom(title, before, [0, cart.v(12).deploying(0, 2).old(11, 2)], [2, then]);
  return scene(`rollout-cause-${id}`, story, 'broadcast cart/12/failed');
}

export const rolloutCauses: Area = {
  id: 'rollout-causes',
  title: 'Why a rollout failed: the platform’s own words, and their meaning',
  entries: [
    ...Object.entries(MESSAGES).map(([id, message]) =>
      cause(
        id,
        `A version fails, and the platform gives a reason (${id})`,
        cart.v(12).down(0, 2).says(message).old(11, 2),
      ),
    ),
    cause(
      'memory-limit',
      'A version fails without a reason, and its containers ran out of memory',
      cart.v(12).down(0, 2).old(11, 2).restarts(6, 1),
    ),
    cause(
      'exit-code',
      'A version fails without a reason, and its containers ended by themselves',
      cart.v(12).down(0, 2).old(11, 2).restarts(1, 1, 'Error'),
    ),
    cause('none', 'A version fails without a reason', cart.v(12).down(0, 2).old(11, 2)),
  ],
};
