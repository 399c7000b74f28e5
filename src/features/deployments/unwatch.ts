import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { nameOf, placeValue, type Target } from '../../platform/deployments/target.ts';
import { missingGvcs } from '../../rollouts/outages/outages.ts';
import { CARD_ACTIONS } from '../../rollouts/render/parts.ts';
import { endWatches, type Unwatched } from '../../rollouts/unwatch.ts';
import {
  createWatches,
  overlaps,
  placeOf,
  type Scope,
  type Watch,
} from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isChannelMember } from '../../slack/directory.ts';
import { button, context, section } from '../../slack/kit/blocks.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  mentionChannel,
  mrkdwn,
  type Mrkdwn,
} from '../../slack/kit/text.ts';
import type { ActionContext, Answer, Person } from '../../slack/routing/routes.ts';
import { grouped } from './board.ts';
import { muteButtons } from './mute.ts';
import { commandOf, rightOf, type Where } from './place.ts';

type UnwatchServices = Parameters<typeof endWatches>[0] &
  Pick<Services, 'access' | 'orgs' | 'slack'>;

/** `/deployments unwatch`. @param scope without a GVC: all watches of the channel, as far as the person may read them */
export async function unwatch(
  services: UnwatchServices,
  { org, gvc, workload }: Scope,
  where: Where,
  person: Person,
): Promise<Answer> {
  const readable = await services.access.readableOrgs(person, services.orgs.known);
  const meant = (await createWatches(services).all()).filter(
    (one) =>
      one.channel === where.channel &&
      readable.includes(one.org) &&
      (org ?? one.org) === one.org &&
      (gvc === undefined || (one.gvc === gvc && one.workload === workload)),
  );
  const by = { channel: where.channel, by: person.userId };
  return unwatchAnswer(await endWatches(services, by, meant), where);
}

/** A card whose button was pressed in a channel. */
export interface Clicked {
  org: string;
  target: Target;
  channel: string;
}

/** The watches in the channel that post the clicked workload. */
async function watchesAt(
  services: UnwatchServices,
  { org, target: { gvc, workload }, channel }: Clicked,
): Promise<Watch[]> {
  const all = await createWatches(services).all();
  return all.filter(
    (watch) => watch.channel === channel && overlaps(watch, { org, gvc, workload }),
  );
}

/** A menu cannot ask for confirmation by itself, unlike the button of a card. */
export async function askToUnwatch(services: UnwatchServices, clicked: Clicked): Promise<Answer> {
  const { channel, org, target } = clicked;
  const where = mentionChannel(channel);
  const name = nameOf(target);
  const value = placeValue(org, target);
  const whole = (await watchesAt(services, clicked)).find(
    ({ workload, configured }) => workload === undefined && !configured,
  );
  const isWider = whole !== undefined && target.workload !== undefined;
  const question = isWider
    ? mrkdwn`The watch here is of the whole GVC: this ends *${placeOf(whole)}* with all its workloads in ${where}, for everyone in it. To silence only ${name}, mute it.`
    : mrkdwn`This ends the watch of ${name} in ${where}, for everyone in it.`;
  return {
    blocks: [section(question)],
    buttons: [
      button({ action: CARD_ACTIONS.unwatch, text: 'Unwatch', value, style: 'danger' }),
      ...(isWider ? muteButtons(value) : []),
    ],
  };
}

export async function unwatchClicked(
  services: UnwatchServices,
  clicked: Clicked,
  { userId: by }: Person,
): Promise<Answer> {
  const { channel, org, target } = clicked;
  const meant = await watchesAt(services, clicked);
  const unwatched = await endWatches(services, { channel, by }, meant);
  const where = { channel, here: true, defaultOrg: services.orgs.fallback };
  return unwatchAnswer(unwatched, where, placeValue(org, target));
}

/** @param clicked the place of the clicked card, `org/gvc[/workload]`; absent for a command */
function unwatchAnswer({ removed, kept }: Unwatched, where: Where, clicked?: string): Answer {
  const channel = mentionChannel(where.channel);
  const whole = removed.filter((watch) => clicked?.startsWith(`${placeOf(watch)}/`));
  const text =
    removed.length > 0
      ? mrkdwn`No longer watching ${boldPlaces(removed)} in ${channel}.`
      : kept.length > 0
        ? mrkdwn`Nothing was removed in ${channel}.`
        : clicked !== undefined
          ? mrkdwn`${clicked} is no longer watched in ${channel}.`
          : mrkdwn`Nothing was removed: no command made such a watch in ${channel}. ${code('/deployments watches')} shows those that there are.`;
  return {
    blocks: [section(text), ...wholeNote(whole, where), ...configuredNote(kept, where)],
    buttons: clicked !== undefined && kept.length > 0 ? muteButtons(clicked) : [],
    ...(removed.length > 0 && { shareable: true, needs: rightOf(removed) }),
  };
}

function boldPlaces(watches: readonly Watch[]): Mrkdwn {
  return joinMrkdwn(
    watches.map((watch) => mrkdwn`*${placeOf(watch)}*`),
    ', ',
  );
}

/** The card is of one workload, but the watch was of the whole GVC. */
function wholeNote(whole: readonly Watch[], where: Where): KnownBlock[] {
  const [first] = whole;
  if (first === undefined) return [];
  const again = commandOf('watch', { ...first, workload: 'WORKLOAD' }, where);
  return [
    context(
      mrkdwn`That was the watch of the whole GVC: nothing of ${boldPlaces(whole)} is posted here now. ${again} watches single workloads.`,
    ),
  ];
}

function configuredNote(kept: readonly Watch[], where: Where): KnownBlock[] {
  const [first, ...others] = kept;
  if (first === undefined) return [];
  const mute = commandOf('mute 8h', first, where);
  const [stays, silences] =
    others.length === 0 ? ['stays: it is', 'it'] : ['stay: they are', 'one watch'];
  return [
    context(
      mrkdwn`${kept.map(placeOf).join(', ')} ${stays} set by WATCHES where Purser runs, and only changed there. ${mute} silences ${silences} for a while.`,
    ),
  ];
}

/** Ends the watches of GVCs that are not found, in the channels that the person is in. */
export async function endMissing(
  services: UnwatchServices,
  { person, channelId = '', value }: ActionContext,
): Promise<Answer> {
  const { access, orgs, slack } = services;
  await access.requireOrgAccess(person);
  const gvcs = await missingGvcs(services, value);
  const readable = await access.readableOrgs(person, orgs.known);
  const meant = (await createWatches(services).all()).filter(
    ({ org, gvc }) => readable.includes(org) && gvcs.includes(`${org}/${gvc}`),
  );
  const ended: Unwatched = { removed: [], kept: [] };
  const foreign: Watch[] = [];
  for (const [channel, own] of grouped(meant, (watch) => watch.channel)) {
    if (await isChannelMember(slack, { person, channelId }, channel)) {
      const { removed, kept } = await endWatches(services, { channel, by: person.userId }, own);
      ended.removed.push(...removed);
      ended.kept.push(...kept);
    } else foreign.push(...own);
  }
  return endedAnswer(ended, foreign);
}

/** @param foreign watches of channels that the person is not known to be in */
function endedAnswer({ removed, kept }: Unwatched, foreign: readonly Watch[]): Answer {
  const channels = [...new Set(removed.map(({ channel }) => mentionChannel(channel)))];
  const all = [
    removed.length === 0
      ? mrkdwn`No watch was ended.`
      : mrkdwn`${plural(removed.length, 'watch', 'watches')} ended in ${joinFirst(channels, 5)}.`,
  ];
  if (removed.length + kept.length + foreign.length === 0) {
    all.push(mrkdwn`These GVCs can be read again, or no watch is left.`);
  }
  if (kept.length > 0) {
    all.push(
      mrkdwn`${placesShort(kept)}: set by WATCHES where Purser runs, and only changed there.`,
    );
  }
  if (foreign.length > 0) {
    all.push(
      mrkdwn`${placesShort(foreign)}: watched in channels where Slack does not confirm you as a member. Ask someone there to type ${code('/deployments unwatch')}.`,
    );
  }
  return { blocks: all.map((line) => section(line)) };
}

/** "acme/shop, acme/blog and 3 more" */
function placesShort(watches: readonly Watch[]): Mrkdwn {
  return joinFirst(
    [...new Set(watches.map(placeOf))].map((place) => mrkdwn`${place}`),
    5,
  );
}
