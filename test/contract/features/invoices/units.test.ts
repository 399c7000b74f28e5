import { expect, test } from 'vitest';
import type { LineItem } from '../../../../src/platform/billing/invoices.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { rowsOf, spoken } from '../../../support/answer.ts';
import { startInvoices } from './harness.ts';

/** `/invoices` of a platform whose lines name their item without its unit. `error`: the items fail. */
async function startWithoutUnits(error?: Error) {
  const { client } = await startInvoices();
  const asked: string[] = [];
  const chargeableItems = async () => {
    asked.push('items');
    if (error !== undefined) throw error;
    return client.charges.chargeableItems();
  };
  const bare = (line: LineItem) => {
    return { ...line, description: line.description.replace(/ \([^()]*\)/, '') };
  };
  const getInvoice = async (id: string) => {
    const { value, readAt } = await client.getInvoice(id);
    const periods = value.periods.map((period) => ({ ...period, items: period.items.map(bare) }));
    return { value: { ...value, periods }, readAt };
  };
  const charges = { ...client.charges, chargeableItems };
  const harness = await startInvoices({ billing: () => ({ ...client, charges, getInvoice }) });
  return { ...harness, asked };
}

test('the unit of a line that omits it is the one of its item', async () => {
  const reported = await startInvoices();
  const bare = await startWithoutUnits();

  expect(rowsOf(await bare.type('show 12'))).toEqual(rowsOf(await reported.type('show 12')));
  expect(bare.asked).toEqual(['items']);
});

test('without the items a quantity is the raw number', async () => {
  const bare = await startWithoutUnits(new PlatformError('timeout', 'no answer'));

  const rows = rowsOf(await bare.type('show 12'));

  expect(rows.find(([, item]) => item === 'cpu')?.[3]).toMatch(/^[\d,.]+$/);
});

test('a defect of ours is not one of the platform', async () => {
  const broken = await startWithoutUnits(new TypeError('oops'));

  await expect(broken.type('show 12')).rejects.toThrow('oops');
});

test('the items are not asked for where every line says its unit', async () => {
  const { client } = await startInvoices();
  const chargeableItems = () => Promise.reject(new TypeError('not expected'));
  const charges = { ...client.charges, chargeableItems };
  const harness = await startInvoices({ billing: () => ({ ...client, charges }) });

  expect(spoken(await harness.type('show 12'))).toContain('Invoice 12');
});
