import { z } from 'zod';
import type { JobKind } from '../jobs/jobs.ts';
import { record } from '../metrics.ts';
import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';
import type { Found, Monitor } from './monitor.ts';
import type { Subject } from './outage.ts';
import { forgetSubject, isResting, noteBack, noteFailure, type OutageServices } from './outages.ts';
import { mayPostFigures } from './held.ts';
import { channelOf, isMonitored, TOPICS, type Topic } from './topics.ts';

export type MonitorServices = OutageServices & Pick<Services, 'audience'>;

/** Where the memory of a monitor is. */
interface Place {
  readonly hash: string;
  readonly field: string;
  /** Other fields of the hash that must not have changed since the run began; null: absent. */
  readonly unchanged?: Readonly<Record<string, string | null>>;
}

/**
 * The job of a monitor that can be stopped. Stopped, it still updates its memory, so that nothing is posted belatedly,
 * and still edits posted messages: a card must not say "due" for ever.
 */
export function monitorJob<Facts, Memory>(
  services: MonitorServices,
  topic: Topic,
  every: number,
  monitor: Monitor<Facts, Memory>,
): JobKind {
  const { redis, keys, clock } = services;
  const subject: Subject = { place: topic, what: TOPICS[topic].about };
  return {
    queue: 'billing',
    name: topic,
    every,
    async run() {
      const place = { hash: keys.reported, field: topic };
      await redis.hsetnx(keys.monitorRuns, topic, clock.now());
      const isRead = await runMonitor(services, subject, place, monitor, async (found) => {
        const isStopped = (await redis.hexists(keys.stops, topic)) === 1;
        const messages = isStopped ? found.messages.map(onlyEdits) : found.messages;
        return (await mayBePosted(services, topic, messages)) ? { ...found, messages } : undefined;
      });
      if (isRead) await redis.hset(keys.monitorRuns, topic, clock.now());
    },
  };
}

/** Reads when each monitor last read everything, for the metrics. */
export async function measureMonitors({
  redis,
  keys,
  config,
  clock,
}: Pick<Services, 'redis' | 'keys' | 'config' | 'clock'>): Promise<void> {
  const topics = Object.keys(TOPICS) as Topic[];
  const runs = await redis.hmget(keys.monitorRuns, ...topics);
  for (const [index, monitor] of topics.entries()) {
    const at = Number(runs[index] ?? 0);
    const isOn = at > 0 && config.billing !== undefined && isMonitored(monitor, config);
    record.monitorAge.set({ monitor }, isOn ? Math.max(0, clock.now() - at) / 1_000 : 0);
  }
}

/** False while another company reads the channel of billing figures. @throws CannotSee */
async function mayBePosted(
  services: MonitorServices,
  topic: Topic,
  messages: readonly Message[],
): Promise<boolean> {
  const channel = TOPICS[topic].hasFigures ? channelOf(topic, services.config) : undefined;
  const isPosted = messages.some((message) => message.channel === channel);
  if (channel === undefined || !isPosted || (await mayPostFigures(services, channel))) return true;
  // It could be read, so no outage waits for it.
  await forgetSubject(services, topic);
  return false;
}

/** The message as an edit, dropped if the channel does not have it. */
function onlyEdits(message: Message): Message {
  return { ...message, editOnly: true };
}

/**
 * Runs a monitor once. The memory and the messages are written in one step, so each message is posted once, whichever
 * process ran and whenever one was stopped. If another process wrote first, this run is discarded.
 * @param adjust undefined as its result: nothing is posted or remembered, so the next run repeats it
 * @returns whether it ran and everything could be read; a right that BILLING_TOKEN lacks is no failure
 * @throws what `read` throws, after the failure was counted; nothing else is written then
 */
export async function runMonitor<Facts, Memory>(
  services: MonitorServices,
  subject: Subject,
  place: Place,
  { memory, read, compare }: Monitor<Facts, Memory>,
  adjust: (found: Found<Memory>) => Promise<Found<Memory> | undefined> = (found) =>
    Promise.resolve(found),
): Promise<boolean> {
  if (await isResting(services, subject)) return false;
  const text = await services.redis.hget(place.hash, place.field);
  const before = text === null ? undefined : parsed(memory, text);
  let found: Found<Memory> | undefined;
  try {
    const facts = await read(before);
    found = facts && (await adjust(compare(before, facts)));
  } catch (error) {
    if (await noteFailure(services, subject, error)) throw error;
  }
  if (found === undefined) return true;
  const isWritten = await write(services, place, text, found);
  // Otherwise another process has just run it.
  if (isWritten && found.unread === undefined) await noteBack(services, subject, found.messages);
  if (isWritten && found.unread !== undefined) {
    return !(await noteFailure(services, subject, found.unread));
  }
  return true;
}

/** @returns false: another process wrote first */
async function write<Memory>(
  { outbox, wake }: MonitorServices,
  { hash, field, unchanged = {} }: Place,
  before: string | null,
  { memory, messages, remove = [] }: Found<Memory>,
): Promise<boolean> {
  const after = JSON.stringify(memory);
  if (after === before && messages.length + remove.length === 0) return true;
  const channels = await outbox.commit(messages, {
    hash,
    expect: { ...unchanged, [field]: before },
    set: remove.includes(field) ? {} : { [field]: after },
    remove: [...remove],
  });
  if (channels !== undefined) await wake(channels);
  return channels !== undefined;
}

/** Undefined for a text that is not JSON of this shape. */
export function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
