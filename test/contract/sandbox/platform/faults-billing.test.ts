import { expect, test } from 'vitest';
import { ADA, MAIN } from './spec-support.ts';
import { startPlatform } from './support.ts';

const INVOICES = `/account/${MAIN}/charges/invoices`;
const RANGE = 'start=2026-09-01T00:00:00Z&end=2026-10-01T00:00:00Z';

async function startBilling() {
  const driver = await startPlatform();
  const { billingUrl, usageUrl } = driver.platform;
  const headers = { authorization: `Bearer ${ADA}`, accept: 'application/pdf' };
  const billing = (path: string) => fetch(`${billingUrl}${path}`, { headers });
  const latest = async () => {
    const response = await billing(`${INVOICES}?${RANGE}`);
    const { invoices } = (await response.json()) as { invoices: { id: string }[] };
    return `${INVOICES}/${invoices[0]?.id}`;
  };
  return { ...driver, billing, usageUrl, latest };
}

test.each(['billing', 'usage'])('a status alone comes in the shape of %s', async (api) => {
  const { platform, act } = await startBilling();
  await act('faults', { faults: [{ path: `^/${api}/`, status: 503 }] });

  const response = await fetch(`${platform.url}/${api}/chargeable_items`);

  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ code: 503, error: 'a fault that was asked for' });
});

test('a PDF that breaks off is the first half of its bytes', async () => {
  const { act, billing, latest } = await startBilling();
  const path = await latest();
  const whole = Buffer.from(await (await billing(path)).arrayBuffer());
  await act('faults', { faults: [{ kind: 'truncate' }] });

  const struck = await billing(path);
  const received: Buffer[] = [];
  const read = async () => {
    for await (const piece of struck.body ?? []) received.push(Buffer.from(piece as Uint8Array));
  };

  await expect(read()).rejects.toThrow('terminated');
  const bytes = Buffer.concat(received);
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes.length).toBeLessThan(whole.length);
  expect(bytes.equals(whole.subarray(0, bytes.length))).toBe(true);
});
