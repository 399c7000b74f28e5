import { MAX_COVERS } from '../../notify/message.ts';
import type { Message } from '../../notify/message.ts';
import { context, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn } from '../../slack/kit/text.ts';
import type { JobNotice, LocationRef, OutcomeRef, RolloutNotice } from '../engine/notices.ts';
import type { OutcomeKind } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import { listed } from './view-parts.ts';

/** Key of the card of a notice (this and all below: design section 4, fixed). */
export function cardKey(
  place: WatchedGvc,
  notice: Pick<RolloutNotice, 'workload' | 'version' | 'card'>,
): string {
  return keyOf(place, notice, 'card', notice.card);
}

/** Key of an outcome of a workload's version. */
export function outcomeKey(
  place: WatchedGvc,
  notice: Pick<OutcomeRef, 'workload' | 'version'>,
  kind: OutcomeKind,
  n: number,
): string {
  return keyOf(place, notice, kind, n);
}

/** The same of an outcome that another message stands for. */
export function keyOfOutcome(place: WatchedGvc, ref: OutcomeRef): string {
  return keyOf(place, ref, ref.kind, ref.n);
}

function keyOf(
  place: WatchedGvc,
  { workload, version }: Pick<OutcomeRef, 'workload' | 'version'>,
  word: string,
  n: number,
): string {
  const base = `${gvcOf(place)}/${workload}/${version}/${word}`;
  return n > 1 ? `${base}/${n}` : base;
}

/** Key of a message about a location, or of a reply to it. */
export function locationKey(place: WatchedGvc, { location, state, n }: LocationRef): string {
  return `${gvcOf(place)}/@location/${location}/${state}/${n}`;
}

/** Key of what is told of a GVC's version as a whole. */
export function gvcKey(
  place: WatchedGvc,
  version: number,
  word: 'card' | 'ready' | 'gone',
): string {
  return `${gvcOf(place)}/@gvc/${version}/${word}`;
}

export function jobKey(place: WatchedGvc, job: JobNotice): string {
  return `${gvcOf(place)}/${job.workload}/@job/${job.location}/${job.execution}/${job.status}`;
}

/** More than a kind is ever told, so that a continuation never takes the number of something else. */
const CONTINUATION = 1_000_000;

/**
 * Key of the `index`-th reply (from 1) that goes on with the `covers` of a message: its own key under
 * a number of its own, a million higher each. `…/failed/3` goes on in `…/failed/1000003`.
 */
function continuationKey(key: string, index: number): string {
  const [, base = key, n = '1'] = /^(.*?)(?:\/(\d+))?$/s.exec(key) ?? [];
  return `${base}/${index * CONTINUATION + Number(n)}`;
}

function gvcOf({ org, gvc }: WatchedGvc): string {
  return `${org}/${gvc}`;
}

/** A message, and what it is about: "shop in lima", for those that go on with what finds no room in it. */
interface Headed {
  message: Message;
  title: string;
}

/**
 * A message with the outcomes that it stands for; those that find no room go on in messages of the same
 * thread. Where an edit only adds to the end of them, what was told before stays where it is.
 */
export function withCovers(
  place: WatchedGvc,
  headed: Headed,
  refs: readonly OutcomeRef[],
): Message[] {
  const { message } = headed;
  const [own = [], ...rest] = portions(place, refs);
  if (own.length === 0) return [message];
  return [
    { ...message, covers: own.map((ref) => keyOfOutcome(place, ref)) },
    ...rest.map((portion, index) => continuation(place, headed, portion, index + 1)),
  ];
}

function portions(place: WatchedGvc, refs: readonly OutcomeRef[]): OutcomeRef[][] {
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
  place: WatchedGvc,
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
