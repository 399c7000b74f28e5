import type { KnownBlock } from '@slack/types';
import type { Message } from '../notify/message.ts';
import { mutedContent, type Held } from './render/muted.ts';

/** One message as a channel shows it, or its edit. */
export interface Shown {
  at: string;
  /** `reply`: in a thread; `broadcast`: a reply that is shown in the channel, too. */
  how: 'post' | 'reply' | 'broadcast' | 'edit';
  key: string;
  covers?: string[];
  text: string;
  blocks: KnownBlock[];
}

/** The rules of the outbox for one channel, in memory. */
export function createChannel(show: (shown: Shown) => void) {
  const posted = new Map<string, string>();
  /** Messages that another one replaces, by their keys. */
  const standIns = new Map<string, string>();
  const held = new Map<string, Held>();
  let muted = 0;

  const isThere = (key: string | undefined): boolean =>
    key !== undefined && (posted.has(key) || standIns.has(key));

  function take(
    {
      key,
      covers,
      text,
      blocks,
      requires,
      threadKey,
      servesAs,
      broadcast,
      ...other
    }: Omit<Message, 'channel'>,
    now: number,
  ): void {
    const at = new Date(now).toISOString();
    const body = JSON.stringify([text, blocks]);
    const shown = { at, key, ...(covers === undefined ? {} : { covers }), text, blocks };
    if (standIns.has(key)) return;
    const waiting = held.get(key);
    if (waiting !== undefined) return void held.set(key, { ...waiting, text });
    const before = posted.get(key);
    if (before !== undefined) {
      if (before === body) return;
      posted.set(key, body);
      return show({ ...shown, how: 'edit' });
    }
    if (requires !== undefined && !isThere(requires) && !held.has(requires)) return;
    if (other.held !== undefined) {
      held.set(key, { key, at: now, text });
      return;
    }
    posted.set(key, body);
    const serves = servesAs !== undefined && !isThere(servesAs);
    if (serves) standIns.set(servesAs, key);
    const how = serves || !isThere(threadKey) ? 'post' : broadcast === true ? 'broadcast' : 'reply';
    show({ ...shown, how });
  }

  return {
    take,
    /** The end of a mute. @param hurt what is hurt now */
    release(now: number, hurt: readonly string[]): void {
      if (held.size === 0) return;
      muted += 1;
      const key = `@mute/${muted}`;
      const all = [...held.values()];
      held.clear();
      for (const one of all) standIns.set(one.key, key);
      const covers = all.map((one) => one.key);
      take({ key, covers, ...mutedContent('While muted', all, hurt) }, now);
    },
  };
}
