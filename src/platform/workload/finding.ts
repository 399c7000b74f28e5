import { nearest, truncate } from '../../lib/text.ts';
import type { ManifestNode } from './node.ts';

/** A finding of `/workload check` at one place of a manifest (spec 2.13 and 2.16). */
export interface Finding {
  /**
   * `error`: the platform cannot do that. `warning`: it can, but it is likely not intended. `note`: good to
   * know.
   */
  readonly severity: 'error' | 'warning' | 'note';
  /** `spec.defaultOptions.timeoutSeconds`, `tags["svc/protocol"]`, `spec.containers[0].cpu`. */
  readonly path: string;
  /** In the original text, from 1. */
  readonly line: number;
  /** Of a workload its name, of another document its kind and name: `gvc shop`; absent: it has no name. */
  readonly document?: string;
  /**
   * The problem, as a sentence without a full stop: "is 900, but takes 1 to 600 seconds". Here and in `fix`
   * only names and text to copy are between backticks.
   */
  readonly what: string;
  /** The fix, as a sentence without a full stop; optional for a note. */
  readonly fix?: string | undefined;
}

export interface Checked {
  readonly findings: readonly Finding[];
  /** Names of the workloads, '' for one without a name. */
  readonly workloads: readonly string[];
  /** The documents with an error, or, without any error, those with a warning; named as in findings. */
  readonly flawed: { readonly workloads: readonly string[]; readonly others: readonly string[] };
  readonly fields: Fields;
  /** Other documents, each once: `gvc shop`. */
  readonly others: readonly string[];
}

/** Fields below `spec` of all workloads; a list of plain values is one field. */
export interface Fields {
  readonly total: number;
  /** Paths of the fields with unchecked values: `spec.containers[0].cpu`. */
  readonly unchecked: readonly string[];
}

export interface UnreadableText {
  /** From 1; a line that is not empty, if there is one. */
  readonly line: number;
  /** A sentence without subject and full stop: "is indented by a tab, where YAML takes spaces". */
  readonly says: string;
}

type Severity = Finding['severity'];

export interface Judgment {
  readonly severity: Severity;
  /** Only names and text to copy (`copied`) are between backticks. */
  readonly what: string;
  readonly fix?: string | undefined;
}

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
  return { severity: 'note', what, fix };
}

/** Text to copy, between backticks. */
export function copied(text: string): string {
  return `\`${withoutTicks(text)}\``;
}

/** A node in a sentence: `900`, `"yes"`, `a list`. */
export function spoken(node: ManifestNode): string {
  if (node.kind === 'map') return 'a mapping';
  if (node.kind === 'list') return 'a list';
  if (node.value === null) return 'empty';
  const short = shortened(node.text);
  return typeof node.value === 'string' ? `"${short}"` : short;
}

export function shortened(text: string): string {
  // Cut before counting code points: the text may be the whole manifest.
  return withoutTicks(truncate(text.slice(0, 2 * MAX_SPOKEN + 2), MAX_SPOKEN));
}

const MAX_SPOKEN = 60;

/** Backticks mark text to copy. */
function withoutTicks(text: string): string {
  return text.replaceAll('`', 'ˋ');
}

/** "a", "a or b", "a, b or c". */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** As `nearest`, with a limit on comparisons. */
export type Nearest = typeof nearest;

/** More suggestions are useless, and comparing thousands of words takes seconds. */
const MAX_COMPARED = 50;

/** For one manifest: each word is compared once, and words after the first fifty get no suggestion. */
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
 * One letter too many, missing, changed, or swapped with its neighbour; case is ignored. Stops at the second
 * error, so that thousands of words are compared quickly.
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
