import { get } from './http.ts';
import type { SeenMessage } from './world.ts';

/** The key of a message, without the common part, and the keys of the messages that it stands for. */
export function keysOf({ metadata }: SeenMessage): string[] {
  const { key = '', covers } = metadata?.event_payload ?? {};
  return [key, ...(covers?.split(' ') ?? [])].map((one) => one.replace(/^@billing\//, ''));
}

/** Each message of each channel by its keys, as often as it was posted; an edit is no message. */
export function byChannel(all: readonly SeenMessage[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const message of all) (found[message.channel] ??= []).push(keysOf(message).join(' + '));
  return Object.fromEntries(Object.entries(found).map(([channel, keys]) => [channel, keys.sort()]));
}

/** Keys that one channel has more than once, whether in a message or in one that stands for several. */
export function doubled(all: readonly SeenMessage[]): string[] {
  const seen = new Set<string>();
  const names = all.flatMap((message) => keysOf(message).map((key) => `${message.channel} ${key}`));
  return names.filter((name) => seen.has(name) || !seen.add(name));
}

/** The texts of a message, one after the other; an edit with the same text is left out. */
export function saidOf({ text, edits }: SeenMessage): string[] {
  const all = [...edits.map((edit) => edit.text), text];
  return all.filter((one, at) => one !== all[at - 1]);
}

/** Of each version of a digest the first two lines, the second as far as "vs", and the amounts that moved. */
export function digestSaid(message: SeenMessage) {
  return saidOf(message).map((text) => {
    const [headline = '', second = '', ...rest] = text.split('\n');
    const moves = rest.flatMap((line) => /^[^:]*: ([+−]?[$¥][\d.,]+) \(/.exec(line)?.[1] ?? []);
    return { headline, toDate: second.replace(/ vs .*$/, ' vs '), moves };
  });
}

/** All messages of every channel, without private answers. */
export async function everythingIn(slackUrl: string): Promise<SeenMessage[]> {
  const { messages } = await get<{ messages: SeenMessage[] }>(`${slackUrl}/_sandbox/messages`);
  return messages.filter(({ ephemeral_to: to }) => to === null);
}

/** The message of a key, in a channel if several have it. @throws without one */
export function messageWith(
  all: readonly SeenMessage[],
  key: string,
  channel?: string,
): SeenMessage {
  const found = all.find(
    (one) => keysOf(one)[0] === key && (channel === undefined || one.channel === channel),
  );
  if (found === undefined) throw new Error(`${key} was not reported`);
  return found;
}
