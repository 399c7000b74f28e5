import type { Standing } from '../access/changes.ts';
import type { Actor } from './change.ts';

/** A person as a change keeps them: who they are, and the addresses that Slack has of them now. Pure. */
export function actorOf(
  { userId, teamId }: Pick<Actor, 'userId' | 'teamId'>,
  { email, unconfirmed }: Standing,
): Actor {
  return {
    userId,
    teamId,
    ...(email !== undefined && { email }),
    ...(unconfirmed !== undefined && { unconfirmed }),
  };
}
