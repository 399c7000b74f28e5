import { CARD_ACTIONS } from '../../rollouts/messages/card-actions.ts';
import type { Mute } from '../../rollouts/mutes.ts';
import {
  button,
  code,
  context,
  lines,
  mentionChannel,
  mentionUser,
  moment,
  mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { commandOf } from './place.ts';
import type { Spoken } from './place.ts';

/** Where a mute is spoken of. */
export interface Hearing extends Spoken {
  channel: string;
}

const MAX_MUTES = 30;

/**
 * The two buttons that silence a place, `org/gvc[/workload]`, in the channel where they are clicked:
 * those of a card.
 */
export function muteButtons(place: string): NonNullable<Answer['buttons']> {
  return [
    button({ action: CARD_ACTIONS.muteOneHour, text: 'Mute 1 h', value: place }),
    button({ action: CARD_ACTIONS.muteEightHours, text: 'Mute 8 h', value: place }),
  ];
}

/** @param longer a mute around this one that runs longer */
export function mutedAnswer(hearing: Hearing, mute: Mute, longer: Mute | undefined): Answer {
  const text = mrkdwn`:no_bell: Muted in ${mentionChannel(mute.channel)} until ${moment(mute.until)}: ${scopeName(mute)}.`;
  const how = mrkdwn`Cards that are there go on being edited. What is new is held back, and told in one message afterwards. To end it: ${code(commandOf('mute off', hearing))}`;
  return {
    text: topText(text),
    blocks: [section(text), context(how), ...(longer === undefined ? [] : [around(longer)])],
    shareable: true,
    needs: 'orgs',
  };
}

function around(mute: Mute): ReturnType<typeof context> {
  return context(mrkdwn`It stays silent for longer: ${muteLine(mute)}.`);
}

/** What is said where a mute would silence nothing. */
export function nothingWatchedAnswer(hearing: Hearing): Answer {
  const watch =
    hearing.scope.gvc === undefined
      ? code('/deployments watch GVC')
      : code(commandOf('watch', hearing));
  const text = mrkdwn`There is nothing to mute: ${scopeName(hearing.scope)} is not watched in ${mentionChannel(hearing.channel)}. ${code('/deployments watches')} shows what is; ${watch} would begin to.`;
  return { text: topText(text), blocks: [section(text)] };
}

/** @param around a mute of something wider that goes on */
export function unmutedAnswer(hearing: Hearing, lifted: number, wider: Mute | undefined): Answer {
  const text = lifted === 0 ? nothingLifted(hearing) : liftedText(hearing, wider !== undefined);
  return {
    text: topText(text),
    blocks: [section(text), ...(wider === undefined ? [] : [stillMuted(hearing, wider)])],
    ...(lifted === 0 ? {} : { shareable: true, needs: 'orgs' }),
  };
}

function nothingLifted({ scope, channel }: Hearing): Mrkdwn {
  const where = mentionChannel(channel);
  if (scope.org === undefined) return mrkdwn`Nothing was muted in ${where}.`;
  return mrkdwn`Nothing was muted by that name: ${scopeName(scope)} in ${where}. ${code('/deployments mute')} shows what is.`;
}

/** @param isSilent a wider mute goes on, so that nothing of it is heard yet */
function liftedText({ scope, channel }: Hearing, isSilent: boolean): Mrkdwn {
  const where = mentionChannel(channel);
  if (isSilent)
    return mrkdwn`The mute of ${scopeName(scope)} in ${where} is over, and a wider one goes on.`;
  const what =
    scope.org === undefined
      ? mrkdwn`Nothing is muted any more in ${where}.`
      : mrkdwn`No longer muted in ${where}: ${scopeName(scope)}.`;
  return mrkdwn`:bell: ${what} What was held back comes in one message, if there was anything.`;
}

function stillMuted(hearing: Hearing, wider: Mute): ReturnType<typeof context> {
  const command = commandOf('mute off', { ...hearing, scope: wider });
  return context(mrkdwn`It stays silent with ${muteLine(wider)}. To end that: ${code(command)}`);
}

export function mutesAnswer(channel: string, mutes: readonly Mute[]): Answer {
  if (mutes.length === 0) {
    const text = mrkdwn`Nothing is muted in ${mentionChannel(channel)}. ${code('/deployments mute 8h GVC/WORKLOAD')} mutes a workload, ${code('/deployments mute 8h')} everything that the channel watches.`;
    return { text: topText(text), blocks: [section(text)] };
  }
  const title = mrkdwn`*Muted in* ${mentionChannel(channel)}`;
  const sorted = mutes.toSorted((a, b) => a.until - b.until);
  return {
    text: topText(title),
    blocks: [section(title), lines(sorted.map(mutedBy), MAX_MUTES)],
    shareable: true,
    needs: 'orgs',
  };
}

function mutedBy(mute: Mute): Mrkdwn {
  return mrkdwn`${muteLine(mute)}, by ${mentionUser(mute.by)}`;
}

/** "acme/shop until 5 October, 20:00" */
export function muteLine(mute: Mute): Mrkdwn {
  return mrkdwn`:no_bell: ${scopeName(mute)} until ${moment(mute.until)}`;
}

function scopeName({ org, gvc, workload }: Spoken['scope']): Mrkdwn {
  if (org === undefined) return mrkdwn`everything`;
  if (gvc === undefined) return mrkdwn`everything of org ${org}`;
  return mrkdwn`*${[org, gvc, workload].filter((part) => part !== undefined).join('/')}*`;
}
