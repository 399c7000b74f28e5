import { expect, test } from 'vitest';
import {
  everything,
  MEMORY,
  select,
  SHOP_CART,
  startApis,
  startInvoices,
  sumOf,
} from './spec-support.ts';

const CHANGES: [string, object][] = [
  ['rollout', {}],
  ['scale', { replicas: 50 }],
  ['scale', { replicas: 0 }],
  ['suspend', { suspend: true }],
  ['delete', {}],
];

test.each(CHANGES)(
  'what was used stays used, whatever happens then: %s %j',
  async (path, change) => {
    const { used, act, wait } = await startApis();
    const cart = { consumptionQueries: select({ ...MEMORY, gvc: 'shop', workload: 'cart' }) };
    const before = sumOf(await used(cart), 'value');

    await act(path, { ...SHOP_CART, ...change });
    await wait(3600);

    expect(sumOf(await used(cart), 'value')).toBe(before);
  },
);

test('a workload that is gone is on the invoices of its time, which add up', async () => {
  const { list, act, charges, catalogue } = await startInvoices();
  const [before] = await list();
  await act('delete', SHOP_CART);

  const [after] = await list();
  const consumptionQueries = everything(await catalogue());
  const charged = sumOf(await charges({ consumptionQueries }), 'total');

  expect(after).toEqual(before);
  expect(Math.round(Number(charged) * 100)).toBe(after?.totalCharge);
});

test('two runs are equal', async () => {
  const ask = async () => {
    const { charges, list } = await startInvoices();
    return { rows: await charges({ consumptionQueries: select(MEMORY) }), invoices: await list() };
  };

  expect(await ask()).toEqual(await ask());
});
