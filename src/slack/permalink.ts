import type { WebClient } from '@slack/web-api';

/** The address of a message; undefined when Slack does not say one. `ts` names the message in its channel. */
export type Permalink = (channel: string, ts: string) => Promise<string | undefined>;

/** Nothing is logged: a link that is missing is no harm. */
export function createPermalink(client: WebClient): Permalink {
  return async (channel, ts) => {
    try {
      const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts });
      return permalink;
    } catch {
      return undefined;
    }
  };
}
