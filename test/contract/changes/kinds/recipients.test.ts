import { beforeEach, expect, test } from 'vitest';
import { startKinds, type Harness } from './kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const ADD = { kind: 'recipient.add', email: 'books@acme.example', enabled: false } as const;
const ARCHIVE = {
  recipientId: 'eeeeeeee-0000-4000-a000-000000000002',
  email: 'archive@acme.example',
};
const EXISTING = [
  { kind: 'recipient.enable', ...ARCHIVE },
  { kind: 'recipient.disable', ...ARCHIVE },
  { kind: 'recipient.delete', ...ARCHIVE },
] as const;

test('a recipient is added, enabled, disabled and deleted, each by one call', async () => {
  for (const input of [ADD, ...EXISTING]) {
    const order = harness.order(input);
    const { plan } = await order.look();

    await order.send();

    expect((await order.look()).now).toEqual(plan.after);
  }

  expect(await harness.writes()).toMatchObject([
    { method: 'POST' },
    { method: 'PATCH', body: { enabled: true } },
    { method: 'PATCH', body: { enabled: false } },
    { method: 'DELETE' },
  ]);
});

test('an address that is taken, or a recipient that is gone, is refused as the plan says', async () => {
  const gone = { recipientId: 'absent', email: 'no.one@acme.example' };
  const taken = harness.order({ ...ADD, email: 'Finance@acme.example' });

  expect((await taken.look()).conflict?.sentence).toContain('a recipient already, and enabled:');
  expect((await taken.refusal())?.sentence).toContain('a recipient already: /billing recipients');

  for (const input of EXISTING.map((one) => ({ ...one, ...gone }))) {
    const order = harness.order(input);

    expect((await order.look()).conflict).toMatchObject({ ...(await order.refusal()) });
  }
});

test('a call without an answer is settled by the list', async () => {
  for (const input of [ADD, ...EXISTING]) {
    expect(await harness.order(input).settled()).toEqual({ kind: 'done' });
  }
});
