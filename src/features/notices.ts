import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { ADMINS, READERS } from '../access/policy.ts';
import type { Message } from '../notify/message.ts';
import type { BillingRole } from '../platform/billing/roles.ts';
import type { Services } from '../services.ts';
import { actions, button, context } from '../slack/kit/blocks.ts';
import type { Mrkdwn } from '../slack/kit/text.ts';
import { RUN_ACTION } from '../slack/replies/help-view.ts';

/** What Purser tells by itself, as several things that somebody gets, and any of the roles that may stop it. */
export const TOPICS = {
  digest: { what: 'digests', roles: READERS },
  alert: { what: 'messages about the spend alert', roles: READERS },
  invoices: { what: 'messages about invoices', roles: READERS },
  deliveries: { what: 'messages about failed invoice e-mails', roles: ADMINS },
  tokens: { what: 'messages about billing tokens', roles: ADMINS },
} as const satisfies Record<string, { what: string; roles: readonly BillingRole[] }>;

export type Topic = keyof typeof TOPICS;

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TOPICS, name);
}

/** What a look saw, to be compared with by the next one, and what is told of it. */
export interface Look<Memory> {
  readonly memory: Memory;
  readonly messages: readonly Message[];
  /** Nothing is looked at any more: fields that go together with what is told, the memory among them. */
  readonly remove?: readonly string[];
}

/** Where the memory of a look is kept: a field of a hash. */
interface Place {
  readonly hash: string;
  readonly field: string;
  /** Other fields of the hash that have to be as they were when the look began; null: not there. */
  readonly unchanged?: Readonly<Record<string, string | null>>;
}

type LookServices = Pick<Services, 'redis' | 'keys' | 'outbox' | 'wake'>;

/**
 * Looks once. What was seen before is read, and what is seen now is written in one step with the messages
 * about it: each is told once, whatever process looked, and whenever one was stopped. Where another process
 * was faster, nothing is written: its look counts.
 * @param look is given what the last look saw; undefined at the first one, or after an older version.
 *   Undefined says that nothing could be seen. @throws what it throws: then nothing was seen either
 */
export async function lookAt<Memory>(
  services: LookServices,
  place: Place,
  schema: z.ZodType<Memory>,
  look: (before: Memory | undefined) => Promise<Look<Memory> | undefined>,
): Promise<void> {
  const { redis, outbox, wake } = services;
  const { hash, field, unchanged = {} } = place;
  const text = await redis.hget(hash, field);
  const seen = await look(text === null ? undefined : read(schema, text));
  if (seen === undefined) return;
  const { remove = [] } = seen;
  const after = JSON.stringify(seen.memory);
  if (after === text && seen.messages.length + remove.length === 0) return;
  const channels = await outbox.commit(seen.messages, {
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
 * As `lookAt`, for a topic: while it is stopped the look goes on in silence, so that nothing is made up for
 * later. What is posted already is kept right all the same: a card that says "due" for ever would be wrong.
 */
export async function lookAtTopic<Memory>(
  services: LookServices,
  topic: Topic,
  schema: z.ZodType<Memory>,
  look: (before: Memory | undefined) => Promise<Look<Memory> | undefined>,
): Promise<void> {
  const { redis, keys } = services;
  await lookAt(services, { hash: keys.told, field: topic }, schema, async (before) => {
    const seen = await look(before);
    const isStopped = seen !== undefined && (await redis.hexists(keys.stops, topic)) === 1;
    return isStopped ? { ...seen, messages: seen.messages.map(onlyEdits) } : seen;
  });
}

/** The message as an edit of what is there; where nothing is, it is dropped. */
function onlyEdits(message: Message): Message {
  return { ...message, requires: message.key };
}

/** Who stopped a topic, and when (ms since the epoch). */
const Stop = z.object({ by: z.string(), at: z.number() });
export type Stopped = z.infer<typeof Stop> & { readonly topic: Topic };

/** The topics that are stopped. */
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

/** The end of every notice: its buttons with **Stop** as the last, and why it came. */
export function noticeEnd(
  topic: Topic,
  why: Mrkdwn,
  buttons: readonly ActionsBlockElement[] = [],
): KnownBlock[] {
  const { what, roles } = TOPICS[topic];
  const stop = button({
    action: STOP_ACTION,
    text: 'Stop',
    value: topic,
    label: `Stop ${what}`,
    confirm: {
      title: 'Stop these messages?',
      question: `Nobody gets ${what} any more, until somebody starts them again. Both take the role ${roles.join(' or ')}.`,
      yes: 'Stop',
      no: 'Keep',
    },
  });
  return [actions(...buttons, stop), context(why)];
}

/** What comes unasked is short (docs/style.md, "Length"); characters of all lines together. */
const MOST = { lines: 12, characters: 900 };

/**
 * The lines of a notice in the first of several sizes, the largest first, in which it is short enough with
 * the line that says why it came; with long names fewer are named, and by less.
 */
export function inRoom<Size>(
  sizes: readonly Size[],
  why: Mrkdwn,
  say: (size: Size) => Mrkdwn[],
): Mrkdwn[] {
  let said: Mrkdwn[] = [];
  for (const size of sizes) {
    said = say(size);
    const characters = [...said, why].reduce((sum, { text }) => sum + text.length, 0);
    if (said.length < MOST.lines && characters <= MOST.characters) break;
  }
  return said;
}

/** A button that runs a command for whoever clicks, with that person's rights. */
export function runButton(text: string, command: string) {
  return button({ action: RUN_ACTION, text, value: command });
}

/** Starts again what was stopped. */
export function startButton(topic: Topic) {
  return button({
    action: START_ACTION,
    text: 'Start again',
    value: topic,
    label: `Start ${TOPICS[topic].what} again`,
  });
}
