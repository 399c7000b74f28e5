import { expect, test } from 'vitest';
import { atMost } from '../../../src/lib/at-most.ts';

test('no more runs at once than may, in its order, and a failure takes no place away', async () => {
  const twoAtOnce = atMost(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = [0, 1, 2, 3].map((at) =>
    twoAtOnce(async () => {
      begun.push(at);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (at === 0) throw new Error('out of luck');
      return at;
    }),
  );
  const outcomes = Promise.allSettled(work);

  await expect.poll(() => begun).toEqual([0, 1]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  for (const end of ends) end();

  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    ...Array<string>(3).fill('fulfilled'),
  ]);
});
