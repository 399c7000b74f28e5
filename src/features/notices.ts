import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { parsed } from '../monitors/run.ts';
import { isTopic, TOPICS, type Topic } from '../monitors/topics.ts';
import type { Services } from '../services.ts';
import { actions, button, context, overflow } from '../slack/kit/blocks.ts';
import { isShort } from '../slack/kit/fit.ts';
import type { Mrkdwn } from '../slack/kit/text.ts';
import { RUN_ACTION } from '../slack/replies/help-view.ts';

/** The member who stopped a topic; ms since the epoch. */
export const Stop = z.object({ by: z.string(), at: z.number() });
export type Stopped = z.infer<typeof Stop> & { readonly topic: Topic };

export async function stoppedTopics({
  redis,
  keys,
}: Pick<Services, 'redis' | 'keys'>): Promise<Stopped[]> {
  const all = Object.entries(await redis.hgetall(keys.stops));
  return all.flatMap(([topic, text]) => {
    const stop = parsed(Stop, text);
    return stop !== undefined && isTopic(topic) ? [{ ...stop, topic }] : [];
  });
}

export const STOP_ACTION = 'notices.stop';
export const START_ACTION = 'notices.start';

export function noticeEnd(
  topic: Topic,
  why: Mrkdwn,
  buttons: readonly ActionsBlockElement[] = [],
): KnownBlock[] {
  const { what, whom, roles } = TOPICS[topic];
  const stop = overflow({
    action: STOP_ACTION,
    text: `Stop ${what}`,
    value: topic,
    confirm: {
      title: 'Stop these messages?',
      question: `This stops ${what} for ${whom}, until they are started again. It takes the role ${roles.join(' or ')}.`,
      yes: 'Stop',
      no: 'Keep',
    },
  });
  return [actions(...buttons, stop), context(why)];
}

/**
 * The lines of a notice in the largest of several sizes that fits together with its reason. Long names are shortened,
 * and fewer are listed.
 */
export function inRoom<Size>(
  sizes: readonly Size[],
  why: Mrkdwn,
  render: (size: Size) => Mrkdwn[],
): Mrkdwn[] {
  let texts: Mrkdwn[] = [];
  for (const size of sizes) {
    texts = render(size);
    if (isShort([...texts, why].map(({ text }) => text))) break;
  }
  return texts;
}

/** The end of a reply: it cannot be stopped by itself. */
export function replyEnd(why: Mrkdwn, buttons: readonly ActionsBlockElement[] = []): KnownBlock[] {
  return [...(buttons.length === 0 ? [] : [actions(...buttons)]), context(why)];
}

/** Runs the command with the rights of the member who clicks. */
export function runButton(text: string, command: string) {
  return button({ action: RUN_ACTION, text, value: command });
}

export function startButton(topic: Topic) {
  return button({
    action: START_ACTION,
    text: 'Start again',
    value: topic,
    label: `Start ${TOPICS[topic].what} again`,
  });
}
