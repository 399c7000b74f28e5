import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { STATES } from '../../src/changes/change.ts';
import { TOPICS } from '../../src/monitors/topics.ts';
import { METRICS } from '../../src/metrics.ts';
import { alertRules, dashboardPanels, dashboardQueries } from '../support/alert-rules.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const rules = alertRules();

/** GitHub's anchors of the headings of a page. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the alerts', () => {
  it('are at least twelve, each with its own name', () => {
    expect(rules.length).toBeGreaterThanOrEqual(12);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it.each(rules)('$alert has a severity, a summary, a time and a runbook that exists', (rule) => {
    const { summary, runbook_url: runbook } = rule.annotations;
    const [, page = '', anchor = ''] = /(docs\/[\w-]+\.md)#([\w-]+)$/.exec(runbook) ?? [];

    expect(['critical', 'warning']).toContain(rule.labels.severity);
    expect(summary.length).toBeGreaterThan(10);
    expect(rule.for).toMatch(/^\d+m$/);
    expect(existsSync(new URL(page, ROOT))).toBe(true);
    expect(anchorsOf(page)).toContain(anchor);
  });

  it('are each tested by promtool to be silent once and to fire once', () => {
    const { tests } = parse(read('deploy/prometheus/purser.test.yaml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const tried = tests.flatMap(({ alert_rule_test: one }) => one);
    const named = (isFiring: boolean): string[] =>
      tried
        .filter(({ exp_alerts: alerts }) => alerts.length > 0 === isFiring)
        .map(({ alertname }) => alertname)
        .toSorted();
    const all = rules.map(({ alert }) => alert).toSorted();

    expect(named(true)).toEqual(all);
    expect(named(false)).toEqual(all);
  });

  it('read gauges that are in Redis by max, as each replica has the same', () => {
    const stored = Object.values(METRICS).filter(({ help }) => help.startsWith('In Redis'));
    const queries = [...rules.map(({ expr }) => expr), ...dashboardQueries()];
    const used = queries.filter((query) => stored.some(({ name }) => query.includes(name)));

    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((query) => !/^max\b/.test(query))).toEqual([]);
  });
});

it('the dashboard has six rows and at least 15 queries', () => {
  const rows = dashboardPanels().filter(({ type }) => type === 'row');

  expect(rows.map(({ title }) => title)).toEqual([
    'Delivery',
    'Polls',
    'Answers',
    'Money monitors',
    'Changes',
    'Process',
  ]);
  expect(dashboardQueries().length).toBeGreaterThanOrEqual(15);
});

describe('closed labels', () => {
  it('are the commands of the manifest, the states of changes and the monitors', () => {
    const { features } = parse(read('manifest.yml')) as {
      features: { slash_commands: { command: string }[] };
    };

    expect([...METRICS.commands.labels.command].toSorted()).toEqual(
      features.slash_commands.map(({ command }) => command).toSorted(),
    );
    expect(METRICS.changes.labels.state).toEqual(STATES);
    expect(METRICS.monitorAge.labels.monitor).toEqual(Object.keys(TOPICS));
  });
});
