import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/until.ts';
import { createRandom, seedOf } from '../random.ts';
import { openChaos } from '../world.ts';

const [HANGING, OTHERS] = ['C0HANGING', ['C0ONE', 'C0TWO', 'C0THREE']] as const;
const TRANSITIONS = 60;
const DEADLINE_MS = 180_000;

it('Slack hangs on one channel: the others go on, and nothing is lost or doubled there either', async () => {
  const seed = seedOf();
  const random = createRandom(seed);
  let isHanging = false;
  const world = await openChaos({
    seed,
    random,
    gvcs: [HANGING, ...OTHERS].map((channel, index) => ({
      name: `gvc${index}`,
      workloads: 3,
      channels: [channel],
    })),
    plans: ['location by location', 'breaks later', 'fails, then comes up'],
    // Half of the hanging calls are accepted all the same.
    slackFault: (_method, channel) =>
      isHanging && channel === HANGING ? random.pick(['hangs', 'late']) : undefined,
  });
  onTestFinished(() => world.close());
  const struck = (): number =>
    (world.slack.faults.get('hangs') ?? 0) + (world.slack.faults.get('late') ?? 0);
  const isReportedElsewhere = (): boolean =>
    world.fleet.settled() && world.count().lost.every((name) => name.startsWith(HANGING));
  await world.begin();
  isHanging = true;
  world.fleet.allow(TRANSITIONS);
  await until('the others are reported everything', isReportedElsewhere, DEADLINE_MS);
  await until('Slack has hung more than once', () => struck() >= 3, DEADLINE_MS);
  const waiting = world.count().lost.length;
  isHanging = false;
  await world.quiet(DEADLINE_MS);

  const count = world.report('Hanging Slack', {
    'calls that hung': struck(),
    'untold in the hanging channel meanwhile': waiting,
    'looks into channels': world.slack.looks(),
  });
  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [] });
  expect(waiting).toBeGreaterThan(0);
});
