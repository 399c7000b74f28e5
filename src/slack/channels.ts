import { WebAPIPlatformError } from '@slack/web-api';
import type { WebClient } from '@slack/web-api';

/** What a bot that is outside sees of a private channel. */
const OUTSIDE = new Set(['channel_not_found', 'not_in_channel']);

/** Whether the bot can post to a channel; undefined when Slack does not say. */
export async function isMember(client: WebClient, channel: string): Promise<boolean | undefined> {
  try {
    const { channel: info } = await client.conversations.info({ channel });
    return info?.is_im === true ? true : info?.is_member;
  } catch (error) {
    const code = error instanceof WebAPIPlatformError ? error.data.error : undefined;
    return code !== undefined && OUTSIDE.has(code) ? false : undefined;
  }
}
