import { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';

import { deliveriesAnswer } from '../../../../src/features/invoices/deliveries-view.ts';
import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { listAnswer } from '../../../../src/features/invoices/list-view.ts';
import { payAnswer, pendingAnswer } from '../../../../src/features/invoices/due-view.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { hostile } from '../../slack/hostile.ts';
import { rowsOf } from '../../../support/answer.ts';
import { invoice, line, OCTOBER, period, shared } from './scenario.ts';

const RANGE = { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime };
const impossible = { impossible: 'the platform does not answer.' };

/** Every answer there is, with a foreign text wherever one can be, `count` times each. */
function answersWith(text: string, count: number): Answer[] {
  const many = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  const items = many((i) =>
    line({
      description: `${i} ${text}`,
      org: i % 3 ? `${i}${text}` : '',
      charge: new BigNumber(i),
    }),
  );
  const one = invoice({
    id: `id ${text}`,
    number: undefined,
    status: text,
    orgNames: many(() => text),
    periods: many((i) => period({ status: text, items: i === 0 ? items : [line(), line()] })),
    credits: many(() => line({ description: text, charge: new BigNumber(-1) })),
  });
  const links = many((i) => ({ id: `${i}`, externalUrl: i % 2 ? `https://a.example/${i}` : text }));
  const deliveries = many(() => ({
    id: text,
    recipientEmail: text,
    status: text,
    attemptCount: count,
    errorMessages: [text, text],
    invoiceId: text,
  }));
  const common = { ...shared, page: 0, skipped: count };
  const numbers = new Map<string, number>();
  return [
    listAnswer({ ...common, invoices: many(() => one), range: RANGE }),
    invoiceAnswer({ ...common, invoice: one, reconciliation: impossible }),
    pendingAnswer({ ...common, pending: [one, one], surcharges: true }),
    payAnswer({ ...common, invoice: one, links: { items: links, skipped: count } }),
    deliveriesAnswer({ ...common, deliveries, of: text, numbers }),
  ];
}

function sizesOf(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'text' in value && typeof value.text === 'string' ? [value.text.length] : [];
  return [...own, ...Object.values(value).flatMap(sizesOf)];
}

/** What Slack would refuse of an answer, or read as more than text. */
function problemsOf({ text, blocks, controls = [], buttons = [] }: Answer): string[] {
  const tables = blocks.flatMap((block) => (block.type === 'table' ? [block.rows] : []));
  const cells = sumOf(tables.flat(2).flatMap(sizesOf));
  const sizes = sizesOf(blocks);
  const said = JSON.stringify([text, blocks.filter(({ type }) => type !== 'table')]);
  const problems = {
    'the top text is too long': text.length > LIMITS.messageText,
    'too many blocks': blocks.length + controls.length + 1 > LIMITS.messageBlocks,
    'two tables': tables.length > 1,
    'too many rows': tables.flat().length > LIMITS.tableRows,
    'too much in the table': cells > LIMITS.tableCharacters,
    'a text is too long': Math.max(...sizes) > LIMITS.sectionText,
    'too much in all': sumOf(sizes) > 13_000,
    'an empty text': sizes.includes(0),
    'a label is too long': Math.max(0, ...[controls, buttons].flatMap(sizesOf)) > 150,
    'a mention or a link': /[<>]/.test(said),
    'turned writing': /[\u202A-\u202E\u2066-\u2069]/.test(JSON.stringify(blocks)),
  };
  return Object.keys(problems).filter((name) => problems[name as keyof typeof problems]);
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('whatever the platform says', () => {
  it('no text of it speaks for the bot, and nothing is too long for Slack', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 3 }), (text, count) => {
        expect(answersWith(text, count).flatMap(problemsOf)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it.each(['w'.repeat(200), '&'.repeat(200), '<!channel>'.repeat(20), '😀'.repeat(100)])(
    'hundreds of everything fit, named %s',
    (text) => {
      expect(answersWith(text, 400).flatMap(problemsOf)).toEqual([]);
    },
  );

  it('ten thousand lines are one table of pages', () => {
    const items = Array.from({ length: 10_000 }, (_, index) =>
      line({ org: `org-${index}`, charge: new BigNumber(index) }),
    );

    const answer = invoiceAnswer({
      ...shared,
      invoice: invoice({ periods: [period({ items })] }),
      reconciliation: impossible,
      page: 666,
    });

    expect(problemsOf(answer)).toEqual([]);
    expect(rowsOf(answer).at(-1)).toEqual([
      'org-0',
      'cpu',
      '$0.00',
      '2 core-hours',
      '$0.036 per core-hour',
    ]);
    expect(JSON.stringify(answer.blocks)).toContain('Page 667 of 667');
  });
});
