import { editDistance, nearest } from '../../lib/text.ts';
import {
  tagName,
  valueText,
  variableName,
  type TagRule,
  type Variable,
} from '../../platform/workload/tags.ts';

/** What something is found by. */
export interface Entry {
  /** Without the brand's prefix. */
  readonly name: string;
  readonly fullName: string;
  readonly texts: readonly string[];
}

export interface Hits<Item> {
  /** The one of exactly this name, with or without the prefix. */
  readonly exact: Item | undefined;
  /** Those with the word in their names. */
  readonly named: readonly Item[];
  /** Those in whose texts alone it begins a word. */
  readonly mentioned: readonly Item[];
}

/** How many names are suggested for a word that nothing has. */
const SUGGESTIONS = 3;

/** A word as it is compared: case and everything but letters and digits are ignored; "" finds nothing. */
export function comparable(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether the word begins one of a text: "auth" does in "external authorization", not in "unauthorized". */
export function mentions(text: string, word: string): boolean {
  const wanted = comparable(word);
  if (wanted === '') return false;
  const words = text.split(/[^\p{L}\p{N}]+/u).map((one) => one.toLowerCase());
  const joined = words.join('');
  let start = 0;
  return words.some((one) => {
    const isHere = joined.startsWith(wanted, start);
    start += one.length;
    return isHere;
  });
}

/** What has the word in its name, or at the beginning of a word in its texts, each in the given order. */
export function search<Item>(
  items: readonly Item[],
  entryOf: (item: Item) => Entry,
  word: string,
): Hits<Item> {
  const wanted = comparable(word);
  if (wanted === '') return { exact: undefined, named: [], mentioned: [] };

  const named = items.filter((item) => comparable(entryOf(item).fullName).includes(wanted));
  const hasInText = (item: Item): boolean =>
    entryOf(item).texts.some((text) => mentions(text, word));
  return {
    exact: named.find((item) => {
      const { name, fullName } = entryOf(item);
      return [name, fullName].some((known) => comparable(known) === wanted);
    }),
    named,
    mentioned: items.filter((item) => !named.includes(item) && hasInText(item)),
  };
}

/** Full names that were likely meant by a mistyped word or part of a name, the nearest first. */
export function suggest(entries: readonly Entry[], word: string): string[] {
  const wanted = comparable(word);
  return entries
    .flatMap(({ name, fullName }) => {
      const near = nearest(wanted, [comparable(fullName), ...partsOf(name)]);
      return near === undefined ? [] : [{ fullName, distance: editDistance(wanted, near) }];
    })
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS)
    .map(({ fullName }) => fullName);
}

/** Every run of the words in a name: `external`, `externalauth`, `auth` … of `externalAuthPort`. */
function partsOf(name: string): string[] {
  const words = name.match(/[A-Z]?[a-z\d]+|[A-Z]+/g) ?? [];
  return words.flatMap((_, from) =>
    words
      .slice(from)
      .map((__, length) => comparable(words.slice(from, from + length + 1).join(''))),
  );
}

/** What a tag is found by. */
export function tagEntry(prefix: string, rule: TagRule): Entry {
  const { name, value, effect, insteadUse, restriction, hint } = rule;
  return {
    name,
    fullName: tagName(prefix, rule),
    texts: [effect, valueText(value), rule.default, insteadUse, restriction, hint].filter(isThere),
  };
}

function isThere(text: string | undefined): text is string {
  return text !== undefined;
}

/** What a variable is found by. */
export function variableEntry(prefix: string, variable: Variable): Entry {
  const { name, meaning, notes = [] } = variable;
  return { name, fullName: variableName(prefix, variable), texts: [meaning, ...notes] };
}
