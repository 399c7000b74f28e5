import { setTimeout as sleep } from 'node:timers/promises';
import { alertRules } from './alert-rules.ts';
import { seriesOf, type Series } from './metrics.ts';
import { promtool } from './promtool.ts';
import type { RunningBot } from './running-bot.ts';
import { until } from './until.ts';

/** The series of all bots at one moment. */
export interface Scrape {
  /** By `performance.now`. */
  readonly at: number;
  readonly series: readonly Series[];
}

/** As Prometheus adds the label. Undefined: the scrape failed. */
async function scrape({ opsPort }: RunningBot, instance: string): Promise<Series[] | undefined> {
  const answer = await fetch(`http://127.0.0.1:${opsPort}/metrics`).catch(() => undefined);
  if (answer === undefined) return undefined;
  return seriesOf(await answer.text()).map((one) => ({
    ...one,
    labels: { ...one.labels, instance },
  }));
}

export async function scrapeAll(bots: readonly RunningBot[]): Promise<Scrape> {
  const all = await Promise.all(bots.map((bot, index) => scrape(bot, `bot-${index}`)));
  return { at: performance.now(), series: all.flatMap((series) => series ?? []) };
}

const idOf = ({ name, labels }: Series): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;

/** An age that has risen by a second a second for so long goes on rising. Milliseconds. */
const RISING_MS = 8_000;

/** By how much a series rises in a minute, if the fault goes on as it was seen. */
function pace(name: string, values: readonly (number | undefined)[], scrapes: readonly Scrape[]) {
  const last = values.at(-1) ?? 0;
  if (/_(?:total|bucket|count|sum)$/.test(name)) {
    const first = values.find((value) => value !== undefined) ?? 0;
    return Math.max(0, (last - first) / values.length);
  }
  if (!/_(?:age|oldest)_seconds$/.test(name)) return 0;
  const now = scrapes.at(-1)?.at ?? 0;
  const from = scrapes.findLastIndex(({ at }) => at <= now - RISING_MS);
  if (from < 0) return 0;
  const risen = (1_000 * (last - (values[from] ?? last))) / (now - (scrapes[from]?.at ?? 0));
  return risen > 0.9 ? 60 : 0;
}

/**
 * The series of several scrapes as promtool takes them, a minute apart; then they go on in the same way for two hours.
 * @param queries only the metrics that these name
 */
export function inputOf(scrapes: readonly Scrape[], queries: readonly string[]) {
  const used = new Set(
    queries.flatMap((query) => query.match(/\b(?:purser|process|nodejs)_\w+/g) ?? []),
  );
  const all = new Map<string, { name: string; values: (number | undefined)[] }>();
  for (const [index, { series }] of scrapes.entries()) {
    for (const one of series) {
      if (Number.isNaN(one.value) || !used.has(one.name)) continue;
      const entry = all.get(idOf(one)) ?? { name: one.name, values: scrapes.map(() => undefined) };
      entry.values[index] = one.value;
      all.set(idOf(one), entry);
    }
  }
  return [...all].map(([series, { name, values }]) => {
    const last = values.at(-1);
    const written = values.map((value) => value ?? '_').join(' ');
    if (last === undefined) return { series, values: written };
    const slope = pace(name, values, scrapes);
    return { series, values: `${written} ${last + slope}+${slope}x120` };
  });
}

/** Those of the alerts that fire in the end, as Prometheus judges scrapes of which the last few have the fault. */
async function firing(scrapes: readonly Scrape[], alerts: readonly string[]): Promise<string[]> {
  const rules = alertRules().filter(({ alert }) => alerts.includes(alert));
  const expressions = rules.map(({ expr }) => expr);
  const expr = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const test = {
    rule_files: ['rules.yaml'],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: inputOf(scrapes, expressions),
        // Promtool prints the samples that it did not expect.
        promql_expr_test: [{ expr, eval_time: `${scrapes.length + 90}m`, exp_samples: [] }],
      },
    ],
  };
  const files = {
    'rules.yaml': JSON.stringify({ groups: [{ name: 'purser', rules }] }),
    'test.yaml': JSON.stringify(test),
  };
  const { output } = await promtool(['test', 'rules', 'test.yaml'], files);
  return [...output.matchAll(/alertname="?(Purser\w+)/g)].map(([, name = '']) => name);
}

export interface Fault {
  readonly fault: () => Promise<unknown>;
  /** Done before each scrape; absent: time passes. */
  readonly again?: () => Promise<unknown>;
}

/** Milliseconds between two scrapes of a fault. */
const STEP_MS = 2_000;
/** The slowest fault, a Slack that hangs, takes 40 seconds on a quiet machine. */
const PATIENCE_MS = 180_000;

/** Scrapes bots that are well, then makes the fault and scrapes until all of the alerts fire. */
export async function firesAfter(
  alerts: readonly string[],
  bots: readonly RunningBot[],
  { fault, again = () => sleep(STEP_MS) }: Fault,
): Promise<void> {
  let scrapes: Scrape[] = [];
  await until('the alerts to be silent', async () => {
    scrapes = [...scrapes.slice(-2), await scrapeAll(bots)];
    return scrapes.length === 3 && (await firing(scrapes, alerts)).length === 0;
  });

  await fault();
  let seen: readonly string[] = [];
  const work = async (): Promise<boolean> => {
    await again();
    scrapes.push(await scrapeAll(bots));
    seen = await firing(scrapes, alerts);
    return seen.length === alerts.length;
  };
  await until('all of them', work, PATIENCE_MS).catch((error: unknown) => {
    throw new Error(`only these fire: ${seen.join(', ')}`, { cause: error });
  });
}
