import { request } from 'node:http';
import { createGunzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startPlatform, type Page } from './support.ts';

const LIST = '/org/acme/gvc/shop/workload/-deployment';

describe('faults', () => {
  test('a status with its headers, as often as was asked for, on matching paths only', async () => {
    const { act, api } = await startPlatform();
    const headers = { 'retry-after': '7' };
    await act('faults', { faults: [{ path: '-deployment$', status: 429, headers, times: 1 }] });

    const other = await api('/org/acme/gvc/shop/workload/cart/deployment');
    const struck = await api(LIST);
    const again = await api(LIST);

    expect(other.status).toBe(200);
    expect(struck.status).toBe(429);
    expect(struck.headers.get('retry-after')).toBe('7');
    expect(await struck.json()).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
    expect(again.status).toBe(200);
  });

  test('a body as it is given; methods that do not match are spared', async () => {
    const { act, api } = await startPlatform();
    const post = { method: 'POST', status: 500 };
    await act('faults', { faults: [post, { status: 503, body: 'upstream connect error' }] });

    const response = await api(LIST);

    expect(response.status).toBe(503);
    expect(await response.text()).toBe('upstream connect error');
  });

  test('an empty list of faults ends them', async () => {
    const { act, api } = await startPlatform();
    await act('faults', { faults: [{ status: 500 }] });
    await act('faults', { faults: [] });

    expect((await api(LIST)).status).toBe(200);
  });

  test('reset cuts the connection', async () => {
    const { act, api } = await startPlatform();
    await act('faults', { faults: [{ kind: 'reset' }] });

    await expect(api(LIST)).rejects.toThrow('fetch failed');
  });

  test('truncate breaks off in the middle of the answer', async () => {
    const { act, api } = await startPlatform();
    await act('faults', { faults: [{ kind: 'truncate' }] });

    const response = await api(LIST);

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('malformed is no JSON, html is a page of a proxy', async () => {
    const { act, api } = await startPlatform();

    await act('faults', { faults: [{ kind: 'malformed' }] });
    await expect((await api(LIST)).json()).rejects.toThrow(SyntaxError);
    await act('faults', { faults: [{ kind: 'html' }] });
    const page = await api(LIST);

    expect(page.status).toBe(502);
    expect(page.headers.get('content-type')).toContain('text/html');
  });

  test('an empty list, and a list with items that are none', async () => {
    const { act, page } = await startPlatform();
    const whole = (await page(LIST)).items;

    await act('faults', { faults: [{ kind: 'empty-list' }] });
    const empty = await page(LIST);
    await act('faults', { faults: [{ kind: 'bad-item' }] });
    const bad = await page(LIST);

    expect(empty).toMatchObject({ kind: 'list', items: [] });
    expect(bad.items[0]).toEqual({});
    expect(bad.items[1]).toMatchObject({ status: { versions: 'none' } });
    expect(bad.items.slice(2).map(linksOf)).toEqual(whole.slice(1).map(linksOf));
  });

  test('slow sends one byte at a time', async () => {
    const { act, api } = await startPlatform();
    const path = '/org/acme/gvc/shop/workload/cart/deployment/aws-us-west-2';
    await act('faults', { faults: [{ kind: 'slow', delayMs: 5 }] });

    const reader = (await api(path)).body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();

    expect(first?.value).toEqual(new Uint8Array(Buffer.from('{')));
  });

  test('delayMs holds the answer back, and closing does not wait for it', async () => {
    const { act, api, platform } = await startPlatform();
    await act('faults', { faults: [{ delayMs: 3_600_000 }] });

    const answer = api(LIST).catch((error: unknown) => error);
    await expect.poll(async () => (await requests(platform.url)).length).toBe(1);
    await platform.close();

    expect(await answer).toBeDefined();
  });

  test('gzip-bomb is small on the wire and large once it is unpacked', async () => {
    const { act, platform } = await startPlatform();
    await act('faults', { faults: [{ kind: 'gzip-bomb' }] });

    const { packed, unpacked } = await measure(platform.url + LIST, platform.tokens['acme'] ?? '');

    expect(packed).toBeLessThan(1_000_000);
    expect(unpacked).toBeGreaterThan(200_000_000);
  });

  test('huge is large on the wire already', async () => {
    const { act, api } = await startPlatform();
    await act('faults', { faults: [{ kind: 'huge' }] });

    const reader = (await api(LIST)).body?.getReader();
    let bytes = 0;
    while (bytes < 20_000_000) bytes += (await reader?.read())?.value?.length ?? Number.NaN;
    await reader?.cancel();

    expect(bytes).toBeGreaterThanOrEqual(20_000_000);
  });

  test('seconds end a fault by the clock of the stand-in', async () => {
    const { act, api, wait } = await startPlatform();
    await act('faults', { faults: [{ status: 503, seconds: 20 }] });

    await wait(19);
    const during = await api(LIST);
    await wait(1);

    expect(during.status).toBe(503);
    expect((await api(LIST)).status).toBe(200);
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

  test('a path that is no regular expression is refused', async () => {
    const { control } = await startPlatform();

    expect(await control('faults', { faults: [{ path: '(' }] })).toEqual({
      status: 400,
      body: { error: '( is no regular expression' },
    });
  });
});

describe('the request log', () => {
  test('it tells who asked for what and how it ended, and never a token', async () => {
    const { api, act, platform } = await startPlatform();
    const secret = platform.tokens['globex'] ?? '';

    await api(`${LIST}?after=3`);
    await api(LIST, `Bearer ${secret}`);
    await api(LIST, 'Bearer guessed-secret');
    await act('faults', { faults: [{ kind: 'reset' }] });
    await api(LIST).catch(() => undefined);
    const log = await requests(platform.url);

    expect(log.map(({ method, path, status, org }) => [method, path, status, org])).toEqual([
      ['GET', `${LIST}?after=3`, 200, 'acme'],
      ['GET', LIST, 401, 'globex'],
      ['GET', LIST, 401, null],
      ['GET', LIST, null, 'acme'],
    ]);
    expect(JSON.stringify(log)).not.toMatch(/secret|sandbox-key/);
  });

  test('it can be emptied', async () => {
    const { api, platform } = await startPlatform();
    await api(LIST);

    await fetch(`${platform.url}/_sandbox/requests`, { method: 'DELETE' });

    expect(await requests(platform.url)).toEqual([]);
  });
});

async function requests(url: string) {
  const response = await fetch(`${url}/_sandbox/requests`);
  const { requests } = (await response.json()) as {
    requests: { method: string; path: string; status: number | null; org: string | null }[];
  };
  return requests;
}

function linksOf(item: Page['items'][number]) {
  return item.links;
}

function measure(url: string, token: string): Promise<{ packed: number; unpacked: number }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      let packed = 0;
      let unpacked = 0;
      const gunzip = createGunzip();
      response.on('data', (chunk: Buffer) => (packed += chunk.length));
      gunzip.on('data', (chunk: Buffer) => (unpacked += chunk.length));
      gunzip.on('end', () => resolve({ packed, unpacked }));
      gunzip.on('error', reject);
      response.pipe(gunzip);
    });
    call.on('error', reject);
    call.end();
  });
}
