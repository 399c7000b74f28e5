import { continued } from '../../../src/notify/deliver.ts';
import { recoveredContent, refusalContent } from '../../../src/notify/channels.ts';
import { section } from '../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import { HOUR, MINUTE, NOW, post, type Area, type Entry } from '../entry.ts';

/** Slack's error codes for a refusal, and their occasions. */
const ERRORS: Readonly<Record<string, string>> = {
  not_in_channel: 'Purser is not a member of the channel.',
  channel_not_found: 'The channel is private or gone.',
  is_archived: 'The channel is archived.',
  missing_scope: 'The app was installed without a scope.',
  no_permission: 'The workspace does not let Purser do it.',
  ekm_access_denied: 'The workspace’s own keys keep Purser out.',
  access_denied: 'Slack denies access.',
  accesslimited: 'Slack does not admit the network of Purser.',
  message_limit_exceeded: 'The workspace has sent too many messages.',
  invalid_auth: 'The token is wrong.',
  not_authed: 'There is no token.',
  not_allowed_token_type: 'The token is of another kind.',
  token_revoked: 'The token was revoked.',
  token_expired: 'The token has run out.',
  account_inactive: 'The app was taken out of the workspace.',
  team_access_not_granted: 'The app may not work in this workspace.',
  org_login_required: 'The workspace moves to another organization.',
  two_factor_setup_required: 'The workspace asks for two factors.',
  restricted_action: 'Only some may post in the channel.',
  restricted_action_read_only_channel: 'No one may post in the channel.',
  msg_too_long: 'Slack does not take this message, others it takes.',
};

/** One error code for each sentence about the recovery. */
const MENDED = [
  'not_in_channel',
  'is_archived',
  'missing_scope',
  'invalid_auth',
  'restricted_action',
  'msg_too_long',
];

const WATCHED = { channel: 'C0DEPLOYS', since: NOW - 2 * MINUTE, watched: true };

const name = (error: string): string => error.replaceAll('_', '-');

/** The refused message is not one of a watch, but of a change, for example. */
function unwatched(error: string): Entry {
  return post(
    `slack-refuses-unwatched-${name(error)}`,
    `${ERRORS[error]} No one watches there.`,
    () => refusalContent({ ...WATCHED, error, channel: 'C0APPROVE', watched: false }),
  );
}

export const slackRefusals: Area = {
  id: 'slack-refusals',
  title: 'Slack refuses a message: reported to those who run Purser',
  entries: [
    ...Object.entries(ERRORS).map(([error, when]) =>
      post(`slack-refuses-${name(error)}`, when, () => refusalContent({ ...WATCHED, error })),
    ),
    ...['not_in_channel', 'is_archived', 'restricted_action'].map(unwatched),
    ...MENDED.map((error) =>
      post(`slack-mended-${name(error)}`, 'It takes messages again: the message is edited.', () =>
        recoveredContent({ ...WATCHED, error, since: NOW - 3 * HOUR - 5 * MINUTE }, NOW),
      ),
    ),
    post('slack-closes-card', 'Slack no longer allows edits of a card: it is posted anew.', () =>
      continued({
        text: mrkdwn`shop/cart v12 ready in 2 of 3 locations`.text,
        blocks: [section(mrkdwn`*shop/cart* v12 · ready in 2 of 3 locations`)],
      }),
    ),
  ],
};
