import { stripControl } from './text.ts';

/** Longer command lines are refused. */
const maxBytes = 4_096;

/** One word of a command line; `quoted` distinguishes `"all"` from `all`. */
export interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

type SplitWords = { readonly words: readonly Word[] } | { readonly problem: string };

/**
 * The pieces of a line, tried in this order: a token of Slack (`<@U1|ann>`), a text in double quotes, white
 * space, plain letters, and a lone special character. Typographic quotes count because Slack and phones put
 * them in place of straight ones. No piece can match in two ways, which keeps the work linear.
 */
const piece =
  /(?<token><[^<>]*>)|["“”„](?<quoted>[^"“”„]*)["“”„]|(?<space>\s+)|(?<plain>[^<"“”„\s]+)|(?<alone>.)/gsu;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * Splits the text of a command into words at white space. Double quotes keep spaces together, also inside a
 * word (`tag="a b"`); people and channels stay Slack's tokens, links become the typed text; `&amp; &lt; &gt;`
 * are undone exactly once. In a list (`a,"b c",d`) each name is quoted or not by itself, so a comma beside
 * quotes ends a word. Invisible characters are dropped. Never throws: a `problem` is a sentence for the user.
 */
export function splitWords(line: string): SplitWords {
  if (Buffer.byteLength(line) > maxBytes) {
    return { problem: 'That is too long to be a command: at most 4 KB are read.' };
  }

  const words: Word[] = [];
  let word: Word | undefined;
  for (const { groups = {} } of stripControl(line).matchAll(piece)) {
    const { token, quoted, space, plain, alone } = groups;
    if (space !== undefined) {
      if (word) words.push(word);
      word = undefined;
      continue;
    }
    if (alone !== undefined && alone !== '<') {
      return { problem: 'A quotation mark is opened and never closed.' };
    }
    let text = unescapeOnce(withoutLinks(token ?? quoted ?? plain ?? alone ?? ''));
    if (word?.quoted && plain?.startsWith(',')) {
      words.push({ text: `${word.text},`, quoted: true });
      word = undefined;
      text = text.slice(1);
      if (text === '') continue;
    } else if (quoted !== undefined && word && isBeforeComma(word)) {
      words.push(word);
      word = undefined;
    }
    word = word
      ? { text: word.text + text, quoted: word.quoted }
      : { text, quoted: quoted !== undefined };
  }
  if (word) words.push(word);
  return { words };
}

/** Whether a list continues after a plain word; a value (`tag=a,"b c"`) is no list. */
function isBeforeComma({ text, quoted }: Word): boolean {
  return !quoted && text.endsWith(',') && !text.includes('=');
}

/** An address that Slack turned into a link: `<http://foo.com|foo.com>`. */
const link = /<([a-z][a-z\d+.-]*:[^<>|]*)(?:\|([^<>]*))?>/giu;

/** Undoes Slack's links: the label if it is a way to write the address, else the address. */
function withoutLinks(text: string): string {
  return text.replace(link, (_, address: string, label: string | undefined) => {
    const bare = address.replace(/^(?:mailto|tel):/i, '');
    return label && comparable(bare).endsWith(comparable(label)) ? label : bare;
  });
}

function comparable(address: string): string {
  return address.toLowerCase().replace(/\/$/, '');
}

/** Slack escapes exactly these three. One pass, so that a typed `&lt;` (sent as `&amp;lt;`) survives. */
function unescapeOnce(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

export function escapeTyped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Longer words are not compared. */
const maxLength = 64;

/**
 * The candidate most likely meant by a mistyped word, or undefined when none is near: at most one error in
 * three letters. Case is ignored; of equally near candidates the first wins.
 */
export function nearest<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  if (word.length > maxLength) return undefined;

  let best: Candidate | undefined;
  let allowed = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance > allowed) continue;
    best = candidate;
    allowed = distance - 1;
  }
  return best;
}

/**
 * Damerau-Levenshtein distance (optimal string alignment): an omitted, added or changed letter, or a swap of
 * neighbours, counts one.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);

  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
