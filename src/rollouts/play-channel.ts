import type { KnownBlock } from '@slack/types';
import type { Message } from '../notify/message.ts';
import { mutedContent, type Held, type Served } from './render/muted.ts';

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
  /** Keys of messages instead of which another one is posted. */
  const instead = new Set<string>();
  const held = new Map<string, Held>();
  let muted = 0;

  const isPosted = (key: string): boolean => posted.has(key) || instead.has(key);

  function take(
    { key, covers, text, blocks, threadKey, orphan, ...how }: Omit<Message, 'channel'>,
    now: number,
  ): void {
    const at = new Date(now).toISOString();
    const body = JSON.stringify([text, blocks]);
    const shown = { at, key, ...(covers === undefined ? {} : { covers }), text, blocks };
    if (instead.has(key)) return;
    const waiting = held.get(key);
    if (waiting !== undefined) return void held.set(key, { ...waiting, text });
    const before = posted.get(key);
    if (before !== undefined) {
      if (before === body) return;
      posted.set(key, body);
      return show({ ...shown, how: 'edit' });
    }
    const isReply = threadKey !== undefined && isPosted(threadKey);
    const isOrphan = threadKey !== undefined && !isReply && !held.has(threadKey);
    if (how.editOnly === true || (isOrphan && orphan === 'drop')) return;
    if (isOrphan && orphan === 'root') instead.add(threadKey);
    if (how.held !== undefined) return void held.set(key, { key, at: now, text });
    posted.set(key, body);
    show({ ...shown, how: !isReply ? 'post' : how.broadcast === true ? 'broadcast' : 'reply' });
  }

  return {
    take,
    /** The end of a mute. @param served the workloads as they are now */
    release(now: number, served: readonly Served[]): void {
      if (held.size === 0) return;
      muted += 1;
      const key = `@mute/${muted}`;
      const all = [...held.values()];
      held.clear();
      for (const one of all) instead.add(one.key);
      const covers = all.map((one) => one.key);
      take({ key, covers, ...mutedContent('While muted', all, served) }, now);
    },
  };
}
