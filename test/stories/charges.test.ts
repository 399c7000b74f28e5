import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { hasBrowser } from '../support/browser.ts';
import { choose, groupBy, rowsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';
import { lastMonth, monthly, pricedRows } from '../support/expected-ledger.ts';

describe.runIf(hasBrowser())('charges in a browser', () => {
  let world: World;
  let ada: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    ada = await world.visit('U0ADA');
  });

  afterAll(() => world?.close());

  const answers = (): Promise<number> => ada.page.locator('[data-kind="ephemeral"]').count();
  const headOf = (rows: readonly string[][]): string | undefined => rows[0]?.[0];

  /** An answer that is edited until it shows something. */
  async function untilIt(answer: Locator, shows: string): Promise<string[][]> {
    await answer.getByText(shows).first().waitFor();
    return rowsOf(answer);
  }

  it('is of this month by org when nothing else is asked', async () => {
    const plain = await ada.ask('/charges');
    const typed = await ada.ask('/charges this month by org');

    expect(await plain.innerText()).toContain('Only visible to you');
    expect(await plain.innerText()).toMatch(
      monthly(
        /Charges by org · [A-Z]\w+ \d{4} \(1(?:-\d+)?, UTC\) · \$[\d,.]+ so far/,
        /Charges by org · [A-Z]\w+ \d{4} \(1(?:-2)?, UTC\)(?: · \$[\d,.]+ so far|\nNo charges found)/,
      ),
    );
    expect(await rowsOf(plain)).toEqual(await rowsOf(typed));
  });

  it('gives the figures of the books, to the cent', async () => {
    const answer = await ada.ask('/charges last month');

    const books = await pricedRows(world, lastMonth(), 'org');
    const rows = (await rowsOf(answer)).map(([org, charge]) => [org, charge]);
    expect(rows.slice(1)).toEqual(books.map(({ name, total }) => [name, dollars(total)]));
    const whole = books.reduce((sum, { total }) => sum + total, 0);
    expect(await answer.innerText()).toContain(` · ${dollars(whole)}, `);
    expect(await answer.innerText()).toContain(lastMonth().words);
  });

  it('has all rows in its table, and groups them by something else in the same message', async () => {
    const answer = await ada.ask('/charges last month by workload step day');
    const before = await answers();
    expect(await answer.innerText()).toContain('Charges by workload per day');
    const first = await untilIt(answer, 'Page 1 of');
    // The head of the buttons has the same name.
    await answer.getByRole('button', { name: 'Next', exact: true }).last().click();
    const second = await untilIt(answer, 'Page 2 of');
    expect(first.map(([name]) => name)).not.toContain(second[1]?.[0]);

    for (const tag of ['Org', 'GVC', 'Metric', 'Workload']) {
      await groupBy(answer, `By ${tag}`);
      const grouped = await untilIt(answer, `Charges by ${tag.toLowerCase()} per`);
      expect(headOf(grouped)).toBe(tag);
    }
    expect(await answers()).toBe(before);
  });

  it('opens a row by the next finer grouping, in a message of its own', async () => {
    const answer = await ada.ask('/charges last month');
    const opened = await ada.newAnswer(() =>
      answer.getByRole('button', { name: 'Open acme' }).click(),
    );

    expect(await opened.innerText()).toContain('Charges by gvc in org acme');
    expect(headOf(await rowsOf(opened))).toBe('GVC');
  });

  it('shows the tiers of a line, of another one, and the totals again', async () => {
    const answer = await ada.ask('/charges last month by metric');
    const totals = await rowsOf(answer);
    const [, [first = '', charge = ''] = [], [second = ''] = []] = totals;

    await choose(answer, 'Tiers');
    const tiers = await untilIt(answer, `Tiers of ${first} · ${charge}`);
    expect(tiers[0]?.slice(0, 5)).toEqual(['Item', 'Charge', 'Tier', 'Usage', 'Rate']);
    expect(sumOf(tiers.map((row) => row[1]))).toBe(centsIn(charge));

    await answer.getByRole('combobox').click();
    await ada.page.getByRole('option', { name: `· ${second}` }).click();
    await untilIt(answer, `Tiers of ${second}`);

    await choose(answer, 'Totals');
    await answer.getByRole('columnheader', { name: 'Share' }).waitFor();
    expect(await rowsOf(answer)).toEqual(totals);
  });

  it('lists the chargeable items and the values of a tag, sorted', async () => {
    const items = await ada.ask('/charges items');
    const tags = await ada.ask('/charges tags workload last month org acme');

    expect(await items.innerText()).toContain('18 chargeable items');
    const itemText = await items.innerText();
    const places = ['byok-cpu', 'egress', 'logs-storage', 'volume-set-cpu'].map((name) =>
      itemText.indexOf(name),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const values = (await rowsOf(tags)).map(([value]) => value);
    expect(values.slice(1, 4)).toEqual(['(none) (usage that lacks the tag)', 'cart', 'catalog']);
    expect(values).not.toContain('postgres');
  });

  it('suggests a query for a mistyped one', async () => {
    const mistyped = await ada.ask('/charges last mnth');
    const help = await ada.ask('/charges help');

    expect(await mistyped.innerText()).toContain('Did you mean /charges last month?');
    expect(await help.innerText()).toContain('/charges last month by workload');
  });
});

/** By other means than the bot's. */
function dollars(amount: number): string {
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

function centsIn(text: string | undefined): number {
  return Math.round(Number((text ?? '').replace(/[$,]/g, '')) * 100) || 0;
}

function sumOf(texts: readonly (string | undefined)[]): number {
  return texts.reduce((sum, text) => sum + centsIn(text), 0);
}
