import { expect, test } from 'vitest';
import { readDeployment } from '../../../../src/platform/deployments/deployment.ts';

/** Longer than anyone reads, with characters that a cut could divide. */
const LONG = '🚀é'.repeat(100_000);

/** All texts in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test('the messages of a deployment are cut to 4 KB in every field, between two characters', () => {
  const container = { image: 'x', message: LONG, restarts: { count: 1, reason: LONG } };
  const item = {
    name: 'aws-us-west-2',
    status: {
      message: LONG,
      versions: [{ message: LONG, containers: { main: container } }],
      jobExecutions: [
        {
          name: 'run-1',
          message: LONG,
          conditions: [{ reason: LONG, message: LONG }],
          containers: { main: container },
        },
      ],
    },
  };

  const read = readDeployment('payments', item);

  const long = textsIn(read).filter((text) => text.startsWith('🚀'));
  expect(long).toHaveLength(9);
  for (const text of textsIn(read)) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  for (const text of long) {
    expect(text).toMatch(/^(?:🚀é)+🚀?…$/u);
    expect(Buffer.byteLength(text)).toBeGreaterThan(4_096 - 8);
  }
});

test('a message within that length is read as it is', () => {
  const message = 'é'.repeat(2_048);
  const item = { name: 'aws-us-west-2', status: { message } };

  expect(readDeployment('payments', item).message).toBe(message);
});
