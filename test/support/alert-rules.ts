import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** An alert of `deploy/prometheus/purser.rules.yaml`. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

export const RULES_FILE = 'deploy/prometheus/purser.rules.yaml';

export function alertRules(): AlertRule[] {
  const { groups } = parse(read(RULES_FILE)) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** The panels of the dashboard, rows among them, in order. */
export function dashboardPanels(): Panel[] {
  return (JSON.parse(read('deploy/grafana/purser.json')) as { panels: Panel[] }).panels;
}

/** With a range in place of Grafana's variable. */
export function dashboardQueries(): string[] {
  return dashboardPanels()
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$__rate_interval', '5m'));
}
