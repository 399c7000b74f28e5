import { Refusal } from '../../lib/errors.ts';
import type { Feature, Services } from '../../services.ts';
import { section, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { ActionContext, ActionRoute, Answer } from '../../slack/routing/routes.ts';
import { isTopic, TOPICS, type Topic } from '../../monitors/topics.ts';
import { START_ACTION, startButton, STOP_ACTION } from '../notices.ts';

type StopServices = Pick<Services, 'access' | 'clock' | 'keys' | 'redis'>;

/** **Stop** below unsolicited messages, and **Start again**; both take a role of the topic. */
export function createStopFeature(services: StopServices): Feature {
  const { clock, keys, redis } = services;
  return {
    name: 'stop',
    actions: [
      topicButton(services, STOP_ACTION, async (topic, { person }) => {
        const stop = JSON.stringify({ by: person.userId, at: clock.now() });
        const isNew = (await redis.hsetnx(keys.stops, topic, stop)) === 1;
        const { what } = TOPICS[topic];
        return {
          ...lineAnswer(
            isNew
              ? mrkdwn`:double_vertical_bar: *Stopped*: nobody gets ${what} until somebody starts them again. What happens meanwhile is not told later.`
              : mrkdwn`:double_vertical_bar: *Stopped already*: nobody gets ${what}.`,
          ),
          buttons: [startButton(topic)],
        };
      }),
      topicButton(services, START_ACTION, async (topic) => {
        await redis.hdel(keys.stops, topic);
        return lineAnswer(
          mrkdwn`:white_check_mark: *Started again*: ${TOPICS[topic].what} come from now on.`,
        );
      }),
    ],
  };
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

function lineAnswer(line: Mrkdwn): Answer {
  return { text: topText(line), blocks: [section(line)] };
}
