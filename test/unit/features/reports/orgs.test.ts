import { describe, expect, it } from 'vitest';
import { DOWN, EXPIRED, LOCKED, october, startSource, TOO_LARGE } from './usage-support.ts';

it('Many orgs are queried eight at a time, for the span and the one before together', async () => {
  const orgs = Array.from({ length: 30 }, (_, at) => `org-${at}`);
  const now = Object.fromEntries(orgs.map((org) => [org, [['cpu', 'workloads', 1]] as const]));
  const { source, asked, calls } = startSource({ now });

  expect((await source.find(october())).lines).toHaveLength(30);
  expect(asked).toHaveLength(60);
  expect(calls).toEqual({ running: 0, most: 8 });
});

describe('The error of a query', () => {
  it('is the first error when no org answers', async () => {
    const { source } = startSource({ now: { acme: LOCKED, globex: DOWN } });
    await expect(source.find(october())).rejects.toBe(LOCKED);
  });

  it('is the retention, even of one org alone, because one can ask for less', async () => {
    const { source } = startSource({ now: { acme: [['cpu', 'workloads', 3]], globex: EXPIRED } });
    await expect(source.find(october())).rejects.toBe(EXPIRED);
  });

  it('is the size limit, even if one org alone exceeds it, because a smaller query is possible', async () => {
    const { source } = startSource({ now: { acme: [['cpu', 'workloads', 3]], globex: TOO_LARGE } });
    await expect(source.find(october())).rejects.toBe(TOO_LARGE);
  });

  it('is a defect when it is not the platform', async () => {
    const defect = new TypeError('a defect');
    const { source } = startSource({ now: { acme: [], globex: defect } });
    await expect(source.find(october())).rejects.toBe(defect);
  });
});
