import { parseSync, Visitor } from 'oxc-parser';

/** A text of the code that a person may read. */
export interface Sentence {
  readonly line: number;
  readonly text: string;
}

/** Two words with a space between them: a shorter text is a label that a view function brings along. */
const IS_SENTENCE = /\p{L}{2,}[^\p{L}\s]*\s+[^\p{L}\s]*\p{L}{2,}/u;

/** The doctor's rules (ADR 36) begin with the sign of a state, some after the name of a setting. */
const RULE_BEGINNING = /^(?:[A-Z][\w ]*? )?[!?+-] /;

/** Your Purser administrator reads these in a log; a person never does. */
const LOG_METHODS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const DEFECTS = new Set(['Error', 'TypeError', 'RangeError']);

/**
 * The texts of a TypeScript file that may be read by people: literals and the fixed parts of templates,
 * line by line, without log messages, the texts of defects, and types.
 */
export function sentencesIn(path: string, source: string): Sentence[] {
  const { program } = parseSync(path, source);
  const found: Sentence[] = [];
  /** Places whose texts are no matter: their starts and ends. */
  const apart: [number, number][] = [];
  const leaveOut = ({ start, end }: { start: number; end: number }): void => {
    apart.push([start, end]);
  };
  const add = (at: number, text: string): void => {
    if (apart.some(([start, end]) => at >= start && at < end)) return;
    const line = source.slice(0, at).split('\n').length;
    for (const part of text.split(/\n|→/)) {
      const words = folded(part.replace(RULE_BEGINNING, ''));
      if (IS_SENTENCE.test(words)) found.push({ line, text: words });
    }
  };
  new Visitor({
    ImportDeclaration: leaveOut,
    ExportAllDeclaration: leaveOut,
    TSTypeAliasDeclaration: leaveOut,
    TSInterfaceDeclaration: leaveOut,
    TSTypeAnnotation: leaveOut,
    CallExpression({ callee, arguments: words }) {
      const isLog = callee.type === 'MemberExpression' && LOG_METHODS.has(nameOf(callee.property));
      if (isLog) words.forEach(leaveOut);
      // A list of words in one text.
      if (callee.type === 'MemberExpression' && nameOf(callee.property) === 'split') {
        leaveOut(callee.object);
      }
    },
    // Words that distinguish kinds of things, or by which one is found.
    Property({ key, value }) {
      if (['kind', 'words', 'wish'].includes(nameOf(key))) leaveOut(value);
    },
    BinaryExpression({ left, operator, right }) {
      if (!operator.endsWith('==')) return;
      for (const side of [left, right]) if (side.type === 'Literal') leaveOut(side);
    },
    SwitchCase({ test }) {
      if (test !== null) leaveOut(test);
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && DEFECTS.has(node.callee.name)) leaveOut(node);
    },
    TemplateLiteral(node) {
      // A script for Redis.
      if (node.quasis.some(({ value }) => value.raw.includes('redis.call('))) leaveOut(node);
    },
    Literal({ value, start }) {
      if (typeof value === 'string') add(start, value);
    },
    TemplateElement({ value, start }) {
      add(start, value.cooked ?? '');
    },
  }).visit(program);
  return found;
}

/** Of an identifier; '' for anything else. */
function nameOf(node: { type: string; name?: unknown }): string {
  return node.type === 'Identifier' && typeof node.name === 'string' ? node.name : '';
}

/** White space folded, entities undone and backticks left out, so that a text of the code is found in a payload. */
export function folded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim();
}
