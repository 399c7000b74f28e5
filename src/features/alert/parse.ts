import { BigNumber } from 'bignumber.js';
import { typed } from '../../figures/query-cursor.ts';
import { refuseSingleQuotes } from '../../figures/single-quotes.ts';
import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/words.ts';

/** `/alert …` as read (design section 3). */
export type AlertCommand =
  | { readonly kind: 'show' | 'off' | 'delete' }
  /** A plain decimal number of whole units such as "1000.5"; undefined: the form asks for it. */
  | { readonly kind: 'set'; readonly amount: string | undefined };

const SUBCOMMANDS = ['set', 'off', 'delete'] as const;
/** Other words for them. */
const ALIKE: Readonly<Record<string, string>> = {
  on: 'set',
  create: 'set',
  change: 'set',
  disable: 'off',
  remove: 'delete',
};
/** More would lose digits on its way to the platform. */
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Reads the words after `/alert`, in any case.
 * @param currency what the alert is in; its code or its sign may stand beside the amount
 * @throws Unreadable with the nearest match
 */
export function parseAlert(words: readonly Word[], currency: string): AlertCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'show' };
  refuseSingleQuotes(words, '/alert');
  const kind = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  if (kind === undefined) throw noSubcommand(first, words, currency);
  if (kind === 'set') {
    return { kind, amount: rest.length === 0 ? undefined : readAmount(rest, currency) };
  }
  if (rest.length === 0) return { kind };
  throw new Unreadable(`Nothing follows "${kind}".`, `/alert ${kind}`);
}

function noSubcommand(first: Word, words: readonly Word[], currency: string): Unreadable {
  if (isAmount(words, currency)) {
    const amount = words.map(typed).join(' ');
    return new Unreadable(
      'An amount alone does not say what to do with it.',
      `/alert set ${amount}`,
    );
  }
  const word = first.quoted ? '' : first.text.toLowerCase();
  const meant = Object.hasOwn(ALIKE, word) ? ALIKE[word] : nearest(word, SUBCOMMANDS);
  return new Unreadable(
    `"${truncate(first.text, 60)}" is nothing that /alert knows.`,
    meant && ['/alert', meant, ...words.slice(1).map(typed)].join(' '),
  );
}

function isAmount(words: readonly Word[], currency: string): boolean {
  try {
    readAmount(words, currency);
    return true;
  } catch {
    return false;
  }
}

const NUMBER = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

/** "500", "1,000.50", "500 USD", "$500" as a plain decimal number. @throws Unreadable */
function readAmount(words: readonly Word[], currency: string): string {
  const text = words
    .map((word) => word.text)
    .join(' ')
    .trim();
  const { before = '', number = '', after = '' } = PARTS.exec(text)?.groups ?? {};
  const names = namesOf(currency);
  const foreign = [before, after]
    .map((name) => name.trim())
    .find((name) => !names.has(name.toUpperCase()));
  if (number.startsWith('-')) throw unreadable(text, 'an amount of 0 or more');
  if (!NUMBER.test(number)) throw unreadable(text, 'an amount');
  if (foreign !== undefined) {
    throw new Unreadable(`The spend alert is in ${currency}.`, `/alert set ${number}`);
  }
  const amount = new BigNumber(number.replaceAll(',', ''));
  if (amount.gt(MOST)) throw unreadable(text, 'an amount that the platform takes');
  return amount.toFixed();
}

/** A number, and what may stand beside it. */
const PARTS = /^(?<before>[^\d\s.,-]{0,12}\s?)(?<number>-?[\d.,]+)(?<after>\s?[^\d\s.,-]{0,12})$/u;

/** The currency as people write it, in capital letters; nothing at all is one of its names. */
function namesOf(currency: string): ReadonlySet<string> {
  const code = currency.trim().toUpperCase();
  const signs = /^[A-Z]{3}$/.test(code)
    ? (['symbol', 'narrowSymbol'] as const).map((display) => signOf(code, display))
    : [];
  return new Set(['', code, ...signs]);
}

function signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const parts = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay,
  }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value.toUpperCase() ?? '';
}

function unreadable(text: string, what: string): Unreadable {
  return new Unreadable(
    `"${truncate(text, 60)}" is not ${what}: write for example /alert set 1,000.50.`,
  );
}
