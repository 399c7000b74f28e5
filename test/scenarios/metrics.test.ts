import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { combinationsOf, type MetricDefinition } from '../../src/lib/metrics.ts';
import { METRICS } from '../../src/metrics.ts';
import { seriesOf, type Series } from '../support/metrics.ts';
import { startProxy } from '../support/http.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const TABLE: readonly MetricDefinition[] = Object.values(METRICS);
/** Prometheus gives up after its own limit; the contract is 2 s. Milliseconds. */
const SCRAPE_MS = 2_000;

let world: World;
let bot: RunningBot;
let first: Series[];

async function scrape({ opsPort }: RunningBot = bot): Promise<Series[]> {
  const answer = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
  expect(answer.headers.get('content-type')).toContain('version=0.0.4');
  return seriesOf(await answer.text());
}

const idOf = ({ name, labels }: Pick<Series, 'name' | 'labels'>): string =>
  `${name} ${JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => a.localeCompare(b)))}`;

const valueIn = (all: readonly Series[], name: string, labels: Series['labels'] = {}): number =>
  all.find((one) => idOf(one) === idOf({ name, labels }))?.value ?? Number.NaN;

/** Without the endings of a histogram. */
const familyOf = (name: string): string =>
  TABLE.find(
    (one) =>
      one.name === name ||
      (one.type === 'histogram' && name.replace(/_(?:bucket|sum|count)$/, '') === one.name),
  )?.name ?? name;

beforeAll(async () => {
  world = await openWorld();
  bot = await world.startBot({ environment: { WATCHES: 'acme/data' } });
  first = await scrape();
});

afterAll(() => world.close());

describe('a scrape of a bot', () => {
  it('has every metric of the table, and no other of its own', () => {
    const own = first
      .map(({ name }) => familyOf(name))
      .filter((name) => name.startsWith('purser_'));

    expect([...new Set(own)].toSorted()).toEqual(TABLE.map(({ name }) => name).toSorted());
  });

  it('has every series that the table promises from the start', () => {
    const known = new Set(first.map(idOf));
    const missing = TABLE.flatMap(({ type, name, labels, series }) =>
      (series ?? combinationsOf(labels))
        .map((one) => idOf({ name: type === 'histogram' ? `${name}_count` : name, labels: one }))
        .filter((id) => !known.has(id)),
    );

    expect(missing).toEqual([]);
  });

  it('names the release, the role and the version of Node', () => {
    const [build] = first.filter(({ name }) => name === 'purser_build_info');

    expect(build).toMatchObject({
      labels: { role: 'all', node: process.versions.node, version: expect.any(String) as string },
      value: 1,
    });
  });

  it('measures the process once and each thread by itself', async () => {
    await world.command('U0ADA', 'C0BILLING', '/charges this month');
    const all = await until('the thread of the reports', async () => {
      const scraped = await scrape();
      return scraped.some(({ labels }) => labels['thread'] === 'report') && scraped;
    });

    expect(all.filter(({ name }) => name === 'process_start_time_seconds')).toHaveLength(1);
    const heaps = all.filter(({ name }) => name === 'nodejs_heap_size_used_bytes');
    expect(heaps.map(({ labels }) => labels['thread'] ?? '').toSorted()).toEqual([
      'main',
      'report',
      'worker',
    ]);
    expect(valueIn(all, 'purser_reports_total', { result: 'done' })).toBeGreaterThan(0);
  });

  it('counts commands, refusals and their acknowledgements, in series that were there before', async () => {
    const before = await scrape();
    await world.command('U0DANA', 'C0BILLING', '/purser help');
    await world.command('U0ADA', 'C0BILLING', '/charges by nonsense');
    await world.command('U0EVE', 'C0DEPLOYS', '/charges');
    const now = await until('three commands more', async () => {
      const all = await scrape();
      const acks = (one: readonly Series[]) => valueIn(one, 'purser_ack_seconds_count');
      return acks(all) >= acks(before) + 3 && all;
    });

    const rise = (name: string, labels: Series['labels']): number =>
      valueIn(now, name, labels) - valueIn(before, name, labels);
    const commands = 'purser_command_seconds_count';
    expect(rise(commands, { command: '/purser', result: 'done' })).toBe(1);
    expect(rise(commands, { command: '/charges', result: 'refused' })).toBe(2);
    expect(rise('purser_refusals_total', { why: 'guest' })).toBe(1);
    expect(
      rise('purser_slack_request_seconds_count', { method: 'response_url', result: 'ok' }),
    ).toBeGreaterThanOrEqual(3);
    expect(newIds(first, now)).toEqual([]);
  });

  it('follows a poll from the platform to its message in Slack', async () => {
    await world.polled();
    const before = await scrape();
    const { version } = await world.platform('rollout', {
      org: 'acme',
      gvc: 'data',
      workload: 'ingest',
      seconds: 1,
    });
    await world.message('C0DEPLOYS', `acme/data/ingest/${String(version)}/ready`);
    await world.calm();
    const now = await scrape();

    const rise = (name: string, labels: Series['labels'] = {}): number =>
      valueIn(now, name, labels) - valueIn(before, name, labels);
    const gvc = { api: 'deployments', endpoint: 'gvc', status: '2xx' };
    expect(rise('purser_polls_total', { result: 'done' })).toBeGreaterThan(0);
    expect(rise('purser_poll_seconds_count')).toBeGreaterThan(0);
    expect(rise('purser_platform_request_seconds_count', gvc)).toBeGreaterThan(0);
    expect(rise('purser_delivery_seconds_count')).toBeGreaterThan(0);
    expect(rise('purser_deliveries_total', { result: 'sent' })).toBeGreaterThan(0);
    expect(valueIn(now, 'purser_poll_age_seconds')).toBeLessThan(30);
    expect(valueIn(now, 'purser_poll_age_seconds')).toBeGreaterThan(0);
    expect(valueIn(now, 'purser_outbox_messages')).toBe(0);
    expect(valueIn(now, 'purser_outbox_oldest_seconds')).toBe(0);
    expect(valueIn(now, 'purser_worker_heartbeat_age_seconds')).toBeLessThan(15);
    expect(valueIn(now, 'purser_redis_up')).toBe(1);
    expect(valueIn(now, 'purser_slack_connected')).toBe(1);
  });

  it('shows a token that Slack refuses', async () => {
    await world.slack('faults', {
      faults: [{ method: 'auth.test', kind: 'error', error: 'token_revoked' }],
    });
    const isConnected = (value: number) => async () =>
      valueIn(await scrape(), 'purser_slack_connected') === value;

    expect(await until('it is refused', isConnected(0))).toBe(true);
    await world.slack('faults', { faults: [] });
    expect(await until('it is accepted', isConnected(1))).toBe(true);
  });
});

it('a Redis that hangs costs a scrape less than two seconds, and is shown', async () => {
  // A world of its own: the commands of a world go to the bot that was started last.
  const own = await openWorld();
  /** Chunks wait while nothing passes: a connection loses no byte. */
  let held: (() => void)[] | undefined;
  const pass = (send: () => void): void => void (held === undefined ? send() : held.push(send));
  const proxy = await startProxy(
    () => new URL(own.redisUrl),
    () => ({
      there: (chunk, _, far) => pass(() => far.write(chunk)),
      back: (chunk, near) => pass(() => near.write(chunk)),
    }),
  );
  try {
    const cutOff = await own.startBot({ environment: { REDIS_URL: proxy.url } });
    expect(valueIn(await scrape(cutOff), 'purser_redis_up')).toBe(1);

    held = [];
    const began = performance.now();
    const all = await scrape(cutOff);

    expect(performance.now() - began).toBeLessThan(SCRAPE_MS);
    expect(valueIn(all, 'purser_redis_up')).toBe(0);
    expect(newIds(first, all)).toEqual([]);
    const waiting = held;
    held = undefined;
    for (const send of waiting) send();
    await until('Redis is up', async () => valueIn(await scrape(cutOff), 'purser_redis_up') === 1);
  } finally {
    await own.close();
    await proxy.close();
  }
});

/** Series of the kinds that all exist from the start. */
function newIds(before: readonly Series[], now: readonly Series[]): string[] {
  const known = new Set(before.map(idOf));
  const open = /^(?:nodejs|process)_|^purser_(?:platform|slack)_request_seconds/;
  return now
    .filter(({ name }) => !open.test(name))
    .map(idOf)
    .filter((id) => !known.has(id));
}
