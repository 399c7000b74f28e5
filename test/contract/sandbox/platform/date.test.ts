import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandboxPlatform } from '../../../../src/sandbox/platform/server.ts';

const platform = createSandboxPlatform();

beforeAll(() => platform.listen());
afterAll(() => platform.close());

test('the Date header of any answer is as far ahead of the clock as it is told to be', async () => {
  const aheadMinutes = async () => {
    const { headers } = await fetch(`${platform.url}/nowhere`);
    return (Date.parse(headers.get('date') ?? '') - Date.now()) / 60_000;
  };
  const tell = (aheadSeconds: number) =>
    fetch(`${platform.url}/_sandbox/date`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ aheadSeconds }),
    });

  await tell(3_600);
  expect(await aheadMinutes()).toBeCloseTo(60, 0);
  await tell(0);
  expect(await aheadMinutes()).toBeCloseTo(0, 0);
});
