import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { bytesOf, choose, recordsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';

const SECONDS = 3_600;

type Row = Record<string, string>;

describe.runIf(hasBrowser())('usage and files, in a browser', () => {
  let world: World;
  let ada: Visitor;
  /** Her messages with the bot, in a second window. */
  let inbox: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    ada = await world.visit('U0ADA');
    inbox = await world.visit('U0ADA', 'app-messages');
  });

  afterAll(() => world?.close());

  /** The rows of a file that arrived with this comment. */
  async function csv(comment: string, name: string): Promise<Row[]> {
    const message = inbox.message(comment).last();
    await message.getByText(name).waitFor();
    return parse(await bytesOf(message, name), { columns: true });
  }

  it('shows quantities in units that people read, each metric and feature by itself', async () => {
    const answer = await ada.ask('/usage last month by gvc of cpu,memory,egress org acme');

    const units = Object.fromEntries(
      (await recordsOf(answer)).map(({ Metric: metric = '', Usage: usage }) => [
        metric,
        usage?.replace(/^[\d.,]+ /, ''),
      ]),
    );
    expect(units).toMatchObject({
      'cpu (workloads)': 'core-hours',
      'cpu (volume-sets)': 'core-hours',
      'memory (workloads)': 'GiB-hours',
      'memory (volume-sets)': 'GiB-hours',
      egress: expect.stringMatching(/^[GT]iB$/),
    });
  });

  it('sends the raw numbers as a file, which add up to the figures of the answer', async () => {
    const answer = await ada.ask('/usage last month by org of cpu org acme');
    const said = await ada.newAnswer(() => choose(answer, 'CSV'));

    expect(await said.innerText()).toMatch(
      /All \d+ rows are in usage-\d{4}-\d\d-by-org\.csv, in your messages/,
    );
    const rows = await csv('/usage last month by org of cpu org acme', '.csv');
    const seconds = rows
      .filter((row) => row['feature'] === 'workloads')
      .reduce((sum, row) => sum + Number(row['value']), 0);
    const shown = (await recordsOf(answer)).find(
      ({ Metric: metric }) => metric === 'cpu (workloads)',
    );
    const hours = (seconds / SECONDS).toLocaleString('en-US', { maximumFractionDigits: 1 });
    expect(shown?.['Usage']).toBe(`${hours} core-hours`);
  });

  it('sends all rows of charges, also those of other pages, to the last digit', async () => {
    const answer = await ada.ask('/charges last month by workload step day');
    await ada.newAnswer(() => choose(answer, 'CSV'));

    const rows = await csv('/charges last month by workload step day', '.csv');
    const sum = rows.reduce((total, row) => total + Number(row['total']), 0);
    expect(await answer.innerText()).toContain(
      sum.toLocaleString('en-US', { style: 'currency', currency: 'USD' }),
    );
    expect(new Set(rows.map((row) => row['workload'])).size).toBeGreaterThan(20);
    expect(rows.filter((row) => /e/i.test(row['total'] ?? ''))).toEqual([]);
  });

  it('draws the course in the answer, and has its values for those who cannot see it', async () => {
    const answer = await ada.ask('/charges last 7 days by gvc step day');

    const chart = answer.getByRole('img', { name: /^Charges per day by gvc\. \w+: / });
    await chart.waitFor();
    expect(await answer.innerText()).toMatch(/Highest day: \$[\d,.]+, \d+ \w+ \d{4}/);
  });

  it('lists the values of a tag', async () => {
    const answer = await ada.ask('/usage tags gvc last month');

    const text = await answer.innerText();
    expect(text).toContain('6 values of gvc');
    const values = (await recordsOf(answer)).map(({ GVC: gvc }) => gvc);
    expect(values).toEqual(['data', 'main', 'prod', 'shop', 'staging', 'tools']);
  });

  it('offers the earliest start when older days are no longer kept, and queries from it', async () => {
    const answer = await ada.ask('/usage last 15 months by org of gpu step week');
    const button = answer.getByRole('button', { name: /^From 1 \w+ \d{4}$/ });
    await button.waitFor();
    const day = (await button.innerText()).replace('From ', '');
    expect(await answer.innerText()).toContain(`only since ${day}`);

    await button.click();

    await answer
      .getByText(`· ${day.replace('1 ', '')} to `)
      .first()
      .waitFor();
    const [row] = await recordsOf(answer);
    expect(row).toMatchObject({ Org: 'acme', Usage: expect.stringMatching(/ GPU-hours$/) });
  });
});
