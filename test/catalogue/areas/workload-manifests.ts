interface Parts {
  /** Lines below `tags:`. */
  readonly tags?: readonly string[];
  /** Lines below `spec:`. */
  readonly spec?: readonly string[];
}

/** A part of a manifest, as people paste it: without a kind it need not be complete. */
export function manifestOf(name: string, { tags = [], spec = [] }: Parts): string {
  return [`name: ${name}`, ...below('tags', tags), ...below('spec', spec)].join('\n');
}

/** Several documents in one text. */
export function manifests(documents: readonly string[]): string {
  return documents.join('\n---\n');
}

function below(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  ${line}`)];
}
