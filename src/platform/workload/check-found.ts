import { nearest } from '../../lib/nearest.ts';
import { truncate } from '../../lib/text.ts';
import type { Finding } from './finding.ts';
import type { ManifestNode } from './manifest/node.ts';

type Severity = Finding['severity'];

/** What is wrong with a value or to be known of it, before its place is known. */
export interface Judgment {
  readonly severity: Severity;
  /** Names and what is to be written stand between backticks (`copied`), and nothing else does. */
  readonly what: string;
  readonly fix?: string;
}

/** A judgment at its place. */
export function found(
  { path, line }: Pick<ManifestNode, 'path' | 'line'>,
  judgment: Judgment,
): Finding {
  return { path, line, ...judgment };
}

export function error(what: string, fix: string): Judgment {
  return { severity: 'error', what, fix };
}

export function warning(what: string, fix: string): Judgment {
  return { severity: 'warning', what, fix };
}

export function note(what: string, fix?: string): Judgment {
  return { severity: 'note', what, ...(fix === undefined ? {} : { fix }) };
}

/** Something that the reader may want to copy, between backticks. */
export function copied(text: string): string {
  return `\`${withoutTicks(text)}\``;
}

/** A node as it is spoken of: `900`, `"yes"`, `a list`. */
export function spoken(node: ManifestNode): string {
  if (node.kind === 'map') return 'a mapping';
  if (node.kind === 'list') return 'a list';
  if (node.value === null) return 'empty';
  const short = shortened(node.text);
  return typeof node.value === 'string' ? `"${short}"` : short;
}

/** Of a text of the manifest as much as a sentence bears. */
export function shortened(text: string): string {
  // Cut before it is counted: the text may be the whole manifest.
  return withoutTicks(truncate(text.slice(0, 2 * MAX_SPOKEN + 2), MAX_SPOKEN));
}

const MAX_SPOKEN = 60;

/** Backticks are the mark of what can be copied. */
function withoutTicks(text: string): string {
  return text.replaceAll('`', 'ˋ');
}

/** "a", "a or b", "a, b or c". */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** `nearest`, for the first names of a manifest. */
export type Nearest = typeof nearest;

/** Nobody reads more of them, and comparing thousands takes seconds. */
const MAX_COMPARED = 50;

/**
 * For one manifest: the same word is compared once, and what comes after the first fifty words has no
 * name that is near.
 */
export function createNearest(): Nearest {
  const known = new Map<string, string | undefined>();
  return <Candidate extends string>(word: string, candidates: readonly Candidate[]) => {
    const question = JSON.stringify([word, candidates]);
    if (!known.has(question)) {
      if (known.size === MAX_COMPARED) return undefined;
      known.set(question, nearest(word, candidates));
    }
    return candidates.find((candidate) => candidate === known.get(question));
  };
}

/**
 * One letter too many, missing, changed, or swapped with its neighbour; case is ignored. It stops at the
 * second error, so that thousands of words are compared in no time.
 */
export function isOneLetterOff(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1) return false;
  const from = word.toLowerCase();
  const to = known.toLowerCase();
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  const isSwapped = from[at] === to[at + 1] && from[at + 1] === to[at];
  return (
    from.slice(at + 1) === to.slice(at + 1) ||
    from.slice(at + 1) === to.slice(at) ||
    from.slice(at) === to.slice(at + 1) ||
    (isSwapped && from.slice(at + 2) === to.slice(at + 2))
  );
}
