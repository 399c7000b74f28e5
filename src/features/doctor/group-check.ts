import type { WebClient } from '@slack/web-api';
import { plural } from '../../lib/text.ts';
import { isTokenError } from '../../slack/sender.ts';
import type { Check, Finding } from './check.ts';
import { broken, doubtful, well } from './findings.ts';
import { slackFailure } from './slack-failure.ts';
import type { SlackFailure } from './slack-failure.ts';

/** The user group that ORG_ACCESS names: that it is there and lets somebody in (design section 6). */
export function createGroupCheck(client: WebClient, groupId: string): Check {
  return {
    area: 'Access',
    look: async () => [judgeGroup(await countMembers(client, groupId))],
  };
}

/** @param seen how many members the group has; undefined: Slack does not say */
export function judgeGroup(seen: number | undefined | SlackFailure): Finding {
  const what = 'User group of ORG_ACCESS';
  const shut = 'so /usage, /deployments and /workload refuse everybody';
  if (typeof seen === 'number') {
    if (seen > 0) return well(what, plural(seen, 'member'));
    return broken(
      what,
      `it has no members, ${shut}`,
      'add people to the group, or change ORG_ACCESS',
    );
  }
  if (seen?.kind === 'refused' && seen.word === 'missing_scope') {
    return broken(
      what,
      `it cannot be read without the scope usergroups:read, ${shut}`,
      'add it under OAuth & Permissions and reinstall the app',
    );
  }
  if (seen?.kind === 'refused' && isTokenError(seen.word)) {
    return broken(
      what,
      `it cannot be looked at: Slack refuses the token (${seen.word})`,
      'mend SLACK_BOT_TOKEN first',
    );
  }
  if (seen?.kind === 'refused') {
    return broken(
      what,
      `Slack does not know it (${seen.word}), ${shut}`,
      'put the id of a user group that is enabled into ORG_ACCESS, it begins with S; or members',
    );
  }
  const why = seen === undefined ? 'its members are missing' : seen.word;
  return doubtful(what, `Slack did not answer (${why})`, 'run /purser doctor again in a minute');
}

async function countMembers(
  client: WebClient,
  groupId: string,
): Promise<number | undefined | SlackFailure> {
  try {
    return (await client.usergroups.users.list({ usergroup: groupId })).users?.length;
  } catch (error) {
    return slackFailure(error);
  }
}
