import { parseSync, type Program } from 'oxc-parser';

/** A family of wording that the style guide replaces, and the words to use instead (docs/style.md). */
interface Family {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Only comments and names of tests: in a sentence for people the same words may be a question. */
  readonly notInProse?: boolean;
}

export const FAMILIES = {
  tell: {
    pattern: /(?<!\/)\b(?:tells?|told|telling)\b/gi,
    instead: 'post, send, show, notify, report',
  },
  nobody: {
    pattern: /\b(?:nobody|somebody|anybody|whoever|who may not)\b/gi,
    instead: 'the role, "you", "a member without the role"',
  },
  what: { pattern: /^\W*what\b/gi, instead: 'a noun: "The remaining ..."', notInProse: true },
  say: {
    pattern: /\b(?:do|does|did) not say\b|\b(?:say|says|said) nothing\b/gi,
    instead: 'is absent, omits',
  },
  none: { pattern: /\b(?:is|are|was|were) none\b/gi, instead: 'no ...' },
  no: {
    pattern: /\ba (?:no|yes)\b(?=\W*$|[.,;:)]| (?:to|from|of|is|was)\b)/gi,
    instead: 'refusal, approval',
  },
  mend: { pattern: /\b(?:mend|heal)(?:s|ed|ing)?\b/gi, instead: 'fix, recover' },
  anymore: {
    pattern: /\bany ?more\b|\bat this pace\b|\b(?:go|goes|went) by\b/gi,
    instead: 'no longer, projected, uses',
  },
  look: {
    pattern:
      /\b(?:a|the|each|every|next|first|last|one|its|two) looks?\b(?!-)|\b(?:is|are|was|were|be|been) (?:said|heard|met)\b/gi,
    instead: 'monitor or check, posted, screen-reader text, reached',
  },
  stand: {
    pattern: /\bstands?\b(?!-| for\b| in for\b| still\b)/gi,
    instead: '"is", or the noun itself',
  },
  // A refusal may say "check a part of it".
  it: { pattern: /\bof it\b(?=\W*$|[.,;:)])/gi, instead: 'the noun itself', notInProse: true },
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof FAMILIES;
const NAMES = Object.keys(FAMILIES) as FamilyName[];

/** Words that people read, with their line from 1. */
interface Passage {
  readonly kind: 'comment' | 'test name' | 'string' | 'prose';
  readonly line: number;
  readonly text: string;
}

/** One place where a family occurs. */
export interface Hit {
  readonly family: FamilyName;
  readonly line: number;
  readonly text: string;
}

export function hitsIn(passages: readonly Passage[]): Hit[] {
  return passages.flatMap(({ kind, line, text }) =>
    NAMES.flatMap((family) => {
      const { pattern, ...rest }: Family = FAMILIES[family];
      const isProse = kind === 'string' || kind === 'prose';
      if (rest.notInProse === true && isProse) return [];
      return [...text.matchAll(pattern)].map(() => ({ family, line, text }));
    }),
  );
}

/** The paragraphs of a page, line by line, without code between fences. */
export function passagesOfPage(text: string): Passage[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    return isCode ? [] : [{ kind: 'prose' as const, line: index + 1, text: line }];
  });
}

/** Comments, names of tests and, `withStrings`, each literal of two or more words of a file of code. */
export function passagesOfCode(path: string, text: string, withStrings: boolean): Passage[] {
  const { program, comments } = parseSync(path, text);
  const lineAt = lineCounter(text);
  const found: Passage[] = comments.map(({ value, start }) => ({
    kind: 'comment',
    line: lineAt(start),
    text: value
      .replace(/^\s*\*+ ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }));
  const titles = new Set<unknown>();
  visit(program, (node) => {
    if (isTestCall(node)) titles.add((node['arguments'] as unknown[])[0]);
    const words = wordsOf(node);
    if (words === undefined || !/\w\W*\s\W*\w/.test(words)) return;
    const line = lineAt(node['start'] as number);
    if (titles.has(node)) found.push({ kind: 'test name', line, text: words });
    else if (withStrings) found.push({ kind: 'string', line, text: words });
  });
  return found;
}

type Node = Record<string, unknown>;

function visit(node: Program | Node, see: (node: Node) => void): void {
  const one = node as Node;
  see(one);
  for (const value of Object.values(one)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child, see);
    }
  }
}

/** `it('...')`, `describe.skip('...')`, `test.each(rows)('...')`. */
function isTestCall(node: Node): boolean {
  if (node['type'] !== 'CallExpression') return false;
  let callee = node['callee'] as Node | undefined;
  while (callee !== undefined && callee['type'] !== 'Identifier') {
    callee = (callee['object'] ?? callee['callee']) as Node | undefined;
  }
  return ['it', 'test', 'describe'].includes(String(callee?.['name']));
}

function wordsOf(node: Node): string | undefined {
  if (node['type'] === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node['type'] !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { cooked: string | null } }[];
  return quasis.map(({ value }) => value.cooked ?? '').join('…');
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
