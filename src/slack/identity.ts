import type { WebClient } from '@slack/web-api';

/** Who the bot is in its workspace. */
export interface Identity {
  botId: string;
  botUserId: string;
  teamId: string;
}

/** Asks Slack who the token belongs to. @throws the client's errors, or when the answer lacks a part */
export async function readIdentity(client: WebClient): Promise<Identity> {
  const { bot_id: botId, user_id: botUserId, team_id: teamId } = await client.auth.test();
  if (!botId || !botUserId || !teamId) throw new Error('Slack’s auth.test names no bot or no team');
  return { botId, botUserId, teamId };
}
