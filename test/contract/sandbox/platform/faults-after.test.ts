import { describe, expect, test } from 'vitest';
import { ADA, MAIN } from './spec-support.ts';
import { startPlatform } from './support.ts';

const TOKENS = `/account/${MAIN}/service-account-token`;
const CREATE = { name: 'ci', roles: ['billing_viewer'] };

interface Logged {
  method: string;
  path: string;
  status: number | null;
  body?: unknown;
}

async function start() {
  const driver = await startPlatform();
  const { billingUrl, url } = driver.platform;
  const call = (method: string, body?: object) =>
    fetch(`${billingUrl}${TOKENS}`, {
      method,
      headers: { authorization: `Bearer ${ADA}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    ...driver,
    create: () => call('POST', CREATE),
    listed: async () => {
      const { items } = (await (await call('GET')).json()) as { items: { name: string }[] };
      return items.filter(({ name }) => name === CREATE.name).length;
    },
    writes: async () => {
      const { requests } = (await (await fetch(`${url}/_sandbox/requests`)).json()) as {
        requests: Logged[];
      };
      return requests.filter(({ method }) => method !== 'GET');
    },
  };
}

describe('a call that is done, and whose answer is lost', () => {
  test.each([
    ['cut', { kind: 'reset-after' }],
    ['broken off', { kind: 'truncate' }],
  ])('%s: once, and the next one is answered', async (_how, fault) => {
    const { act, create, listed, writes } = await start();
    await act('faults', { faults: [{ method: 'POST', path: 'token$', times: 1, ...fault }] });

    const lost = create().then((answer) => answer.text());

    await expect(lost).rejects.toThrow(/fetch failed|terminated/);
    expect(await listed()).toBe(1);
    expect((await create()).status).toBe(201);
    expect(await writes()).toMatchObject([
      { method: 'POST', path: `/billing${TOKENS}`, status: 201, body: CREATE },
      { method: 'POST', status: 201 },
    ]);
  });

  test('hidden behind the status of a gateway', async () => {
    const { act, create, listed, writes } = await start();
    await act('faults', { faults: [{ method: 'POST', kind: 'http-after', status: 504 }] });

    const answer = await create();

    expect([answer.status, await answer.text()]).toEqual([504, 'upstream unavailable']);
    expect(await listed()).toBe(1);
    // The log says what became of the call, not what the caller was told.
    expect(await writes()).toMatchObject([{ status: 201 }]);
  });

  test('no JSON', async () => {
    const { act, create, listed } = await start();
    await act('faults', { faults: [{ method: 'POST', kind: 'malformed' }] });

    const answer = await create();

    expect(answer.status).toBe(201);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
    expect(await listed()).toBe(1);
  });

  test('later than anybody waits', async () => {
    const { act, create, listed, platform } = await start();
    await act('faults', {
      faults: [{ method: 'POST', kind: 'delay-after', delayMs: 3_600_000 }],
    });

    const answer = create().catch((error: unknown) => error);

    await expect.poll(listed).toBe(1);
    await platform.close();
    expect(await answer).toBeDefined();
  });
});

test('a call that is cut before it is done is not done', async () => {
  const { act, create, listed } = await start();
  await act('faults', { faults: [{ method: 'POST', kind: 'reset', times: 1 }] });

  await expect(create()).rejects.toThrow('fetch failed');

  expect(await listed()).toBe(0);
});
