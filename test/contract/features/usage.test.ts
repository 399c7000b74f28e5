import { BigNumber } from 'bignumber.js';
import * as fc from '../../support/fast-check.ts';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';

import { formatInUnit, unitsOfMetrics } from '../../../src/reporting/quantity.ts';
import { rowsOf as platformRows, SEPTEMBER, sumOf } from '../platform/consumption/support.ts';
import { spoken, textOf } from '../../support/answer.ts';
import { ANN, ORGS, rowsOf, startUsage } from './usage-support.ts';

type Harness = Awaited<ReturnType<typeof startUsage>>;

/** The usage of September by the platform's own answer to another question. */
async function usedInSeptember(house: Harness, filterBy: Record<string, string>, orgs = ORGS) {
  const { feature = '', metric = '' } = filterBy;
  const sums = await Promise.all(
    orgs.map(async (org) => {
      const { value } = await house.usage.query(org, {
        ...SEPTEMBER,
        timeStep: 'month',
        groupBy: ['metric'],
        consumptionQueries: [
          { filterBy: { ...filterBy, feature, metric }, aggregateBy: ['metric'] },
        ],
      });
      return sumOf(platformRows(value), 'value');
    }),
  );
  return sums.reduce((sum, one) => sum.plus(one), new BigNumber(0));
}

const reported = (value: BigNumber, metric: string) =>
  formatInUnit(value, unitsOfMetrics()(metric));

describe('/usage', () => {
  it('shows what all orgs used by workload, with the span, in units people read', async () => {
    const house = await startUsage();

    const answer = await house.ask('last month of cpu,memory');

    const cpu = await usedInSeptember(house, { feature: 'workloads', metric: 'cpu' });
    const memory = await usedInSeptember(house, { feature: 'volume-sets', metric: 'memory' });
    const said = spoken(answer);
    expect(said).toContain('Usage by workload, metric of `cpu`, `memory` · September 2026 (UTC)\n');
    expect(said).toContain(`cpu (workloads): ${reported(cpu, 'cpu')},`);
    expect(said).toContain(`memory (volume-sets): ${reported(memory, 'memory')},`);
    expect(said.indexOf('cpu (workloads)')).toBeLessThan(said.indexOf('cpu (volume-sets)'));
    expect(said.indexOf('cpu (volume-sets)')).toBeLessThan(said.indexOf('memory (workloads)'));
    const [first = {}] = rowsOf(answer);
    expect(Object.keys(first).slice(0, 4)).toEqual(['Workload', 'Usage', 'Change', 'Share']);
    expect(first).toMatchObject({
      Workload: 'warehouse',
      Metric: 'cpu',
      Org: 'acme',
      Feature: 'workloads',
    });
  });

  it('is by workload and metric unless something else is asked for', async () => {
    const house = await startUsage();

    const answer = await house.ask('last month of cpu,memory');
    const typed = await house.ask('last month by workload of cpu');

    expect(textOf(answer)).toContain('*Usage by workload, metric* of `cpu`, `memory`');
    expect(textOf(typed)).toContain('*Usage by workload* of `cpu`');
    expect(rowsOf(typed)[0]).toMatchObject({
      Org: 'acme',
      Workload: 'warehouse',
      Metric: 'cpu (workloads)',
    });
    const bodies = (await house.calls()).map(({ body }) => body as { groupBy?: string[] });
    expect(new Set(bodies.map(({ groupBy }) => groupBy?.join()))).toEqual(
      new Set(['workload,metric', 'workload']),
    );
    const chosen = [answer, typed].map(({ controls }) => controls?.[0]);
    expect(chosen).toMatchObject([
      { initial_option: { text: { text: 'By Workload, Metric' } } },
      { initial_option: { text: { text: 'By Workload' } } },
    ]);
    for (const one of [answer, typed]) expect(one.needs).toBe('orgs');
  });

  it('finds a volume by its number as people write it', async () => {
    const house = await startUsage();

    const plain = await house.ask('last month by volumeSet where volumeIndex=0 org acme');
    const expression = await house.ask('last month by volumeSet where volumeIndex=/^0$/ org acme');

    expect(rowsOf(plain).length).toBeGreaterThan(0);
    expect(rowsOf(plain)).toEqual(rowsOf(expression));
  });

  it('knows where the chargeable items are', async () => {
    const { ask } = await startUsage();

    await expect(ask('items')).rejects.toMatchObject({
      message: 'Chargeable items are with the charges: "/charges items" lists them.',
    });
  });

  it('has the same total as the platform, whatever is filtered', async () => {
    const house = await startUsage();
    const orgs = fc.subarray(ORGS, { minLength: 1 });
    const gvc = fc.constantFrom('shop', 'data', 'prod', '/o/');
    await fc.assert(
      fc.asyncProperty(orgs, gvc, fc.constantFrom('cpu', 'memory', 'egress'), async (...asked) => {
        const [named, value, metric] = asked;
        const feature = 'workloads';
        const words = `last month by location of ${metric} org ${named.join(',')}`;
        const answer = await house.ask(`${words} where gvc=${value} feature=${feature}`);
        const sum = await usedInSeptember(house, { feature, metric, gvc: value }, named);
        expect(textOf(answer)).toContain(
          sum.isZero() ? 'No usage found' : `*${reported(sum, metric)}*`,
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('a part that does not answer', () => {
  it('an org with a bad key is named with the reason, and the others are shown', async () => {
    const { ask } = await startUsage({ locked: ['globex'] });

    const answer = await ask('last month of cpu');

    expect(textOf(answer)).toMatch(/⚠ Without globex: The platform refuses Purser’s key/);
    const orgs = new Set(rowsOf(answer).map(({ Org: org }) => org));
    expect(orgs).toEqual(new Set(['acme', 'initech']));
    expect(rowsOf(answer)[0]?.['Change']).toMatch(/%/);
  });

  it('beyond the retention the earliest start is a button', async () => {
    const { ask, press } = await startUsage({ locked: ['globex'] });

    const refused = await ask('2025-09-01..2026-09-30 by gvc of gpu step week');
    const answer = await press(refused, 'From 1 October 2025');

    expect(rowsOf(refused)).toEqual([]);
    expect(textOf(answer)).toContain('October 2025 to September 2026 (UTC)');
    expect(rowsOf(answer).length).toBeGreaterThan(0);
  });

  it('a command that is off says so, and people without access are refused, at every click', async () => {
    const off = await startUsage({ isOff: true });
    const house = await startUsage();
    const answer = await house.ask('last month');
    house.lockOut(ANN);

    await expect(off.ask('last month')).rejects.toThrow('/usage is off.');
    await expect(house.ask('last month')).rejects.toThrow('Not for you.');
    await expect(house.choose(answer, 'Group by', 'gvc')).rejects.toThrow('Not for you.');
  });
});

describe('the files and the form', () => {
  it('CSV has every row in full, in the raw unit', async () => {
    const house = await startUsage();

    await house.press(await house.ask('last month by gvc of memory'), 'CSV');

    const [file] = house.files;
    const rows: Record<string, string>[] = parse(Buffer.from(file?.content as Uint8Array), {
      columns: true,
    });
    const ofWorkloads = rows.filter(({ feature }) => feature === 'workloads');
    const sum = ofWorkloads.reduce((total, { value = '' }) => total.plus(value), new BigNumber(0));
    const used = await usedInSeptember(house, { feature: 'workloads', metric: 'memory' });
    expect(file?.filename).toBe('usage-2026-09-by-gvc.csv');
    expect(sum.toFixed()).toBe(used.toFixed());
    expect(rows[0]).toMatchObject({ 'period start': '2026-09-01T00:00:00Z', unit: 'byte-seconds' });
    expect(new Set(rows.map(({ org }) => org))).toEqual(new Set(ORGS));
  });

  it('Customize and the command lead to the same answer', async () => {
    const house = await startUsage();
    const typed = await house.ask(
      'last month by gvc of cpu where workload=/^(cart|web)$/ org acme',
    );

    const [first, whole] = await house.open(await house.ask('this month'));
    const answer = await house.submit(whole!, {
      range: 'last month',
      by: ['gvc'],
      of: ['cpu'],
      orgs: ['acme'],
      step: 'none',
      'where-workload': ['cart', 'web'],
    });

    expect(answer.blocks).toEqual(typed.blocks);
    expect(JSON.stringify(first)).toContain('Being read');
    expect(JSON.stringify(whole)).toContain('stream-processor');
    expect(JSON.stringify(whole)).not.toContain('Being read');
    expect(JSON.stringify(whole)).not.toContain('Pricing tiers');
  });
});

it('/usage of a running span is projected, as the platform projects it', async () => {
  const { ask } = await startUsage();

  expect(textOf(await ask('this month of egress'))).toMatch(
    /egress: \*[\d,.]+ [GT]iB\* so far, [+−][\d.]+% vs 1-15 September\nProjected: about [\d,.]+ [GT]iB by 31 October/,
  );
});

describe('/usage tags', () => {
  it('lists the values of all orgs, with the months that the platform looks through', async () => {
    const { ask } = await startUsage();

    const answer = await ask('tags gvc 2026-08-10..2026-09-10');
    const said = textOf(answer);

    expect(said).toContain('10 August to 10 September 2026 (UTC)');
    expect(said).toContain('The platform searches whole months: August to October 2026.');
    expect(rowsOf(answer).map(({ GVC: gvc }) => gvc)).toEqual([
      'data',
      'main',
      'prod',
      'shop',
      'staging',
      'tools',
    ]);
  });

  it('filters as a query does, and shows usage that lacks the tag', async () => {
    const { ask } = await startUsage();

    const values = async (line: string) => JSON.stringify(rowsOf(await ask(line)));

    expect(await values('tags performanceclass last month of cpu org acme')).toContain(
      '(none) (usage that lacks the tag)',
    );
    expect(await values('tags workload last month')).toContain('warehouse');
    expect(await values('tags workload last month where gvc=main')).not.toContain('warehouse');
    expect(await values('tags workload last month org globex')).not.toContain('warehouse');
  });
});
