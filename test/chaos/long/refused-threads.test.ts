import { expect, it, onTestFinished } from 'vitest';
import { createRandom, seedOf } from '../random.ts';
import type { Burial } from '../slack.ts';
import { openChaos } from '../world.ts';

/** The fate of replies to a deleted card, by channel. */
const BURIALS: Readonly<Record<string, Burial>> = {
  C0REFUSED: 'refused',
  C0UNTHREADED: 'unthreaded',
  C0TAKEN: 'taken',
};
const TRANSITIONS = 60;
const DEADLINE_MS = 120_000;

it('every card is deleted after its first reply: later messages are posted in the channel, once', async () => {
  const seed = seedOf();
  const random = createRandom(seed);
  const world = await openChaos({
    seed,
    random,
    gvcs: Object.keys(BURIALS).map((channel, index) => ({
      name: `gvc${index}`,
      workloads: 3,
      channels: [channel],
    })),
    plans: ['fails, then comes up', 'breaks later', 'is not heard of', 'is suspended for a while'],
    slackBurial: (channel) => BURIALS[channel],
    // Where a reply has to be brought out from below a deleted card, much of that fails, too.
    slackFault: (_method, channel) =>
      random.next() < (BURIALS[channel] === 'taken' ? 0.5 : 0.1)
        ? random.pick(['reset before', 'reset after', 'error after', 'limited'])
        : undefined,
  });
  onTestFinished(() => world.close());
  await world.begin();
  world.fleet.allow(TRANSITIONS);
  await world.quiet(DEADLINE_MS);

  const { slack } = world;
  const below = slack.posts.filter((post) => post.buried);
  const hidden = below.filter((post) => !post.broadcast);
  const count = world.report('Tombstoned cards', {
    'cards deleted': slack.buried.size,
    'replies taken below them': below.length,
    'replies out of sight': hidden.length,
    'looks into channels': slack.looks(),
    faults: Object.fromEntries(slack.faults),
  });
  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [] });
  expect(hidden).toEqual([]);
  expect(slack.buried.size).toBeGreaterThan(5);
  const alone = slack.posts.filter(({ key, threadTs }) => !threadTs && !key.endsWith('/card'));
  for (const { text, key } of alone) {
    const [, gvc, workload, version] = key.split('/');
    expect(text).toContain(`${gvc}/${workload} v${version}`);
  }
});
