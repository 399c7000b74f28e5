import { z } from 'zod';
import type { MessageContent } from '../notify/message.ts';
import type { Services } from '../services.ts';
import { figuresRefusal, READ_BY_OTHERS, readersUnread } from '../slack/audience.ts';
import { section, sign } from '../slack/kit/blocks.ts';
import { contentOf } from '../slack/kit/message-text.ts';
import { code, joinMrkdwn, mentionChannel, moment, mrkdwn } from '../slack/kit/text.ts';
import { changeMemory, type MemoryServices } from './memory.ts';
import { CannotSee } from './monitor.ts';

type HeldServices = MemoryServices & Pick<Services, 'audience' | 'clock' | 'config'>;

/** Since when messages to a channel are held; by channel, ms since the epoch. */
const Held = z.record(z.string(), z.number());

/**
 * Whether billing figures may be posted to a channel now. Held ones are not queued: the run is not remembered, so the
 * next one makes them again. OPS_CHANNEL is notified once, until they are posted.
 * @throws CannotSee when Slack does not show who reads the channel
 */
export async function mayPostFigures(services: HeldServices, channel: string): Promise<boolean> {
  const { audience, clock, config } = services;
  const reading = await audience.audienceOf(channel, { fresh: true });
  const refusal = figuresRefusal(reading);
  if (refusal === 'unread') throw new CannotSee(readersUnread(channel, reading), 'readers');
  const isHeld = refusal !== undefined;
  await changeMemory(services, 'held', async (text) => {
    const { [channel]: since, ...others } = text === null ? {} : Held.parse(JSON.parse(text));
    if (isHeld === (since !== undefined)) return undefined;
    const now = clock.now();
    const message = {
      channel: config.channels.ops,
      // The moment makes it unique: a counter starts again when Redis is lost.
      key: `@billing/held/${channel}/${(since ?? now).toString(36)}`,
      ...(since === undefined
        ? heldContent(channel)
        : { editOnly: true, ...releasedContent(channel, since, now) }),
    };
    return { memory: isHeld ? { ...others, [channel]: now } : others, messages: [message] };
  });
  return !isHeld;
}

export function heldContent(channel: string): MessageContent {
  const line = mrkdwn`*Billing figures for* ${mentionChannel(channel)} *are held back*: ${READ_BY_OTHERS}`;
  const next = mrkdwn`→ Set ${code('BILLING_CHANNEL')} to a channel of your company alone, or end the sharing of ${code(channel)}. Digests, the spend alert and invoices are posted then, as they are at that time.`;
  return contentOf([section(joinMrkdwn([mrkdwn`${sign('wrong')} ${line}`, next], '\n'))]);
}

/** The same message when they are posted again. @param since ms since the epoch, as is `now` */
export function releasedContent(channel: string, since: number, now: number): MessageContent {
  const line = mrkdwn`*Billing figures for* ${mentionChannel(channel)} *are posted again*: it is your company’s own. Held back from ${moment(since)} to ${moment(now)}`;
  return contentOf([section(mrkdwn`${sign('good')} ${line}`)]);
}
