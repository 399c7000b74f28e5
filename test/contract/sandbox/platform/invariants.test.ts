import { expect, test } from 'vitest';
import * as fc from '../../../support/fast-check.ts';
import { LOCATIONS, SHOP, startPlatform, type Driver } from './support.ts';

/** As much of the status in spec 2.12 as has to agree with itself. */
interface Status {
  ready?: boolean;
  deploying?: boolean;
  lastProcessedVersion?: number;
  expectedDeploymentVersion?: number;
  versions?: {
    workload: number;
    gvc: number;
    ready: boolean;
    containers?: Record<string, { resources: { replicas?: number; replicasReady?: number } }>;
  }[];
}

const OUTCOMES = [
  'ready',
  'image-pull',
  'oom',
  'missing-secret',
  'exec-format',
  'crash-loop',
  'probe',
  'hang',
  'lag',
];

/** Whatever is done to a workload in whatever order, and however much time passes in between. */
const steps = fc.array(
  fc.oneof(
    fc.record({ path: fc.constant('rollout'), outcome: fc.constantFrom(...OUTCOMES) }),
    fc.record({ path: fc.constant('gvc-rollout') }),
    fc.record({ path: fc.constant('scale'), replicas: fc.integer({ min: 0, max: 9 }) }),
    fc.record({
      path: fc.constant('suspend'),
      suspend: fc.boolean(),
      location: fc.constantFrom(...LOCATIONS),
    }),
    fc.record({ path: fc.constant('stale'), stale: fc.boolean() }),
    fc.record({ path: fc.constant('sicken'), times: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ path: fc.constant('clock'), advanceSeconds: fc.integer({ min: 0, max: 30 }) }),
  ),
  { minLength: 1, maxLength: 12 },
);

test.each(['payments', 'orders-db'])(
  'no order of events makes %s contradict itself',
  async (workload) => {
    const driver = await startPlatform();

    await fc.assert(
      fc.asyncProperty(steps, async (happenings) => {
        for (const { path, ...rest } of happenings) {
          const target = path === 'gvc-rollout' ? SHOP : { ...SHOP, workload };
          await driver.act(path, path === 'clock' ? rest : { ...target, ...rest });
          const seen = await statuses(driver, workload);
          expect(seen.flatMap(contradictions)).toEqual([]);
        }
        const version = await fix(driver, workload);
        for (const status of await statuses(driver, workload)) {
          expect(status).toMatchObject({ ready: true, deploying: false, message: '' });
          expect(status.lastProcessedVersion).toBe(version);
          expect(new Set(status.versions?.map((one) => one.workload))).toEqual(new Set([version]));
        }
      }),
      { numRuns: 30 },
    );
  },
);

/** A good rollout fixes every earlier failure. */
async function fix(driver: Driver, workload: string): Promise<unknown> {
  await driver.act('stale', { ...SHOP, stale: false });
  await driver.act('suspend', { ...SHOP, workload, suspend: false });
  await driver.act('scale', { ...SHOP, workload, replicas: 2 });
  const { version } = await driver.act('rollout', { ...SHOP, workload });
  await driver.wait(60);
  return version;
}

async function statuses(driver: Driver, workload: string): Promise<Status[]> {
  const path = `/org/acme/gvc/shop/workload/${workload}/deployment`;
  const { items } = await driver.read<{ items: { status: Status }[] }>(path);
  return items.map(({ status }) => status);
}

/** Every sentence that holds of a status and must not. */
function contradictions(status: Status): string[] {
  const { ready, deploying, lastProcessedVersion, expectedDeploymentVersion = 0 } = status;
  const versions = status.versions ?? [];
  const revisions = new Set(versions.map(({ workload, gvc }) => `${workload}@${gvc}`));
  const resources = versions
    .flatMap(({ containers }) => Object.values(containers ?? {}))
    .map((container) => ({ replicas: 0, replicasReady: 0, ...container.resources }));

  const rules: [string, boolean][] = [
    ['more than two versions', revisions.size > 2],
    ['newer than expected', versions.some((one) => one.workload > expectedDeploymentVersion)],
    ['more ready than there are', resources.some((one) => one.replicasReady > one.replicas)],
    ['a negative count', resources.some((one) => one.replicasReady < 0)],
    ['ready without a ready version', ready === true && !versions.some((one) => one.ready)],
    [
      'deploying before it is applied',
      deploying === true && lastProcessedVersion !== expectedDeploymentVersion,
    ],
  ];
  return rules.filter(([, broken]) => broken).map(([rule]) => rule);
}
