import type { KnownBlock } from '@slack/types';
import { createBlockChecker, problemLine } from '../../../src/sandbox/slack/block-check.ts';
import { hasTooManyTables, isTooLong } from '../../../src/sandbox/slack/block-rules.ts';
import type { Json } from '../../../src/sandbox/slack/json.ts';

const checker = createBlockChecker();

/** Slack advises so many characters for the text above the blocks. */
const TOP_TEXT = 4_000;

/** The bot's own tokens in angle brackets: a moment, a mention of the person who shared, a file of Slack's. */
const OWN_TOKEN =
  /<(?:!date\^\d+\^[^<>|]+\|[-\d: ]+UTC|@U0ADA|https:\/\/files\.slack\.com\/[\w./-]+\|[^<>|\n]*)>/g;
/** Control characters, direction marks and characters without width; halves of pairs have a test of their own. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/;

/** A backtick between these is foreign, however it came into a text. */
export const FOREIGN_TICK = '⟦`⟧';
/** Whole, or cut behind the backtick. One that only follows the first sign is the bot’s: it ends a span. */
const FOREIGN_TICKS = /⟦`[⟧`…]/u;

interface Said {
  readonly kind: 'mrkdwn' | 'plain';
  readonly text: string;
}

/** Parts of a message that Slack would refuse, or effects of foreign text; empty when all is well. */
export function messageProblems(text: string, blocks: readonly KnownBlock[]): string[] {
  const read = blocks as unknown as Json[];
  return [
    ...checker.blocks(blocks, 'message').map((problem) => problemLine(problem)),
    ...(hasTooManyTables(read) ? ['more than one table'] : []),
    ...(isTooLong(read) ? ['more text than a message holds'] : []),
    ...(text.trim() === '' || text.length > TOP_TEXT ? [`a text of ${text.length}`] : []),
    ...[{ kind: 'mrkdwn', text } as const, ...saidIn(blocks)].flatMap(textProblems),
  ];
}

/** The same of a modal. */
export function viewProblems(view: { blocks: readonly KnownBlock[] }): string[] {
  return [
    ...checker.view({ type: 'modal', ...view }).map((problem) => problemLine(problem)),
    ...saidIn(view.blocks).flatMap(textProblems),
  ];
}

function textProblems({ kind, text }: Said): string[] {
  const problems = [
    ...(!/\p{Cs}/u.test(text) ? [] : ['half a letter']),
    ...(UNSEEN.test(text) ? ['something unseen'] : []),
    ...(kind === 'mrkdwn' ? mrkdwnProblems(text) : []),
  ];
  return problems.map((problem) => `${problem} in ${JSON.stringify(text.slice(0, 400))}`);
}

function mrkdwnProblems(text: string): string[] {
  const rest = text.replaceAll(OWN_TOKEN, '');
  return [
    ...(/[<>]/.test(rest) ? ['a control sequence'] : []),
    ...(/&(?!(?:amp|lt|gt);)/.test(rest) ? ['half an entity'] : []),
    // It would open a span, or close one of the bot's.
    ...(FOREIGN_TICKS.test(text) ? ['a backtick that is not the bot’s'] : []),
  ];
}

/** Every text that a person reads, at any depth. */
function saidIn(value: unknown): Said[] {
  if (Array.isArray(value)) return value.flatMap(saidIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, text, initial_value: filled } = value as Record<string, unknown>;
  const kind = type === 'mrkdwn' ? 'mrkdwn' : 'plain';
  return [
    ...(typeof text === 'string' ? [{ kind, text } as const] : []),
    ...(typeof filled === 'string' ? [{ kind: 'plain', text: filled } as const] : []),
    ...Object.values(value).flatMap(saidIn),
  ];
}
