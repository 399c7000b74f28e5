import { parseQuery } from '../../figures/query.ts';
import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/words.ts';

/** Which invoice is meant: all digits are its number, anything else its id (design section 3). */
export type InvoiceRef = { readonly number: number } | { readonly id: string };

/** `/invoices …` as read (design section 3). */
export type InvoicesCommand =
  /** The range as words in their one proper spelling; undefined: 12 months. */
  | { kind: 'list'; range: string | undefined }
  | { kind: 'pending'; surcharges: boolean }
  | { kind: 'show' | 'pdf' | 'pay'; ref: InvoiceRef }
  | { kind: 'deliveries'; ref: InvoiceRef | undefined };

const SUBCOMMANDS = ['list', 'pending', 'show', 'pdf', 'pay', 'deliveries'] as const;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads the words after `/invoices`. `list` may be left out before a range.
 * @throws Unreadable with the nearest match
 */
export function parseInvoices(words: readonly Word[]): InvoicesCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'list', range: undefined };
  const kind = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  switch (kind) {
    case 'list':
      return { kind, range: rest.length === 0 ? undefined : readRange(rest) };
    case 'pending':
      return { kind, surcharges: readSurcharges(rest) };
    case 'show':
    case 'pdf':
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
    throw new Unreadable(
      `${quote(text)} alone does not say what to do with that invoice.`,
      `/invoices show ${bare}`,
    );
  }
  if (text.toLowerCase() === 'surcharges') {
    throw new Unreadable('Surcharges are part of what is pending.', '/invoices pending surcharges');
  }
  const range = rangeIn(words);
  if (range !== undefined) return { kind: 'list', range };
  const meant = first.quoted ? undefined : nearestSubcommand(text);
  throw new Unreadable(
    `${quote(text)} is nothing that /invoices knows.`,
    meant && ['/invoices', meant, ...words.slice(1).map((word) => word.text)].join(' '),
  );
}

function nearestSubcommand(text: string): string | undefined {
  const meant = nearest(text, [...SUBCOMMANDS, 'delivery']);
  return meant === 'delivery' ? 'deliveries' : meant;
}

/** The words as a range; undefined when they are none. */
function rangeIn(words: readonly Word[]): string | undefined {
  try {
    return readRange(words);
  } catch {
    return undefined;
  }
}

/** @throws Unreadable */
function readRange(words: readonly Word[]): string {
  const { range, by, of, where, orgs, step } = parseQuery(words, { command: '/invoices list' });
  const isMore = by ?? step ?? [...of, ...orgs, ...Object.keys(where)][0];
  if (isMore === undefined) return range;
  throw new Unreadable(
    'A list of invoices takes a range only: what they are made of shows /charges.',
    `/invoices list ${range}`,
  );
}

/** @throws Unreadable */
function readSurcharges([word, ...more]: readonly Word[]): boolean {
  if (word === undefined) return false;
  if (word.text.toLowerCase() === 'surcharges' && more.length === 0) return true;
  const unknown = word.text.toLowerCase() === 'surcharges' ? more[0]?.text : word.text;
  throw new Unreadable(
    `${quote(unknown ?? '')} is not known here: after "pending" there is only "surcharges".`,
    '/invoices pending surcharges',
  );
}

/** @throws Unreadable */
function readRef(
  kind: 'show' | 'pdf' | 'pay' | 'deliveries',
  [word, ...more]: readonly Word[],
): InvoiceRef {
  const text = word?.text.replace(/^#(?=\d+$)/, '') ?? '';
  if (text === '') throw new Unreadable('Name the invoice: its number, or its id.');
  if (more.length > 0) {
    throw new Unreadable('One invoice at a time, please.', `/invoices ${kind} ${text}`);
  }
  if (text.toLowerCase() === 'pending') {
    throw new Unreadable('What is pending has no number yet.', '/invoices pending');
  }
  if (/^\d+\.$/.test(text)) {
    throw new Unreadable(
      `${quote(text)} is no number of an invoice.`,
      `/invoices ${kind} ${text.slice(0, -1)}`,
    );
  }
  if (!/^\d+$/.test(text)) return { id: text };
  const number = Number(text);
  if (Number.isSafeInteger(number)) return { number };
  throw new Unreadable(`${quote(text)} is too large for the number of an invoice.`);
}

/** What was typed, as part of a sentence. */
function quote(text: string): string {
  return `"${truncate(text, 60)}"`;
}
