import { Refusal } from '../../lib/errors.ts';
import { channelOf, isTopic, TOPICS, type Topic } from '../../monitors/topics.ts';
import type { Feature, Services } from '../../services.ts';
import { isDirect } from '../../slack/directory.ts';
import { section, sign } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { mentionUser, mrkdwn } from '../../slack/kit/text.ts';
import type { ActionContext, ActionRoute, Answer } from '../../slack/routing/routes.ts';
import { START_ACTION, startButton, STOP_ACTION } from '../notices.ts';

type StopServices = Pick<
  Services,
  'access' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
>;

/** **Stop** in the menu of unsolicited messages, and **Start again**; both take a role of the topic. */
export function createStopFeature(services: StopServices): Feature {
  return {
    name: 'stop',
    actions: [
      topicButton(services, STOP_ACTION, async (topic, context) => {
        const { what } = TOPICS[topic];
        const line = (await switchTopic(services, topic, 'stop', context))
          ? mrkdwn`*Stopped*: ${what}, until they are started again. What happens meanwhile is not posted later.`
          : mrkdwn`*Stopped already*: ${what}.`;
        const blocks = [section(mrkdwn`${sign('off')} ${line}`)];
        return { blocks, buttons: [startButton(topic)] };
      }),
      topicButton(services, START_ACTION, async (topic, context) => {
        await switchTopic(services, topic, 'start', context);
        const line = mrkdwn`*Started again*: ${TOPICS[topic].what} come from now on.`;
        return { blocks: [section(mrkdwn`${sign('good')} ${line}`)] };
      }),
    ],
  };
}

/** With a line for the channel of the topic and that of the click, and one for the audit. @returns false: nothing had to be switched */
async function switchTopic(
  { clock, config, keys, outbox, redis, wake }: StopServices,
  topic: Topic,
  to: 'stop' | 'start',
  { person, channelId }: ActionContext,
): Promise<boolean> {
  const at = clock.now();
  const by = person.userId;
  const text = JSON.stringify({ by, at });
  const before = await redis.hget(keys.stops, topic);
  if ((before === null) === (to === 'start')) return false;
  const said = mrkdwn`${mentionUser(by)} ${to === 'stop' ? 'stopped' : 'started again'}: ${TOPICS[topic].what}`;
  const content = contentOf([section(said)]);
  const readers = [...new Set([channelOf(topic, config), channelId])];
  const channels = await outbox.commit(
    readers.flatMap((channel) =>
      channel === undefined || isDirect(channel)
        ? []
        : { channel, key: `@billing/${to}/${topic}/${at}`, ...content },
    ),
    {
      hash: keys.stops,
      expect: { [topic]: before },
      set: to === 'stop' ? { [topic]: text } : {},
      remove: to === 'start' ? [topic] : [],
      audit: { at, event: `notices.${to}`, by, what: topic },
    },
  );
  // Another person was faster.
  if (channels === undefined) return false;
  await wake(channels);
  return true;
}

function topicButton(
  { access }: StopServices,
  actionId: string,
  run: (topic: Topic, context: ActionContext) => Promise<Answer>,
): ActionRoute {
  return {
    actionId,
    async run(context) {
      const { value = '' } = context;
      if (!isTopic(value)) {
        throw new Refusal('This button is from another version of Purser: use a newer message.');
      }
      await access.requireRole(context.person, TOPICS[value].roles);
      return run(value, context);
    },
  };
}
