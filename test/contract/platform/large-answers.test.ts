import { afterEach, expect, test } from 'vitest';
import { createAllowance } from '../../../src/platform/answer.ts';
import type { ConsumptionQuery } from '../../../src/platform/consumption/query.ts';
import { anyAmount } from '../../support/reports.ts';
import { denseUsage } from '../../support/heavy-usage.ts';
import { startBillingClient } from './billing/support.ts';
import { startUsageClient } from './consumption/support.ts';
import { bearer, failureOf, serve } from './support.ts';

const MB = 1024 * 1024;
const QUERY: ConsumptionQuery = {
  startTime: '2026-10-01T00:00:00Z',
  endTime: '2026-10-02T00:00:00Z',
  timeStep: 'hour',
  aggregateByTimeStep: true,
  groupBy: [],
  consumptionQueries: [{ aggregateBy: ['feature', 'metric', 'locationType', 'performanceClass'] }],
};

let calls = 0;

afterEach(() => {
  calls = 0;
});

/** A usage API whose every answer has about so many bytes. */
async function usageOf(bytes: number) {
  const body = denseUsage(bytes);
  const server = await serve((_request, reply) => {
    calls += 1;
    reply.end(body);
  });
  return startUsageClient(server.url, { credentialOf: () => bearer('key'), cacheMs: 15_000 });
}

test('a large answer comes in memory that another thread shares', async () => {
  const usage = await usageOf(5 * MB);

  const { value } = await usage.queryBody('acme', QUERY, { allowance: anyAmount() });

  expect(value.body.length).toBeGreaterThan(4.9 * MB);
  expect(value.body.buffer).toBeInstanceOf(SharedArrayBuffer);
});

test('the sum of charges for an alert is refused, and reported, where it would be vast', async () => {
  const vast = await serve((request, reply) => {
    const isQuery = request.url?.includes('-query') === true;
    reply.end(
      isQuery
        ? Buffer.concat([Buffer.from('{"results":'), denseUsage(5 * MB), Buffer.from('}')])
        : '[]',
    );
  });
  const { charges } = startBillingClient(vast.url);

  expect(await failureOf(charges.account(QUERY))).toMatchObject({
    reason: 'too-large',
    message: `the answer is larger than ${4 * MB} bytes`,
  });
});

test('an answer that is remembered counts for each question, and one that was not read for none', async () => {
  const usage = await usageOf(2 * MB);
  const whole = createAllowance(5 * MB);
  const [first, second, third] = [1, 2, 3].map(() => createAllowance(3 * MB, whole));

  await usage.queryBody('acme', QUERY, { allowance: first! });
  await usage.queryBody('acme', QUERY, { allowance: second! });
  const refused = usage.queryBody('acme', QUERY, { allowance: third! });

  expect(await failureOf(refused)).toMatchObject({ reason: 'too-large' });
  expect(third?.isCrowdedOut()).toBe(true);
  first?.close();
  await usage.queryBody('acme', QUERY, { allowance: third! });
  expect(calls).toBe(1);
});

test('reading stops as soon as the allowance is used up, and returns the used part', async () => {
  const usage = await usageOf(8 * MB);
  const allowance = createAllowance(4 * MB);

  const failure = await failureOf(usage.queryBody('acme', QUERY, { allowance }));

  expect(failure).toMatchObject({ reason: 'too-large' });
  expect(allowance.take(4 * MB)).toBe(true);
});
