import { beforeEach, expect, test } from 'vitest';
import { startBilling, type Standing } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

test('quotas are shown with whatever fields come', async () => {
  const { value } = await standing.client().listQuotas('acme');
  const asSent = (await (
    await standing.raw('GET', 'org/acme/quotas', { token: 'sandbox-key-acme' })
  ).json()) as Record<string, unknown>[];

  expect(value.skipped).toBe(0);
  expect(value.items.length).toBeGreaterThan(0);
  expect(value.items.map((record) => Object.fromEntries(record))).toEqual(
    asSent.map((record) =>
      Object.fromEntries(Object.entries(record).map(([name, field]) => [name, String(field)])),
    ),
  );
});

test('a raise of a quota is asked for, and its answer shown as it comes', async () => {
  const client = standing.client();
  const [quota] = (await client.listQuotas('acme')).value.items;
  const quotaName = quota?.get('name') ?? '';
  const requestedMax = Number(quota?.get('max')) + 1;

  const answer = await client.requestQuotaIncrease('acme', { quotaName, requestedMax });

  expect(answer.get('status')).toMatch(/^(?:approved|pending|denied)$/);
  expect((await standing.calls()).at(-1)).toMatchObject({
    method: 'POST',
    path: '/billing/org/acme/quota-increase-requests',
    body: { quotaName, requestedMax },
  });
});

test.each([[[]], ['accepted'], [true]])(
  'an answer without fields, %j, has an empty record',
  async (body) => {
    await standing.fault({ method: 'POST', path: 'quota-increase', body: JSON.stringify(body) });

    const asked = { quotaName: 'gvcs', requestedMax: 21 };

    expect(await standing.client().requestQuotaIncrease('acme', asked)).toEqual(new Map());
  },
);
