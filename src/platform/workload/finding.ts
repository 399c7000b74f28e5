import { truncate } from '../../lib/text.ts';
import { editDistance, nearest } from '../../lib/words.ts';
import type { ManifestNode, Place } from './node.ts';

export interface Judgment {
  /**
   * `error`: the platform cannot do that. `warning`: it can, but it is likely not intended. `note`: good to
   * know.
   */
  readonly severity: 'error' | 'warning' | 'note';
  /**
   * The problem, as a sentence without a full stop: "is 900, but takes 1 to 600 seconds". Here and in `fix`
   * only names and text to copy (`copied`) are between backticks.
   */
  readonly what: string;
  /** The fix, as a sentence without a full stop; optional for a note. */
  readonly fix?: string | undefined;
}

/** A finding of `/workload check` at one place of a manifest (spec 2.13 and 2.16). */
export interface Finding extends Judgment, Place {
  /** Of a workload its name, of another document its kind and name: `gvc shop`; absent: it has no name. */
  readonly document?: string;
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

export function found({ path, line }: Place, judgment: Judgment): Finding {
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

/** "is 900, but takes 1 to 600 seconds" */
export function notTaken(node: ManifestNode, takes: string, write: string): Judgment {
  return error(`is ${spoken(node)}, but takes ${takes}`, `write ${write}`);
}

/** "is "Standard", but takes serverless, standard or stateful", with the value that is likely meant. */
export function noneOf(node: ManifestNode, text: string, values: readonly string[]): Judgment {
  const meant = nearest(text, values);
  const write = either((meant === undefined ? values : [meant]).map(copied));
  return notTaken(node, either(values), write);
}

/** Text to copy, between backticks. */
export function copied(text: string): string {
  return `\`${withoutTicks(text)}\``;
}

/** Values that are often passwords; answers can be shared. */
const PRIVATE = /\.(?:env|httpHeaders|args)(?:\[\d+\](?:\.value)?)?$/;

export function isPrivate({ path }: Place): boolean {
  return PRIVATE.test(path);
}

/** A node in a sentence: `900`, `"yes"`, `a list`; of a private value its type. */
export function spoken(node: ManifestNode): string {
  if (node.kind === 'map') return 'a mapping';
  if (node.kind === 'list') return 'a list';
  if (node.value === null) return 'empty';
  if (isPrivate(node) && typeof node.value !== 'boolean') {
    return typeof node.value === 'string' ? 'text' : 'a number';
  }
  const short = shortened(node.text);
  return typeof node.value === 'string' ? `"${short}"` : short;
}

const MAX_SPOKEN = 60;

export function shortened(text: string): string {
  return withoutTicks(truncate(text, MAX_SPOKEN));
}

/** Backticks mark text to copy. */
export function withoutTicks(text: string): string {
  return text.replaceAll('`', 'ˋ');
}

const choice = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** "a", "a or b", "a, b or c". */
export function either(words: readonly string[]): string {
  return choice.format(words);
}

/** One letter too many, missing, changed, or swapped with its neighbour; case is ignored. */
export function isOneLetterOff(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1) return false;
  return editDistance(word.toLowerCase(), known.toLowerCase()) <= 1;
}
