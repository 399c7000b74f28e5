import type { KnownBlock } from '@slack/types';
import type { Message } from '../../src/notify/message.ts';
import { createChannel as createOutbox } from '../../src/rollouts/play.ts';

/** A message at one moment. */
interface Seen {
  at: number;
  way: 'post' | 'broadcast' | 'reply' | 'edit';
  /** The key in the metadata of the post: `ready`, `card`, `@job`, … */
  kind: string;
  /** All that is read, without its buttons. */
  lines: readonly string[];
  /** The visible change: of an edit its new lines, or else the removed ones. */
  news: readonly string[];
}

/** A channel that is read from beginning to end: its posts, and those of its threads. */
export function createChannel() {
  const messages = new Map<string, Seen>();
  const history: Seen[] = [];
  const outbox = createOutbox(({ at, how, key, blocks }) => {
    const before = messages.get(key);
    const lines = blocks.flatMap(linesOf);
    const news = before ? edited(before.lines, lines) : [...lines, ...buttonsOf(blocks)];
    const seen = { at: Date.parse(at), way: how, kind: kindOf(key), lines, news };
    messages.set(key, { ...seen, way: before?.way ?? how });
    history.push(seen);
  });

  return {
    history,
    /** Every message as it is now, by its key; its way is that of its first moment. */
    messages: messages as ReadonlyMap<string, Seen>,
    /** Takes the messages of a poll, as the outbox does. @param at milliseconds since the epoch */
    take(news: readonly Message[], at: number): void {
      for (const message of news) outbox.take(message, at);
    },
  };
}

function edited(old: readonly string[], lines: readonly string[]): string[] {
  const fresh = lines.filter((line) => !old.includes(line));
  const gone = old.filter((line) => !lines.includes(line)).map((line) => `(no more: ${line})`);
  return fresh.length > 0 ? fresh : gone;
}

/** Of `org/gvc/workload/version/ready/2` it is `ready`; what is about a location, a GVC or a job has an `@`. */
function kindOf(key: string): string {
  const parts = key.split('/');
  return parts.slice(1, 4).find((part) => part.startsWith('@')) ?? parts[4] ?? key;
}

type Part = Readonly<{ type: string; text?: string | { text: string } }>;
type Parts = { text?: Part; fields?: Part[]; elements?: Part[]; accessory?: Part; rows?: Part[][] };

/** A row of a table, and the elements of a context, are a line each. */
function linesOf(block: KnownBlock): string[] {
  const { text, fields = [], elements = [], rows = [] } = block as Parts;
  const context = elements.filter(({ type }) => type === 'mrkdwn' || type === 'plain_text');
  const cells = rows.map((row) => row.map(wordsOf).join(' | '));
  return [...fields.concat(text ?? []).map(wordsOf), context.map(wordsOf).join('  '), ...cells]
    .filter((words) => words !== '')
    .flatMap((words) => words.split('\n'));
}

function buttonsOf(blocks: readonly KnownBlock[]): string[] {
  const all = blocks.flatMap((block) => {
    const { elements = [], accessory = [] } = block as Parts;
    return elements.concat(accessory).filter(({ type }) => /^(?:button|overflow)$/.test(type));
  });
  return all.length === 0 ? [] : [all.map((button) => `[${wordsOf(button) || '…'}]`).join(' ')];
}

/** Mrkdwn as it is read: dates and links are their words. */
function wordsOf({ text = '' }: Part): string {
  return (typeof text === 'string' ? text : text.text)
    .replaceAll(/<[^<>|]*\|([^<>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
