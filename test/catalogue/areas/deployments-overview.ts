import { DEPLOYMENTS_HELP } from '../../../src/features/deployments/parse.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { stored } from '../../unit/features/deployments/harness.ts';
import {
  broken,
  container,
  idle,
  ready,
  rolling,
  stale,
  version,
  type Json,
} from '../../unit/rollouts/platform-json.ts';
import { answer, MINUTE, NOW, refusal, type Area, type Entry } from '../entry.ts';
import { AWAY, configured, harness, NEVER, platform, poll, watch } from './deployments-data.ts';

type Setting = NonNullable<Parameters<typeof harness>[0]>;

const PULL = 'Back-off pulling image "registry.example.com/cart:v12"';

/** The watched GVC shop, with these deployments in the last poll. */
function shop(statuses: Readonly<Record<string, Json>>, over: Setting = {}): Setting {
  const read = over.pollStatus?.at ?? 0;
  return { configured: [configured()], state: stored(statuses, read > 0 ? read : NOW), ...over };
}

const MANY = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`web-${at + 1}/place-${at + 1}`, broken(12, PULL)]),
);

/** One of two replicas serves. */
const HALF = ready(12, {
  versions: [
    version(12, {
      containers: { main: container({ resources: { replicas: 2, replicasReady: 1 } }) },
    }),
  ],
});

const LEVELS = {
  ...Object.fromEntries(['api', 'auth'].map((name) => [`${name}/aws-eu-central-1`, HALF])),
  ...Object.fromEntries(
    ['cart', 'pay'].flatMap((name) => [
      [`${name}/aws-eu-central-1`, broken(12, PULL)],
      [`${name}/azure-eastus2`, ready(12)],
    ]),
  ),
};

const ALIKE = {
  ...Object.fromEntries(
    ['web-1', 'web-2', 'web-10'].flatMap((name) => [
      [`${name}/azure-eastus2`, stale(3)],
      [`${name}/gcp-us-east1`, ready(3)],
    ]),
  ),
  'cart/azure-eastus2': ready(11),
  'cart/gcp-us-east1': ready(12),
};

const SOME = {
  'cart/aws-eu-central-1': broken(12, PULL),
  'cart/azure-eastus2': ready(12),
  'checkout/aws-eu-central-1': rolling(59),
  'api/aws-eu-central-1': ready(3),
  'reports/aws-eu-central-1': idle(3),
};

const reject = (reason: 'timeout' | 'not-found') => () =>
  Promise.reject(new PlatformError(reason, 'no answer'));
/** Every call goes so. */
const failing = (reason: 'timeout' | 'not-found'): NonNullable<Setting['over']> => ({
  deployments: platform({
    listGvc: reject(reason),
    listWorkload: reject(reason),
  }),
});

function typed(id: string, when: string, line: string, setting?: Setting): Entry {
  return answer(`deployments-${id}`, when, () => harness(setting).type(line));
}

function absent(id: string, when: string, line: string, setting: Setting): Entry {
  return refusal(
    `deployments-${id}`,
    `${when} Typed: /deployments ${line}`,
    () => harness(setting).type(line),
    DEPLOYMENTS_HELP,
  );
}

export const deploymentsOverview: Area = {
  id: 'deployments-overview',
  title: '/deployments: current trouble, last known states, and unknown names',
  entries: [
    typed('overview-nothing', 'A person types /deployments, and nothing is watched.', ''),
    typed(
      'overview-green',
      'A person types /deployments, and all is well.',
      '',
      shop({ 'cart/aws-eu-central-1': ready(12), 'reports/aws-eu-central-1': idle(3) }),
    ),
    typed('overview-wrong', 'A person types /deployments, and two workloads are not green.', '', {
      ...shop(SOME, { configured: [configured(), watch({ workload: 'cart', channel: 'C0DEV' })] }),
    }),
    typed('overview-many', 'Twelve workloads in as many locations serve nothing.', '', shop(MANY)),
    typed(
      'overview-levels',
      'Users of some workloads get less than they should.',
      '',
      shop(LEVELS),
    ),
    typed(
      'overview-alike',
      'A location does not report for three workloads, and another one is behind the others.',
      '',
      shop(ALIKE),
    ),
    typed(
      'overview-unreadable',
      'The platform’s reports of three deployments make no sense, and all else is well.',
      '',
      shop({ 'cart/aws-eu-central-1': ready(12) }, { pollStatus: poll({ skipped: 3 }) }),
    ),
    typed(
      'overview-away-other',
      'Two workloads are not green, and another GVC can no longer be read.',
      '',
      shop(SOME, {
        configured: ['shop', 'data'].map((gvc) => configured({ gvc })),
        pollsOf: { data: AWAY },
      }),
    ),
    typed('overview-away', 'The GVC can no longer be read.', '', shop(SOME, { pollStatus: AWAY })),
    typed(
      'overview-away-green',
      'The GVC can no longer be read, and was well.',
      '',
      shop({ 'cart/aws-eu-central-1': ready(12) }, { pollStatus: AWAY }),
    ),
    typed('overview-away-one', 'One of two GVCs can no longer be read, the other is well.', '', {
      configured: [configured(), configured({ gvc: 'data' })],
      state: stored({ 'cart/aws-eu-central-1': ready(12) }, NOW),
      pollsOf: { data: AWAY },
    }),
    typed(
      'overview-late',
      'The GVC was read a while ago, and nothing has failed since.',
      '',
      shop(SOME, { pollStatus: poll({ at: NOW - 20 * MINUTE }) }),
    ),
    typed(
      'overview-late-green',
      'The GVC was read a while ago, and was well.',
      '',
      shop({ 'cart/aws-eu-central-1': ready(12) }, { pollStatus: poll({ at: NOW - 20 * MINUTE }) }),
    ),
    typed('overview-never', 'The GVC was never read.', '', shop({}, { pollStatus: NEVER })),
    typed(
      'last-known-gvc',
      'The platform is away, and the GVC is watched.',
      'shop',
      shop(SOME, { pollStatus: poll({ at: NOW - 3 * MINUTE }), over: failing('timeout') }),
    ),
    typed(
      'last-known-workload',
      'The platform is away, and the workload is watched.',
      'shop/cart',
      shop(SOME, { pollStatus: poll({ at: NOW - 3 * MINUTE }), over: failing('timeout') }),
    ),
    absent(
      'absent-gvc',
      'There is no such GVC, and one that is near.',
      'shpo',
      shop(SOME, { over: failing('not-found') }),
    ),
    absent(
      'absent-gvc-far',
      'There is no such GVC, and none that is near.',
      'zebra',
      shop(SOME, { over: failing('not-found') }),
    ),
    absent(
      'absent-workload',
      'There is no such workload, and one that is near.',
      'shop/crat',
      shop(SOME, { over: failing('not-found') }),
    ),
    absent(
      'absent-workload-listed',
      'The platform knows the GVC, and lists nothing of the workload.',
      'shop/crat',
      shop(SOME),
    ),
    absent(
      'absent-location',
      'The workload is not in that location.',
      'shop/cart/oslo',
      shop(SOME, { over: failing('not-found') }),
    ),
  ],
};
