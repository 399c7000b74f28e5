import { describe, expect, test } from 'vitest';
import { CPU, MAIN, SEPTEMBER, startApis, starts, VOLUMES } from './spec-support.ts';

const DAY_MS = 86_400_000;

interface Values {
  tag: string;
  filterBy: Record<string, string>;
  tagValues: string[];
}

/** Asks both APIs for the values of a tag. */
async function startTags() {
  const apis = await startApis();
  const bodyOf = (query: object) => ({ ...SEPTEMBER, tag: 'gvc', filterBy: {}, ...query });
  return {
    ...apis,
    values: {
      usage: (query: object) =>
        apis.usage<Values>('POST', '/org/acme/tags/values/query', { body: bodyOf(query) }),
      billing: (query: object) => apis.ask<Values>('POST /tags/values/query', bodyOf(query)),
    },
  };
}

describe('tag values (spec 4.1 and 4.6)', () => {
  test.each([
    ['usage', { filterBy: { ...CPU, org: 'acme' } }, ['data', 'shop', 'tools']],
    [
      'billing',
      { filterBy: CPU, accountId: MAIN },
      ['data', 'main', 'prod', 'shop', 'staging', 'tools'],
    ],
  ] as const)(
    '%s echoes the request and names its scope; usage alone sorts the values',
    async (api, about, tagValues) => {
      const { values } = await startTags();

      const { status, body } = await values[api]({ filterBy: CPU });

      const time = expect.stringMatching(/^2026-/) as string;
      const echoed = { startTime: time, endTime: time, tag: 'gvc', ...about };
      expect([status, body]).toEqual([200, { ...echoed, tagValues: body.tagValues }]);
      const listed = api === 'usage' ? body.tagValues : body.tagValues.toSorted();
      expect(listed).toEqual(tagValues);
    },
  );

  test.each(['usage', 'billing'] as const)(
    '%s has an empty string when some matching usage lacks the tag',
    async (api) => {
      const { values } = await startTags();
      const tag = 'performanceClass';

      const all = await values[api]({ tag });
      const volumes = await values[api]({ tag, filterBy: VOLUMES });

      expect(all.body.tagValues).toContain('');
      expect(volumes.body.tagValues.length).toBeGreaterThan(0);
      expect(volumes.body.tagValues).not.toContain('');
    },
  );

  test.each([
    ['no matching usage, no values', 'usage', { workload: 'nothing' }, []],
    ['no matching usage, no values', 'billing', { workload: 'nothing' }, []],
    ['another org in filterBy opens nothing', 'usage', { org: 'globex' }, []],
    ['an expression', 'usage', { ...CPU, workload: '/^ca/' }, ['cart', 'catalog']],
    [
      'all filters must match',
      'billing',
      { ...CPU, org: 'initech' },
      ['auth', 'ledger-sync', 'portal', 'tps-reports'],
    ],
  ] as const)('filters, %s: %s %j', async (_rule, api, filterBy, expected) => {
    const { values } = await startTags();

    const { status, body } = await values[api]({ tag: 'workload', filterBy });

    expect([status, body.tagValues.toSorted()]).toEqual([200, expected]);
  });
});

describe('the range widens to whole UTC calendar months', () => {
  test('from the start of the month: hours in which a nightly job rests have it', async () => {
    const { values } = await startTags();

    const { body } = await values.usage({
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
      const { used, values } = await startTags();
      const months = await used({
        startTime: '2020-01-01T00:00:00Z',
        aggregateByTimeStep: true,
        consumptionQueries: [{ filterBy: {}, aggregateBy: ['metric'] }],
      });
      const first = Date.parse(starts(months)[0] ?? '');
      const until = async (days: number) => {
        const times = [first - 100 * DAY_MS, first - days * DAY_MS];
        const [startTime, endTime] = times.map((ms) => new Date(ms).toISOString());
        return (await values[api]({ startTime, endTime })).body.tagValues.length;
      };

      expect(await until(0)).toBeGreaterThan(0);
      expect(await until(5)).toBeGreaterThan(0);
      expect(await until(40)).toBe(0);
    },
  );
});
