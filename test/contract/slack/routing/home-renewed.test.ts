import { expect, it } from 'vitest';
import type { Principal } from '../../../../src/access/policy.ts';
import { createHomeFeature } from '../../../../src/features/home/feature.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { HomePart } from '../../../../src/slack/routing/routes.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { useConnection } from '../../../support/redis.ts';
import { nativeBlocks } from '../../../support/native-blocks.ts';
import { freshPrefix } from '../support.ts';
import { gate } from '../harness.ts';
import { openHome } from './home-support.ts';
import { until } from '../../../support/until.ts';

const store = useConnection();

/** Home with one part of the test's own; `renew` is the job that looks whether something has changed. */
async function renewedHome() {
  let now = Date.now();
  let waits = 'nothing waits';
  let slow = Promise.resolve();
  let reads = 0;
  const own: HomePart<Principal> = {
    title: 'Waiting',
    rank: 1,
    async fill() {
      const read = waits;
      reads += 1;
      await slow;
      return [section(mrkdwn`${read}`)];
    },
    fingerprint: () => Promise.resolve(waits),
  };
  const services = {
    access: {
      authorize: () => Promise.resolve(),
      principal: () => Promise.resolve({ userId: 'U0ADA', email: undefined, roles: [] }),
      requireRight: () => Promise.resolve(),
    },
    clock: { now: () => now },
    config: {},
    redis: store.redis,
    keys: createKeys(freshPrefix()),
    native: nativeBlocks(),
    versions: undefined as unknown,
    scrub: (text: string) => text,
    stopping: new AbortController().signal,
    slack: undefined as unknown,
    logger: undefined as unknown,
  };
  const feature = createHomeFeature(services as never, () => parts);
  const parts: readonly HomePart<Principal>[] = [...(feature.home ?? []), own];
  const opened = { opened: feature.opened };
  const harness = await openHome(parts as never, { ...opened, services: services.access as never });
  const { client: slack, logger, versions } = harness;
  Object.assign(services, { slack, logger, versions });
  return {
    ...harness,
    change: (words: string) => void (waits = words),
    reads: () => reads,
    /** Readings from now on end when this is settled. */
    slowed: (until: Promise<void>) => void (slow = until),
    pass: (ms: number) => void (now += ms),
    renew: async (): Promise<number> => {
      const before = (await harness.published()).length;
      await feature.jobs?.[0]?.run({});
      return (await harness.published()).length - before;
    },
  };
}

it('greets a person once, and has nothing to type', async () => {
  const { visit, tab, whole } = await renewedHome();
  await visit();
  const first = JSON.stringify(
    (await tab('a whole tab', (said) => !/[Rr]eading/.test(said))).blocks,
  );
  for (const word of ['Costs', 'Rollouts', 'Approvals']) expect(first).toContain(`*${word}*`);
  for (const name of ['Charges', 'Deployments', 'Watch a GVC...', 'Invoices'])
    expect(first).toContain(`"text":"${name}"`);
  expect(first).not.toContain('`/');

  await visit();
  await tab('the second visit', (said) => !said.includes('Approvals') && !/[Rr]eading/.test(said));
  expect(JSON.stringify((await whole()).blocks)).toContain('nothing waits');
});

it('is published again once, when something has changed, and for recent visitors alone', async () => {
  const { visit, whole, tab, renew, change, pass } = await renewedHome();
  await visit();
  await whole();
  await renew();
  expect(await renew()).toBe(0);

  change('a request waits');
  expect(await renew()).toBe(1);
  await tab('the request', (said) => said.includes('a request waits'));
  expect(await renew()).toBe(0);

  pass(DAY_MS + 1);
  change('another one waits');
  expect(await renew()).toBe(0);
});

it('renewed by the worker from an older reading never takes the place of a newer one', async () => {
  const { visit, whole, tab, renew, change, reads, slowed, pressHome, home } = await renewedHome();
  await visit();
  await whole();
  const before = reads();
  const late = gate();
  change('a request waits');
  slowed(late.passed);
  const renewing = renew();
  await until('the worker to have read', () => reads() > before);

  change('it is withdrawn');
  slowed(Promise.resolve());
  await pressHome('home.refresh');
  await tab('the end of the request', (said) => said.includes('it is withdrawn'));
  await whole();
  late.open();
  await renewing;

  expect(JSON.stringify((await home())?.blocks)).toContain('it is withdrawn');
});
