import type { KnownBlock } from '@slack/types';
import { context, lines, section, topText } from '../slack/kit/blocks.ts';
import { joinMrkdwn, mrkdwn, Mrkdwn } from '../slack/kit/text.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { LookBack } from './look-back.ts';
import { MAX_COVERS } from './message.ts';
import type { Message, MessageContent } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { Queue } from './queue.ts';
import { numberedKey } from './records.ts';
import type { MessageRecord, MessageRecords } from './records.ts';

/** At most as many lines; for the rest their number. */
const MAX_LINES = 50;
/** Lines of a section: few enough that texts of common length are shown whole. */
const SECTION_LINES = 5;

/** With this many characters a line, the longest message of all is one that Slack takes. */
const LINE_LENGTH = 220;

/** As many messages, from the first on, as one message can stand for: at least one, if there is any. */
export function fitting(messages: readonly Message[]): Message[] {
  let room = MAX_COVERS + 1;
  const end = messages.findIndex(({ key, covers = [] }, index) => {
    room -= [key, ...covers].join(' ').length + 1;
    return index > 0 && room < 0;
  });
  return messages.slice(0, end === -1 ? messages.length : end);
}

/**
 * One message that tells several: a title, and a line for each of the first, which is its text. A card needs no
 * line beside its outcomes, because each of them says more.
 */
export function batchContent(title: string, messages: readonly Message[]): MessageContent {
  const roots = new Set(messages.map(({ threadKey }) => threadKey));
  const all = messages
    .filter(({ key, covers }) => covers !== undefined || !roots.has(key))
    .map(({ text }) => lineOf(text));
  const rest = all.length - MAX_LINES;
  const told = all.slice(0, MAX_LINES);
  const sections: KnownBlock[] = [];
  for (let from = 0; from < told.length; from += SECTION_LINES) {
    const group = told.slice(from, from + SECTION_LINES);
    sections.push(lines(group.map((line) => mrkdwn`• ${line}`)));
  }
  const more = rest > 0 ? [mrkdwn`… and ${rest} more`] : [];
  return {
    text: topText(joinMrkdwn([mrkdwn`${title}`, ...told, ...more], '\n')),
    blocks: [section(mrkdwn`*${title}*`), ...sections, ...more.map((line) => context(line))],
  };
}

/** A text of ours is escaped already; it is cut between entities, tokens and code spans. */
function lineOf(text: string): Mrkdwn {
  const line = text.replaceAll('\n', ' ');
  if (line.length <= LINE_LENGTH) return new Mrkdwn(line);
  const room = line.slice(0, LINE_LENGTH - 2);
  const whole = room.replace(/(?:<[^<>]*|&\w*|[\uD800-\uDBFF])$/, '');
  const open = whole.split('`').length % 2 === 0;
  return new Mrkdwn(`${whole}…${open ? '`' : ''}`);
}

/** From this many waiting messages on they are told as one. */
const BATCH_FROM = 5;
/** Results of a search after which a message is posted, and those after which it is not. */
const MISSING: ReadonlySet<string> = new Set(['absent', 'unknown']);
const TOLD: ReadonlySet<string> = new Set(['found', 'told']);

/**
 * Makes one message of those that wait for a channel and may be told together (ADR 11, "Backlog").
 * It takes the place of the first of them. A crash leaves them as they are, or told in one.
 * @param next the channel's next message: if it may not be told with others, nothing is done
 * @returns whether it made one
 */
export function createBatcher(deps: {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  queue: Queue;
  records: MessageRecords;
  lookBack: Pick<LookBack, 'isOpen' | 'find'>;
}): (channel: string, next: string) => Promise<boolean> {
  const { redis, keys, records, lookBack } = deps;

  /** Redis may have forgotten that some of them are told already: those that Slack has not. */
  async function untold(waiting: readonly MessageRecord[]): Promise<MessageRecord[]> {
    if (!(await lookBack.isOpen())) return [...waiting];
    const all: MessageRecord[] = [];
    for (const record of waiting) {
      // What goes into a thread could stand there, and there is one for each.
      if (record.message.threadKey !== undefined) continue;
      const found = await lookBack.find(record.message, undefined, record.older);
      if (found === undefined || MISSING.has(found.kind)) all.push(record);
      // Its own turn brings it in order, and repeats the search that fails now.
      else if (all.length === 0 || !TOLD.has(found.kind)) return [];
    }
    return all;
  }

  /** A number that Redis has forgotten is another batch's, which must not be edited into this one. */
  async function unusedKey(channel: string): Promise<string> {
    const key = await numberedKey(redis, keys, `@digest/${channel}`);
    const found = await lookBack.find({ channel, key }, undefined, []);
    return found?.kind === 'found' ? unusedKey(channel) : key;
  }

  return async (channel, next) => {
    if ((await redis.zcard(keys.outbox(channel))) < BATCH_FROM) return false;
    if ((await redis.hexists(keys.message(channel, next), 'groupable')) === 0) return false;
    const waiting = await deps.queue.groupable(channel);
    if (waiting.length < BATCH_FROM) return false;
    const read = await Promise.all(waiting.map((key) => records.read(channel, key)));
    const missing = await untold(read.filter((record) => record !== undefined));
    if (missing.length < BATCH_FROM) return false;
    const told = fitting(missing.map(({ message }) => message));
    if (told.length < 2) return false;
    const key = await unusedKey(channel);
    const content = batchContent(`${told.length} messages at once`, told);
    const absorbs = told.map((one) => one.key);
    // Refused when one of them is under way by now; then the rest is looked at again.
    return (await deps.outbox.commit([{ channel, key, ...content, absorbs }])) !== undefined;
  };
}
