import { plural } from '../../lib/text.ts';
import { CARD_ACTIONS } from '../../rollouts/render/parts.ts';
import {
  createWatches,
  liftMutes,
  muteOf,
  overlaps,
  placeOf,
  readMutes,
  setMute,
  type Mute,
  type Scope,
} from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { button, context, section, sign } from '../../slack/kit/blocks.ts';
import {
  code,
  instant,
  mentionChannel,
  mentionUser,
  moment,
  mrkdwn,
  type Mrkdwn,
  person as personOf,
} from '../../slack/kit/text.ts';
import type { Answer, Person } from '../../slack/routing/routes.ts';
import { listed } from '../list.ts';
import { commandOf, endButton, endRowButton, rightOf, type Where } from './place.ts';

type MuteServices = Pick<Services, 'config' | 'redis' | 'keys' | 'outbox' | 'clock'>;

/** Silences a scope in a channel (ADR 11). @param forMs milliseconds */
export async function mute(
  services: MuteServices,
  scope: Scope,
  where: Where,
  { forMs, person }: { forMs: number; person: Person },
): Promise<Answer> {
  const { channel } = where;
  const watched = (await createWatches(services).all()).some(
    (watch) => watch.channel === channel && overlaps(watch, scope),
  );
  if (!watched) return { blocks: [section(nothingWatched(scope, where))] };
  const now = services.clock.now();
  const made: Mute = { ...scope, channel, since: now, until: now + forMs, by: person.userId };
  await setMute(services, made);
  const holding = muteOf(await readMutes(services, now), channel, scope, now);
  const isLonger = holding !== undefined && holding.until > made.until;
  return {
    blocks: [
      section(
        mrkdwn`${sign('off')} Muted in ${mentionChannel(channel)} · ${scopeName(scope)} until ${moment(made.until)}`,
      ),
      context(mrkdwn`Open cards keep up to date. Muted messages come in one message afterwards.`),
      ...(isLonger ? [context(mrkdwn`It stays muted for longer: ${muteLine(holding)}.`)] : []),
    ],
    buttons: [endButton('mute off', scope, where)],
    shareable: true,
    needs: rightOf([scope]),
  };
}

function nothingWatched(scope: Scope, where: Where): Mrkdwn {
  const channel = mentionChannel(where.channel);
  const watch =
    scope.gvc === undefined ? code('/deployments watch GVC') : commandOf('watch', scope, where);
  const why =
    scope.org === undefined
      ? mrkdwn`${channel} watches nothing.`
      : mrkdwn`${scopeName(scope)} is not watched in ${channel}. ${code('/deployments watches')} shows what is,`;
  return mrkdwn`There is nothing to mute: ${why} ${watch} starts a watch.`;
}

/** Ends the mutes of a scope, and of everything within it, early. */
export async function unmute(
  services: MuteServices,
  scope: Scope,
  where: Where,
  { userId: by }: Person,
): Promise<Answer> {
  const { channel } = where;
  const now = services.clock.now();
  const meant = await liftMutes(services, { ...scope, channel, by });
  const isLifted = meant.some((one) => one.until > now);
  const wider = muteOf(await readMutes(services, now), channel, scope, now);
  const text = isLifted
    ? lifted(scope, channel, wider !== undefined)
    : nothingLifted(scope, channel);
  return {
    blocks: [
      section(text),
      ...(wider ? [context(mrkdwn`It stays muted with ${muteLine(wider)}.`)] : []),
    ],
    buttons: wider ? [endButton('mute off', wider, where)] : [],
    ...(isLifted && { shareable: true, needs: rightOf([scope]) }),
  };
}

function nothingLifted(scope: Scope, channel: string): Mrkdwn {
  const where = mentionChannel(channel);
  if (scope.org === undefined) return mrkdwn`Nothing was muted in ${where}.`;
  return mrkdwn`Nothing was muted by that name: ${scopeName(scope)} in ${where}. ${code('/deployments mute')} shows what is.`;
}

/** @param isSilent a wider mute goes on */
function lifted(scope: Scope, channel: string, isSilent: boolean): Mrkdwn {
  const where = mentionChannel(channel);
  if (isSilent)
    return mrkdwn`The mute of ${scopeName(scope)} in ${where} is over, and a wider one goes on.`;
  const what =
    scope.org === undefined
      ? mrkdwn`Nothing is muted now in ${where}.`
      : mrkdwn`No longer muted in ${where}: ${scopeName(scope)}.`;
  return mrkdwn`${sign('good')} ${what} Muted messages, if any, follow in one message.`;
}

/** @param readable the orgs that the person may read */
export async function listMutes(
  services: MuteServices,
  where: Where,
  readable: readonly string[],
): Promise<Answer> {
  const all = await readMutes(services, services.clock.now());
  const own = all.filter((one) => one.channel === where.channel && isReadable(one, readable));
  return mutesAnswer(where, own);
}

/** A mute of everything names no org. */
export function isReadable({ org }: Scope, readable: readonly string[]): boolean {
  return org === undefined || readable.includes(org);
}

export function mutesAnswer(where: Where, mutes: readonly Mute[]): Answer {
  const channel = mentionChannel(where.channel);
  if (mutes.length === 0) {
    const text = mrkdwn`Nothing is muted in ${channel}. ${code('/deployments mute 8h GVC/WORKLOAD')} mutes a workload, ${code('/deployments mute 8h')} everything that the channel watches.`;
    return { blocks: [section(text)] };
  }
  const table = listed<Mute>({
    caption: 'What is muted in the channel',
    columns: [
      { title: 'Muted', of: scopeWords },
      { title: 'Until', of: ({ until }) => instant(until) },
      { title: 'By', of: ({ by }) => personOf(by) },
    ],
    rows: mutes.toSorted((a, b) => a.until - b.until),
    step: (one) => endRowButton('mute off', one, where),
  });
  const title = mrkdwn`${sign('off')} *Muted in* ${channel}: ${plural(mutes.length, 'mute')}`;
  return { blocks: [section(title), ...table.blocks], shareable: true, needs: rightOf(mutes) };
}

/** The two Mute buttons of a card, for the channel where they are clicked. @param place `org/gvc[/workload]` */
export function muteButtons(place: string): NonNullable<Answer['buttons']> {
  return [
    button({ action: CARD_ACTIONS.muteOneHour, text: 'Mute 1 h', value: place }),
    button({ action: CARD_ACTIONS.muteEightHours, text: 'Mute 8 h', value: place }),
  ];
}

/** "acme/shop until 5 October, 20:00, by @ada" */
export function muteLine(one: Mute): Mrkdwn {
  return mrkdwn`${scopeName(one)} until ${moment(one.until)}, by ${mentionUser(one.by)}`;
}

/** "acme/shop/cart", "everything of org acme" */
function scopeWords(scope: Scope): string {
  const { org, gvc } = scope;
  if (org === undefined) return 'everything';
  return gvc === undefined ? `everything of org ${org}` : placeOf(scope);
}

function scopeName(scope: Scope): Mrkdwn {
  return scope.gvc === undefined ? mrkdwn`${scopeWords(scope)}` : mrkdwn`*${scopeWords(scope)}*`;
}
