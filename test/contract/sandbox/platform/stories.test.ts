import { expect, test } from 'vitest';
import { FIRST, LOCATIONS, SHOP, startPlatform } from './support.ts';

// The scenario of the demo panel plays every story in the browser; here are the rules of their texts and timers.
const LIST = '/org/acme/gvc/shop/workload/-deployment';
/** For stories that leave nothing to play with. */
const ELSEWHERE = { org: 'globex', gvc: 'staging', workload: 'api' };
const PAYMENTS = { ...SHOP, workload: 'payments' };

test('each announces in one line its effect and its time', async () => {
  const { act, state } = await startPlatform();
  const { stories } = await state();

  for (const { name, label } of stories) {
    const place = name === 'gvc-deleted' ? ELSEWHERE : PAYMENTS;
    const { says } = await act('story', { ...place, name });
    expect(label).toMatch(/^[A-Z][\w -]{2,18}$/);
    expect(says).toMatch(/^[^\n]{20,100}$/);
  }
  const kinds = new Set(stories.map(({ of }) => of));
  expect(kinds).toEqual(new Set(['workload', 'location', 'gvc', 'platform']));
});

test('a failing rollout in one location names its version and the place', async () => {
  const { act, wait, page } = await startPlatform();

  const { says } = await act('story', { ...PAYMENTS, location: FIRST, name: 'oom' });
  await wait(20);

  const { items } = await page('/org/acme/gvc/shop/workload/payments/deployment');
  expect(says).toBe(`payments v20: failed in ${FIRST} within 20 s`);
  expect(items.map(({ name, status }) => [name, status.ready])).toEqual(
    LOCATIONS.map((location) => [location, location !== FIRST]),
  );
});

test('scaled to zero comes back by itself, with the replicas that it had', async () => {
  const { act, deployment } = await startPlatform({ speed: 100 });
  const scale = async () => (await deployment('payments')).status.desiredScale;

  await act('story', { ...PAYMENTS, name: 'zero' });

  expect(await scale()).toBe(0);
  await expect.poll(scale).toBe(2);
});

test('the API is down for half a minute, and for deployments only', async () => {
  const { act, api, wait } = await startPlatform();
  await act('story', { ...PAYMENTS, name: 'outage' });

  const during = [await api(LIST), await api('/billing/chargeable_items')];
  await wait(30);

  expect([...during, await api(LIST)].map(({ status }) => status)).toEqual([503, 200, 200]);
});

test('a workload that is deleted meanwhile does no harm', async () => {
  const { act, deployment } = await startPlatform({ speed: 100 });
  await act('story', { ...PAYMENTS, name: 'superseded' });
  await act('delete', PAYMENTS);
  await act('story', { ...SHOP, workload: 'web', name: 'superseded' });

  await expect
    .poll(async () => (await deployment('web')).status.expectedDeploymentVersion)
    .toBe(60);
});
