interface Parts {
  /** Lines below `tags:`. */
  readonly tags?: readonly string[];
  /** Lines below `spec:`. */
  readonly spec?: readonly string[];
}

/** A manifest of a workload, as somebody would paste it. */
export function manifestOf(name: string, { tags = [], spec = [] }: Parts): string {
  return ['kind: workload', `name: ${name}`, ...below('tags', tags), ...below('spec', spec)].join(
    '\n',
  );
}

/** Several documents in one text. */
export function manifests(documents: readonly string[]): string {
  return documents.join('\n---\n');
}

function below(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  ${line}`)];
}
