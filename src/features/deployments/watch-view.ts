import { formatAge } from '../../lib/text.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Watch } from '../../rollouts/watches.ts';
import {
  code,
  context,
  lines,
  mentionChannel,
  mrkdwn,
  Mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';

/** A watch with the health of its GVC. */
export interface WatchHealth {
  watch: Watch;
  pulse: Pulse;
}

/** `wider`: a watch of the channel that already hears what this one would hold back. */
export function watchAddedAnswer(
  watch: Watch,
  replaced: boolean,
  wider: Watch | undefined,
): Answer {
  const verb = replaced ? 'Changed the watch of' : 'Watching';
  const text = mrkdwn`:eyes: ${verb} *${placeOf(watch)}* in ${mentionChannel(watch.channel)}${narrowing(watch)}. What is there now is taken as known; each new rollout gets one card that is edited in place.`;
  return {
    text: topText(text),
    blocks: [section(text), ...(wider === undefined ? [] : [widerNote(wider)])],
    shareable: true,
    needs: 'orgs',
  };
}

function widerNote(wider: Watch): ReturnType<typeof context> {
  return context(
    mrkdwn`This holds nothing back: ${placeOf(wider)}${narrowing(wider)}${origin(wider)} is watched in the channel too, and of several watches the most talkative counts.`,
  );
}

export function unwatchAnswer(
  removed: readonly Watch[],
  kept: readonly Watch[],
  channel: string,
): Answer {
  const places = new Mrkdwn(removed.map((watch) => mrkdwn`*${placeOf(watch)}*`.text).join(', '));
  const text =
    removed.length === 0
      ? mrkdwn`Nothing was removed: no command made such a watch in ${mentionChannel(channel)}. ${code('/deployments watches')} shows those that there are.`
      : mrkdwn`No longer watching ${places} in ${mentionChannel(channel)}.`;
  return { text: topText(text), blocks: [section(text), ...configuredNote(kept)] };
}

function configuredNote(kept: readonly Watch[]): ReturnType<typeof context>[] {
  if (kept.length === 0) return [];
  const names = kept.map(placeOf).join(', ');
  const stays = kept.length === 1 ? 'stays: it is' : 'stay: they are';
  return [
    context(mrkdwn`${names} ${stays} set by WATCHES where Purser runs, and only changed there.`),
  ];
}

export function watchesAnswer(
  channel: string,
  own: readonly WatchHealth[],
  elsewhere: number,
  now: number,
): Answer {
  const others = elsewhere === 0 ? '' : ` ${elsewhere} in other channels.`;
  if (own.length === 0) {
    const text = mrkdwn`Nothing is watched in ${mentionChannel(channel)}.${others} Start with ${code('/deployments watch GVC')}.`;
    return { text: topText(text), blocks: [section(text)] };
  }
  const title = mrkdwn`*Watched in* ${mentionChannel(channel)}`;
  const blocks = [
    section(title),
    lines(
      own.map((entry) => watchLine(entry, now)),
      40,
    ),
  ];
  if (elsewhere > 0) blocks.push(context(mrkdwn`${elsewhere} more in other channels`));
  return { text: topText(title), blocks, shareable: true, needs: 'orgs' };
}

function watchLine({ watch, pulse }: WatchHealth, now: number): Mrkdwn {
  return mrkdwn`*${placeOf(watch)}*${narrowing(watch)}${origin(watch)} – ${health(pulse, now)}`;
}

function origin({ configured }: Watch): string {
  return configured ? ' (from WATCHES)' : '';
}

function health(pulse: Pulse, now: number): Mrkdwn {
  if (pulse.failures > 0) {
    const last = pulse.at === 0 ? 'never read' : `last read ${formatAge(now - pulse.at)}`;
    return mrkdwn`:warning: ${last}, ${pulse.failures} failed since: ${code(pulse.error)}`;
  }
  if (pulse.at === 0) return mrkdwn`not read yet`;
  return mrkdwn`read ${formatAge(now - pulse.at)}`;
}

function narrowing(watch: Watch): Mrkdwn {
  const only = watch.only === undefined ? '' : `, only ${watch.only.join(', ')}`;
  return mrkdwn`${only}${watch.quiet ? ', quiet' : ''}`;
}
