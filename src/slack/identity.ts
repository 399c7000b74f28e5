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

/** The bot, as far as it knows itself. */
export interface IdentityStore {
  /** Asks Slack once; a failure is asked again by the next who wants to know. @throws as readIdentity */
  get(): Promise<Identity>;
  /** Undefined as long as Slack has not said. */
  now(): Identity | undefined;
}

/** For processes and threads that may start before Slack can be asked. */
export function createIdentity(client: WebClient): IdentityStore {
  let known: Identity | undefined;
  let asking: Promise<Identity> | undefined;
  const ask = async (): Promise<Identity> => {
    try {
      known = await readIdentity(client);
      return known;
    } finally {
      asking = undefined;
    }
  };
  return {
    get: () => (known === undefined ? (asking ??= ask()) : Promise.resolve(known)),
    now: () => known,
  };
}
