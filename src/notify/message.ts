import type { KnownBlock } from '@slack/types';

/**
 * One message to one channel. `key` names it for good: it goes out once, later contents edit it.
 * It is also what a reader of the channel's metadata sees (design section 4).
 */
export interface Message {
  channel: string;
  key: string;
  /** Keys that this message stands for as well; those of what it `absorbs` come by themselves. */
  covers?: string[];
  text: string;
  blocks: KnownBlock[];
  /**
   * Key of a message of this channel that is never posted when this one comes first: this one stands for
   * it, and has what would be in its thread in its own.
   */
  servesAs?: string;
  /** Key of the message in whose thread this one goes. */
  threadKey?: string;
  /** A reply that is shown in the channel, too. */
  broadcast?: boolean;
  /** Key of a message of this channel without which this one is dropped: what is only an edit, or a follow-up. */
  requires?: string;
  /**
   * The channel is muted: a message that is not there yet is put by under this mark,
   * which only its maker reads, until a message that `absorbs` it stands for it.
   */
  held?: string;
  /**
   * Keys of messages of this channel, held back or waiting, that this one stands for: they are never
   * posted. One that is posted or under way by now refuses the whole commit.
   */
  absorbs?: string[];
  /** With several like it waiting for one channel, they are told as one (see `digest.ts`). */
  groupable?: boolean;
}

/** What `covers` of one message may take, in characters. Slack states no limit (ADR 11). */
export const MAX_COVERS = 8_000;

/** Of the metadata of every post (design section 4). */
export const EVENT_TYPE = 'purser_event';

/** The metadata of a post; readable by everyone in the workspace. */
export function metadataOf(message: Pick<Message, 'key' | 'covers'>): {
  event_type: string;
  event_payload: { key: string; covers?: string };
} {
  return {
    event_type: EVENT_TYPE,
    event_payload: {
      key: message.key,
      ...(message.covers === undefined ? {} : { covers: message.covers.join(' ') }),
    },
  };
}
