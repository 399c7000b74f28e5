import { MAX_COVERS } from '../../notify/message.ts';
import type { Message } from '../../notify/message.ts';
import { context, mrkdwn, topText } from '../../slack/kit/index.ts';
import { continuationKey, keyOfOutcome } from './event-keys.ts';
import type { Place } from './event-keys.ts';
import type { OutcomeRef } from '../engine/telling.ts';
import { listed } from './view-parts.ts';

/** A message, and what it is about: "shop in lima", for those that go on with what finds no room in it. */
interface Headed {
  message: Message;
  title: string;
}

/**
 * A message with the outcomes that it stands for; those that find no room go on in messages of the same
 * thread. Where an edit only adds to the end of them, what was told before stays where it is.
 */
export function withCovers(place: Place, headed: Headed, refs: readonly OutcomeRef[]): Message[] {
  const { message } = headed;
  const [own = [], ...rest] = portions(place, refs);
  if (own.length === 0) return [message];
  return [
    { ...message, covers: own.map((ref) => keyOfOutcome(place, ref)) },
    ...rest.map((portion, index) => continuation(place, headed, portion, index + 1)),
  ];
}

function portions(place: Place, refs: readonly OutcomeRef[]): OutcomeRef[][] {
  const all: OutcomeRef[][] = [];
  let room = 0;
  for (const ref of refs) {
    const size = keyOfOutcome(place, ref).length + 1;
    const last = all.at(-1);
    if (last === undefined || size > room) {
      all.push([ref]);
      room = MAX_COVERS + 1 - size;
    } else {
      last.push(ref);
      room -= size;
    }
  }
  return all;
}

function continuation(
  place: Place,
  { message, title }: Headed,
  refs: readonly OutcomeRef[],
  index: number,
): Message {
  const names = refs.map(({ workload, version, kind }) => `${workload} v${version} ${kind}`);
  const said = mrkdwn`${title}, continued: ${listed(names)}`;
  const { requires, held, groupable } = message;
  return {
    channel: message.channel,
    key: continuationKey(message.key, index),
    covers: refs.map((ref) => keyOfOutcome(place, ref)),
    text: topText(said),
    blocks: [context(said)],
    threadKey: message.threadKey ?? message.key,
    ...(requires === undefined ? {} : { requires }),
    ...(held === undefined ? {} : { held }),
    ...(groupable === undefined ? {} : { groupable }),
  };
}
