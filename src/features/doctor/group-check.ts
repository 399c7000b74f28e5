import { plural } from '../../lib/text.ts';
import { isTokenError } from '../../slack/sender.ts';
import { broken, well } from './check.ts';
import type { Check, CheckServices, Finding } from './check.ts';
import { slackFailure, unansweredBySlack } from './slack-failure.ts';
import type { SlackFailure } from './slack-failure.ts';

/** The user group that ORG_ACCESS names: that it is there and has members (design section 6). */
export function createGroupCheck({
  slack,
  config: { orgAccess },
}: CheckServices<'slack', 'orgAccess'>): Check {
  return {
    area: 'Access',
    async run() {
      if (orgAccess.kind !== 'usergroup') return [];
      const asked = slack.usergroups.users.list({ usergroup: orgAccess.id });
      return [judgeGroup(await asked.then(({ users }) => users?.length, slackFailure))];
    },
  };
}

/** @param members how many the group has; undefined: Slack does not say */
export function judgeGroup(members: number | undefined | SlackFailure): Finding {
  const what = 'User group of ORG_ACCESS';
  const shut = 'so /usage, /deployments and /workload refuse everybody';
  if (members === undefined) return unansweredBySlack(what, 'its members are missing');
  if (typeof members === 'number') {
    if (members > 0) return well(what, plural(members, 'member'));
    const fix = 'add people to the group, or change ORG_ACCESS';
    return broken(what, `it has no members, ${shut}`, fix);
  }
  const { kind, word } = members;
  if (kind !== 'refused') return unansweredBySlack(what, word);
  if (word === 'missing_scope') {
    const says = `it cannot be read without the scope usergroups:read, ${shut}`;
    return broken(what, says, 'add it under OAuth & Permissions and reinstall the app');
  }
  if (isTokenError(word)) {
    const says = `it cannot be looked at: Slack refuses the token (${word})`;
    return broken(what, says, 'mend SLACK_BOT_TOKEN first');
  }
  return broken(
    what,
    `Slack does not know it (${word}), ${shut}`,
    'put the id of a user group that is enabled into ORG_ACCESS, it begins with S; or members',
  );
}
