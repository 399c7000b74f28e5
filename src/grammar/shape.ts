export interface Option {
  readonly placeholder: string;
  readonly isPair: boolean;
  readonly isOptional: boolean;
  /** `NAME[,NAME]`: several, with commas. */
  readonly isList: boolean;
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

/** Without what may be left out. */
export function requiredParts(usage: string): string[] {
  return [...usage.matchAll(PART)].flatMap(([part]) => (part.startsWith('[') ? [] : part));
}

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
    const isList = inner.includes('[,');
    const option = { placeholder, isPair, isOptional, isList };
    if (placeholder !== undefined) shape.options.set(keyword, { ...option, placeholder });
    else if (!/^[a-z]+$/.test(inner)) shape.free.push({ name: inner, isOptional });
    else (isOptional ? shape.flags : shape.path).push(inner);
  }
  return shape;
}
