import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { within } from '../../../../src/lib/time.ts';
import { until } from '../../../support/until.ts';
import { createDoctorHarness } from './harness.ts';

let doctor: Awaited<ReturnType<typeof createDoctorHarness>>;

beforeAll(async () => {
  doctor = await createDoctorHarness();
});
afterAll(() => doctor.close());
beforeEach(() => doctor.reset());

/** Less than any time limit of the calls, which would end the check, too. */
const AT_ONCE_MS = 4_000;

async function atOnce<T>(looking: Promise<T>): Promise<T> {
  const found = await within(looking, AT_ONCE_MS, undefined);
  if (found === undefined) throw new Error(`the check goes on after ${AT_ONCE_MS} ms`);
  return found;
}

test('an aborted check ends at once', async () => {
  await doctor.control('faults', { faults: [{ path: 'tags/values', delayMs: 60_000 }] });
  const ending = new AbortController();
  const looking = doctor.examine({}, ending.signal);
  await until('usage to be asked for', async () =>
    (await doctor.requests()).some(({ path }) => path.includes('tags/values')),
  );
  ending.abort();
  const findings = await atOnce(looking);

  expect(findings.find(({ what }) => what === 'Org acme, usage')).toMatchObject({
    state: 'doubtful',
    says: 'slow: no answer within 10 s',
  });
  expect(findings.find(({ what }) => what === 'Org acme, deployments')?.state).toBe('well');
});

test('a platform that answers nothing in time is doubted, each address by itself', async () => {
  await doctor.control('faults', { faults: [{ delayMs: 60_000 }] });
  const ending = new AbortController();
  const looking = doctor.examine({}, ending.signal);
  await until('the addresses to be asked', async () => (await doctor.requests()).length >= 3);
  ending.abort();
  const findings = await atOnce(looking);

  expect(findings.map(({ what, state }) => `${what} ${state}`)).toStrictEqual([
    'API_URL doubtful',
    'USAGE_URL doubtful',
    'BILLING_URL doubtful',
  ]);
});

test('whether a refused key is valid is not waited for when the time is over', async () => {
  await doctor.control('faults', { faults: [{ path: 'chargeable_items', delayMs: 60_000 }] });
  const ending = new AbortController();
  const setUp = { keys: { acme: 'nonsense' } };
  const looking = doctor.examine(setUp, ending.signal);
  await until('the key to be looked at', async () =>
    (await doctor.requests()).some(({ path }) => path.includes('tags/values')),
  );
  ending.abort();
  const findings = await atOnce(looking);

  expect(findings.find(({ what }) => what === 'Org acme, deployments')?.state).toBe('broken');
});
