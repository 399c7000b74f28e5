import { expect, test } from 'vitest';
import { startApis } from './spec-support.ts';

interface Quota {
  name: string;
  max: number;
}

const KEY = { token: 'sandbox-key-acme' };

test('GET /org/<org>/quotas: a bare array of quotas', async () => {
  const { billing } = await startApis();

  const { status, body } = await billing<Quota[]>('GET', '/org/acme/quotas', KEY);

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

test('POST /org/<org>/quota-increase-requests answers with a status', async () => {
  const { billing, ok } = await startApis();
  const [quota] = await ok(billing<Quota[]>('GET', '/org/acme/quotas', KEY));

  const { status, body } = await billing('POST', '/org/acme/quota-increase-requests', {
    ...KEY,
    body: { quotaName: quota?.name, requestedMax: (quota?.max ?? 0) + 1 },
  });

  expect(status).toBeLessThan(300);
  expect(body['status']).toMatch(/^(approved|pending|denied)$/);
});

test('an approved request raises the quota, any other does not', async () => {
  const { billing, ok } = await startApis();
  const quotas = () => ok(billing<Quota[]>('GET', '/org/acme/quotas', KEY));

  for (const { name, max } of await quotas()) {
    const body = { quotaName: name, requestedMax: max + 1 };
    const answer = await ok(billing('POST', '/org/acme/quota-increase-requests', { ...KEY, body }));
    const after = (await quotas()).find((quota) => quota.name === name)?.max;
    expect(after).toBe(answer['status'] === 'approved' ? max + 1 : max);
  }
  expect.hasAssertions();
});

test.each([{ quotaName: 'workloads', requestedMax: 'more' }, { requestedMax: 5 }])(
  'an invalid request is refused with 400: %j',
  async (body) => {
    const { billing } = await startApis();

    const answer = await billing('POST', '/org/acme/quota-increase-requests', { ...KEY, body });

    expect([answer.status, answer.body]).toEqual([400, { code: 400, error: expect.any(String) }]);
  },
);
