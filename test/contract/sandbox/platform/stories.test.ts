import { describe, expect, test } from 'vitest';
import { FIRST, SHOP, startPlatform } from './support.ts';

const LIST = '/org/acme/gvc/shop/workload/-deployment';
/** For what leaves nothing to play with. */
const ELSEWHERE = { org: 'globex', gvc: 'staging', workload: 'api' };
const PAYMENTS = { ...SHOP, workload: 'payments' };

describe('stories', () => {
  test('each says in one line what will happen, and when', async () => {
    const { act, platform } = await startPlatform();
    const { stories } = (await (await fetch(`${platform.url}/_sandbox/state`)).json()) as {
      stories: { name: string; label: string; of: string }[];
    };

    for (const { name, label } of stories) {
      const place = name === 'gvc-deleted' ? ELSEWHERE : PAYMENTS;
      const { says } = await act('story', { ...place, name });
      expect(label).toMatch(/^[A-Z][\w -]{2,18}$/);
      expect(says).toMatch(/^[^\n]{20,100}$/);
    }
    expect(new Set(stories.map(({ of }) => of))).toEqual(
      new Set(['workload', 'location', 'gvc', 'platform']),
    );
  });

  test('a failing rollout in one location names its version and the place', async () => {
    const driver = await startPlatform();

    const { says } = await driver.act('story', { ...PAYMENTS, location: FIRST, name: 'oom' });
    await driver.wait(20);

    expect(says).toBe(`payments v20: failed in ${FIRST} within 20 s`);
    expect((await driver.deployment('payments')).status.ready).toBe(false);
    expect((await driver.deployment('payments', 'azure-eastus2')).status.ready).toBe(true);
  });

  test('the later steps come by themselves', async () => {
    const driver = await startPlatform({ speed: 100 });
    const messages = async () => {
      const { items } = await driver.page(LIST);
      return items.filter(({ status }) => status.message?.includes('stale') === true).length;
    };

    await driver.act('story', { ...PAYMENTS, name: 'location-stale' });
    const stale = await messages();

    expect(stale).toBeGreaterThan(5);
    await expect.poll(messages).toBe(0);
  });

  test('scaled to zero comes back with the replicas that it had', async () => {
    const driver = await startPlatform({ speed: 100 });

    await driver.act('story', { ...PAYMENTS, name: 'zero' });
    const zero = (await driver.deployment('payments')).status.desiredScale;

    expect(zero).toBe(0);
    await expect
      .poll(async () => (await driver.deployment('payments')).status.desiredScale)
      .toBe(2);
  });

  test('the API is down for half a minute, and for deployments only', async () => {
    const driver = await startPlatform();
    await driver.act('story', { ...PAYMENTS, name: 'outage' });

    const during = await driver.api(LIST);
    await driver.wait(30);

    expect(during.status).toBe(503);
    expect((await driver.api(LIST)).status).toBe(200);
  });

  test('a workload that is deleted meanwhile does no harm', async () => {
    const driver = await startPlatform({ speed: 100 });
    await driver.act('story', { ...PAYMENTS, name: 'superseded' });
    await driver.act('delete', PAYMENTS);
    await driver.act('story', { ...SHOP, workload: 'web', name: 'superseded' });

    await expect
      .poll(async () => (await driver.deployment('web')).status.expectedDeploymentVersion)
      .toBe(60);
  });

  test('unknown stories and places are refused', async () => {
    const { control } = await startPlatform();

    expect(await control('story', { ...PAYMENTS, name: 'nothing' })).toMatchObject({ status: 400 });
    expect(await control('story', { ...SHOP, workload: 'nobody', name: 'ready' })).toMatchObject({
      status: 404,
    });
  });
});
