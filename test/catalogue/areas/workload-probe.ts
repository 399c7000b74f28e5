import type { ProbeCall } from '../../../src/features/workload/probe-view.ts';
import type { Deployment, JobExecution } from '../../../src/platform/deployments/deployment.ts';
import type { BareCause } from '../../../src/platform/bare-http.ts';
import { answer, refusal, type Area, type Entry } from '../entry.ts';
import {
  AMERICA,
  asked,
  BARE_BRAND,
  BRAND,
  cartIn,
  clicked,
  EUROPE,
  PREFIXED_BRAND,
  refused,
  type World,
} from './workload-data.ts';

const TYPED = 'probe shop/cart';
const BOTH = [cartIn(EUROPE), cartIn(AMERICA)];

function from(location: string | undefined, replica?: string, status = 200): ProbeCall {
  return { status, location, replica, ms: 18 };
}

const WELL = [
  from(EUROPE, 'cart-0'),
  from(AMERICA, 'cart-0-b'),
  from(EUROPE, 'cart-1'),
  from(EUROPE, 'cart-0'),
  from(AMERICA, 'cart-1-b'),
];

function probed(
  id: string,
  when: string,
  calls: readonly ProbeCall[],
  deployments: readonly Deployment[] = BOTH,
  world: World = {},
): Entry {
  return asked(`workload-probe-${id}`, when, TYPED, { deployments, calls, ...world });
}

const CAUSES: Readonly<Record<BareCause, string>> = {
  'unknown-name': 'The name of the address does not exist',
  refused: 'The connection is refused',
  certificate: 'The certificate is not valid',
  'no-tls': 'There is no HTTPS',
  timeout: 'Nothing answers in time',
  unreadable: 'The answer is not HTTP',
  other: 'There is no connection',
};

/** Of the other causes, two at a time: a probe gives up after the second. */
const PAIRS: readonly (readonly BareCause[])[] = [
  ['unknown-name', 'certificate'],
  ['no-tls', 'other'],
  ['unreadable'],
];

const STATUSES: Readonly<Record<number, string>> = {
  301: 'The workload redirects',
  401: 'The workload wants a credential',
  403: 'The workload refuses',
  404: 'Nothing is found',
  429: 'Too many calls',
  500: 'The workload fails',
  503: 'Nothing behind the load balancer is ready',
};

const NOT_READY: Partial<Deployment> = { ready: false, message: 'Waiting for the first replica' };
const RUN: JobExecution = {
  name: 'cart-29920213',
  replica: undefined,
  status: 'successful',
  workloadVersion: 42,
  startTime: undefined,
  completionTime: undefined,
  conditions: [],
  containers: [],
  message: '',
};
const COMMAND: JobExecution = { ...RUN, name: 'command-x1' };
/** Workloads that cannot serve, by the reason. */
const STANDINGS: readonly (readonly [id: string, when: string, changes: Partial<Deployment>])[] = [
  ['cron', 'A cron workload', { ready: false, versions: [], jobExecutions: [RUN] }],
  ['command', 'A workload with a command that was run by hand', { jobExecutions: [COMMAND] }],
  ['suspended', 'A suspended workload', { ready: false, message: 'Deactivated: suspended' }],
  ['idle', 'A workload scaled to zero', { ready: false, desiredScale: 0, versions: [] }],
  ['not-ready', 'A workload that is ready nowhere', NOT_READY],
];

const outcomes: readonly Entry[] = [
  probed('well', 'All calls are answered, by both locations', WELL),
  probed('one-location', 'A ready location does not answer', [from(EUROPE, 'cart-0')]),
  probed('location-only', 'Answers name no replica', [from(EUROPE), from(AMERICA)]),
  probed('replica-only', 'Answers name no location', [from(undefined, 'cart-0')]),
  probed('no-headers', 'The debug option is off', [from(undefined)]),
  probed('some-headers', 'Some answers lack the headers', [
    from(EUROPE, 'cart-0'),
    from(undefined),
  ]),
  probed('one-too-late', 'One call is not answered', [{ why: 'timeout' }, ...WELL]),
  probed('mixed', 'Some calls fail, each for its own reason', [
    from(EUROPE, 'cart-0'),
    from(AMERICA, 'cart-0-b', 503),
    { why: 'refused' },
    from(undefined, undefined, 404),
    { why: 'timeout' },
  ]),
  probed('none-well', 'All calls fail, in two ways', [
    from(EUROPE, 'cart-0', 503),
    from(undefined, undefined, 404),
  ]),
  ...PAIRS.map((pair) =>
    probed(`mixed-${pair.join('-and-')}`, 'Calls fail after one that is answered', [
      from(EUROPE, 'cart-0'),
      ...pair.map((why) => ({ why })),
    ]),
  ),
  ...Object.entries(STATUSES).map(([status, when]) =>
    probed(`status-${status}`, when, [from(undefined, undefined, Number(status))]),
  ),
  ...Object.entries(CAUSES).map(([why, when]) =>
    probed(`no-answer-${why}`, when, [{ why: why as BareCause }]),
  ),
  probed(
    'without-prefix',
    'The address with the org’s prefix does not exist',
    [{ why: 'unknown-name' }, { why: 'unknown-name' }, ...WELL],
    BOTH,
    { brand: PREFIXED_BRAND },
  ),
  probed('with-prefix', 'The org has a prefix of its own', WELL, BOTH, { brand: PREFIXED_BRAND }),
  ...STANDINGS.flatMap(([id, when, changes]) => {
    const deployments = [cartIn(EUROPE, 2, changes)];
    return [
      probed(id, `${when} answers without headers`, [from(undefined)], deployments),
      probed(`${id}-no-answer`, `${when} does not answer`, [{ why: 'refused' }], deployments),
    ];
  }),
  probed('earlier-version', 'It is ready nowhere, and an earlier version serves', WELL, [
    cartIn(EUROPE, 1, NOT_READY),
  ]),
];

const LONG_NAME = `cart-${'of-everything-'.repeat(4)}for-all`;

export const workloadProbe: Area = {
  id: 'workload-probe',
  title: '/workload probe',
  entries: [
    ...outcomes,
    answer('workload-probe-clicked', 'A person clicks Probe below the addresses', async () => {
      const shown = await clicked('acme/shop/cart', { deployments: BOTH, calls: WELL });
      if (shown === undefined) throw new Error('The button answers nothing');
      return shown;
    }),
  ],
};

export const workloadProbeRefusals: Area = {
  id: 'workload-probe-refusals',
  title: '/workload probe: refused',
  entries: [
    refused('workload-probe-not-found', 'There is no such workload', TYPED),
    refused('workload-probe-not-reported', 'A new workload without deployments', TYPED, {
      deployments: [],
    }),
    refused('workload-probe-none-readable', 'No deployment can be read', TYPED, {
      deployments: [],
      unreadable: 2,
    }),
    refused('workload-probe-alias-unknown', 'Nothing shows the alias of the GVC', TYPED, {
      deployments: [cartIn(EUROPE, 2, { endpoint: undefined })],
    }),
    refused('workload-probe-domain-unset', 'The domain is not configured', TYPED, {
      deployments: BOTH,
      brand: BARE_BRAND,
    }),
    refused('workload-probe-domain-wrong', 'The configured domain is not one', TYPED, {
      deployments: BOTH,
      brand: { ...BRAND, globalDomain: 'apps example com' },
    }),
    refused('workload-probe-name-too-long', 'Its name makes no host', `probe shop/${LONG_NAME}`, {
      deployments: [cartIn(EUROPE, 2, { workload: LONG_NAME, endpoint: undefined })],
      neighbours: BOTH,
    }),
    refusal('workload-probe-button-without-workload', 'A button of a GVC is clicked', () =>
      clicked('acme/shop'),
    ),
    refusal('workload-probe-button-without-place', 'A button with a broken value is clicked', () =>
      clicked('acme'),
    ),
    refusal('workload-probe-button-org-gone', 'A button of an org that Purser has no key for', () =>
      clicked('globex/shop/cart'),
    ),
  ],
};
