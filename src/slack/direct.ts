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
      const { channel } = await client.conversations.open({ users: userId });
      if (channel?.id === undefined) throw new Error('Slack’s conversations.open names no channel');
      await client.chat.postMessage({
        ...message,
        channel: channel.id,
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
