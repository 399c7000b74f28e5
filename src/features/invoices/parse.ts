import { UsageError } from '../../lib/errors.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import {
  keywordAt,
  rangeAt,
  refuseSingleQuotes,
  unreadable,
  type Cursor,
} from '../../reporting/query-words.ts';
import { readRange as readRangeWords } from '../../reporting/range-words.ts';
import { suggest } from '../../reporting/query.ts';
import type { CommandHelp } from '../../slack/routing/routes.ts';

export const INVOICES_HELP: CommandHelp = {
  command: '/invoices',
  hint: '[list RANGE] | pending [surcharges] | show N | pdf N | csv N | pay N | deliveries [N]',
  summary: 'What was billed, what is due, and what it is made of.',
  usages: [
    {
      text: '/invoices list [RANGE]',
      does: 'number, months, amount due and status; without a range, of 12 months',
    },
    {
      text: '/invoices pending [surcharges]',
      does: 'what has accrued and is not billed yet; with surcharges: the current month in full',
    },
    {
      text: '/invoices show N',
      does: 'periods, lines, credits, and the comparison with the charges',
    },
    { text: '/invoices pdf N', does: 'the PDF, as a file in your messages with Purser' },
    { text: '/invoices csv N', does: 'all lines and credits, as a file likewise' },
    { text: '/invoices pay N', does: 'the payment pages' },
    { text: '/invoices deliveries [N]', does: 'the e-mails with invoices, and what failed' },
  ],
  notes: [
    'N: the number of an invoice, or its id',
    'RANGE: this year, last year, last 3 months, 2026-10 or 2026-01-01..2026-06-30',
  ],
  examples: ['/invoices', '/invoices list last 3 months', '/invoices show 12'],
};

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
const SUBCOMMANDS = ['list', 'pending', 'show', 'pdf', 'csv', 'pay', 'deliveries'] as const;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Parses the words after `/invoices`. `list` may be omitted before a range.
 * @throws UsageError with the nearest match
 */
export function parseInvoices(words: readonly Word[]): InvoicesCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'list', range: undefined };
  refuseSingleQuotes(words, '/invoices');
  const kind = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  switch (kind) {
    case 'list':
      return { kind, range: rest.length === 0 ? undefined : readRange(rest) };
    case 'pending':
      return { kind, surcharges: readSurcharges(rest) };
    case 'show':
    case 'pdf':
    case 'csv':
    case 'pay':
      return { kind, ref: readRef(kind, rest) };
    case 'deliveries':
      return { kind, ref: rest.length === 0 ? undefined : readRef(kind, rest) };
    case undefined:
      return withoutSubcommand(first, words);
  }
}

function withoutSubcommand(first: Word, words: readonly Word[]): InvoicesCommand {
  const { text } = first;
  const bare = text.replace(/^#/, '').replace(/\.$/, '');
  if (/^\d+$/.test(bare) || UUID.test(text)) {
    throw new UsageError(
      `${quote(text)} alone does not say what to do with that invoice.`,
      `/invoices show ${bare}`,
    );
  }
  if (text.toLowerCase() === 'surcharges') {
    throw new UsageError('Surcharges are part of what is pending.', '/invoices pending surcharges');
  }
  if (rangeAt({ words, command: LIST, at: 0 })) return { kind: 'list', range: readRange(words) };
  const meant = first.quoted ? undefined : nearestSubcommand(text);
  throw new UsageError(
    `${quote(text)} is no word of /invoices.`,
    meant && ['/invoices', meant, ...words.slice(1).map((word) => word.text)].join(' '),
  );
}

function nearestSubcommand(text: string): string | undefined {
  const meant = nearest(text, [...SUBCOMMANDS, 'delivery']);
  return meant === 'delivery' ? 'deliveries' : meant;
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
    `${quote(cursor.words[0]?.text ?? '')} is not a range: write for example last month, last 6 months or 2026-10.`,
    isRange ? suggestion : undefined,
  );
}

/** @throws UsageError */
function readSurcharges([word, ...more]: readonly Word[]): boolean {
  if (word === undefined) return false;
  if (word.text.toLowerCase() === 'surcharges' && more.length === 0) return true;
  const unknown = word.text.toLowerCase() === 'surcharges' ? more[0]?.text : word.text;
  throw new UsageError(
    `${quote(unknown ?? '')} is not known here: after "pending" there is only "surcharges".`,
    '/invoices pending surcharges',
  );
}

/** @throws UsageError */
function readRef(kind: InvoicesCommand['kind'], [word, ...more]: readonly Word[]): InvoiceRef {
  const text = word?.text.replace(/^#(?=\d+$)/, '') ?? '';
  if (text === '') {
    throw new UsageError('Name the invoice: its number, or its id.').withExample('12');
  }
  if (more.length > 0) {
    throw new UsageError('One invoice at a time, please.', `/invoices ${kind} ${text}`);
  }
  if (text.toLowerCase() === 'pending') {
    throw new UsageError('An invoice cannot be shown before it is billed.', '/invoices pending');
  }
  if (/^\d+\.$/.test(text)) {
    throw new UsageError(
      `${quote(text)} is not an invoice number.`,
      `/invoices ${kind} ${text.slice(0, -1)}`,
    );
  }
  if (!/^\d+$/.test(text)) return { id: text };
  const number = Number(text);
  if (Number.isSafeInteger(number)) return { number };
  throw new UsageError(`${quote(text)} is too large for an invoice number.`).withExample('12');
}

function quote(text: string): string {
  return `"${truncate(text, 60)}"`;
}
