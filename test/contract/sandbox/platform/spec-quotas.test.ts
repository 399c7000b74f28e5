import { expect, test } from 'vitest';
import { startApis } from './spec-support.ts';

interface Quota {
  name: string;
  max: number;
}

test('GET /org/<org>/quotas: a bare array of quotas', async () => {
  const { ask } = await startApis();

  const { status, body } = await ask<Quota[]>('GET /org/acme/quotas');

  expect(status).toBe(200);
  expect(body.length).toBeGreaterThan(0);
  for (const quota of body) {
    expect(quota).toEqual({
      id: expect.any(String),
      name: expect.any(String),
      description: expect.any(String),
      unit: expect.any(String),
      max: expect.any(Number),
      current: expect.any(Number),
      origin: expect.any(String),
    });
  }
});

test.each([
  ['up to double is approved, and raises the quota', 2, 'approved'],
  ['up to ten times is pending, and does not', 10, 'pending'],
  ['more is denied, and does not', 11, 'denied'],
])('POST /org/<org>/quota-increase-requests: %s', async (_rule, times, answer) => {
  const { ask, ok } = await startApis();
  const quotas = () => ok(ask<Quota[]>('GET /org/acme/quotas'));
  const [{ name, max } = { name: '', max: Number.NaN }] = await quotas();

  const body = { quotaName: name, requestedMax: times * max };
  const { status } = await ok(ask('POST /org/acme/quota-increase-requests', body));

  expect(status).toBe(answer);
  expect((await quotas())[0]?.max).toBe(status === 'approved' ? times * max : max);
});
