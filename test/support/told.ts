/** Of a message what Slack shows to whoever reads the metadata, too. */
interface Posted {
  ts: string;
  text: string;
  metadata: { event_payload: { key: string; covers?: string } } | null;
  thread_ts: string | null;
  broadcast: boolean;
}

/** What a channel was told of something that happened. */
export interface Told {
  key: string;
  /** Keys of what it stands for. */
  covers: string[];
  text: string;
  /** Key of the message in whose thread it is. */
  under: string | undefined;
  broadcast: boolean;
}

/** The messages that say in their metadata what they tell. */
export function toldIn(messages: readonly Posted[]): Told[] {
  const keyed = messages.flatMap((message) => {
    const payload = message.metadata?.event_payload;
    return payload === undefined ? [] : [{ message, payload }];
  });
  const keyOf = new Map(keyed.map(({ message, payload }) => [message.ts, payload.key]));
  return keyed.map(({ message: { text, thread_ts: thread, broadcast }, payload }) => ({
    key: payload.key,
    covers: payload.covers?.split(' ') ?? [],
    text,
    under: thread === null ? undefined : keyOf.get(thread),
    broadcast,
  }));
}
