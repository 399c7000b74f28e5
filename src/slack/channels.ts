import { WebAPIPlatformError } from '@slack/web-api';
import type { WebClient } from '@slack/web-api';

/** What a bot that is outside sees of a private channel. */
const OUTSIDE = new Set(['channel_not_found', 'not_in_channel']);

/** Pages of a channel's members; beyond this it is too large to be read for one question. */
const MAX_PAGES = 10;
const PAGE = 1_000;

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

/** Whether a person is in a channel; undefined when Slack does not say, or it is too large to be read. */
export async function hasMember(
  client: WebClient,
  channel: string,
  userId: string,
): Promise<boolean | undefined> {
  try {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await client.conversations.members({
        channel,
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (answer.members?.includes(userId) === true) return true;
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) return answer.members === undefined ? undefined : false;
    }
  } catch {
    // A no, or silence: whoever asks has to take either for one.
  }
  return undefined;
}
