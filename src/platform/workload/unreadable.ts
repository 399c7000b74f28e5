import type { CST, YAMLParseError } from 'yaml';

type Problem = Pick<YAMLParseError, 'code' | 'message' | 'pos'>;

interface Broken {
  readonly errors: readonly [Problem, ...Problem[]];
  readonly tokens: readonly CST.Token[];
  readonly text: string;
}

interface Located {
  /** The offset of the mistake, which may be far from where the parser noticed it. */
  readonly at: number;
  /** A sentence without subject and full stop. */
  readonly says: string;
}

/** Explains a text that is neither YAML nor JSON to users who do not know their grammar. Pure. */
export function whyBroken({ errors, tokens, text }: Broken): Located {
  const { code, message, pos } = errors[0];
  const [from] = pos;
  // An error for a missing part is at the end of the text, after which there may be empty lines.
  const within = (offset: number) => Math.max(0, Math.min(offset, text.trimEnd().length - 1));
  const at = within(from);
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const [line = ''] = text.slice(start).split('\n', 1);
  // A guess: YAML may begin with a bracket as well, and seldom does.
  const isJson = /^[\s#]*[{[]/.test(text);
  const characters = ofCharacters(line, isJson, code);
  if (characters !== undefined) return { at, says: characters };
  const flows = tokens.filter((token) => isAround(token, from));
  const elsewhere =
    (message.startsWith('Missing closing') && openQuote(tokens, from)) ||
    (message.startsWith('Flow ') && openBracket(flows, code, text)) ||
    (code === 'BLOCK_AS_IMPLICIT_KEY' && flows.length === 0 && tooFarRight(errors, from));
  if (elsewhere) return { ...elsewhere, at: within(elsewhere.at) };
  const known = SENTENCES.find(
    ({ sign, flow = flows.length > 0 }) =>
      flow === flows.length > 0 && sign.test(`${code} ${message}`),
  );
  const kind = isJson ? 'no JSON' : 'neither YAML nor JSON';
  const says =
    known?.says({ character: text.slice(from, from + 1), before: text.slice(start, from) }) ??
    `is ${kind} from here on: look at it, and at the line before it`;
  return { at, says };
}

function ofCharacters(line: string, isJson: boolean, code: string): string | undefined {
  const language = isJson ? 'JSON' : 'YAML';
  // JSON may be indented by tabs.
  if (!isJson && (code === 'TAB_AS_INDENT' || /^ *\t/.test(line))) {
    return 'is indented by a tab, where YAML takes spaces';
  }
  if (line.includes('\u00A0'))
    return `holds a no-break space, where ${language} takes plain spaces`;
  if (/[“”„]/.test(line)) return `holds typographic quotes, where ${language} takes straight ones`;
  return line.includes('{{')
    ? 'is part of a template ({{ … }}): check the manifest that is made of it'
    : undefined;
}

function openQuote(tokens: readonly CST.Token[], end: number): Located | undefined {
  for (const token of tokens) {
    if ('source' in token && 'offset' in token && token.offset + token.source.length === end) {
      const says = `opens a quote (${token.source.slice(0, 1)}) that is not closed`;
      return { at: token.offset, says };
    }
  }
  return undefined;
}

function openBracket(flows: readonly CST.FlowCollection[], code: string, text: string) {
  const [flow] = flows
    .filter((one) => one.end[0]?.source !== closing(one))
    .toSorted((a, b) => b.start.offset - a.start.offset);
  if (flow === undefined) return undefined;
  const { offset, source } = flow.start;
  // It may be there, and yet not count: the lines up to it must be indented.
  const isLost = code === 'BAD_INDENT' && text.includes(closing(flow), offset);
  const or = isLost ? `, or the lines up to its ${closing(flow)} are not indented` : '';
  return { at: offset, says: `opens a ${source} that is not closed${or}` };
}

function closing({ start }: CST.FlowCollection): string {
  return start.type === 'flow-map-start' ? '}' : ']';
}

function isAround(token: CST.Token, offset: number): token is CST.FlowCollection {
  return (
    token.type === 'flow-collection' &&
    token.start.offset <= offset &&
    token.end.every((end) => end.offset >= offset)
  );
}

/** The parser took the lines from there for one name. */
function tooFarRight(errors: Broken['errors'], from: number): Located | undefined {
  const name = errors.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === from);
  const says = 'is indented further than the line before it, which has its value already';
  return name === undefined ? undefined : { at: name.pos[1] - 1, says };
}

interface Sentence {
  readonly sign: RegExp;
  /** Whether it applies between brackets only, or outside of them only; absent: everywhere. */
  readonly flow?: boolean;
  /** @param place the character where it was noticed, and the line up to it */
  says(place: { readonly character: string; readonly before: string }): string;
}

const MISALIGNED = 'is not indented like the lines that it belongs to';

// One line for each.
// prettier-ignore
const SENTENCES: readonly Sentence[] = [
  { sign: /flow-(map|seq)-end/, says: ({ character }) => `has a ${character} that nothing opens` },
  { sign: /^MULTILINE_IMPLICIT_KEY|Missing ,|scalar token/, flow: true, says: () => 'lacks a comma' },
  { sign: /^BLOCK_IN_FLOW/, says: () => 'lacks a comma, or has list items (-) between brackets' },
  { sign: /^MULTILINE_IMPLICIT_KEY|followed by map values/, says: () => 'lacks a colon with a space after it' },
  { sign: /Nested mappings/, says: () => 'has two colons: put its value in quotes, or the second name into a line of its own' },
  { sign: /block-seq-ind on same line/, says: () => 'has a list item after a name: put it into a line of its own' },
  { sign: /without - indicator/, says: () => `${MISALIGNED}, or lacks its -` },
  { sign: /^BAD_INDENT|block sequence may not/, flow: false, says: () => MISALIGNED },
  { sign: /^BAD_SCALAR_START/, says: ({ character }) => `has a value that starts with ${character}: put it in quotes` },
  { sign: /^BAD_DQ_ESCAPE/, says: () => 'has a lone backslash in double quotes: double it, or use single quotes' },
  { sign: /at node end/, says: ({ before }) => /["']/.test(before) ? 'goes on after the end of a text in quotes: look for a quote too many, or one too few' : MISALIGNED },
];
