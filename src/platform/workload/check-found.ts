import { truncate } from '../../lib/text.ts';
import type { Finding } from './finding.ts';
import type { ManifestNode } from './manifest/node.ts';

type Severity = Finding['severity'];

/** What is wrong with a value or to be known of it, before its place is known. */
export interface Judgment {
  readonly severity: Severity;
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

/** A node as it is spoken of: `900`, `"yes"`, `a list`. */
export function spoken(node: ManifestNode): string {
  if (node.kind === 'map') return 'a mapping';
  if (node.kind === 'list') return 'a list';
  if (node.value === null) return 'empty';
  const short = truncate(node.text, 60);
  return typeof node.value === 'string' ? `"${short}"` : short;
}

/** "a", "a or b", "a, b or c". */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
