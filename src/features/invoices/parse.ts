import { grammarOf } from '../../grammar/grammar.ts';
import { coded, unknownWord } from '../../grammar/typed.ts';
import { UsageError } from '../../lib/errors.ts';
import { type Word } from '../../lib/words.ts';
import {
  keywordAt,
  rangeAt,
  unreadable,
  withoutSingleQuotes,
  type Cursor,
} from '../../reporting/query-words.ts';
import { readRange as readRangeWords } from '../../reporting/range-words.ts';
import { suggest } from '../../reporting/query.ts';

/** All digits are a number, anything else is an id (design section 3). */
export type InvoiceRef = { readonly number: number } | { readonly id: string };

/** `/invoices …` (design section 3). */
export type InvoicesCommand =
  /** Normalized words of the range; undefined: 12 months. */
  | { kind: 'list'; range: string | undefined }
  | { kind: 'pending'; surcharges: boolean }
  | { kind: 'show' | 'pdf' | 'csv' | 'pay'; ref: InvoiceRef }
  | { kind: 'deliveries'; ref: InvoiceRef | undefined };

const LIST = '/invoices list';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `list` may be omitted before a range. */
export const { help: INVOICES_HELP, parse: parseInvoices } = grammarOf<InvoicesCommand>()({
  command: '/invoices',
  hint: '[list RANGE] | pending [surcharges] | show N | pdf N | csv N | pay N | deliveries [N]',
  summary: 'What was billed, what is due, and what it is made of.',
  usages: [
    { words: '', to: () => ({ kind: 'list', range: undefined }) },
    {
      words: 'list [RANGE]',
      does: 'number, months, amount due and status; without a range, of 12 months',
      wish: 'bill invoice amount open owed due overdue unpaid pay',
      examples: ['/invoices', '/invoices list last 3 months'],
      to: ({ RANGE: range }) => ({ kind: 'list', range }),
    },
    {
      words: 'pending [surcharges]',
      does: 'what has accrued and is not billed yet; with surcharges: the current month in full',
      wish: 'next invoice month',
      to: (_, flags) => ({ kind: 'pending', surcharges: flags.has('surcharges') }),
    },
    {
      words: 'show N',
      does: 'periods, lines, credits, and the comparison with the charges',
      wish: 'invoice credit items',
      examples: ['/invoices show 12'],
      to: ({ N: ref }) => ({ kind: 'show', ref }),
    },
    {
      words: 'pdf N',
      does: 'the PDF, as a file in your messages with Purser',
      wish: 'download print invoice document',
      to: ({ N: ref }) => ({ kind: 'pdf', ref }),
    },
    {
      words: 'csv N',
      does: 'all lines and credits, as a file likewise',
      wish: 'download invoice spreadsheet export',
      to: ({ N: ref }) => ({ kind: 'csv', ref }),
    },
    {
      words: 'pay N',
      does: 'the payment pages',
      wish: 'invoice payment card due',
      to: ({ N: ref }) => ({ kind: 'pay', ref }),
    },
    {
      words: 'deliveries [N]',
      does: 'the e-mails with invoices, and what failed',
      wish: 'invoice sent mail recipients',
      to: ({ N: ref }) => ({ kind: 'deliveries', ref }),
    },
  ],
  readers: { N: readRef, RANGE: (_: string, words: readonly Word[]) => readRange(words) },
  long: 'RANGE',
  tidy,
  notes: [
    'N: the number of an invoice, or its id',
    'RANGE: this year, last year, last 3 months, 2026-10 or 2026-01-01..2026-06-30',
  ],
  otherwise(words) {
    const { text } = words[0] ?? { text: '' };
    const bare = text.replace(/^#/, '').replace(/\.$/, '');
    if (/^\d+$/.test(bare) || UUID.test(text)) {
      throw new UsageError(
        `${coded(text)} needs a word for what to do with that invoice.`,
        `/invoices ${words[1]?.text ?? 'show'} ${bare}`,
      );
    }
    if (text.toLowerCase() === 'surcharges') {
      throw unknownWord(text, '/invoices pending surcharges');
    }
    const isRange = rangeAt({ words, command: LIST, at: 0 }) !== undefined;
    return isRange ? { kind: 'list', range: readRange(words) } : undefined;
  },
});

/** Messages write "Invoice 12", so the word may precede the number. @throws UsageError */
function tidy(words: readonly Word[]): readonly Word[] {
  return withoutSingleQuotes('/invoices')(words).filter(({ text }) => !/^invoice$/i.test(text));
}

/** @throws UsageError */
function readRange(words: readonly Word[]): string {
  const cursor: Cursor = { words, command: LIST, at: 0 };
  const reading = rangeAt(cursor);
  if (reading !== undefined && 'problem' in reading) {
    const { problem, fix, used: count } = reading;
    throw unreadable(cursor, problem, fix === undefined ? undefined : { at: 0, count, words: fix });
  }
  if (reading?.used === words.length) return reading.words;
  if (reading === undefined && keywordAt(cursor) === undefined) throw noRange(cursor);

  const found = words.map((_, at) => rangeAt({ ...cursor, at }));
  const range = found.find((one) => one !== undefined && 'words' in one);
  throw new UsageError(
    'A list of invoices takes a range only: /charges shows what they are made of.',
    range && 'words' in range ? `${LIST} ${range.words}` : LIST,
  );
}

function noRange(cursor: Cursor): UsageError {
  const { suggestion = '' } = suggest(cursor, undefined);
  const meant = suggestion.slice(LIST.length + 1).split(' ');
  const isRange = readRangeWords(meant)?.used === meant.length;
  return new UsageError(
    `${coded(cursor.words[0]?.text ?? '')} is not a range: write for example last month, last 6 months or 2026-10.`,
    isRange ? suggestion : undefined,
  );
}

/** @throws UsageError */
function readRef(typed: string): InvoiceRef {
  const text = typed.replace(/^(?:invoice\s*)?#?(?=\d+$)/i, '');
  if (text.toLowerCase() === 'pending') {
    throw new UsageError('An invoice cannot be shown before it is billed.', '/invoices pending');
  }
  if (/^\d+\.$/.test(text)) {
    throw new UsageError(`${coded(text)} is not an invoice number.`, text.slice(0, -1));
  }
  if (!/^\d+$/.test(text)) return { id: text };
  const number = Number(text);
  if (Number.isSafeInteger(number)) return { number };
  throw new UsageError(`${coded(text)} is too large for an invoice number.`).withExample('12');
}
