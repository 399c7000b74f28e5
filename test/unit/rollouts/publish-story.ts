import type { Message } from '../../../src/notify/message.ts';
import type { Mute } from '../../../src/rollouts/mutes.ts';
import { messagesOf } from '../../../src/rollouts/messages/publish.ts';
import type { News, Telling } from '../../../src/rollouts/engine/telling.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { PLACE } from './gvc-story.ts';
import { MINUTE, NOON } from './platform-json.ts';

export function watch(channel: string, over: Partial<Watch> = {}): Watch {
  return { ...PLACE, channel, quiet: false, configured: false, ...over };
}

/** A channel that watches single workloads. */
export function watchEach(
  channel: string,
  workloads: readonly string[],
  over: Partial<Watch> = {},
): Watch[] {
  return workloads.map((workload) => watch(channel, { ...over, workload }));
}

export function mute(over: Partial<Mute> = {}): Mute {
  return { channel: 'C1', since: NOON, until: NOON + MINUTE, by: 'U1', ...over };
}

export function messages(
  told: { tellings?: Telling[]; news?: News[] },
  watches: readonly Watch[] = [watch('C1')],
  mutes: readonly Mute[] = [],
): Message[] {
  const { tellings = [], news = [] } = told;
  return messagesOf(PLACE, { tellings, news }, { watches, mutes, now: NOON });
}

/** Key without org and GVC: in brackets when it needs what is there, with `held` when it is held back. */
export function sketch(all: readonly Message[]): string[] {
  return all.map(({ key, requires, held }) => {
    const short = key.replace('acme/shop/', '');
    const told = requires === undefined ? short : `(${short})`;
    return held === undefined ? told : `${told} held ${held}`;
  });
}
