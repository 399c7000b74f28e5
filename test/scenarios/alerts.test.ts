import { afterEach, describe, expect, it } from 'vitest';
import { METRICS } from '../../src/metrics.ts';
import { alertRules, dashboardQueries, RULES_FILE } from '../support/alert-rules.ts';
import { inputOf, scrapeAll } from '../support/prometheus.ts';
import { hasPromtool, promtool } from '../support/promtool.ts';
import { openWorld, type World } from '../support/world.ts';

const isThere = hasPromtool();

const QUERIES = [
  ...new Set([
    ...alertRules().map(({ expr }) => expr),
    ...dashboardQueries(),
    ...Object.values(METRICS).map(({ example }) => example),
  ]),
];

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** The metrics that queries name, with their matchers. */
function selectorsOf(query: string) {
  return [...query.matchAll(/\b((?:purser|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      matchers: [...matchers.matchAll(/(\w+)(=~|!=|!~|=)"([^"]*)"/g)].map(
        ([, label = '', how = '', value = '']) => ({ label, how, value }),
      ),
    }),
  );
}

describe.skipIf(!isThere)('promtool', () => {
  it('takes the rules, of which each is silent and fires in its own test', async () => {
    const check = await promtool(['check', 'rules', RULES_FILE]);
    const test = await promtool(['test', 'rules', 'deploy/prometheus/purser.test.yaml']);

    expect(check).toMatchObject({ isWell: true });
    expect(test).toMatchObject({ isWell: true });
  });

  it('takes every query of the dashboard and of the documentation', async () => {
    const rules = QUERIES.map((expr, index) => ({ record: `query_${index}`, expr }));
    const file = JSON.stringify({ groups: [{ name: 'queries', rules }] });

    const { output } = await promtool(['check', 'rules', 'queries.yaml'], { 'queries.yaml': file });

    expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

describe.skipIf(!isThere)('the queries of alerts, dashboard and documentation', () => {
  it('each find their metrics in the scrape of a bot', async () => {
    world = await openWorld();
    const bot = await world.startBot({ environment: { WATCHES: 'acme/data' } });
    await world.command('U0ADA', 'C0BILLING', '/charges this month');
    await world.polled();
    const { series: all } = await scrapeAll([bot]);

    for (const query of QUERIES) {
      const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) =>
        names.split(/,\s*/),
      );
      for (const { name, matchers } of selectorsOf(query)) {
        const series = all.filter((one) => one.name === name);
        expect(series.length, `${name} of ${query}`).toBeGreaterThan(0);
        for (const label of [...grouped, ...matchers.map((one) => one.label)]) {
          const isKnown = series.some(({ labels }) => label in labels);
          expect(isKnown, `${label} of ${name} in ${query}`).toBe(true);
        }
        const values = (label: string): readonly string[] => [
          ...Object.values(METRICS)
            .filter((one) => name.startsWith(one.name))
            .flatMap(({ labels }) => (labels as Record<string, readonly string[]>)[label] ?? []),
          ...series.flatMap(({ labels }) => labels[label] ?? []),
        ];
        for (const { label, value } of matchers) {
          const named = value.split('|').filter((one) => !values(label).includes(one));
          expect(named, `${label} of ${name} in ${query}`).toEqual([]);
        }
      }
    }
  });

  it('each have a result on two scrapes of a bot', async () => {
    world = await openWorld();
    const bot = await world.startBot({ environment: { WATCHES: 'acme/data' } });
    const scrapes = [await scrapeAll([bot])];
    await world.command('U0ADA', 'C0BILLING', '/charges this month');
    await world.polled();
    scrapes.push(await scrapeAll([bot]));
    // A rule has a result only while it fires, so the query is the compared metric alone.
    const asked = QUERIES.map((query) => query.replace(/ (?:>|==) [\d.]+$/, '')).filter(
      (query) => !query.startsWith('absent'),
    );
    const test = {
      rule_files: [],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: inputOf(scrapes, QUERIES),
          promql_expr_test: asked.map((expr) => ({ expr, eval_time: '20m', exp_samples: [] })),
        },
      ],
    };

    const { output } = await promtool(['test', 'rules', 'test.yaml'], {
      'test.yaml': JSON.stringify(test),
    });

    const silent = asked.filter((expr) => !output.includes(`expr: ${JSON.stringify(expr)}`));
    // Series of failures begin with the first failure.
    expect(silent.filter((expr) => !/!="ok"|=~"(?:http|429)|status="401"/.test(expr))).toEqual([]);
  });
});
