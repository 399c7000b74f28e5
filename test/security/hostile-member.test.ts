import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PEOPLE, type Person } from '../../src/sandbox/slack/seed.ts';
import { createKeys } from '../../src/store/redis.ts';
import { openHours, type Hours } from '../support/hour-by-hour.ts';
import { until } from '../support/until.ts';
import type { SeenMessage } from '../support/world.ts';
import { countOf, report } from './count.ts';

/*
 * One member with a billing role sends ten commands and clicks a second for an hour, beside 50 other people. Redis
 * counts the commands of a person by its own clock, so the hour is made of steps of 40 s, after which 20 commands are
 * free again: all keys are made older by a step, and the bot sees a later time. A refused command leaves nothing but the
 * mark of its delivery, so that a step of all 400 is played once and the others have as many as are allowed, and some.
 */

const STEP_MS = 40_000;
const STEPS = countOf('stepsOfMember');
/** Requests of a step, more than a day's share in all. */
const ASKED = Math.ceil(25 / (STEPS - 1));
const [OFFERED, ALL] = [24, 400];
/** Left by an hour at most: 510 keys of 0.85 MB, when it was measured. */
const [MOST_KEYS, MOST_BYTES] = [800, 1_500_000];
/** More than twice the present one: the platform decides later, so no request changes the plan of another. */
const MAXIMUM = 60;
const HOSTILE = 'U0CLEO';
const HOSTILE_PLACE = 'D0CLEO';
const SHOP = { org: 'acme', gvc: 'shop', workload: 'web' };
const LIMITED = /and these were more: go on in/;

const OTHERS: readonly Person[] = Array.from(
  { length: countOf('othersBesideMember') },
  (_, index) => ({
    id: `U0MATE${index}`,
    name: `mate${index}`,
    realName: `Mate ${index}`,
    email: `mate${index}@acme.example`,
    colour: '#2b7a4b',
    zone: 'Etc/UTC',
  }),
);

const prefix = `test-hostile-${randomUUID().slice(0, 8)}`;
const keys = createKeys(prefix);
let hours: Hours;
let redis: Redis;

beforeAll(async () => {
  (PEOPLE as Person[]).push(...OTHERS);
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', async (...call: Parameters<typeof send>) => {
    const answer = await send(...call);
    if (answer.url.includes('/response/')) note(call[1]?.body);
    return answer;
  });
  hours = await openHours('2026-10-23T07:40:00Z', prefix);
  redis = new Redis(hours.durable.url);
  await hours.restart({
    PERSON_LIMIT: '30',
    ORG_ACCESS: 'members',
    BILLING_POLL_SECONDS: '600',
    DIGEST: 'off',
    WATCH_PATIENCE: '0.01',
  });
});
afterAll(async () => {
  redis.disconnect();
  await hours.close();
});

/** Private answers of the bot so far, and those of them that say to wait. */
let [answered, limited] = [0, 0];
function note(body: unknown): void {
  const { text = '' } = JSON.parse(String(body)) as { text?: string };
  if (text.startsWith('Still working')) return;
  answered += 1;
  if (LIMITED.test(text)) limited += 1;
}

/** As if so much time had passed for every key in Redis; keys of a few seconds expire by themselves. */
const OLDER = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  local left = redis.call('PTTL', key)
  if left > 60000 then redis.call('PEXPIRE', key, math.max(1, left - ARGV[2])) end
end`;

const direct = (user: string): string => `D${user.slice(1)}`;
const messages = (channel: string) =>
  hours.house.messages(channel) as Promise<unknown> as Promise<SeenMessage[]>;

type Families = Map<string, { keys: number; bytes: number }>;

/** Keys by their family, with how many there are and their bytes. */
async function families(): Promise<Families> {
  const found: Families = new Map();
  for (const key of await redis.keys(`{${prefix}}:*`)) {
    const family = key.split(':')[1] ?? '';
    const { keys: count, bytes } = found.get(family) ?? { keys: 0, bytes: 0 };
    const size = Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
    found.set(family, { keys: count + 1, bytes: bytes + size });
  }
  return found;
}

/** A watch, an answer with buttons and a request that waits for approval. */
async function settle({ id }: Person, index: number): Promise<SeenMessage> {
  const user = hours.house.user(id);
  await user.ask('/deployments watch shop', direct(id));
  const answer = await user.ask('/deployments shop', direct(id));
  const form = await user.open('/billing quotas request gvcs', direct(id));
  expect(await user.submit(form, { 'Requested maximum': String(MAXIMUM + index) })).toEqual({});
  return answer;
}

/** The nth command of the member: much that is kept, and some reads of the platform. */
function commandOf(count: number): string {
  const all = [
    '/workload tags',
    '/deployments watch data',
    '/deployments mute data 1h',
    `/charges watch this month over ${count}`,
    '/deployments shop',
    '/deployments unwatch data',
    `/charges unwatch ${Math.floor(count / 10)}`,
    '/workload tags',
    count % 20 < 10 ? '/charges this month' : '/usage this month',
    '/changes',
  ];
  return all[count % all.length] ?? '';
}

let sent = 0;
/** So many commands at once; resolves when each has its answer. */
async function flood(offered: number): Promise<void> {
  const expected = answered + offered;
  const typed = Array.from({ length: offered }, () =>
    hours.house.type(HOSTILE, HOSTILE_PLACE, commandOf((sent += 1))),
  );
  await Promise.all(typed);
  await until('all answers', () => answered >= expected);
}

/** Clicks on the newest answers that can be shared. */
async function share(count: number): Promise<void> {
  const all = await messages(HOSTILE_PLACE);
  const shareable = all.filter(
    ({ ephemeral_to: to, blocks }) =>
      to === HOSTILE && JSON.stringify(blocks).includes('answer.share'),
  );
  const user = hours.house.user(HOSTILE);
  for (const one of shareable.slice(-count)) await user.press(one, 'Share');
}

/** A request in a form. @returns the error in it */
async function ask(maximum: number): Promise<Record<string, string>> {
  const user = hours.house.user(HOSTILE);
  const form = await user.open('/billing quotas request gvcs', HOSTILE_PLACE);
  return user.submit(form, { 'Requested maximum': String(maximum) });
}

async function nextStep(): Promise<void> {
  hours.time.next(STEP_MS);
  await redis.eval(OLDER, 0, `{${prefix}}:*`, STEP_MS);
  // All of them are free again.
  await redis.del(keys.personLimit(HOSTILE));
}

/** By how much the families of keys have grown, without the marks of deliveries, which live for ten minutes. */
async function leftSince(
  before: Families,
): Promise<Record<string, { keys: number; bytes: number }>> {
  const grown = [...(await families())].map(([family, now]) => {
    const was = before.get(family) ?? { keys: 0, bytes: 0 };
    return [family, { keys: now.keys - was.keys, bytes: now.bytes - was.bytes }] as const;
  });
  return Object.fromEntries(
    grown.filter(
      ([family, { keys: count, bytes }]) => family !== 'seen' && (count > 0 || bytes > 0),
    ),
  );
}

/** The approver, who is not one of those that are counted here. */
async function approve(id: string): Promise<void> {
  const ben = hours.house.user('U0BEN');
  const card = await until(`the card of ${id}`, async () =>
    (await messages('C0APPROVE')).find(
      ({ metadata }) => metadata?.event_payload.key === `@changes/${id}/card`,
    ),
  );
  const review = await ben.openBy(card, 'Review');
  expect(review.view.submit).toBeDefined();
  expect(await ben.submit(review)).toEqual({});
}

/** The worker has carried it out. */
async function ended(id: string): Promise<void> {
  const state = await until(`the end of ${id}`, async () => {
    const record = (await redis.hget(keys.change(id), 'data')) ?? '{}';
    const { state: now } = JSON.parse(record) as { state?: string };
    return !['pending', 'approved', 'executing'].includes(now ?? '') && now;
  });
  expect(state).toBe('succeeded');
}

it('a member who sends ten commands a second for an hour leaves Redis small and the others at work', async () => {
  const settled: SeenMessage[] = [];
  for (const [index, one] of OTHERS.entries()) settled.push(await settle(one, index));
  const pending = await redis.hgetall(keys.changesOpen);
  const before = await families();
  const refusals: Record<string, string>[] = [];

  await flood(ALL);
  // Those of the burst, and a token every two seconds for as long as it took.
  expect(limited).toBeGreaterThan(ALL / 2);
  for (let step = 1; step < STEPS; step += 1) {
    await nextStep();
    for (let at = 0; at < ASKED && refusals.length < 25; at += 1) {
      refusals.push(await ask(2 * MAXIMUM + refusals.length));
    }
    await flood(OFFERED);
    if (step % 30 === 0) await share(5);
  }

  // Of 25 requests 10 are open: the form says so, and nothing more is counted.
  expect(refusals.at(-1)).toEqual({ Reason: expect.stringContaining('You have 10 open requests') });
  const left = await leftSince(before);
  const count = (family: string) => left[family]?.keys ?? 0;
  expect(await redis.zcard(keys.answersOf(HOSTILE))).toBeLessThanOrEqual(50);
  expect(count('answer')).toBeLessThanOrEqual(50 + 15);
  expect(count('kept')).toBeLessThanOrEqual(100);
  expect(count('change')).toBeLessThanOrEqual(20);
  const saved = await redis.hkeys(keys.savedQuestions);
  expect(saved.filter((field) => /^\d+$/.test(field)).length).toBeLessThanOrEqual(10);
  const sum = (of: 'keys' | 'bytes') => Object.values(left).reduce((all, one) => all + one[of], 0);
  expect(sum('keys')).toBeLessThanOrEqual(MOST_KEYS);
  expect(sum('bytes')).toBeLessThanOrEqual(MOST_BYTES);
  report('hostile member', { steps: STEPS, keys: sum('keys'), bytes: sum('bytes') });

  // The buttons of the others' answers work.
  for (const [index, { id }] of OTHERS.entries()) {
    await hours.house.user(id).press(settled[index] as SeenMessage, 'Share');
  }
  await until('all shared answers', async () => {
    const shared = await Promise.all(
      OTHERS.map(async ({ id }) =>
        (await messages(direct(id))).some(
          ({ text, ephemeral_to: to }) => to === null && text.includes('shop'),
        ),
      ),
    );
    return shared.every(Boolean);
  });

  // Their requests can still be approved.
  expect(await redis.hgetall(keys.changesOpen)).toMatchObject(pending);
  for (const id of [...new Set(Object.values(pending))].slice(0, 3)) {
    await approve(id);
    await ended(id);
    await until(
      `the card of ${id}`,
      async () => {
        await hours.deliver('C0APPROVE');
        return (await messages('C0APPROVE')).some(
          ({ metadata, text }) =>
            metadata?.event_payload.key === `@changes/${id}/card` &&
            /^(?:Done|Accepted|Sent)\b/.test(text),
        );
        // Behind an hour of reminders, at a message a second.
      },
      300_000,
    );
  }

  // Their watches run.
  const { version } = (await hours.house.platform('rollout', { ...SHOP, seconds: 0.3 })) as {
    version: number;
  };
  await until(
    'a card for each',
    async () => {
      for (const { id } of OTHERS) await hours.deliver(direct(id));
      const all = await Promise.all(OTHERS.map(({ id }) => messages(direct(id))));
      return all.every((some) =>
        some.some(({ metadata }) =>
          metadata?.event_payload.key.startsWith(`acme/shop/web/${version}`),
        ),
      );
    },
    300_000,
  );
}, 900_000);
