/**
 * Control characters (all but tab and line feed) and the marks that change the writing direction or take no
 * space: with them a text can look like another one. The joiners that emoji and some scripts need (U+200C,
 * U+200D) stay.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u200B\u2060-\u2064\uFEFF]/gu;

/** Removes control, bidirectional and zero-width characters; every line break becomes a line feed. */
export function stripControl(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(INVISIBLE, '');
}

/** At most `max` code points, ending in an ellipsis if cut. A surrogate pair is never divided. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;

  const points = Array.from(text);
  return points.length <= max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`;
}

/**
 * At most `max` code points; cut in the middle, because names differ at their ends.
 * @example shorten('orders-reconciliation-worker', 17) // 'orders-r…n-worker'
 */
export function shorten(text: string, max: number): string {
  const points = Array.from(text);
  if (points.length <= max) return text;
  const end = Math.floor((max - 1) / 2);
  return [...points.slice(0, max - 1 - end), '…', ...points.slice(points.length - end)].join('');
}

/** Line breaks, with the blanks around them, become a blank. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks));
}

/** Limit for a text of the platform: a state of thousands of records holds many. UTF-8 bytes. */
const MAX_FOREIGN = 4 * 1024;

/** At most 4 KB of whole characters, ending in an ellipsis if cut. */
export function cutForeign(text: string): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= MAX_FOREIGN || Buffer.byteLength(text) <= MAX_FOREIGN) return text;
  const bytes = Buffer.from(text.slice(0, MAX_FOREIGN));
  let end = MAX_FOREIGN - Buffer.byteLength('…');
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}…`;
}

/**
 * Without full stops and blanks at the end. Not a regular expression: with many blanks it would be quadratic.
 */
export function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** "1 replica", "2,000 replicas"; `many` for irregular plurals. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

const collator = new Intl.Collator('en', { sensitivity: 'base' });
const natural = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Ignores case; only identical texts are equal. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}

/** The same with `web-2` before `web-10`. */
export function compareNatural(a: string, b: string): number {
  return natural.compare(a, b) || (a < b ? -1 : Number(a > b));
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** The two largest units that matter, from whole seconds: "1 min 5 s", "2 h", "0 s". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
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

/** One unit: "just now" under 5 s, then "12 s ago", "3 h ago". */
export function formatAge(ms: number): string {
  if (ms < 5_000) return 'just now';

  return `${formatDuration(ms).split(' ').slice(0, 2).join(' ')} ago`;
}

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

/**
 * Characters that are invisible, or that change the reading order: controls other than tab and line ends,
 * format and direction marks, fillers, spaces other than the ordinary one, private characters and lone
 * surrogates. The ideographic space (U+3000) is ordinary.
 */
const hidden =
  /(?![\t\n\r \u3000])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji contain zero-width characters, which belong to the picture before them. */
const emoji =
  /\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})*(?:\u200D\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})*)*|[#*\d]\uFE0F\u20E3/u;

/** Scripts whose letters join: there the joiners U+200C and U+200D between two letters are spelling. */
const joining =
  '[\\p{Script=Arabic}\\p{Script=Bengali}\\p{Script=Devanagari}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Khmer}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Syriac}\\p{Script=Tamil}\\p{Script=Telugu}\\p{M}]';
const joined = new RegExp(`(?<=${joining})[\\u200C\\u200D](?=${joining})`, 'u');

/** Legitimate uses first, then hidden characters. No piece can match in two ways, so the work is linear. */
const pieces = new RegExp(`${emoji.source}|${joined.source}|(?<hidden>${hidden.source})`, 'gu');

const alphabets = {
  Latin: /\p{Script=Latin}/u,
  Greek: /\p{Script=Greek}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Armenian: /\p{Script=Armenian}/u,
  Coptic: /\p{Script=Coptic}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  Lisu: /\p{Script=Lisu}/u,
};

/** Letters that look like Latin ones. Among Latin words, a word made only of them reads as Latin. */
const twins = {
  Cyrillic: /^[асеһіјӏоԛрѕԁуѵԝхАВЕЅІЈКМНОРԚСТУѴԜХҮӀ]+$/u,
  Greek: /^[αιονρυϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ]+$/u,
};

/**
 * Other forms of Latin, Greek and Cyrillic letters, and of digits: fullwidth, mathematical, Roman numerals.
 * Excluded are those that look different or are on keyboards: Latin-1, №, raised, lowered and circled ones,
 * pictures.
 */
const otherForm =
  /(?![\p{ASCII}\u00A0-\u00FF\u2070-\u209C\u2116\u2460-\u24FF]|\p{Extended_Pictographic})[\p{L}\p{N}]/gu;
const plainForm = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]+$/u;

/**
 * The disguise in a name or an e-mail address as a short phrase: "an invisible character (U+200B)", "letters
 * of two alphabets (Latin and Cyrillic)" in one word, or "a look-alike of "p" (U+FF50)"; undefined for a
 * plain text. Words are separated by spaces, so an address is one. Scripts that cannot be confused may be
 * mixed, as Latin with Han and Kana.
 */
export function lookalike(text: string): string | undefined {
  const words = text.split(/\s+/);
  const unseen = invisible(text) ?? inOtherForm(text);
  return unseen ?? words.map(mixedIn).find(Boolean) ?? disguisedIn(words);
}

/** "an invisible character (U+200B)", of the first one. */
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
  if (digit !== undefined) return `a digit other than 0 to 9 (${codeOf(digit)})`;
  return found.length > 1 ? mixOf(found) : undefined;
}

/** A word made only of look-alikes, in a name that has Latin words and no other word of its alphabet. */
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

/** The text with invisible characters written out: `ci⟨U+200B⟩`. Tabs and line ends stay. */
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
