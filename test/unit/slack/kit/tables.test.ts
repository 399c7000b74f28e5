import type { DataTableBlock, KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { button } from '../../../../src/slack/kit/blocks.ts';
import { chart, plainChart } from '../../../../src/slack/kit/charts.ts';
import {
  dataTable,
  Numeric,
  plainTable,
  rowPages,
  type DataRow,
} from '../../../../src/slack/kit/tables.ts';
import * as fc from '../../../support/fast-check.ts';

const checker = createBlockChecker();
const problemsOf = (...blocks: KnownBlock[]) => checker.blocks(blocks, 'message');
const open = (value: string) => button({ action: 'open', text: 'Open', value });

const row = (name: string, amount: number): DataRow => ({
  cells: [name, new Numeric(amount, `$${amount.toFixed(2)}`)],
  button: open(name),
});
const tableOf = (rows: readonly DataRow[]) =>
  dataTable({ caption: 'Charges by workload', columns: ['workload', 'charge'], rows });

const anyText = fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom('', ' ', '😀'.repeat(90)));
const anyRow = fc.record({
  cells: fc.tuple(
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new Numeric(value, '$1.00')),
  ),
  button: fc.option(
    anyText.map((name) => open(`id ${name}`)),
    { nil: undefined },
  ),
});

describe('a data table', () => {
  it('names its columns with capitals, sorts by numbers, and has the next step of each row', () => {
    const [heads, first, second] = tableOf([row('shop/api', 12.5), row('shop/web', 3)]).rows;

    expect(heads).toMatchObject([{ text: 'Workload' }, { text: 'Charge' }, { text: 'Next' }]);
    expect(first).toMatchObject([
      { type: 'raw_text', text: 'shop/api' },
      { type: 'raw_number', value: 12.5, text: '$12.50' },
      {
        type: 'action_cell',
        element: { action_id: 'open', value: 'shop/api', accessibility_label: 'Open: shop/api' },
      },
    ]);
    expect(second?.[2]).toMatchObject({
      element: { action_id: 'open#2', accessibility_label: 'Open: shop/web' },
    });
  });

  it('shows 20 rows at a time, and holds 200', () => {
    const rows = Array.from({ length: 250 }, (_, at) => row(`shop/w${at}`, at));
    const block = tableOf(rows);

    expect([block.page_size, block.rows.length, rowPages(rows)[0]?.length]).toEqual([20, 201, 200]);
    expect(problemsOf(block)).toEqual([]);
  });

  it('holds as many rows as its characters allow, with their names cut', () => {
    const rows = Array.from({ length: 200 }, (_, at) => row(`${at}${'x'.repeat(300)}`, at));
    expect(rowPages(rows)).toHaveLength(1);
    expect(problemsOf(tableOf(rows))).toEqual([]);
  });

  it('is one that Slack takes, whatever is in it, also as a plain one', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 220 }), (rows) => {
        const block = tableOf(rows);
        expect(problemsOf(block)).toEqual([]);
        expect(problemsOf(...plainTable(block))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a plain table in its place', () => {
  it('has the cells, and the steps of the first rows below it with their names', () => {
    const rows = Array.from({ length: 120 }, (_, at) => row(`shop/w${at}`, at));
    const [plain, more, steps] = plainTable(tableOf(rows));

    expect(plain).toMatchObject({ type: 'table', column_settings: [{}, { align: 'right' }] });
    expect((plain as unknown as DataTableBlock).rows[1]).toMatchObject([
      { text: 'shop/w0' },
      { text: '$0.00' },
    ]);
    expect(JSON.stringify(more)).toContain('… and 21 more rows');
    expect(steps).toMatchObject({
      elements: ['w0', 'w1', 'w2', 'w3', 'w4'].map((name) => ({
        text: { text: `Open shop/${name}` },
        value: `shop/${name}`,
      })),
    });
  });

  it('has no column and no row of buttons where nothing was there', () => {
    const blocks = plainTable(tableOf([{ cells: ['shop/api', 'ready'] }]));
    expect(blocks.map(({ type }) => type)).toEqual(['table']);
    expect(blocks[0]).toMatchObject({ rows: [{ length: 2 }, { length: 2 }] });
  });
});

describe('a chart', () => {
  const points = ['1 Nov', '2 Nov'];
  const drawn = (names: readonly string[]) =>
    chart({
      title: 'Spend by workload, November 2026, so far and before',
      type: 'line',
      points,
      series: names.map((name, at) => ({ name, values: [at, at + 1] })),
      unit: 'USD',
    }) as unknown as { chart: { series: { name: string; data: { value: number }[] }[] } };

  it('has each point of each series', () => {
    expect(drawn(['acme']).chart.series).toEqual([
      { name: 'acme', data: points.map((label, value) => ({ label, value })) },
    ]);
  });

  it('has the largest series, and the others as one', () => {
    const { series } = drawn(Array.from({ length: 15 }, (_, at) => `w${at}`)).chart;
    expect(series.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 11 }, (_, at) => `w${at + 4}`),
      'Other',
    ]);
    expect(series.at(-1)?.data.map(({ value }) => value)).toEqual([6, 10]);
  });

  it('is one that Slack takes, whatever its names and its unit are', () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { minLength: 1, maxLength: 30 }),
        fc.array(anyText, { minLength: 1, maxLength: 30 }),
        anyText,
        (names, labels, words) => {
          const block = chart({
            title: words,
            type: 'bar',
            points: labels,
            series: names.map((name) => ({ name, values: labels.map((_, at) => at) })),
            unit: words,
          });
          expect(problemsOf(block)).toEqual([]);
          expect(problemsOf(plainChart(block))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is written in words where Slack takes no charts', () => {
    const text = JSON.stringify(plainChart(drawn(['acme']) as unknown as KnownBlock));
    expect(text).toContain('acme: 1 Nov 0, 2 Nov 1, highest 2 Nov 1');
    const ofOnePoint = chart({
      title: 'Spend',
      type: 'bar',
      points: ['1 Dec'],
      series: [{ name: 'acme', values: [6.07] }],
    });
    expect(JSON.stringify(plainChart(ofOnePoint))).toContain('acme: 1 Dec 6.07"');
  });
});
