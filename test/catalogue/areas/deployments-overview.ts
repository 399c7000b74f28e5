import { DEPLOYMENTS_HELP } from '../../../src/features/deployments/feature.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { GvcState } from '../../../src/rollouts/engine/advance.ts';
import { stored } from '../../unit/features/deployments/harness.ts';
import { broken, idle, ready, rolling, type Json } from '../../unit/rollouts/platform-json.ts';
import { answer, MINUTE, NOW, refusal, type Area, type Entry } from '../entry.ts';
import { AWAY, configured, harness, NEVER, platform, poll, watch } from './deployments-data.ts';

type Setting = NonNullable<Parameters<typeof harness>[0]>;

const PULL = 'Back-off pulling image "registry.example.com/cart:v12"';

/** The watched GVC shop, with these deployments in the last poll. */
function shop(statuses: Readonly<Record<string, Json>>, over: Setting = {}): Setting {
  return { configured: [configured()], state: stored(statuses, NOW), ...over };
}

const MANY = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`web-${at + 1}/aws-eu-central-1`, broken(12, PULL)]),
);

const SOME = {
  'cart/aws-eu-central-1': broken(12, PULL),
  'cart/azure-eastus2': ready(12),
  'checkout/aws-eu-central-1': rolling(59),
  'api/aws-eu-central-1': ready(3),
  'reports/aws-eu-central-1': idle(3),
};

/** The same, where all of it was seen to serve before. */
function served({ records, ...state }: GvcState): GvcState {
  const all = Object.entries(records).map(([key, one]) => [key, { ...one, served: true }] as const);
  return { ...state, records: Object.fromEntries(all) };
}

const reject = (reason: 'timeout' | 'not-found') => () =>
  Promise.reject(new PlatformError(reason, 'no answer'));
/** Every call goes so. */
const failing = (reason: 'timeout' | 'not-found'): NonNullable<Setting['over']> => ({
  deployments: platform({
    listGvc: reject(reason),
    listWorkload: reject(reason),
    get: reject(reason),
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
  title: '/deployments: what is not green now, what was last known, and names that are not there',
  entries: [
    typed('overview-nothing', 'Somebody types /deployments, and nothing is watched.', ''),
    typed(
      'overview-green',
      'Somebody types /deployments, and all is well.',
      '',
      shop({ 'cart/aws-eu-central-1': ready(12), 'reports/aws-eu-central-1': idle(3) }),
    ),
    typed('overview-wrong', 'Somebody types /deployments, and two workloads are not green.', '', {
      ...shop(SOME, { configured: [configured(), watch({ workload: 'cart', channel: 'C0DEV' })] }),
    }),
    typed('overview-many', 'Twelve workloads that served serve nothing.', '', {
      ...shop(MANY),
      state: served(stored(MANY, NOW)),
    }),
    typed(
      'overview-away-other',
      'Two workloads are not green, and another GVC cannot be read any more.',
      '',
      shop(SOME, {
        configured: ['shop', 'data'].map((gvc) => configured({ gvc })),
        pollsOf: { data: AWAY },
      }),
    ),
    typed(
      'overview-away',
      'The GVC cannot be read any more.',
      '',
      shop(SOME, { pollStatus: AWAY }),
    ),
    typed(
      'overview-away-green',
      'The GVC cannot be read any more, and was well.',
      '',
      shop({ 'cart/aws-eu-central-1': ready(12) }, { pollStatus: AWAY }),
    ),
    typed('overview-away-one', 'One of two GVCs cannot be read any more, the other is well.', '', {
      configured: [configured(), configured({ gvc: 'data' })],
      state: stored({ 'cart/aws-eu-central-1': ready(12) }, NOW),
      pollsOf: { data: AWAY },
    }),
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
