import { beforeEach, expect, test } from 'vitest';
import { spoken } from '../../../support/answer.ts';
import { startInvoices } from './harness.ts';

let harness: Awaited<ReturnType<typeof startInvoices>>;

beforeEach(async () => {
  harness = await startInvoices();
});

test('the pages of a list are of the same months, also in another month', async () => {
  const first = await harness.type('list');
  await harness.standing.advance(40 * 86_400);

  const again = await harness.turn(first, 1);

  expect(spoken(first)).toContain('November 2025 to October 2026');
  expect(spoken(again)).toContain('November 2025 to October 2026');
});

test('whether an invoice is paid is read anew before anyone pays', async () => {
  const fresh: unknown[] = [];
  const watched = await startInvoices({
    billing: () => ({
      ...harness.client,
      getInvoice: (id, options) => {
        fresh.push(options?.fresh);
        return harness.client.getInvoice(id, options);
      },
    }),
  });

  await watched.type('show 10');
  await watched.type('pay 10');

  expect(fresh).toEqual([false, true]);
});

test('a row of the list opens only with a role that may see invoices', async () => {
  const list = await harness.type('list');
  harness.person.roles = ['org_creator'];

  await expect(harness.step(list, '12')).rejects.toThrow('not for you');
});

test.each([
  ['list', 'billing'],
  ['show 1', 'billing'],
  ['pending', 'billing'],
  ['deliveries', 'billing_admin'],
])('"%s" is shared after a question, with members who have the role', async (text, needs) => {
  expect(await harness.type(text)).toMatchObject({
    shareable: { question: 'It shows billing data to everyone in this channel.' },
    needs,
  });
});
