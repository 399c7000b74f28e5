import { expect, test } from 'vitest';
import type { TagValuesQuery } from '../../../../src/platform/consumption/query.ts';
import { MAIN, ORGS, startBillingClient } from '../billing/support.ts';
import { sequence } from '../support.ts';
import { SEPTEMBER, startMetering, startUsageClient } from './support.ts';

const QUERY: TagValuesQuery = { ...SEPTEMBER, tag: 'workload', filterBy: { feature: 'workloads' } };
const AS_JSON = { 'content-type': 'application/json' };

/** The stand-in, and the values of a tag by the account and by one of its orgs. */
async function start() {
  const metering = await startMetering();
  const { charges, usage } = metering;
  return {
    ...metering,
    values: async (api: string, changes: Partial<TagValuesQuery> = {}, org = 'acme') => {
      const query = { ...QUERY, ...changes };
      const ofAccount = { ...query, filterBy: { ...query.filterBy, org } };
      const asked = api === 'account' ? charges.tagValues(ofAccount) : usage.tagValues(org, query);
      const { values, skipped } = (await asked).value;
      expect(skipped).toBe(0);
      return values;
    },
  };
}

test('the values of an account are read across its orgs, with the question and the account', async () => {
  const { charges, raw } = await startMetering();
  const query = { ...SEPTEMBER, tag: 'org', filterBy: { feature: 'workloads' } };

  const { values } = (await charges.tagValues(query)).value;
  const path = `account/${MAIN}/tags/values/query`;
  const answer = await raw('POST', path, { text: JSON.stringify(query), headers: AS_JSON });

  expect(values).toEqual(ORGS);
  expect(await answer.json()).toMatchObject({ ...query, accountId: MAIN });
});

test('the values of an org come in alphabetical order, with the question and the org in its filter', async () => {
  const { usage, platform } = await startMetering();

  const { values } = (await usage.tagValues('acme', QUERY)).value;
  const answer = await fetch(`${platform.usageUrl}/org/acme/tags/values/query`, {
    method: 'POST',
    headers: { ...AS_JSON, authorization: `Bearer ${platform.tokens['acme']}` },
    body: JSON.stringify(QUERY),
  });

  expect(values).toContain('checkout');
  expect(await answer.json()).toEqual({
    ...QUERY,
    filterBy: { feature: 'workloads', org: 'acme' },
    tagValues: values.toSorted(),
  });
});

test('in whatever order values come, none is lost and none doubled', async () => {
  const { charges, values } = await start();
  const byHand = await sequence({ body: '{"tagValues": ["web", "", "cart"]}' });

  const { values: all } = (await charges.tagValues(QUERY)).value;
  const ofOrgs = await Promise.all(ORGS.map((org) => values('org', {}, org)));
  const turned = await startBillingClient(byHand.url).charges.tagValues(QUERY);

  expect(all).toEqual([...new Set(ofOrgs.flat())].toSorted());
  expect(turned.value.values).toEqual(['', 'cart', 'web']);
});

test.each(['account', 'org'])(
  'usage without the tag is an empty value, and a filter by feature avoids it: %s',
  async (api) => {
    const { values } = await start();

    const all = await values(api, { filterBy: {} });
    const ofWorkloads = await values(api);

    expect(all).toContain('');
    expect(ofWorkloads).not.toContain('');
    expect(ofWorkloads.length).toBeGreaterThan(0);
  },
);

/** In the stand-in, since May 2026. */
const WIKI = { org: 'acme', workload: 'wiki' };
/** In the stand-in, until the end of July 2026. */
const GATEWAY = { org: 'globex', workload: 'legacy-gateway' };

interface Range {
  readonly what: string;
  readonly of: typeof WIKI;
  readonly start: string;
  readonly end: string;
  readonly isThere: boolean;
}

const RANGES: readonly Range[] = [
  {
    what: 'inside of April',
    of: WIKI,
    start: '2026-04-10T00',
    end: '2026-04-20T00',
    isThere: true,
  },
  { what: 'all of April', of: WIKI, start: '2026-04-01T00', end: '2026-05-01T00', isThere: true },
  { what: 'all of March', of: WIKI, start: '2026-03-01T00', end: '2026-04-01T00', isThere: false },
  { what: 'from July', of: GATEWAY, start: '2026-07-31T23', end: '2026-08-02T00', isThere: true },
  {
    what: 'from August',
    of: GATEWAY,
    start: '2026-08-01T00',
    end: '2026-08-02T00',
    isThere: false,
  },
];

test.each(
  RANGES.flatMap((range) =>
    ['account', 'org'].map((api) => [`${api}, ${range.what}`, api, range] as const),
  ),
)(
  'values are those of whole months, from the start’s through the one at or after the end: %s',
  async (_what, api, { of, start: from, end: to, isThere }) => {
    const { values } = await start();
    const range = { startTime: `${from}:00:00Z`, endTime: `${to}:00:00Z` };

    const found = await values(api, range, of.org);

    expect(found.length).toBeGreaterThan(0);
    expect(found.includes(of.workload)).toBe(isThere);
  },
);

test('values of the current month may lag: those that were missing come when it is asked afresh', async () => {
  const { url } = await sequence({ body: '{"tagValues": []}' }, { body: '{"tagValues": ["web"]}' });
  const usage = startUsageClient(url, { cacheMs: 15_000 });

  const first = await usage.tagValues('acme', QUERY);
  const later = await usage.tagValues('acme', QUERY, { fresh: true });

  expect([first, later].map(({ value }) => value.values)).toEqual([[], ['web']]);
});

test('in the stand-in the values of the current month do not lag', async () => {
  const { values } = await start();
  const today = { startTime: '2026-10-15T00:00:00Z', endTime: '2026-10-15T12:00:00Z' };

  const ofMonth = await values('org', today);

  expect(ofMonth).toContain('web');
  expect(ofMonth).toEqual(await values('account', today));
});

test.each(['account', 'org'])(
  'without usage the list of values is empty, and that is no failure: %s',
  async (api) => {
    const { values } = await start();

    expect(await values(api, { filterBy: { feature: 'workloads', gvc: 'nothing' } })).toEqual([]);
  },
);
