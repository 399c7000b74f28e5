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
