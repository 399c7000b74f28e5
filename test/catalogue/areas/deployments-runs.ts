import {
  executionsAnswer,
  type ExecutionsView,
  type LocationRuns,
  runModal,
} from '../../../src/features/deployments/executions-view.ts';
import { modalBlocks } from '../../../src/slack/replies/reply.ts';
import { container, cron, deployment, type Json } from '../../unit/rollouts/platform-json.ts';
import { answer, HOUR, MINUTE, modal, NOW, type Area, type Entry } from '../entry.ts';
import { iso, LINKS, LOCATIONS } from './deployments-data.ts';

const [HERE, THERE] = LOCATIONS;

/** A run that began so long ago, in milliseconds, and took three minutes. */
function run(ago: number, over: Json = {}): Json {
  const start = NOW - ago;
  return {
    name: `etl-${29_920_000 + (Math.round(start / MINUTE) % 10_000)}`,
    replica: `etl-${Math.round(start / MINUTE) % 10_000}-x7k2p`,
    status: 'successful',
    workloadVersion: 4,
    startTime: iso(start),
    completionTime: iso(start + 3 * MINUTE),
    message: '',
    containers: { main: container({ image: 'registry.example.com/acme/etl:v4' }) },
    ...over,
  };
}

/** One run for each status of the platform, and for an unknown one. */
const EVERY_STATUS = [
  run(0, {
    status: 'pending',
    replica: undefined,
    name: '',
    startTime: undefined,
    completionTime: undefined,
    containers: undefined,
    workloadVersion: 0,
  }),
  run(10 * MINUTE, {
    status: 'active',
    completionTime: undefined,
    containers: {
      main: container(),
      proxy: container({
        name: 'proxy',
        ready: false,
        resources: { replicas: 2, replicasReady: 1 },
      }),
      side: container({ name: 'side', ready: false, resources: {} }),
    },
  }),
  run(HOUR, { status: 'active' }),
  run(2 * HOUR, {
    status: 'failed',
    message: 'Job has reached the specified backoff limit; exit code 1; see the logs',
    conditions: [
      {
        type: 'Failed',
        status: 'True',
        reason: 'BackoffLimitExceeded',
        message: 'Job has reached the specified backoff limit',
        lastTransitionTime: iso(NOW - 2 * HOUR + 3 * MINUTE),
      },
      { type: 'Suspended', status: 'False', lastDetectionTime: iso(NOW - 2 * HOUR) },
    ],
    containers: {
      main: container({
        ready: false,
        message: 'Error: cannot reach orders-db',
        restarts: { count: 3, exitCode: 1, reason: 'Error', lastRestartTime: iso(NOW - HOUR) },
      }),
    },
  }),
  run(3 * HOUR, { status: 'invalid', message: 'schedule is no cron expression' }),
  run(4 * HOUR, { status: 'removed' }),
  run(5 * HOUR, { status: 'paused' }),
  run(6 * HOUR),
  run(7 * HOUR, { completionTime: iso(NOW - 8 * HOUR) }),
];

function at(location: string, runs: readonly Json[]): LocationRuns {
  const read = deployment(cron(4, { jobExecutions: runs }));
  return { location, executions: read.jobExecutions ?? [], isCron: true, isReported: true };
}

function view(
  locations: readonly LocationRuns[],
  over: Partial<ExecutionsView> = {},
): ExecutionsView {
  const target = { gvc: 'data', workload: 'etl' };
  const plain = { target, skipped: 0, page: 1, all: false, links: [] };
  const usual = { org: 'acme', defaultOrg: 'acme', ...plain };
  return { ...usual, locations, now: NOW, ...over };
}

const hourly = (count: number): Json[] =>
  Array.from({ length: count }, (_, index) => run((index + 1) * HOUR));

/** Runs of a workload that a person started, beside its schedule. */
const commands = (count: number): Json[] =>
  Array.from({ length: count }, (_, index) =>
    run((index + 1) * MINUTE, {
      name: index === 0 ? 'run-for-command-8c1f' : `command-7e2${index}`,
      containers: { main: container() },
    }),
  );

const talkative = (): Json =>
  run(HOUR, {
    name: `etl-${'manual-'.repeat(10)}1`,
    status: 'failed',
    message: `${'no route to orders-db, '.repeat(60)}; see the logs`,
    containers: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`step-${index + 1}`, container()]),
    ),
  });

const ONE_LOCATION = { target: { gvc: 'data', workload: 'etl', location: HERE } };

/** Views of the runs of a workload: name, occasion, and data. */
const VIEWS: readonly (readonly [id: string, when: string, view: ExecutionsView])[] = [
  [
    'all-well',
    'A cron workload whose runs all went well, in two locations.',
    view([at(HERE, hourly(3)), at(THERE, hourly(2))]),
  ],
  [
    'every-status',
    'Runs in each state that the platform has, and in one that it may have some day.',
    view([at(HERE, EVERY_STATUS)]),
  ],
  ['one', 'A cron workload that has run once.', view([at(HERE, hourly(1))])],
  [
    'many',
    'There are more runs than are shown, in several locations.',
    view([at(HERE, hourly(30)), at(THERE, hourly(30))]),
  ],
  [
    'many-next',
    'The page after the first of many runs.',
    view([at(HERE, hourly(30)), at(THERE, hourly(30))], { page: 2 }),
  ],
  [
    'ad-hoc-left-out',
    'A person ran commands in a cron workload; their runs are left out.',
    view([at(HERE, [...hourly(2), ...commands(2)])]),
  ],
  [
    'ad-hoc-shown',
    'The same, with the runs of commands.',
    view([at(HERE, [...hourly(2), ...commands(2)])], { all: true }),
  ],
  [
    'ad-hoc-one',
    'A cron workload has not run yet, and a person ran a command in it.',
    view([at(HERE, commands(1))]),
  ],
  [
    'ad-hoc-alone',
    'A person ran commands in a workload that runs all the time.',
    view([{ ...at(HERE, commands(2)), isCron: false }]),
  ],
  [
    'ad-hoc-alone-shown',
    'The same, with the runs of commands.',
    view([{ ...at(HERE, commands(2)), isCron: false }], { all: true }),
  ],
  [
    'long-texts',
    'A run has a long name and much to say.',
    view([at(HERE, [talkative()])], { ...ONE_LOCATION, links: LINKS }),
  ],
  [
    'unreadable',
    'The platform’s report of one deployment makes no sense.',
    view([at(HERE, hourly(1))], { skipped: 1 }),
  ],
  [
    'removed',
    'The last run was removed.',
    view([at(HERE, [run(HOUR, { status: 'removed' }), ...hourly(1)])]),
  ],
  [
    'invalid',
    'The last run never started, in both locations.',
    view([HERE, THERE].map((place) => at(place, [run(HOUR, { status: 'invalid' })]))),
  ],
  ['nothing-readable', 'Of a workload nothing could be read.', view([], { skipped: 2 })],
  ['no-deployments', 'Asked for the runs of a workload that is listed nowhere.', view([])],
  ['no-run', 'A cron workload of which no run is kept.', view([at(HERE, [])])],
  [
    'not-reported',
    'A new workload of which nothing was reported yet.',
    view([{ location: HERE, executions: [], isCron: false, isReported: false }]),
  ],
  [
    'no-cron-workload',
    'Asked for the runs of a workload that runs all the time.',
    view([{ location: HERE, executions: [], isCron: false, isReported: true }]),
  ],
  [
    'no-cron-workload-other-org',
    'The same, in an org that has to be named.',
    view([{ location: HERE, executions: [], isCron: false, isReported: true }], { org: 'beta' }),
  ],
];

export const deploymentsRuns: Area = {
  id: 'deployments-runs',
  title: '/deployments jobs: the runs of a cron workload',
  entries: [
    ...VIEWS.map(([id, when, one]) =>
      answer(`deployments-runs-${id}`, when, () => executionsAnswer(one)),
    ),
    ...EVERY_STATUS.map((one, at) => window(`${String(one['status']) || 'none'}-${at + 1}`, one)),
    window('long-texts', talkative(), { links: LINKS }),
    modal('deployments-run-gone', 'Details of a run that is no longer reported.', () =>
      framed(runModal(view([at(HERE, [])]), 'etl-1')),
    ),
  ],
};

/** Details of a run. */
function window(id: string, one: Json, over: Partial<ExecutionsView> = {}): Entry {
  const place = at(HERE, [one]);
  const [run] = place.executions;
  const when = `Details of a run: ${id}${one['completionTime'] === undefined ? '' : ', with an end'}.`;
  const name = `deployments-run-${id}${one['completionTime'] === undefined ? '' : '-ended'}`;
  return modal(name, when, () => framed(runModal(view([place], over), run?.name ?? '')));
}

function framed(content: ReturnType<typeof runModal>) {
  return { title: content.title, blocks: modalBlocks(content) };
}
