import type { Services } from '../../services.ts';
import { actions, section } from '../../slack/kit/blocks.ts';
import { answerText } from '../../slack/kit/message-text.ts';
import { mrkdwn } from '../../slack/kit/text.ts';
import type { SlackRoutes } from '../../slack/routing/routes.ts';
import { watchButton } from '../tasks.ts';

type JoinServices = Pick<Services, 'identity' | 'outbox' | 'wake'>;

const HELLO = [
  section(
    mrkdwn`Hi, I post rollouts here: when one begins, and whether it is ready or failed. Which GVC does this channel want to follow?`,
  ),
  actions(watchButton()),
];

/**
 * The message to a channel that Purser was invited to. It goes through the outbox under the time of the event, so a retry
 * of Slack's or a crash posts it once.
 */
export function createJoined({ identity, outbox, wake }: JoinServices): SlackRoutes['joined'] {
  return async ({ userId, channelId, eventTs }) => {
    if ((await identity.get()).botUserId !== userId) return;
    const message = {
      channel: channelId,
      key: `@joined/${channelId}/${eventTs}`,
      text: answerText(HELLO),
      blocks: HELLO,
    };
    await wake((await outbox.commit([message])) ?? []);
  };
}
