import { tableOf, textOf } from '../../support/answer.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import type { Message } from './bot.ts';

/** An answer as a person reads it. */
export type Shown = ReturnType<typeof readAnswer>;

export function readAnswer(message: Pick<Message, 'blocks'>) {
  const [head, ...blocks] = message.blocks
    .filter(({ type }) => type !== 'actions')
    .map((block) => ({ blocks: [block] }) as unknown as Pick<Answer, 'blocks'>);
  const [titles = [], ...rows] = blocks.flatMap(tableOf);
  return {
    /** The first section, line by line: the question, the totals, and the comparison. */
    head: unescape(head === undefined ? '' : textOf(head)).split('\n'),
    /** The other sections and the small print. */
    words: unescape(blocks.map(textOf).filter(Boolean).join('\n')),
    titles,
    rows,
  };
}

/** The lines of a report: the question and the total of its headline are two. */
export function reportLines([headline = '', ...others]: readonly string[]): string[] {
  const [asked, range, ...total] = headline.split(' · ');
  const question = [asked, range].filter((part) => part !== undefined).join(' · ');
  return [question, ...(total.length > 0 ? [total.join(' · ')] : []), ...others];
}

/** Undoes Slack's three entities, once. */
function unescape(text: string): string {
  const plain: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };
  return text.replace(/&(amp|lt|gt);/g, (_, name: string) => plain[name] ?? '');
}
