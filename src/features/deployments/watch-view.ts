import type { KnownBlock } from '@slack/types';
import type { Mute } from '../../rollouts/mutes.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Watch } from '../../rollouts/watches.ts';
import {
  code,
  context,
  mentionChannel,
  mrkdwn,
  Mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { muteButtons, muteLine } from './mute-view.ts';
import { commandOf } from './place.ts';
import type { Spoken, Target } from './place.ts';
import type { Unwatched } from './unwatch.ts';

/** A place where the platform lists nothing. */
export interface Unlisted {
  /** The place with the nearest name, if there is one. */
  meant?: Target;
  /** The org that need not be named. */
  defaultOrg: string | undefined;
  /** The watch is of the channel that the person is in. */
  here: boolean;
}

/**
 * @param beside.wider a watch of the channel that already hears what this one would hold back
 * @param beside.mute silences what is watched now
 */
export function watchAddedAnswer(
  watch: Watch,
  beside: {
    replaced: boolean;
    wider: Watch | undefined;
    mute: Mute | undefined;
    unlisted?: Unlisted | undefined;
  },
): Answer {
  const { replaced, wider, mute, unlisted } = beside;
  const verb = replaced ? 'Changed the watch of' : 'Watching';
  const next =
    watch.only === undefined
      ? 'each new rollout gets one card that is edited in place'
      : 'nothing is posted of a rollout until one of these outcomes comes';
  const text = mrkdwn`:eyes: ${verb} *${placeOf(watch)}* in ${mentionChannel(watch.channel)}${narrowing(watch)}. What is there now is taken as known; ${next}.`;
  return {
    text: topText(text),
    blocks: [
      section(text),
      ...(unlisted === undefined ? [] : [unlistedNote(watch, unlisted)]),
      ...(wider === undefined ? [] : [widerNote(wider)]),
      ...(mute === undefined ? [] : [context(mrkdwn`For now it is silent: ${muteLine(mute)}.`)]),
    ],
    shareable: true,
    needs: 'orgs',
  };
}

function unlistedNote(watch: Watch, { meant, ...spoken }: Unlisted): KnownBlock {
  const note = mrkdwn`Nothing is listed under that name yet.`;
  if (meant === undefined) return context(note);
  const other = commandOf('watch', { ...spoken, scope: { org: watch.org, ...meant } });
  const end = commandOf('unwatch', { ...spoken, scope: watch });
  return context(mrkdwn`${note} Did you mean ${code(other)}? ${code(end)} ends this one.`);
}

function widerNote(wider: Watch): KnownBlock {
  const origin = wider.configured ? ' (from WATCHES)' : '';
  return context(
    mrkdwn`This holds nothing back: ${placeOf(wider)}${narrowing(wider)}${origin} is watched in the channel too, and of several watches the most talkative counts.`,
  );
}

/** Where watches are ended. */
export interface Unwatching extends Omit<Spoken, 'scope'> {
  channel: string;
  /** The place of the card whose button was used, `org/gvc[/workload]`; absent for a command. */
  clicked?: string;
}

export function unwatchAnswer({ removed, kept }: Unwatched, where: Unwatching): Answer {
  const { channel, clicked } = where;
  const text =
    removed.length === 0
      ? nothingRemoved(channel, kept, clicked)
      : mrkdwn`No longer watching ${places(removed)} in ${mentionChannel(channel)}.`;
  const whole = removed.filter((watch) => clicked?.startsWith(`${placeOf(watch)}/`));
  const blocks: KnownBlock[] = [section(text)];
  if (whole.length > 0) blocks.push(wholeNote(whole, where));
  if (kept.length > 0) blocks.push(configuredNote(kept, where));
  const offersMute = clicked !== undefined && kept.length > 0;
  return {
    text: topText(text),
    blocks,
    ...(offersMute ? { buttons: muteButtons(clicked) } : {}),
    ...(removed.length > 0 ? { shareable: true, needs: 'orgs' } : {}),
  };
}

function nothingRemoved(
  channel: string,
  kept: readonly Watch[],
  clicked: string | undefined,
): Mrkdwn {
  const where = mentionChannel(channel);
  if (kept.length > 0) return mrkdwn`Nothing was removed in ${where}.`;
  if (clicked !== undefined) return mrkdwn`${clicked} is not watched in ${where} any more.`;
  return mrkdwn`Nothing was removed: no command made such a watch in ${where}. ${code('/deployments watches')} shows those that there are.`;
}

function places(watches: readonly Watch[]): Mrkdwn {
  return new Mrkdwn(watches.map((watch) => mrkdwn`*${placeOf(watch)}*`.text).join(', '));
}

/** The button stands below one workload, and the watch was of all of them. */
function wholeNote(whole: readonly Watch[], where: Unwatching): KnownBlock {
  const again = whole.map(({ org, gvc }) =>
    code(commandOf('watch', { ...where, scope: { org, gvc, workload: 'WORKLOAD' } })),
  );
  return context(
    mrkdwn`That was the watch of the whole GVC: nothing of ${places(whole)} is told here any more. ${again[0] ?? ''} watches single workloads.`,
  );
}

function configuredNote(kept: readonly Watch[], where: Unwatching): KnownBlock {
  const [scope = {}] = kept;
  const mute = commandOf('mute 8h', { ...where, scope });
  const example = kept.length === 1 ? '' : ', for example';
  const names = kept.map(placeOf).join(', ');
  const stays = kept.length === 1 ? 'stays: it is' : 'stay: they are';
  return context(
    mrkdwn`${names} ${stays} set by WATCHES where Purser runs, and only changed there. A mute silences for a while${example}: ${code(mute)}`,
  );
}

/** What a watch holds back: "", ", only failed, quiet". */
export function narrowing(watch: Watch): Mrkdwn {
  const only = watch.only === undefined ? '' : `, only ${watch.only.join(', ')}`;
  return mrkdwn`${only}${watch.quiet ? ', quiet' : ''}`;
}
