import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../lib/logger.ts';

/** Writes to a person's messages with the bot; gives false when that failed, which is logged. */
export type SendDirectly = (
  userId: string,
  message: { text: string; blocks: KnownBlock[] },
) => Promise<boolean>;

export function createSendDirectly(deps: { client: WebClient; logger: Logger }): SendDirectly {
  const { client, logger } = deps;
  return async (userId, message) => {
    try {
      await client.chat.postMessage({
        ...message,
        channel: await openDirect(client, userId),
        unfurl_links: false,
        unfurl_media: false,
      });
      return true;
    } catch (error) {
      logger.error({ err: error }, 'A direct message was not sent');
      return false;
    }
  };
}

/** The channel of a person's messages with the bot; undefined when Slack does not say, which is logged. */
export type DirectChannel = (userId: string) => Promise<string | undefined>;

/** Remembers what it found for good: such a channel stays the same. */
export function createDirectChannel(client: WebClient, logger: Logger): DirectChannel {
  const known = new Map<string, string>();
  return async (userId) => {
    try {
      const channel = known.get(userId) ?? (await openDirect(client, userId));
      known.set(userId, channel);
      return channel;
    } catch (error) {
      logger.warn({ err: error }, 'Slack does not say where a person is written to');
      return undefined;
    }
  };
}

async function openDirect(client: WebClient, userId: string): Promise<string> {
  const { channel } = await client.conversations.open({ users: userId });
  if (channel?.id === undefined) throw new Error('Slack’s conversations.open names no channel');
  return channel.id;
}
