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
 * What a name or an e-mail address hides, as a short phrase: "an invisible character (U+200B)" or
 * "letters of two alphabets (Latin and Cyrillic)" in one word; undefined for a plain text. A word is
 * what stands between spaces, so an address is one. Scripts that nobody takes for another one may be
 * mixed, as Latin with Han and Kana is.
 */
export function lookalike(text: string): string | undefined {
  const [first] = hiddenIn(text);
  if (first !== undefined) return `an invisible character (${codeOf(first)})`;

  for (const word of text.split(/\s+/)) {
    const found = Object.entries(alphabets).flatMap(([name, letter]) =>
      letter.test(word) ? [name] : [],
    );
    if (found.length > 1) {
      const last = found.pop() ?? '';
      const count = found.length === 1 ? 'two' : 'several';
      return `letters of ${count} alphabets (${found.join(', ')} and ${last})`;
    }
  }
  return undefined;
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
