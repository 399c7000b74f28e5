import { SandboxError } from '../errors.ts';
import { tagOf, type Tags } from './series.ts';

/** Tag -> a value, or a regular expression between slashes. */
export type FilterBy = Readonly<Record<string, string>>;

/** `[:name:]` within brackets, as POSIX has them and JavaScript has not. */
const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
};

/**
 * Which tags a `filterBy` lets through (spec 4.5, rule 2); a missing tag counts as the empty string.
 * Throws a SandboxError (500) for a bad regular expression.
 */
export function createFilter(filterBy: FilterBy): (tags: Tags) => boolean {
  const tests = Object.entries(filterBy).map(([key, wanted]) => {
    const expression = readExpression(key, wanted);
    // A number is no string: `volumeIndex` is matched by regular expressions only.
    if (expression === undefined) return (tags: Tags) => tagOf(tags, key) === wanted;
    return (tags: Tags) => expression.test(String(tagOf(tags, key)));
  });
  return (tags) => tests.every((test) => test(tags));
}

function readExpression(key: string, wanted: string): RegExp | undefined {
  const source = /^\/(.*)\/$/s.exec(wanted)?.[1];
  if (source === undefined) return undefined;
  // Look-around and the like are no part of POSIX.
  if (!/(^|[^\\])\(\?/.test(source)) {
    try {
      return new RegExp(
        source.replaceAll(/\[:(\w+):\]/g, (all, name: string) => CLASSES[name] ?? all),
      );
    } catch {
      // Refused below.
    }
  }
  throw new SandboxError(500, `invalid regular expression ${wanted} for the tag ${key}`);
}
