/**
 * Control characters (all but tab and line feed) and the marks that turn the direction of writing
 * or take no room: with them a text can look like another one. The joiners that emoji and some
 * scripts need (U+200C, U+200D) stay.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u200B\u2060-\u2064\uFEFF]/gu;

/** Removes control, bidirectional and zero-width characters; every line break becomes a line feed. */
export function stripControl(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(INVISIBLE, '');
}

/**
 * At most `max` code points, the last of them an ellipsis if something was cut off.
 * A surrogate pair is never divided.
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;

  const points = Array.from(text);
  return points.length <= max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`;
}

/**
 * At most `max` code points, without its middle if there are more: names differ at their ends.
 * @example shorten('orders-reconciliation-worker', 17) // 'orders-r…n-worker'
 */
export function shorten(text: string, max: number): string {
  const points = Array.from(text);
  if (points.length <= max) return text;
  const end = Math.floor((max - 1) / 2);
  return [...points.slice(0, max - 1 - end), '…', ...points.slice(points.length - end)].join('');
}

/** A text on one line: line breaks become a blank, with the blanks around them. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
}

/** The most that is read of a text of the platform's: a state of thousands of records holds many. UTF-8 bytes. */
const MAX_FOREIGN = 4 * 1024;

/** At most 4 KB of a text, whole characters, the last of them an ellipsis if something was cut off. */
export function cutForeign(text: string): string {
  // No character has more than three bytes for each of its units.
  if (text.length * 3 <= MAX_FOREIGN || Buffer.byteLength(text) <= MAX_FOREIGN) return text;
  const bytes = Buffer.from(text.slice(0, MAX_FOREIGN));
  let end = MAX_FOREIGN - Buffer.byteLength('…');
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}…`;
}

/** A text without the full stops and blanks at its end; an expression would try each of many blanks again. */
export function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** "1 replica", "2,000 replicas"; `many` where an s is not enough. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** How many there are, where that is more than is given, and what stands before the count of the others. */
export interface FirstOptions {
  readonly total?: number;
  readonly before?: ', ' | ' and ';
}

/** The first `max` names: "a, b", and where there are others "a, b and 3 more". */
export function firstOf(
  names: readonly string[],
  max: number,
  { total = names.length, before = ' and ' }: FirstOptions = {},
): string {
  const shown = names.slice(0, max);
  const more = total - shown.length;
  if (more <= 0) return shown.join(', ');
  return `${shown.join(', ')}${shown.length === 0 ? '' : before}${more} more`;
}

const collator = new Intl.Collator('en', { sensitivity: 'base' });

/** The order of names in a list: case is ignored, and only names that are the same text are equal. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** Milliseconds in the two largest units that matter: "1 min 5 s", "2 h", "0 s". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const largest = units.findIndex((unit) => seconds >= unit.seconds);
  if (largest === -1) return '0 s';

  let rest = seconds;
  const parts: string[] = [];
  for (const unit of units.slice(largest, largest + 2)) {
    const amount = Math.floor(rest / unit.seconds);
    rest -= amount * unit.seconds;
    if (amount > 0) parts.push(`${amount} ${unit.name}`);
  }
  return parts.join(' ');
}

/** How long ago, in milliseconds, in one unit: "just now" under 5 s, then "12 s ago", "3 h ago". */
export function formatAge(ms: number): string {
  if (ms < 5_000) return 'just now';

  return `${formatDuration(ms).split(' ').slice(0, 2).join(' ')} ago`;
}

/** A command line longer than this many bytes is refused, not read. */
const maxBytes = 4_096;

/** One word of a command line; `quoted` tells `"all"` from `all`. */
export interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

type SplitWords = { readonly words: readonly Word[] } | { readonly problem: string };

/**
 * The pieces of a line, tried in this order: a token of Slack (`<@U1|ann>`), something in double
 * quotes, white space, plain letters, and what stands alone. Typographic quotes count because Slack
 * and telephones put them in the place of straight ones. No piece can be matched in two ways, which
 * keeps the work linear.
 */
const piece =
  /(?<token><[^<>]*>)|["“”„](?<quoted>[^"“”„]*)["“”„]|(?<space>\s+)|(?<plain>[^<"“”„\s]+)|(?<alone>.)/gsu;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * Splits the text of a command into words at white space. Double quotes keep spaces together, also
 * in the middle of a word (`tag="a b"`); people and channels stay Slack's tokens, links become what
 * was typed; `&amp; &lt; &gt;` are undone exactly once. In a list (`a,"b c",d`) every name is quoted or
 * not by itself, so a comma beside quotes ends a word. Characters that cannot be seen are dropped. Never
 * throws: what cannot be read is answered with a sentence for the person who typed it.
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

/** Whether a list goes on after a plain word; a value (`tag=a,"b c"`) is no list. */
function isBeforeComma({ text, quoted }: Word): boolean {
  return !quoted && text.endsWith(',') && !text.includes('=');
}

/** An address that Slack found in the text, and made a link of: `<http://foo.com|foo.com>`. */
const link = /<([a-z][a-z\d+.-]*:[^<>|]*)(?:\|([^<>]*))?>/giu;

/** Undoes Slack's links: the label where it is a way to write the address, else the address. */
function withoutLinks(text: string): string {
  return text.replace(link, (_, address: string, label: string | undefined) => {
    const bare = address.replace(/^(?:mailto|tel):/i, '');
    return label && comparable(bare).endsWith(comparable(label)) ? label : bare;
  });
}

function comparable(address: string): string {
  return address.toLowerCase().replace(/\/$/, '');
}

/** Slack escapes exactly these three; one pass, so that a typed `&lt;` (sent as `&amp;lt;`) survives. */
function unescapeOnce(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

/** Text as Slack sends it when a person types it, for `splitWords`. */
export function escapeTyped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Longer words are no typing errors of anything and are not compared. */
const maxLength = 64;

/**
 * The candidate that was most likely meant by a mistyped word, or undefined when none is near:
 * at most one error in three letters. Case is ignored; of equally near candidates the first wins.
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
 * Damerau-Levenshtein distance (optimal string alignment): letters left out, added, changed, or
 * swapped with their neighbour, each counting one.
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

/**
 * Characters that cannot be seen in a text, or that change the order in which it is read: controls
 * other than tab and line ends, format and direction marks, fillers, spaces that are not the ordinary
 * one, private characters and halves of pairs. The ideographic space (U+3000) is ordinary.
 */
const hidden =
  /(?![\t\n\r \u3000])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji are made with characters that take no room: they belong to the picture before them. */
const emoji =
  /\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})*(?:\u200D\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})*)*|[#*\d]\uFE0F\u20E3/u;

/** Scripts whose letters join: there the joiners U+200C and U+200D, between two letters, are spelling. */
const joining =
  '[\\p{Script=Arabic}\\p{Script=Bengali}\\p{Script=Devanagari}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Khmer}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Syriac}\\p{Script=Tamil}\\p{Script=Telugu}\\p{M}]';
const joined = new RegExp(`(?<=${joining})[\\u200C\\u200D](?=${joining})`, 'u');

/** First what is spelled so, then what hides. No piece can be matched in two ways, so the work is linear. */
const pieces = new RegExp(`${emoji.source}|${joined.source}|(?<hidden>${hidden.source})`, 'gu');

/** Scripts with letters that look like those of another one. */
const alphabets = {
  Latin: /\p{Script=Latin}/u,
  Greek: /\p{Script=Greek}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Armenian: /\p{Script=Armenian}/u,
  Coptic: /\p{Script=Coptic}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  Lisu: /\p{Script=Lisu}/u,
};

/**
 * Letters of another alphabet that look like Latin ones. A word of such letters alone, among Latin words,
 * is read as one of them.
 */
const twins = {
  Cyrillic: /^[асеһіјӏоԛрѕԁуѵԝхАВЕЅІЈКМНОРԚСТУѴԜХҮӀ]+$/u,
  Greek: /^[αιονρυϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ]+$/u,
};

/**
 * Other forms of Latin, Greek and Cyrillic letters, and of digits: fullwidth, mathematical, Roman numerals.
 * Those that look otherwise, or are on keyboards, are none: Latin-1, №, raised, lowered and circled ones,
 * pictures.
 */
const otherForm =
  /(?![\p{ASCII}\u00A0-\u00FF\u2070-\u209C\u2116\u2460-\u24FF]|\p{Extended_Pictographic})[\p{L}\p{N}]/gu;
const plainForm = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]+$/u;

/**
 * What a name or an e-mail address hides, as a short phrase: "an invisible character (U+200B)",
 * "letters of two alphabets (Latin and Cyrillic)" in one word, or "a look-alike of "p" (U+FF50)"; undefined
 * for a plain text. A word is what stands between spaces, so an address is one. Scripts that nobody takes
 * for another one may be mixed, as Latin with Han and Kana is.
 */
export function lookalike(text: string): string | undefined {
  const words = text.split(/\s+/);
  const unseen = invisible(text) ?? inOtherForm(text);
  return unseen ?? words.map(mixedIn).find(Boolean) ?? disguisedIn(words);
}

/** The first character of a text that cannot be seen: "an invisible character (U+200B)". */
export function invisible(text: string): string | undefined {
  const [first] = hiddenIn(text);
  return first === undefined ? undefined : `an invisible character (${codeOf(first)})`;
}

function inOtherForm(text: string): string | undefined {
  for (const [character] of text.matchAll(otherForm)) {
    const is = character.normalize('NFKC');
    if (is !== character && plainForm.test(is)) {
      return `a look-alike of "${is}" (${codeOf(character)})`;
    }
  }
  return undefined;
}

function mixedIn(word: string): string | undefined {
  const found = alphabetsOf(word);
  const digit = found.includes('Latin') ? /(?!\d)\p{Nd}/u.exec(word)?.[0] : undefined;
  if (digit !== undefined) return `a digit that is none of 0 to 9 (${codeOf(digit)})`;
  return found.length > 1 ? mixOf(found) : undefined;
}

/** A word of look-alikes alone, in a name that has Latin words and no other word of its alphabet. */
function disguisedIn(words: readonly string[]): string | undefined {
  const read = words.map((word) => ({
    letters: word.replace(/\P{L}/gu, ''),
    in: alphabetsOf(word),
  }));
  if (!read.some(({ in: [name] }) => name === 'Latin')) return undefined;
  for (const [name, letters] of Object.entries(twins)) {
    const own = read.filter(({ in: found }) => found.includes(name));
    if (own.length > 0 && own.every((word) => letters.test(word.letters))) {
      return mixOf(['Latin', name]);
    }
  }
  return undefined;
}

function alphabetsOf(word: string): string[] {
  return Object.entries(alphabets).flatMap(([name, letter]) => (letter.test(word) ? [name] : []));
}

/** @param found the names of two alphabets or more */
function mixOf(found: readonly string[]): string {
  const count = found.length === 2 ? 'two' : 'several';
  return `letters of ${count} alphabets (${found.slice(0, -1).join(', ')} and ${found.at(-1) ?? ''})`;
}

/** The text with what cannot be seen in it written out: `ci⟨U+200B⟩`. Tabs and line ends stay. */
export function revealed(text: string): string {
  return text.replace(pieces, (piece, ...rest) => {
    const groups = rest.at(-1) as { hidden?: string };
    return groups.hidden === undefined ? piece : `⟨${codeOf(piece)}⟩`;
  });
}

function hiddenIn(text: string): string[] {
  return [...text.matchAll(pieces)].flatMap(({ groups }) => groups?.['hidden'] ?? []);
}

function codeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
