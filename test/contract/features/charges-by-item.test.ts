import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { startCharges } from './charges-support.ts';

const amount = (text = ''): BigNumber => new BigNumber(text.replace(/[$,]/g, ''));
const totalOf = (text: string): string =>
  /(?:^|· )(?<total>\$[\d,]+\.\d\d)/m.exec(text)?.groups?.['total'] ?? '';

describe('charges by chargeable item', () => {
  it('have the names of the catalogue, and are what they are by org', async () => {
    const { ask, client } = await startCharges();
    const { value } = await client.charges.chargeableItems();

    const byItem = await ask('2026-09 by item');
    const byOrg = await ask('2026-09');

    const [titles, ...rows] = byItem.rows;
    expect(titles?.[0]).toBe('Item');
    expect(rows.length).toBeGreaterThan(3);
    const known = ['(none)', ...value.items.map(({ name }) => name)];
    for (const [name] of rows) expect(known).toContain(name);
    expect(totalOf(byItem.said)).toBe(totalOf(byOrg.said));
    expect(byItem.said).toMatch(/^Charges by item · September 2026/);
    // The span before is divided among items, too.
    expect(rows.map((row) => row[titles!.indexOf('Change')])).not.toContain('new');
  });

  it('of one item are what "item" filters, in each org', async () => {
    const { ask } = await startCharges();

    const all = await ask('2026-09 by item,org');
    const name = all.rows[1]?.[0] ?? '';
    const filtered = await ask(`2026-09 item "${name}"`);

    const byOrg = all.rows.filter(([item]) => item === name);
    expect(byOrg.length).toBeGreaterThan(0);
    for (const [, charge, , , org] of byOrg) {
      expect(filtered.rows.find(([one]) => one === org)?.[1]).toBe(charge);
    }
  });

  it('are in the file with their item, to the cent', async () => {
    const { ask, press, files } = await startCharges();
    const answer = await ask('2026-09 by item step day');

    await press(answer, 'CSV');

    const rows = parse<Record<string, string>>(Buffer.from(files[0]?.content as Uint8Array), {
      columns: true,
    });
    const sum = BigNumber.sum(...rows.map((row) => row['total'] ?? 0));
    expect(new Set(rows.map((row) => row['item'])).size).toBeGreaterThan(3);
    expect(sum.toFormat(2)).toBe(amount(totalOf(answer.said)).toFormat(2));
  });

  it('have the tiers of their item', async () => {
    const { ask, press } = await startCharges();

    const tiers = await press(await ask('2026-09 by item'), 'Tiers');

    const item = (await ask('2026-09 by item')).rows[1]?.[0] ?? '';
    expect(tiers.text).toContain(item);
    expect(tiers.rows.length).toBeGreaterThan(1);
  });
});
