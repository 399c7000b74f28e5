import type { CST, YAMLParseError } from 'yaml';
import type { UnreadableText } from '../finding.ts';

/** The first error of YAML's parser, and what its place is found by. */
interface Broken {
  readonly error: Pick<YAMLParseError, 'code' | 'message' | 'pos'>;
  readonly others: readonly Pick<YAMLParseError, 'code' | 'pos'>[];
  /** All tokens of the text, whatever they stand in. */
  readonly tokens: readonly CST.Token[];
  readonly text: string;
  readonly lineAt: (offset: number) => number;
}

/** What is wrong with a text that is neither YAML nor JSON, for people who do not know their grammar. Pure. */
export function inWords(broken: Broken): UnreadableText {
  const { error, lineAt } = broken;
  const offset = withinText(error.pos[0], broken);
  const line = broken.text.split('\n')[lineAt(offset) - 1] ?? '';
  const told = ofCharacters(line, broken) ?? elsewhere(broken) ?? ofStructure(broken, line);
  if (typeof told === 'object')
    return { line: lineAt(withinText(told.at, broken)), says: told.says };
  const kind = isJson(broken) ? 'no JSON' : 'neither YAML nor JSON';
  const unknown = `is ${kind} from here on: look at it, and at the line before it`;
  return { line: lineAt(offset), says: told ?? unknown };
}

/** What it is meant to be: YAML may begin with a bracket as well, and seldom does. */
function isJson({ text }: Broken): boolean {
  return /^[\s#]*[{[]/.test(text);
}

/** What is missing is missed at the end of the text, where there may be lines with nothing in them. */
function withinText(offset: number, { text }: Broken): number {
  return Math.max(0, Math.min(offset, text.trimEnd().length - 1));
}

/** What comes along out of other programs. */
function ofCharacters(line: string, broken: Broken): string | undefined {
  const language = isJson(broken) ? 'JSON' : 'YAML';
  // JSON may be indented by tabs.
  if (language === 'YAML' && (broken.error.code === 'TAB_AS_INDENT' || /^ *\t/.test(line))) {
    return 'is indented by a tab, where YAML takes spaces';
  }
  if (line.includes('\u00A0'))
    return `holds a no-break space, where ${language} takes plain spaces`;
  if (/[“”„]/.test(line)) return `holds typographic quotes, where ${language} takes straight ones`;
  return line.includes('{{')
    ? 'is part of a template ({{ … }}): check the manifest that is made of it'
    : undefined;
}

interface Told {
  /** The offset of what is to be mended, which may be far from where it was noticed. */
  readonly at: number;
  readonly says: string;
}

function elsewhere(broken: Broken): Told | undefined {
  const { error, others } = broken;
  const [from] = error.pos;
  if (error.message.startsWith('Missing closing')) return openQuote(broken);
  if (error.message.startsWith('Flow ')) return openBracket(broken);
  // Its lines were taken for one name.
  const whole = others.find(
    ({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === from,
  );
  const isFlow = flowsAround(broken, from).length > 0;
  if (error.code !== 'BLOCK_AS_IMPLICIT_KEY' || whole === undefined || isFlow) return undefined;
  return {
    at: whole.pos[1] - 1,
    says: 'is indented further than the line before it, which has its value already',
  };
}

function openQuote({ error, tokens }: Broken): Told | undefined {
  const [end] = error.pos;
  const quoted = tokens.find(
    (token) => 'source' in token && 'offset' in token && token.offset + token.source.length === end,
  );
  if (quoted === undefined || !('source' in quoted)) return undefined;
  const mark = quoted.source.slice(0, 1);
  return { at: quoted.offset, says: `opens a quote (${mark}) that is not closed` };
}

function openBracket(broken: Broken): Told | undefined {
  const { error, text } = broken;
  const [flow] = flowsAround(broken, error.pos[0])
    .filter((one) => !isClosed(one))
    .toSorted((a, b) => b.start.offset - a.start.offset);
  if (flow === undefined) return undefined;
  const { offset, source } = flow.start;
  const end = closing(flow);
  // It may stand there, and yet not count: the lines up to it must be indented.
  const isLost = error.code === 'BAD_INDENT' && text.includes(end, offset);
  const or = isLost ? `, or the lines up to its ${end} are not indented` : '';
  return { at: offset, says: `opens a ${source} that is not closed${or}` };
}

/** What is wrong in the line itself. */
function ofStructure(broken: Broken, line: string): string | undefined {
  const { error, text } = broken;
  const [from] = error.pos;
  const before = line.slice(0, from - text.lastIndexOf('\n', from - 1) - 1);
  const isFlow = flowsAround(broken, from).length > 0;
  return SENTENCES.find(
    ({ sign, flow }) =>
      (flow === undefined || flow === isFlow) && sign.test(`${error.code} ${error.message}`),
  )?.says({ character: text.slice(from, from + 1), before });
}

interface Sentence {
  /** Of the parser's code and message. */
  readonly sign: RegExp;
  /** Whether it is meant for what stands between brackets; absent: for all. */
  readonly flow?: boolean;
  /** @param place the character where it was noticed, and the line up to it */
  says(place: { readonly character: string; readonly before: string }): string;
}

const MISALIGNED = 'is not indented like the lines that it belongs to';

const SENTENCES: readonly Sentence[] = [
  { sign: /flow-(map|seq)-end/, says: ({ character }) => `has a ${character} that nothing opens` },
  {
    sign: /^MULTILINE_IMPLICIT_KEY|Missing ,|scalar token/,
    flow: true,
    says: () => 'lacks a comma',
  },
  { sign: /^BLOCK_IN_FLOW/, says: () => 'lacks a comma, or has list items (-) between brackets' },
  {
    sign: /^MULTILINE_IMPLICIT_KEY|followed by map values/,
    says: () => 'lacks a colon with a space after it',
  },
  {
    sign: /Nested mappings/,
    says: () =>
      'has two colons: put its value in quotes, or the second name into a line of its own',
  },
  {
    sign: /block-seq-ind on same line/,
    says: () => 'has a list item after a name: put it into a line of its own',
  },
  {
    sign: /without - indicator/,
    says: () => `${MISALIGNED}, or lacks its -`,
  },
  { sign: /^BAD_INDENT|block sequence may not/, flow: false, says: () => MISALIGNED },
  {
    sign: /^BAD_SCALAR_START/,
    says: ({ character }) => `has a value that starts with ${character}: put it in quotes`,
  },
  {
    sign: /^BAD_DQ_ESCAPE/,
    says: () => 'has a lone backslash in double quotes: double it, or use single quotes',
  },
  {
    sign: /at node end/,
    says: ({ before }) =>
      /["']/.test(before)
        ? 'goes on after the end of a text in quotes: look for a quote too many, or one too few'
        : MISALIGNED,
  },
];

/** The brackets that an offset is between, the closing ones not yet being there or not. */
function flowsAround({ tokens }: Broken, offset: number): CST.FlowCollection[] {
  return tokens.filter(
    (token): token is CST.FlowCollection =>
      token.type === 'flow-collection' &&
      token.start.offset <= offset &&
      token.end.every((end) => end.offset >= offset),
  );
}

function isClosed(flow: CST.FlowCollection): boolean {
  return flow.end[0]?.source === closing(flow);
}

function closing({ start }: CST.FlowCollection): string {
  return start.type === 'flow-map-start' ? '}' : ']';
}
