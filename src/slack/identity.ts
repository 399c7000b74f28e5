import type { WebClient } from '@slack/web-api';

/** Who the bot is in its workspace. */
export interface Identity {
  botId: string;
  botUserId: string;
  teamId: string;
}

/** Asks Slack who the token belongs to. @throws the client's errors */
export async function readIdentity(client: WebClient): Promise<Identity> {
  const answer = await client.auth.test();
  return {
    botId: answer.bot_id ?? '',
    botUserId: answer.user_id ?? '',
    teamId: answer.team_id ?? '',
  };
}
