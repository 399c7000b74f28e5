import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';

import { parseInvoices } from '../../../../src/features/invoices/parse.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { wordsIn } from '../../../support/answer.ts';
import { hostile } from '../../slack/hostile.ts';

const ID = '5c65e044-7098-55d0-85e2-2a6737d6b369';

const parse = (text: string) => parseInvoices(wordsIn(text));

/** The message to the person: the sentence, and the suggestion. */
function problemIn(text: string): { message: string; suggestion: string | undefined } {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`"${text}" was read`);
}

/** The kind of the command, or the sentence why not; any other error is a defect. */
function read(text: string): string {
  try {
    return parse(text).kind;
  } catch (error) {
    if (error instanceof UsageError) return `UsageError: ${error.message}`;
    throw error;
  }
}

it.each([
  ['', { kind: 'list', range: undefined }],
  ['list', { kind: 'list', range: undefined }],
  ['LIST last 3 months', { kind: 'list', range: 'last 3 months' }],
  ['list "Last Month"', { kind: 'list', range: 'last month' }],
  ['list 2026-10', { kind: 'list', range: '2026-10' }],
  ['last month', { kind: 'list', range: 'last month' }],
  ['pending', { kind: 'pending', surcharges: false }],
  ['Pending Surcharges', { kind: 'pending', surcharges: true }],
  ['show 12', { kind: 'show', ref: { number: 12 } }],
  ['show #12', { kind: 'show', ref: { number: 12 } }],
  ['pay Invoice 12', { kind: 'pay', ref: { number: 12 } }],
  ['pay "Invoice 12"', { kind: 'pay', ref: { number: 12 } }],
  ['show 007', { kind: 'show', ref: { number: 7 } }],
  [`pdf ${ID}`, { kind: 'pdf', ref: { id: ID } }],
  ['csv 12', { kind: 'csv', ref: { number: 12 } }],
  ['pay in_1Nq', { kind: 'pay', ref: { id: 'in_1Nq' } }],
  ['deliveries', { kind: 'deliveries', ref: undefined }],
  ['deliveries 3', { kind: 'deliveries', ref: { number: 3 } }],
])('/invoices %s', (text, command) => {
  expect(parse(text)).toEqual(command);
});

describe('mistyped words', () => {
  it.each([
    ['12', '/invoices show 12'],
    ['#12', '/invoices show 12'],
    ['12.', '/invoices show 12'],
    ['invoice 12', '/invoices show 12'],
    ['12 pfd', '/invoices pdf 12'],
    [ID, `/invoices show ${ID}`],
    ['shwo 12', '/invoices show 12'],
    ['lsit 2026-10', '/invoices list 2026-10'],
    ['delivries', '/invoices deliveries'],
    ['delivery 3', '/invoices deliveries 3'],
    ['view 3', '/invoices show 3'],
    ['download 3', '/invoices pdf 3'],
    ['deliverys', '/invoices deliveries'],
    ['surcharges', '/invoices pending surcharges'],
    ['pending surcharge', '/invoices pending surcharges'],
    ['pending surcharges now', '/invoices pending surcharges'],
    ['show pending', '/invoices pending'],
    ['show 12.', '/invoices show 12'],
    ['pdf 12 13', '/invoices pdf 12'],
    ['list last month by org', '/invoices list last month'],
    ['list lst month', '/invoices list last month'],
    ['list 2026', '/invoices list 2026-01..2026-12'],
    ['list last mnth', '/invoices list last month'],
    ['last mnth', '/invoices list last month'],
    ['last month by org', '/invoices list last month'],
    ['list step day', '/invoices list'],
    ['list by org 2026-10', '/invoices list 2026-10'],
    ["list 'last month'", '/invoices list last month'],
    ['show ‘12’', '/invoices show 12'],
  ])('%s: did you mean %s?', (text, suggestion) => {
    expect(problemIn(text).suggestion).toBe(suggestion);
  });

  it('suggests no more than a list of invoices takes', () => {
    expect(problemIn('list foo').suggestion).toBeUndefined();
    expect(problemIn('list gvc').suggestion).toBeUndefined();
  });

  it('never breaks, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'list ', 'pending ', 'show ', 'pdf ', 'deliveries '),
        hostile,
        (start, noise) => {
          expect(read(start + noise.slice(0, 1_000))).toMatch(/^(?:[a-z]+|UsageError: .{1,400})$/s);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
