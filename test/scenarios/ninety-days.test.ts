import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHarness, type Harness } from '../contract/app/harness.ts';
import { useRedis } from '../support/redis.ts';
import { REASON } from '../support/changes.ts';
import { until } from '../support/until.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Events within these days happen at their end. */
const STEP_DAYS = 5;
const STEPS = 90 / STEP_DAYS;
const ADA = 'U0ADA';
const DEPLOYS = 'C0DEPLOYS';
const BILLING = 'C0BILLING';
const SHOP = { org: 'acme', gvc: 'shop' };

/** A line of the tables in docs/privacy.md. */
interface Family {
  readonly name: string;
  readonly pattern: RegExp;
  /** Milliseconds; undefined: its keys stay. */
  readonly age: number | undefined;
  /** Entries that one key may have. */
  readonly most: number;
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
  days: DAY_MS,
};

function readFamilies(): Family[] {
  const text = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^\| `([^`]+)`[^|]*\|[^|]*\|[^|]*\|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, name = '', age = '', bound = '']) => {
      const [, count, unit = ''] = /(\d+) (s|minutes|hours|days)\b/.exec(age) ?? [];
      const [, most] = /at most ([\d,]+) entries/.exec(bound) ?? [];
      const literal = name.split(/<[^>]+>/).map((part) => part.replace(/[.+]/g, '\\$&'));
      return {
        name,
        pattern: new RegExp(`^${literal.join('.+')}$`),
        age: age.includes('stays') ? undefined : Number(count) * (UNITS[unit] ?? Number.NaN),
        most: most === undefined ? Number.POSITIVE_INFINITY : Number(most.replaceAll(',', '')),
      };
    },
  );
}

/** A key without the prefix, its size in bytes, its remaining lifetime in ms (-1: no expiry), and its entries. */
interface Held {
  readonly key: string;
  readonly bytes: number;
  readonly ttl: number;
  readonly entries: number;
}

const EACH_KEY = `
local cursor = '0'
repeat
  local page = redis.call('SCAN', cursor, 'MATCH', ARGV[1] .. '*', 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do each(key) end
until cursor == '0'`;

const HOLDS = `
local found = {}
local count = { hash = 'HLEN', list = 'LLEN', set = 'SCARD', zset = 'ZCARD', stream = 'XLEN' }
local function each(key)
  local command = count[redis.call('TYPE', key).ok]
  local bytes, ttl = redis.call('MEMORY', 'USAGE', key), redis.call('PTTL', key)
  table.insert(found, { key, bytes or 0, ttl, command and redis.call(command, key) or 1 })
end
${EACH_KEY}
return found`;

/** As if so much time had passed for every key; keys that live for a minute expire by themselves. */
const GROW_OLDER = `
local function each(key)
  local ttl = redis.call('PTTL', key)
  if ttl > ${MINUTE_MS} then redis.call('PEXPIRE', key, math.max(1, ttl - ARGV[2])) end
end
${EACH_KEY}
return 1`;

/** The time of everything in this process: of the bot, its queues and the stand-ins. */
const RealDate = Date;
let passedMs = 0;
class PassingDate extends RealDate {
  constructor(...parts: [] | [number]) {
    super(parts.length === 0 ? PassingDate.now() : parts[0]);
  }
  static override now(): number {
    return RealDate.now() + passedMs;
  }
}

const prefix = `test-ninety-days-${RealDate.now()}`;
const families = readFamilies();
const server = useRedis();
let redis: Redis;
let house: Harness;

beforeAll(async () => {
  vi.stubGlobal('Date', PassingDate);
  redis = new Redis(server.url);
  house = await createHarness();
  await house.restartBot({
    ...house.money,
    REDIS_URL: server.url,
    REDIS_PREFIX: prefix,
    POLL_ACTIVE_SECONDS: '0.2',
    POLL_IDLE_SECONDS: '0.2',
    WATCHES: 'acme/shop',
  });
});
afterAll(async () => {
  await house.close();
  redis.disconnect();
  vi.unstubAllGlobals();
});

async function holds(): Promise<Held[]> {
  const found = await redis.eval(HOLDS, 0, `{${prefix}}:`);
  return (found as [string, number, number, number][]).map(([key, bytes, ttl, entries]) => {
    return { key: key.slice(prefix.length + 3), bytes, ttl, entries };
  });
}

async function passDays(days: number): Promise<void> {
  passedMs += days * DAY_MS;
  await redis.eval(GROW_OLDER, 0, `{${prefix}}:`, days * DAY_MS);
}

const isReported = (key: string): Promise<unknown> =>
  until(`${key} to be posted`, async () => {
    const messages = (await house.messages(DEPLOYS)) as unknown as {
      metadata: { event_payload: { key: string } } | null;
    }[];
    return messages.find(({ metadata }) => metadata?.event_payload.key === key);
  });

/** Ada asks for another amount of the spend alert, which no one decides on, so that it expires. */
async function askForAlert(amount: number): Promise<void> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${house.slackUrl}/page/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('command', { user: ADA, channel: BILLING, text: '/alert set' });
  const form = await until('the form to be filled in', async () => {
    const page = await fetch(`${house.slackUrl}/page/bootstrap?user=${ADA}`);
    const { views } = (await page.json()) as { views: { id: string; submit?: unknown }[] };
    return views.find(({ submit }) => submit !== undefined);
  });
  const value = { type: 'number_input', value: String(amount) };
  const reason = { type: 'plain_text_input', value: REASON };
  const values = {
    'alert.set.amount': { 'alert.set.amount': value },
    'changes-reason': { 'changes-reason': reason },
  };
  await post('view/submit', { user: ADA, view_id: form.id, values });
  await until('the request to be kept', async () => (await openRequests()) > 0);
}

const openRequests = (): Promise<number> => redis.hlen(`{${prefix}}:changes-open`);

/** The activity of teams: a rollout, a branch's environment created and another deleted, questions, a request. */
async function live(step: number): Promise<void> {
  await until('the last request to expire', async () => (await openRequests()) === 0);
  if (step % 2 === 0) await house.ask(ADA, DEPLOYS, '/deployments mute 30m shop/web');
  await house.platform('rollout', { ...SHOP, workload: 'web', seconds: 0.3 });
  await house.platform('create', { ...SHOP, workload: `branch-${step}`, seconds: 0.3 });
  if (step > 1) await house.platform('delete', { ...SHOP, workload: `branch-${step - 1}` });
  await house.ask(ADA, BILLING, '/charges');
  await house.ask(ADA, DEPLOYS, `/deployments ${step % 2 === 0 ? 'watch' : 'unwatch'} data`);
  await askForAlert(7_000 + step);
  await isReported(`acme/shop/branch-${step}/1/ready`);
}

/** A message has lost its content when it takes less, bytes. */
const WITHOUT_CONTENT = 500;

/**
 * Purser's own records of less than fifty days; the streams of BullMQ fill up in their own time. An answer, kept for a
 * day, is as large as its figures of that day. Whether the last
 * messages have lost their content yet is chance, so each counts without it.
 */
function bytesOf(all: readonly Held[]): number {
  const counted = all.filter(
    ({ key }) =>
      !/^(?:rollouts|notifications|changes|billing):(?!acme)|^(?:change|audit|answer:)/.test(key),
  );
  return counted.reduce(
    (sum, { key, bytes }) =>
      sum + (key.startsWith('card:') ? Math.min(bytes, WITHOUT_CONTENT) : bytes),
    0,
  );
}

describe('ninety days of work', { timeout: 400_000 }, () => {
  const bytes: number[] = [];
  let last: Held[] = [];
  beforeAll(async () => {
    for (let step = 1; step <= STEPS; step += 1) {
      await passDays(STEP_DAYS);
      await live(step);
      // Messages that wait on a busy machine are no growth.
      await until('all messages to be posted', async () => {
        last = await holds();
        return last.every(({ key }) => !key.startsWith('outbox:'));
      });
      bytes.push(bytesOf(last));
    }
  }, 400_000);

  const of = (key: string): Family | undefined => families.find(({ pattern }) => pattern.test(key));

  it('leave no key in Redis that docs/privacy.md does not name', () => {
    expect(last.filter(({ key }) => of(key) === undefined)).toEqual([]);
  });

  it('leave nothing that lives for longer than it says', () => {
    const aged = last.flatMap((held) => {
      const { age, name } = of(held.key) ?? {};
      return age === undefined ? [] : [{ ...held, age, name }];
    });
    expect(aged.length).toBeGreaterThan(20);
    expect(aged.filter(({ ttl, age }) => ttl < 0 || ttl > age)).toEqual([]);
  });

  it('leave nothing that has more entries than it says', () => {
    expect(last.filter(({ key, entries }) => entries > (of(key)?.most ?? 0))).toEqual([]);
  });

  it('take as much room after ninety days as after sixty', () => {
    const after = (days: number): number =>
      bytes.slice(days / STEP_DAYS - 3, days / STEP_DAYS).reduce((sum, one) => sum + one, 0) / 3;
    expect(after(90)).toBeLessThan(1.1 * after(60));
  });

  it('leave of each message its place and a hash', async () => {
    const messages = async () => (await holds()).filter(({ key }) => key.startsWith('card:'));
    expect((await messages()).length).toBeGreaterThan(30);
    // Those of the last seconds have their content still.
    const large = async () =>
      (await messages()).filter(({ bytes: size }) => size >= WITHOUT_CONTENT).length;
    await expect.poll(large).toBeLessThan(10);
  });
});
