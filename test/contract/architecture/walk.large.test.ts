import { expect, it } from 'vitest';
import { filesListed, partOf, readPage } from '../../architecture/page.ts';
import { filesOfWalk, WALKS } from '../../architecture/walk.ts';

const page = readPage();

/** Files that a walk passes by chance: a retry, or a poll that comes in between. */
const BY_CHANCE = 6;

it.each(WALKS)('$what passes the files of the guided tour', { timeout: 300_000 }, async (walk) => {
  const listed = filesListed(partOf(page, `walk ${walk.name}`));

  const passed = await filesOfWalk(walk);

  expect(listed.length).toBeLessThanOrEqual(walk.atMost);
  expect(passed.filter((path) => !listed.includes(path)).length).toBeLessThanOrEqual(BY_CHANCE);
  expect(listed.filter((path) => !passed.includes(path)).length).toBeLessThanOrEqual(BY_CHANCE);
});
