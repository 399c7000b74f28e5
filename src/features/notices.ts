import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { isTopic, TOPICS, type Topic } from '../monitors/topics.ts';
import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';
import { actions, button, context, overflow } from '../slack/kit/blocks.ts';
import type { Mrkdwn } from '../slack/kit/text.ts';
import { RUN_ACTION } from '../slack/replies/help-view.ts';

/** Result of one run of a monitor: `memory` is what the next run compares with. */
export interface MonitorResult<Memory> {
  readonly memory: Memory;
  readonly messages: readonly Message[];
  /** The monitored thing is gone: fields to delete together with the messages, the memory among them. */
  readonly remove?: readonly string[];
}

interface Place {
  readonly hash: string;
  readonly field: string;
  /** Other fields of the hash that must not have changed since the run began; null: absent. */
  readonly unchanged?: Readonly<Record<string, string | null>>;
}

type MonitorServices = Pick<Services, 'redis' | 'keys' | 'outbox' | 'wake'>;

/**
 * Runs a monitor once. The memory and the messages are written in one step, so each message is posted once, whichever
 * process ran and whenever one was stopped. If another process wrote first, this run is discarded.
 * @param check is given the memory of the last run; undefined on the first run and if it cannot be read. It returns
 * undefined if nothing could be read.
 * @throws what `check` throws; nothing is written then
 */
export async function runMonitor<Memory>(
  services: MonitorServices,
  place: Place,
  schema: z.ZodType<Memory>,
  check: (before: Memory | undefined) => Promise<MonitorResult<Memory> | undefined>,
): Promise<void> {
  const { redis, outbox, wake } = services;
  const { hash, field, unchanged = {} } = place;
  const text = await redis.hget(hash, field);
  const result = await check(text === null ? undefined : read(schema, text));
  if (result === undefined) return;
  const { remove = [] } = result;
  const after = JSON.stringify(result.memory);
  if (after === text && result.messages.length + remove.length === 0) return;
  const channels = await outbox.commit(result.messages, {
    hash,
    expect: { ...unchanged, [field]: text },
    set: remove.includes(field) ? {} : { [field]: after },
    remove: [...remove],
  });
  if (channels !== undefined) await wake(channels);
}

function read<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Like `lookAt`, for a topic that can be stopped. A stopped topic still updates its memory, so that nothing is posted
 * belatedly, and still edits posted messages: a card must not say "due" for ever.
 */
export async function runTopicMonitor<Memory>(
  services: MonitorServices,
  topic: Topic,
  schema: z.ZodType<Memory>,
  check: (before: Memory | undefined) => Promise<MonitorResult<Memory> | undefined>,
): Promise<void> {
  const { redis, keys } = services;
  await runMonitor(services, { hash: keys.told, field: topic }, schema, async (before) => {
    const result = await check(before);
    const isStopped = result !== undefined && (await redis.hexists(keys.stops, topic)) === 1;
    return isStopped ? { ...result, messages: result.messages.map(onlyEdits) } : result;
  });
}

/** The message as an edit of an existing one; dropped if there is none. */
function onlyEdits(message: Message): Message {
  return { ...message, editOnly: true };
}

/** The member who stopped a topic; ms since the epoch. */
const Stop = z.object({ by: z.string(), at: z.number() });
export type Stopped = z.infer<typeof Stop> & { readonly topic: Topic };

export async function stoppedTopics({
  redis,
  keys,
}: Pick<Services, 'redis' | 'keys'>): Promise<Stopped[]> {
  const all = Object.entries(await redis.hgetall(keys.stops));
  return all.flatMap(([topic, text]) => {
    const stop = read(Stop, text);
    return stop !== undefined && isTopic(topic) ? [{ ...stop, topic }] : [];
  });
}

export const STOP_ACTION = 'notices.stop';
export const START_ACTION = 'notices.start';

export function noticeEnd(
  topic: Topic,
  why: Mrkdwn,
  buttons: readonly ActionsBlockElement[] = [],
): KnownBlock[] {
  const { what, whom, roles } = TOPICS[topic];
  const stop = overflow({
    action: STOP_ACTION,
    text: `Stop ${what}`,
    value: topic,
    confirm: {
      title: 'Stop these messages?',
      question: `This stops ${what} for ${whom}, until somebody starts them again. It takes the role ${roles.join(' or ')}.`,
      yes: 'Stop',
      no: 'Keep',
    },
  });
  return [actions(...buttons, stop), context(why)];
}

/** Unsolicited messages are short (docs/style.md, "Length"); characters of all lines together. */
const MOST = { lines: 12, characters: 900 };

/**
 * The lines of a notice in the largest of several sizes that fits together with its reason. Long names are shortened,
 * and fewer are listed.
 */
export function inRoom<Size>(
  sizes: readonly Size[],
  why: Mrkdwn,
  render: (size: Size) => Mrkdwn[],
): Mrkdwn[] {
  let texts: Mrkdwn[] = [];
  for (const size of sizes) {
    texts = render(size);
    const characters = [...texts, why].reduce((sum, { text }) => sum + text.length, 0);
    if (texts.length < MOST.lines && characters <= MOST.characters) break;
  }
  return texts;
}

/** The end of a reply: it cannot be stopped by itself. */
export function replyEnd(why: Mrkdwn, buttons: readonly ActionsBlockElement[] = []): KnownBlock[] {
  return [...(buttons.length === 0 ? [] : [actions(...buttons)]), context(why)];
}

/** Runs the command with the rights of the member who clicks. */
export function runButton(text: string, command: string) {
  return button({ action: RUN_ACTION, text, value: command });
}

export function startButton(topic: Topic) {
  return button({
    action: START_ACTION,
    text: 'Start again',
    value: topic,
    label: `Start ${TOPICS[topic].what} again`,
  });
}
