export interface Option {
  readonly placeholder: string;
  readonly isPair: boolean;
  readonly isOptional: boolean;
}

/** The parts of a usage such as "quotas request [QUOTA] [org NAME]". */
export interface Shape {
  /** The first words, in this order. */
  readonly path: readonly string[];
  /** `[quiet]`: words of their own, anywhere after the first word. */
  readonly flags: readonly string[];
  /**
   * `[org NAME]`, a keyword and the word after it, and `[port=N]`, a pair, anywhere after the first word; by their
   * keywords.
   */
  readonly options: ReadonlyMap<string, Option>;
  /** `GVC` and `[NAME]`: words without a keyword, in this order. */
  readonly free: readonly { readonly name: string; readonly isOptional: boolean }[];
}

/** A part in brackets, which may hold brackets itself, or a word. */
const PART = /\[(?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*\](?=\s|$)|\S+/g;

export function shapeOf(usage: string): Shape {
  const shape = {
    path: [] as string[],
    flags: [] as string[],
    options: new Map<string, Option>(),
    free: [] as { name: string; isOptional: boolean }[],
  };
  for (const [part] of usage.matchAll(PART)) {
    const isOptional = part.startsWith('[');
    const inner = isOptional ? part.slice(1, -1) : part;
    const [keyword = '', placeholder] = inner.split(/[ =]/);
    const isPair = inner.includes('=');
    if (placeholder !== undefined) shape.options.set(keyword, { placeholder, isPair, isOptional });
    else if (!/^[a-z]+$/.test(inner)) shape.free.push({ name: inner, isOptional });
    else (isOptional ? shape.flags : shape.path).push(inner);
  }
  return shape;
}
