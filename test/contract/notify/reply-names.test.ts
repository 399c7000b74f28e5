import { expect, it } from 'vitest';
import { AREAS } from '../../catalogue/areas.ts';
import { renderAll } from '../../catalogue/render.ts';

/** What is told in the thread of a rollout, of a location, or of an outage. */
const TOLD_IN_THREADS = [
  'rollout-outcomes',
  'rollout-causes',
  'rollouts-flapping',
  'rollouts-lagging',
  'gvc-cards',
  'locations-in-trouble',
  'outages-over',
];
const NAMES = /shop\/cart\W* v\d+|shop\W* (GVC v\d+|in [\w-]+)|acme\/\w+/;

it('every reply names what it is about, in its text and in its first block: a thread may refuse it', async () => {
  const areas = AREAS.filter(({ id }) => TOLD_IN_THREADS.includes(id));
  const { areas: rendered } = await renderAll(areas);
  const replies = rendered
    .flatMap(({ entries }) => entries)
    .filter(({ kind }) => kind === 'reply' || kind === 'broadcast');

  expect(replies.length).toBeGreaterThan(50);
  const isNamed = (text = ''): boolean => NAMES.test(text);
  const nameless = replies.filter(
    ({ sent }) => !isNamed(sent.text) || !isNamed(JSON.stringify(sent.blocks[0])),
  );
  expect(nameless.map(({ id }) => id)).toEqual([]);
});
