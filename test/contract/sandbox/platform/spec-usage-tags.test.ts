import { describe, expect, test } from 'vitest';
import { CPU, SEPTEMBER, startApis, starts } from './spec-support.ts';

const DAY_MS = 86_400_000;

interface Values {
  tag: string;
  filterBy: Record<string, string>;
  tagValues: string[];
}

async function startTags() {
  const apis = await startApis();
  return {
    ...apis,
    values: (query: object) =>
      apis.usage<Values>('POST', '/org/acme/tags/values/query', {
        body: { ...SEPTEMBER, tag: 'gvc', filterBy: {}, ...query },
      }),
    /** The first instant that anything was used. */
    firstMonth: async () => {
      const months = await apis.used({
        startTime: '2020-01-01T00:00:00Z',
        aggregateByTimeStep: true,
        consumptionQueries: [{ filterBy: {}, aggregateBy: ['metric'] }],
      });
      return Date.parse(starts(months)[0] ?? '');
    },
  };
}

describe('the answer (spec 4.6)', () => {
  test('the request echoed, filterBy extended with the org, and tagValues', async () => {
    const { values } = await startTags();

    const { status, body } = await values({ filterBy: CPU });

    expect(status).toBe(200);
    expect(body).toEqual({
      startTime: expect.stringMatching(/^2026-/),
      endTime: expect.stringMatching(/^2026-/),
      tag: 'gvc',
      filterBy: { ...CPU, org: 'acme' },
      tagValues: ['data', 'shop', 'tools'],
    });
  });

  test('tagValues are sorted alphabetically', async () => {
    const { values } = await startTags();

    const { tagValues } = (await values({ tag: 'workload', filterBy: CPU })).body;

    expect(tagValues.length).toBeGreaterThan(10);
    expect(tagValues).toEqual(tagValues.toSorted());
  });

  test('an empty string when some matching usage lacks the tag; a feature filter avoids that', async () => {
    const { values } = await startTags();

    const all = await values({ tag: 'performanceClass' });
    const volumes = await values({
      tag: 'performanceClass',
      filterBy: { feature: 'volume-sets', metric: 'volume-set-capacity-bytes' },
    });

    expect(all.body.tagValues[0]).toBe('');
    expect(volumes.body.tagValues.length).toBeGreaterThan(0);
    expect(volumes.body.tagValues).not.toContain('');
  });

  test('with no matching usage tagValues is empty and the status is 200', async () => {
    const { values } = await startTags();

    const { status, body } = await values({ filterBy: { workload: 'nothing' } });

    expect([status, body.tagValues]).toEqual([200, []]);
  });

  test('another org in filterBy opens nothing', async () => {
    const { values } = await startTags();

    const { body } = await values({ filterBy: { org: 'globex' } });

    expect(body.tagValues.filter((gvc) => ['prod', 'staging'].includes(gvc))).toEqual([]);
  });

  test('filters may be regular expressions', async () => {
    const { values } = await startTags();

    const { body } = await values({ tag: 'workload', filterBy: { ...CPU, workload: '/^ca/' } });

    expect(body.tagValues).toEqual(['cart', 'catalog']);
  });
});

describe('the range widens to whole UTC calendar months', () => {
  test('from the start of the month: hours in which a nightly job rests have it', async () => {
    const { values } = await startTags();

    const { body } = await values({
      tag: 'workload',
      filterBy: { ...CPU, gvc: 'shop' },
      startTime: '2026-10-05T03:00:00Z',
      endTime: '2026-10-05T12:00:00Z',
    });

    expect(body.tagValues).toContain('nightly-report');
  });

  test.each(['usage', 'billing'] as const)(
    'the month that begins at or after endTime is always included: %s',
    async (api) => {
      const { firstMonth, values, account } = await startTags();
      const first = await firstMonth();
      const until = async (end: number) => {
        const startTime = new Date(first - 100 * DAY_MS).toISOString();
        const query = { startTime, endTime: new Date(end).toISOString() };
        if (api === 'usage') return (await values(query)).body.tagValues.length;
        const body = { ...query, tag: 'gvc', filterBy: {} };
        const path = '/tags/values/query';
        return (await account<Values>('POST', path, { body })).body.tagValues.length;
      };

      expect(await until(first)).toBeGreaterThan(0);
      expect(await until(first - 5 * DAY_MS)).toBeGreaterThan(0);
      expect(await until(first - 40 * DAY_MS)).toBe(0);
    },
  );
});
