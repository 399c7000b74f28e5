import { orgRight } from '../../access/policy.ts';
import { plural } from '../../lib/text.ts';
import { CARD_ACTIONS } from '../../rollouts/render/parts.ts';
import {
  createMutes,
  createWatches,
  liftMutes,
  muteOf,
  overlaps,
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
  person,
} from '../../slack/kit/text.ts';
import type { Answer, Person } from '../../slack/routing/routes.ts';
import { listed } from '../list.ts';
import { commandOf, endButton, endRowButton, type SuggestedCommand } from './place.ts';

type MuteServices = Pick<Services, 'config' | 'redis' | 'keys' | 'orgs' | 'outbox' | 'clock'>;

export interface MuteRequest {
  scope: Scope;
  channel: string;
  typedIn: string | undefined;
}

/** Silences a scope in a channel (ADR 11). @param forMs milliseconds */
export async function mute(
  services: MuteServices,
  request: MuteRequest,
  { forMs, person }: { forMs: number; person: Person },
): Promise<Answer> {
  const { scope, channel } = request;
  const watched = (await createWatches(services).all()).some(
    (watch) => watch.channel === channel && overlaps(watch, scope),
  );
  if (!watched) return nothingWatchedAnswer(channelScopeOf(services, request));
  const now = services.clock.now();
  const made: Mute = { ...scope, channel, since: now, until: now + forMs, by: person.userId };
  await setMute(services, made);
  const holding = muteOf(await createMutes(services).all(now), channel, scope, now);
  const longer = holding !== undefined && holding.until > made.until ? holding : undefined;
  return mutedAnswer(channelScopeOf(services, request), made, longer);
}

/** Ends the mutes of a scope, and of everything within it, early. */
export async function unmute(
  services: MuteServices,
  request: MuteRequest,
  { userId: by }: Person,
): Promise<Answer> {
  const { scope, channel } = request;
  const now = services.clock.now();
  const meant = await liftMutes(services, { ...scope, channel, by });
  const lifted = meant.filter((one) => one.until > now).length;
  const wider = muteOf(await createMutes(services).all(now), channel, scope, now);
  return unmutedAnswer(channelScopeOf(services, request), lifted, wider);
}

/** @param readable the orgs that the person may read */
export async function listMutes(
  services: MuteServices,
  where: Pick<SuggestedCommand, 'channel' | 'here'>,
  readable: readonly string[],
): Promise<Answer> {
  const all = await createMutes(services).all(services.clock.now());
  const own = all.filter((one) => one.channel === where.channel && isReadable(one, readable));
  return mutesAnswer({ ...where, defaultOrg: services.orgs.fallback }, own);
}

/** A mute of everything names no org. */
export function isReadable({ org }: Scope, readable: readonly string[]): boolean {
  return org === undefined || readable.includes(org);
}

function channelScopeOf(
  { orgs }: Pick<Services, 'orgs'>,
  { scope, channel, typedIn }: MuteRequest,
): SuggestedCommand {
  return { scope, channel, here: channel === typedIn, defaultOrg: orgs.fallback };
}

/** The two Mute buttons of a card, for the channel where they are clicked. @param place `org/gvc[/workload]` */
export function muteButtons(place: string): NonNullable<Answer['buttons']> {
  return [
    button({ action: CARD_ACTIONS.muteOneHour, text: 'Mute 1 h', value: place }),
    button({ action: CARD_ACTIONS.muteEightHours, text: 'Mute 8 h', value: place }),
  ];
}

/** @param longer a mute around this one that runs longer */
function mutedAnswer(scoped: SuggestedCommand, mute: Mute, longer: Mute | undefined): Answer {
  const text = mrkdwn`${sign('off')} Muted in ${mentionChannel(mute.channel)} · ${scopeName(mute)} until ${moment(mute.until)}`;
  const how = mrkdwn`Open cards keep up to date. Muted messages come in one message afterwards.`;
  const notes =
    longer === undefined ? [] : [context(mrkdwn`It stays muted for longer: ${muteLine(longer)}.`)];
  return {
    blocks: [section(text), context(how), ...notes],
    buttons: [endButton('mute off', scoped)],
    shareable: true,
    needs: ofScope(mute),
  };
}

function ofScope({ org }: Scope): string {
  return org === undefined ? orgRight() : orgRight(org);
}

function nothingWatchedAnswer(scoped: SuggestedCommand): Answer {
  const where = mentionChannel(scoped.channel);
  const watch =
    scoped.scope.gvc === undefined ? code('/deployments watch GVC') : commandOf('watch', scoped);
  const why =
    scoped.scope.org === undefined
      ? mrkdwn`${where} watches nothing.`
      : mrkdwn`${scopeName(scoped.scope)} is not watched in ${where}. ${code('/deployments watches')} shows what is,`;
  const text = mrkdwn`There is nothing to mute: ${why} ${watch} starts a watch.`;
  return { blocks: [section(text)] };
}

/** @param wider a mute of a wider scope that goes on */
function unmutedAnswer(scoped: SuggestedCommand, lifted: number, wider: Mute | undefined): Answer {
  const text = lifted === 0 ? nothingLifted(scoped) : liftedText(scoped, wider !== undefined);
  const notes =
    wider === undefined ? [] : [context(mrkdwn`It stays muted with ${muteLine(wider)}.`)];
  return {
    blocks: [section(text), ...notes],
    buttons: wider === undefined ? [] : [endButton('mute off', { ...scoped, scope: wider })],
    ...(lifted === 0 ? {} : { shareable: true, needs: ofScope(scoped.scope) }),
  };
}

function nothingLifted({ scope, channel }: SuggestedCommand): Mrkdwn {
  const where = mentionChannel(channel);
  if (scope.org === undefined) return mrkdwn`Nothing was muted in ${where}.`;
  return mrkdwn`Nothing was muted by that name: ${scopeName(scope)} in ${where}. ${code('/deployments mute')} shows what is.`;
}

function liftedText({ scope, channel }: SuggestedCommand, isSilent: boolean): Mrkdwn {
  const where = mentionChannel(channel);
  if (isSilent)
    return mrkdwn`The mute of ${scopeName(scope)} in ${where} is over, and a wider one goes on.`;
  const what =
    scope.org === undefined
      ? mrkdwn`Nothing is muted now in ${where}.`
      : mrkdwn`No longer muted in ${where}: ${scopeName(scope)}.`;
  return mrkdwn`${sign('good')} ${what} Muted messages, if any, follow in one message.`;
}

export function mutesAnswer(
  where: Omit<SuggestedCommand, 'scope'>,
  mutes: readonly Mute[],
): Answer {
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
      { title: 'By', of: ({ by }) => person(by) },
    ],
    rows: mutes.toSorted((a, b) => a.until - b.until),
    step: (mute) => endRowButton('mute off', { ...where, scope: mute }),
  });
  const title = mrkdwn`${sign('off')} *Muted in* ${channel}: ${plural(mutes.length, 'mute')}`;
  return {
    blocks: [section(title), ...table.blocks],
    shareable: true,
    needs: orgRight(...new Set(mutes.flatMap(({ org = [] }) => org))),
  };
}

/** "acme/shop until 5 October, 20:00, by @ada" */
export function muteLine(mute: Mute): Mrkdwn {
  return mrkdwn`${scopeName(mute)} until ${moment(mute.until)}, by ${mentionUser(mute.by)}`;
}

type ScopeOf = SuggestedCommand['scope'];

/** "acme/shop/cart", "everything of org acme" */
function scopeWords({ org, gvc, workload }: ScopeOf): string {
  if (org === undefined) return 'everything';
  if (gvc === undefined) return `everything of org ${org}`;
  return [org, gvc, workload].filter((part) => part !== undefined).join('/');
}

function scopeName(scope: ScopeOf): Mrkdwn {
  return scope.gvc === undefined ? mrkdwn`${scopeWords(scope)}` : mrkdwn`*${scopeWords(scope)}*`;
}
