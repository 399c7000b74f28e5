import type { KnownBlock } from '@slack/types';
import { formatDuration } from '../lib/text.ts';
import {
  code,
  context,
  joinMrkdwn,
  mentionChannel,
  moment,
  mrkdwn,
  section,
  topText,
} from '../slack/kit/index.ts';
import type { Mrkdwn } from '../slack/kit/index.ts';

interface Content {
  text: string;
  blocks: KnownBlock[];
}

/** A refusal of Slack. `error`: its word for it; `since`: milliseconds since the epoch. */
interface Refusal {
  channel: string;
  error: string;
  since: number;
  /** What was refused was told because somebody watches. */
  watched: boolean;
}

const OF_WATCHES = {
  instead: mrkdwn`or end its watches with ${code('/deployments unwatch in #channel')}`,
  elsewhere: mrkdwn` Watches of WATCHES and NOTIFY_CHANNEL are changed in Purser’s environment.`,
};
const OF_OTHERS = {
  instead: mrkdwn`or set another channel in Purser’s environment`,
  elsewhere: mrkdwn``,
};
const NEW_TOKEN = mrkdwn`Nothing is lost: the messages wait. Whoever runs Purser installs the app anew if need be, and gives it the new token in ${code('SLACK_BOT_TOKEN')}.`;
const NEW_RIGHT = mrkdwn`Nothing is lost: the messages wait. Install the app anew from its manifest, so that it has every scope, or ask an administrator of the workspace.`;
const NEW_ROOM = mrkdwn`Nothing is lost: the messages wait, and are tried again every minute. An administrator of the workspace sees in Slack what uses it up.`;
const NEW_NETWORK = mrkdwn`Nothing is lost: the messages wait. Add Purser’s network to the allowed IP addresses, of the app or of the workspace.`;

/** What is wrong and what to do, by Slack's word. */
function adviceOf({ channel: id, error, watched }: Refusal): { wrong: Mrkdwn; todo: Mrkdwn } {
  const channel = mentionChannel(id);
  const { instead, elsewhere } = watched ? OF_WATCHES : OF_OTHERS;
  switch (error) {
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        wrong: mrkdwn`Purser cannot post to ${channel}: it is not a member, or the channel is gone.`,
        todo: mrkdwn`Invite it there with ${code('/invite')}, ${instead}.`,
      };
    case 'is_archived':
      return {
        wrong: mrkdwn`Purser cannot post to ${channel}: the channel is archived.`,
        todo: mrkdwn`Unarchive it and invite Purser, ${instead}.${elsewhere}`,
      };
    case 'message_limit_exceeded':
      return {
        wrong: mrkdwn`The workspace takes no more messages: Slack’s limit for it is used up.`,
        todo: NEW_ROOM,
      };
    case 'accesslimited':
      return {
        wrong: mrkdwn`Slack does not admit the network from which Purser asks.`,
        todo: NEW_NETWORK,
      };
    case 'missing_scope':
    case 'no_permission':
    case 'ekm_access_denied':
    case 'access_denied':
      return {
        wrong: mrkdwn`Purser lacks a right that a post to ${channel} needs.`,
        todo: NEW_RIGHT,
      };
    case 'invalid_auth':
    case 'not_authed':
    case 'not_allowed_token_type':
    case 'token_revoked':
    case 'token_expired':
    case 'account_inactive':
    case 'team_access_not_granted':
    case 'org_login_required':
    case 'two_factor_setup_required':
      return { wrong: mrkdwn`Slack does not take Purser’s token.`, todo: NEW_TOKEN };
    default:
      return {
        wrong: mrkdwn`Slack refuses a message of Purser to ${channel}.`,
        todo: error.startsWith('restricted_action')
          ? mrkdwn`The channel restricts who may post: allow Purser to, ${instead}.`
          : mrkdwn`It is not sent again; the log has its key.`,
      };
  }
}

/** Told once: what Slack refuses, what that means, what to do. */
export function refusalContent(refusal: Refusal): Content {
  const { error, since } = refusal;
  const { wrong, todo } = adviceOf(refusal);
  return {
    text: topText(mrkdwn`${wrong} (${error}) ${todo}`),
    blocks: [
      section(mrkdwn`:no_entry: *${wrong}*\n${todo}`),
      context(joinMrkdwn([mrkdwn`Slack says ${code(error)}`, moment(since)], ' · ')),
    ],
  };
}

/** The same message when a post has succeeded again. `now`: milliseconds since the epoch. */
export function mendedContent(refusal: Refusal, now: number): Content {
  const { error, since } = refusal;
  const { wrong } = adviceOf(refusal);
  const over = mrkdwn`Mended after ${formatDuration(now - since)}: Slack takes messages again.`;
  return {
    text: topText(mrkdwn`${wrong} (${error}) ${over}`),
    blocks: [
      section(mrkdwn`:white_check_mark: ${wrong} *${over}*`),
      context(joinMrkdwn([mrkdwn`Slack said ${code(error)}`, moment(since)], ' · ')),
    ],
  };
}
