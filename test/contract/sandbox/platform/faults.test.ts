import { describe, expect, test } from 'vitest';
import { MAIN } from './spec-support.ts';
import { startPlatform } from './support.ts';

const LIST = '/org/acme/gvc/shop/workload/-deployment';

async function start(...faults: object[]) {
  const driver = await startPlatform();
  const strike = (...list: object[]) => driver.act('faults', { faults: list });
  await strike(...faults);
  return { ...driver, strike };
}

describe('faults', () => {
  test('a body as it is given; methods that do not match are spared', async () => {
    const post = { method: 'POST', status: 500 };
    const { api } = await start(post, { status: 503, body: 'upstream connect error' });

    const response = await api(LIST);

    expect([response.status, await response.text()]).toEqual([503, 'upstream connect error']);
  });

  test('an empty list of faults ends them, and seconds do by the clock of the stand-in', async () => {
    const { strike, api, wait } = await start({ status: 500 });
    await strike();
    const ended = await api(LIST);
    await strike({ status: 503, seconds: 20 });

    await wait(19);
    const during = await api(LIST);
    await wait(1);

    expect([ended, during, await api(LIST)].map(({ status }) => status)).toEqual([200, 503, 200]);
  });

  test('an empty list, and a list with unusable items', async () => {
    const { strike, page } = await start();
    const whole = (await page(LIST)).items;

    await strike({ kind: 'empty-list' });
    const empty = await page(LIST);
    await strike({ kind: 'bad-item' });
    const [bare, broken, ...rest] = (await page(LIST)).items;

    expect(empty).toMatchObject({ kind: 'list', items: [] });
    expect([bare, broken]).toEqual([
      {},
      expect.objectContaining({ status: expect.objectContaining({ versions: 'none' }) }),
    ]);
    expect(rest.map(({ links }) => links)).toEqual(whole.slice(1).map(({ links }) => links));
  });

  test('a chance strikes a share of the calls, the same ones with the same seed', async () => {
    const struckWith = async (seed: number) => {
      const { act, api } = await startPlatform({ seed });
      await act('faults', { faults: [{ status: 500, chance: 0.4 }] });
      const statuses: number[] = [];
      for (let call = 0; call < 30; call += 1) statuses.push((await api(LIST)).status);
      return statuses;
    };

    const [once, again, other] = [await struckWith(7), await struckWith(7), await struckWith(8)];

    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
    expect(once.filter((status) => status === 500).length).toBeGreaterThan(3);
    expect(once.filter((status) => status === 200).length).toBeGreaterThan(3);
  });
});

describe('a write and its lost answer', () => {
  const startWrites = async (fault: object) => {
    const driver = await start({ method: 'POST', path: 'token$', times: 1, ...fault });
    const call = (method: string, body?: object) =>
      fetch(`${driver.platform.billingUrl}/account/${MAIN}/service-account-token`, {
        method,
        headers: { authorization: 'Bearer sandbox-user-ada', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    return {
      ...driver,
      /** The status and the body of a create; `lost` when there is no whole answer. */
      create: () =>
        call('POST', { name: 'ci', roles: ['billing_viewer'] })
          .then(async (answer) => `${answer.status} ${await answer.text()}`)
          .catch(() => 'lost'),
      made: async () => {
        const { items } = (await (await call('GET')).json()) as { items: { name: string }[] };
        return items.filter(({ name }) => name === 'ci').length;
      },
    };
  };

  test.each([
    ['done, and cut', 'reset-after', /^lost$/, 1, 201],
    ['done, and broken off', 'truncate', /^lost$/, 1, 201],
    ['done, behind the status of a gateway', 'http-after', /^504 upstream unavailable$/, 1, 201],
    ['done, and no JSON', 'malformed', /^201 \{.*[^}]$/, 1, 201],
    ['not done: cut before', 'reset', /^lost$/, 0, null],
  ])('%s; the next one is answered', async (_how, kind, answer, made, status) => {
    const writes = await startWrites({ kind, ...(kind === 'http-after' && { status: 504 }) });

    expect(await writes.create()).toMatch(answer);
    expect(await writes.made()).toBe(made);
    expect(await writes.create()).toMatch(/^201 \{.*\}$/);
    // The log has the outcome of the call, not the answer to the caller.
    const log = (await writes.requests()).filter(({ method }) => method === 'POST');
    expect(log.map((one) => one.status)).toEqual([status, 201]);
  });

  test('done, and answered after any timeout', async () => {
    const { create, made, platform } = await startWrites({
      kind: 'delay-after',
      delayMs: 3_600_000,
    });

    const answer = create();

    await expect.poll(made).toBe(1);
    await platform.close();
    expect(await answer).not.toMatch(/^201/);
  });
});

test('the request log has caller, path and outcome, and never a token; it can be emptied', async () => {
  const { api, strike, platform, requests } = await start();

  await api(`${LIST}?after=3`);
  await api(LIST, `Bearer ${platform.tokens['globex']}`);
  await api(LIST, 'Bearer guessed-secret');
  await strike({ kind: 'reset' });
  await api(LIST).catch(() => undefined);
  const log = await requests();
  await fetch(`${platform.url}/_sandbox/requests`, { method: 'DELETE' });

  expect(log.map(({ method, path, status, org }) => [method, path, status, org])).toEqual([
    ['GET', `${LIST}?after=3`, 200, 'acme'],
    ['GET', LIST, 401, 'globex'],
    ['GET', LIST, 401, null],
    ['GET', LIST, null, 'acme'],
  ]);
  expect(JSON.stringify(log)).not.toMatch(/secret|sandbox-key/);
  expect(await requests()).toEqual([]);
});
