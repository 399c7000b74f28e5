import type { CST } from 'yaml';

/** A text is not taken apart, although it may be YAML. */
export class NoManifest extends Error {
  readonly line: number;

  /** @param line from 1 @param says one sentence without its end and its subject */
  constructor(line: number, says: string) {
    super(says);
    this.line = line;
  }
}

/** No manifest is as deep. */
export const MAX_DEPTH = 60;
export const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep, which no manifest is`;

/**
 * What reads the tokens calls itself for each level, and an overflow of the stack in the midst of it
 * can end the process: so the levels are counted before, without a call. @throws NoManifest
 */
export function checkDepth(tokens: readonly CST.Token[], lineAt: (offset: number) => number): void {
  let level: readonly CST.Token[] = tokens;
  // The document is a level, too.
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_DEPTH + 1 && first !== undefined && 'offset' in first) {
      throw new NoManifest(Math.max(1, lineAt(first.offset)), TOO_DEEP);
    }
    level = level.flatMap(below);
  }
}

/** What stands in a token: names, values, items. */
export function below(token: CST.Token): CST.Token[] {
  if ('items' in token)
    return token.items.flatMap(({ key, value }) => [...some(key), ...some(value)]);
  return token.type === 'document' ? some(token.value) : [];
}

function some(token: CST.Token | null | undefined): CST.Token[] {
  return token ? [token] : [];
}
