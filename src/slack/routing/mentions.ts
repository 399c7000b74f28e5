import { unknownWord } from '../../grammar/typed.ts';
import type { UsageError } from '../../lib/errors.ts';
import { nearest } from '../../lib/words.ts';
import type { Place } from '../replies/answers.ts';
import { button, section } from '../kit/blocks.ts';
import { mrkdwn } from '../kit/text.ts';
import type { Answer, CommandRoute, Opening, Person } from './routes.ts';

/** A message that a person wrote to the bot: with a mention, or directly. */
export interface Written {
  readonly person: Person;
  /** The words after the mention, as Slack escapes them. */
  readonly text: string;
  readonly place: Place;
}

/** The members of `app_mention` and `message` that are read; any may be absent. */
interface MessageEvent {
  readonly type?: string;
  readonly subtype?: string;
  readonly bot_id?: string;
  readonly edited?: unknown;
  readonly user?: string;
  readonly channel?: string;
  readonly channel_type?: string;
  readonly text?: string;
  readonly ts?: string;
  readonly thread_ts?: string;
}

/** Those of messages of people: none, with a file, or a reply that is shown in the channel, too. */
const SUBTYPES: readonly (string | undefined)[] = [undefined, 'file_share', 'thread_broadcast'];

/**
 * The question in a message; undefined for messages of bots, edits, and everything else that is not addressed
 * to the bot.
 * @param teamId of the request
 */
export function writtenIn(event: MessageEvent, teamId: string): Written | undefined {
  const { type, subtype, bot_id: botId, edited, user, channel, thread_ts: threadTs } = event;
  const isDirect = event.channel_type === 'im' || channel?.startsWith('D') === true;
  if (!SUBTYPES.includes(subtype) || botId !== undefined || edited !== undefined) return undefined;
  if (user === undefined || channel === undefined) return undefined;
  // A mention in a direct message comes as that message, too.
  if (isDirect === (type === 'app_mention')) return undefined;
  return {
    person: { userId: user, teamId },
    // A command copied from an answer comes as code.
    text: wordsIn(event.text ?? '', isDirect)
      .replaceAll('`', '')
      .trim(),
    place: { channel, threadTs, isDirect },
  };
}

const MENTIONS = /(?:<@[A-Z0-9]+(?:\|[^>]*)?>[\s:,]*)+/i;

/** "hey @Purser charges": what comes after the first mention, or before it where nothing does. */
function wordsIn(text: string, isDirect: boolean): string {
  const mention = MENTIONS.exec(text);
  if (mention === null) return text;
  const [before, after] = [
    text.slice(0, mention.index),
    text.slice(mention.index + mention[0].length),
  ];
  const isFirst = before.trim() === '';
  // In a direct message a later mention is a word of the command.
  if (isDirect && !isFirst) return text;
  return isFirst || after.trim() !== '' ? after : before;
}

/** "@Purser why": about the message in whose thread it is. */
export const isWhy = (text: string): boolean => /^\/?why\s*\?*$/i.test(text);

export const WHY_WHERE =
  '"why" works in the thread of a rollout card: it shows the causes, zones and containers there.';

/** Words of `/purser` that need no command before them. */
const OWN_WORDS = new Set(['help', 'whoami', 'doctor', '?']);

/**
 * The command of a message, with its words. Words that resemble no command are a question to Purser: its overview.
 * `unknown`: the first word is nearly that of the command.
 */
export function commandIn(
  text: string,
  commands: readonly CommandRoute[],
): { command: CommandRoute; words: string; unknown?: UsageError } {
  const [, first = '', words = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  const name = first.toLowerCase().replace(/^\//, '');
  const own = commands.find(({ helpOn }) => helpOn !== undefined);
  if (own === undefined) throw new Error('No command helps with all others');
  const command = commands.find(({ help }) => help.command === `/${name}`);
  if (command !== undefined) return { command, words };
  if (OWN_WORDS.has(name)) return { command: own, words: text };
  const known = commands.map(({ help }) => help.command.slice(1));
  const meant = name === '' ? undefined : nearest(name, [...known, ...OWN_WORDS]);
  if (meant === undefined) return { command: own, words: '' };
  const near = commands.find(({ help }) => help.command === `/${meant}`);
  const unknown = unknownWord(first, lineOf(meant, words));
  return near ? { command: near, words, unknown } : { command: own, words: meant, unknown };
}

function lineOf(name: string, words: string): string {
  return (OWN_WORDS.has(name) ? `/purser ${name}` : `/${name} ${words}`).trim();
}

/** A message carries no trigger, so a form opens by a click. */
export function openingAnswer({ form, value }: Opening): Answer {
  return {
    blocks: [section(mrkdwn`This takes a form: *${form.title}*`)],
    buttons: [button({ action: form.actionId, text: 'Open the form', value, style: 'primary' })],
  };
}
