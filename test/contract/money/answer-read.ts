import type { PageMessage } from '../../../src/sandbox/slack/page-protocol.ts';

/** An answer as a person reads it. */
export interface Shown {
  /** The first section, line by line: the question, the totals, and what it is compared with. */
  readonly head: readonly string[];
  /** The other sections and the small print. */
  readonly words: string;
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Block {
  readonly type: string;
  readonly text?: { readonly text: string };
  readonly elements?: readonly { readonly text?: unknown }[];
  readonly rows?: readonly (readonly { readonly text: string }[])[];
}

export function readAnswer({ blocks }: PageMessage): Shown {
  const read = blocks as unknown as Block[];
  const [first, ...others] = read.filter(({ type }) => type !== 'actions');
  const table = others.find(({ type }) => type === 'table');
  const [titles = [], ...rows] = (table?.rows ?? []).map((row) => row.map(({ text }) => text));
  const words = others.flatMap(({ text, elements = [] }) => [
    text?.text,
    ...elements.map((element) => element.text),
  ]);
  return {
    head: unescape(first?.text?.text ?? '').split('\n'),
    words: unescape(words.filter((one) => typeof one === 'string').join('\n')),
    titles,
    rows,
  };
}

/** Undoes Slack's three entities, once. */
function unescape(text: string): string {
  const plain: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
  return text.replace(/&(amp|lt|gt);/g, (_, name: string) => plain[name] ?? '');
}
