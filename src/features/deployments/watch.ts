import type { KnownBlock } from '@slack/types';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { compareNatural, formatAge, plural, shorten, truncate } from '../../lib/text.ts';
import { splitWords } from '../../lib/words.ts';
import { nameOf, resolveOrg, type Target } from '../../platform/deployments/target.ts';
import { type PollStatus, readPollStatus } from '../../rollouts/gvc-store.ts';
import { joined, illWords, LOOK_AT_HURT } from '../../rollouts/render/parts.ts';
import { isGreen, isMoving, type WorkloadStatus } from '../../rollouts/watch/status.ts';
import { RECONCILE_WATCHES } from '../../rollouts/jobs.ts';
import {
  addWatch,
  createWatches,
  type Mute,
  muteOf,
  outspokenBy,
  overlaps,
  placeOf,
  readMutes,
  type Watch,
} from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isDirect, isMember } from '../../slack/directory.ts';
import { button, context, section, sign } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { type Cell, spokenPart } from '../../slack/kit/tables.ts';
import {
  code,
  instant,
  joinMrkdwn,
  joinRich,
  mentionChannel,
  mrkdwn,
  Mrkdwn,
  person as personOf,
  rich,
  Rich,
} from '../../slack/kit/text.ts';
import { RUN_ACTION } from '../../slack/replies/help-view.ts';
import type { Answer, Person } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { listed } from '../list.ts';
import { watchButton } from '../tasks.ts';
import { stepOf, worstSign, worstWorkloadFirst } from './board.ts';
import { detailsButton } from './details-view.ts';
import { isReadable, muteLine } from './mute.ts';
import { type DeploymentsCommand, parseDeployments } from './parse.ts';
import { endButton, endRowButton, rightOf, runText, type Where } from './place.ts';
import { readDetailed } from './status.ts';
import { likelyPlace, type NameServices } from '../watched.ts';

type WatchCommand = Extract<DeploymentsCommand, { kind: 'watch' }>;
type WatchServices = NameServices & Pick<Services, 'jobs' | 'outbox' | 'slack' | 'orgs'>;

/** `/deployments watch` in a channel that the person is in. @throws as `readDetailed` */
export async function watch(
  services: WatchServices,
  { target, org: named, only, quiet, notify, sure = false }: WatchCommand,
  where: Where,
  { userId: by }: Person,
): Promise<Answer> {
  const org = resolveOrg(named, services.orgs);
  const { gvc, workload } = target;
  const { channel } = where;
  const wanted: Watch = { org, gvc, workload, channel, only, quiet, notify, configured: false, by };
  const command = (meant: Target): string => commandAgain(wanted, meant, where);
  const { workloads, skipped } = await readDetailed(services, { org, target }, command, true);
  const isListed = workloads.length + skipped > 0;
  const meant = isListed ? undefined : (await likelyPlace(services, org, target)).meant;
  if (!isDirect(channel) && (await isMember(services.slack, channel)) === false) {
    throw new Refusal(
      'Purser cannot post to that channel, because it is not in it, or the channel is archived: type "/invite @Purser" in the channel, then this command again.',
    );
  }
  if (meant !== undefined && !sure) return askAnswer(wanted, meant, command);
  const replaced = await addWatch(services, wanted);
  await services.jobs.add('rollouts', RECONCILE_WATCHES, {});
  // At once, so that the present state becomes the baseline of the new watch.
  await services.jobs.add('rollouts', 'poll', { org, gvc });
  const now = services.clock.now();
  return watchAddedAnswer(wanted, where, {
    replaced,
    wider: outspokenBy(wanted, await createWatches(services).all()),
    mute: muteOf(await readMutes(services, now), channel, wanted, now),
    ill: workloads.filter((one) => !isGreen(one) && !isMoving(one)).toSorted(worstWorkloadFirst),
    isListed,
  });
}

/** The watch of {@link askAnswer}, which was asked for all the same. @throws UsageError */
export function watchAgain(value = ''): WatchCommand {
  const split = splitWords(value);
  const command = 'words' in split ? parseDeployments(split.words.slice(1)) : undefined;
  if (command?.kind === 'watch') return { ...command, sure: true };
  throw new UsageError('This button is of an older version: type the command again.');
}

function commandAgain({ org, only, quiet, notify }: Watch, meant: Target, where: Where): string {
  const outcomes = only === undefined ? '' : ` only ${only.join(',')}`;
  const mention = notify === undefined ? '' : ` notify ${notify}`;
  return `${runText('watch', { ...meant, org }, where)}${outcomes}${quiet ? ' quiet' : ''}${mention}`;
}

/** @param readable the orgs that the person may read */
export async function listWatches(
  services: WatchServices,
  where: Where,
  readable: readonly string[],
): Promise<Answer> {
  const { redis, keys } = services;
  const { channel } = where;
  const now = services.clock.now();
  const [watches, mutes, isIn] = await Promise.all([
    createWatches(services).all(),
    readMutes(services, now),
    isDirect(channel) ? true : isMember(services.slack, channel),
  ]);
  const all = watches.filter(({ org }) => readable.includes(org));
  const own = all.filter((one) => one.channel === channel);
  const elsewhere = all.filter((one) => one.channel !== channel && !isDirect(one.channel));
  const entries = own.map(async (one) => ({
    watch: one,
    poll: await readPollStatus(redis, keys, one.org, one.gvc),
  }));
  return watchesAnswer({
    ...where,
    outside: isIn === false,
    entries: await Promise.all(entries),
    mutes: mutes.filter((mute) => mute.channel === channel && isReadable(mute, readable)),
    elsewhere: elsewhere.length,
    now,
  });
}

export const WATCH_ANYWAY_ACTION = 'deployments.watch-anyway';

/** Asked in place of a watch of a name that nothing has, and that is nearly another one. */
function askAnswer(wanted: Watch, meant: Target, command: (target: Target) => string): Answer {
  const { org, gvc, workload } = wanted;
  const name = nameOf({ gvc, workload });
  const choice = (target: Target, action: string, end = '') => ({
    action,
    text: `Watch ${shorten(nameOf(target), LABEL_LENGTH - end.length)}${end}`,
    value: command(target),
  });
  return {
    blocks: [
      section(mrkdwn`Nothing is named *${name}* in org ${org}. Did you mean *${nameOf(meant)}*?`),
    ],
    buttons: [
      button({ ...choice(meant, RUN_ACTION), style: 'primary' }),
      button(choice({ gvc, workload }, WATCH_ANYWAY_ACTION, ' anyway')),
    ],
  };
}

/**
 * @param beside.replaced the channel's watch of the same place before
 * @param beside.wider a watch of the channel that already posts what this one would hold back
 * @param beside.mute silences the watched place now
 * @param beside.ill workloads that are not green there now, the worst first
 * @param beside.isListed false: nothing has that name yet
 */
function watchAddedAnswer(
  watch: Watch,
  where: Where,
  beside: {
    replaced: Watch | undefined;
    wider: Watch | undefined;
    mute: Mute | undefined;
    ill: readonly WorkloadStatus[];
    isListed: boolean;
  },
): Answer {
  const { replaced, wider, mute, ill, isListed } = beside;
  const verb = replaced === undefined ? 'Watching' : 'Changed the watch of';
  const next =
    watch.only === undefined
      ? mrkdwn` · each new rollout gets one card that keeps up to date`
      : mrkdwn` · only these outcomes are posted`;
  const narrow = narrowing(watch);
  const what = mrkdwn`${verb} *${placeOf(watch)}* in ${mentionChannel(watch.channel)}${narrow.text === '' ? '' : mrkdwn` (${narrow})`}`;
  const still = wider === undefined ? next : widerWords(watch, wider);
  const details = detailsButton(watch.org, watch);
  return {
    blocks: [
      section(mrkdwn`${sign('good')} ${what}${still}.${startWords(ill)}`),
      ...changedNote(watch, replaced),
      ...(isListed ? [] : [context(mrkdwn`Nothing is listed under that name yet.`)]),
      ...(mute === undefined ? [] : [context(mrkdwn`For now it is muted: ${muteLine(mute)}.`)]),
    ],
    buttons: [
      ...(details === undefined || ill.length === 0 ? [] : [details]),
      endButton('unwatch', watch, where),
      ...(wider === undefined || wider.configured
        ? []
        : [endButton('unwatch', wider, where, ` ${nameOf(wider)}`)]),
    ],
    shareable: true,
    needs: rightOf([watch]),
  };
}

/** "I start from here: cart Outage (failed), pay no report.", and the next step. */
function startWords(ill: readonly WorkloadStatus[]): Mrkdwn {
  const [worst] = ill;
  if (worst === undefined) return mrkdwn` What runs now is not announced.`;
  const all = ill.map(({ workload, state, impact }) => illWords(workload, state, impact));
  const steps = worst.impact.level > 0 ? [LOOK_AT_HURT] : worst.rows.slice(0, 1).flatMap(stepOf);
  const start = mrkdwn`\n${worstSign(ill)}I start from here: ${firstOf(all, MAX_ILL)}.`;
  return joinMrkdwn([start, ...steps], '\n');
}

/** Of several watches in a channel the one that posts most counts. */
function widerWords({ only }: Watch, wider: Watch): Mrkdwn {
  const still =
    only === undefined ? 'outcomes still come to the channel' : 'all outcomes still come';
  const step = wider.configured
    ? ', set by WATCHES where Purser runs, and only changed there'
    : '. End that watch to narrow this one';
  return mrkdwn`, but ${still}: *${placeOf(wider)}* is watched in the channel too${step}`;
}

/** "", "only failed or unhealthy; outcomes stay in the thread; @oncall is notified …". */
function narrowing({ only = [], quiet, notify }: Watch): Mrkdwn {
  return joined(
    [
      only.length === 0 ? '' : `only ${OR.format(only)}`,
      quiet ? 'outcomes stay in the thread' : '',
      notify === undefined
        ? ''
        : mrkdwn`${joinMrkdwn(mentioned(notify).elements.map(spokenPart), '')} is notified of a partial outage or worse`,
    ],
    '; ',
  );
}

/** A watch is replaced as a whole: its words may be missed. */
function changedNote(watch: Watch, replaced: Watch | undefined): KnownBlock[] {
  if (replaced === undefined) return [];
  const before = narrowing(replaced);
  if (before.text === narrowing(watch).text) return [];
  return [context(mrkdwn`Before: ${before.text === '' ? 'all outcomes' : before}`)];
}

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

interface WatchHealth {
  watch: Watch;
  poll: PollStatus;
}

export interface WatchesView extends Where {
  /** The bot is not in the channel, so it cannot post. */
  outside: boolean;
  entries: readonly WatchHealth[];
  mutes: readonly Mute[];
  elsewhere: number;
  now: number;
}

/** Of a name in a button, which takes 75 characters. */
const LABEL_LENGTH = 60;
const MAX_ILL = 8;
const ERROR_LENGTH = 100;

/** The answer to `/deployments watches`: those that cannot be read first. Pure. */
export function watchesAnswer(view: WatchesView): Answer {
  const { channel, entries, elsewhere, mutes, now } = view;
  const warning = view.outside ? [section(OUTSIDE)] : [];
  if (entries.length === 0) {
    const others = elsewhere === 0 ? '' : ` ${elsewhere} in other channels.`;
    const text = mrkdwn`Nothing is watched in ${mentionChannel(channel)}.${others} Start with ${code('/deployments watch GVC')}.`;
    return { blocks: [section(text, view.here ? watchButton() : undefined), ...warning] };
  }
  const muteOfRow = ({ watch }: WatchHealth) => muteOf(mutes, channel, watch, now);
  const table = listed<WatchHealth>({
    caption: 'What the channel watches',
    columns: [
      { title: 'Watch', of: ({ watch }) => placeOf(watch) },
      { title: 'Last read', of: ({ poll }) => lastRead(poll, now) },
      { title: 'Posts', of: ({ watch }) => postsOf(watch) },
      ...(entries.some(muteOfRow)
        ? [{ title: 'Muted', of: (row: WatchHealth) => mutedCell(muteOfRow(row)) }]
        : []),
      { title: 'Made by', of: ({ watch }) => origin(watch) },
    ],
    rows: entries.toSorted(failingFirst),
    step: ({ watch }) => (watch.configured ? undefined : endRowButton('unwatch', watch, view)),
  });
  const title = mrkdwn`*Watched in* ${mentionChannel(channel)}: ${plural(entries.length, 'watch', 'watches')}${troubled(entries)}`;
  return {
    blocks: [section(title), ...warning, ...table.blocks, ...notes(view)],
    shareable: true,
    needs: rightOf(entries.map(({ watch }) => watch)),
  };
}

const OUTSIDE = mrkdwn`${sign('wrong')} Purser is not in the channel, so nothing reaches it: type ${code('/invite @Purser')} there.`;

function failingFirst(a: WatchHealth, b: WatchHealth): number {
  const failing = ({ poll }: WatchHealth): number => Number(poll.failures > 0);
  return failing(b) - failing(a) || compareNatural(placeOf(a.watch), placeOf(b.watch));
}

function troubled(entries: readonly WatchHealth[]): Mrkdwn {
  const failing = entries.filter(({ poll }) => poll.failures > 0).length;
  if (failing === 0) return mrkdwn``;
  return entries.length === 1
    ? mrkdwn`, which cannot be read just now`
    : mrkdwn`, ${failing} of them cannot be read just now`;
}

/** "all outcomes", "only failed; in the thread; @oncall is notified" */
function postsOf({ only = [], quiet, notify }: Watch): Cell {
  const parts = [
    rich`${only.length === 0 ? 'all outcomes' : `only ${OR.format(only)}`}`,
    ...(quiet ? [rich`in the thread`] : []),
    ...(notify === undefined ? [] : [rich`${mentioned(notify)} is notified`]),
  ];
  return joinRich(parts, '; ');
}

/** A group or a person; "@here" as text, so that a shared answer notifies no whole channel. */
function mentioned(notify: string): Rich {
  const [, group] = /^<!subteam\^(\w+)>$/.exec(notify) ?? [];
  if (group !== undefined) return new Rich([{ type: 'usergroup', usergroup_id: group }]);
  const [, user] = /^<@(\w+)>$/.exec(notify) ?? [];
  return user === undefined ? rich`@${notify.replace(/[<!>]/g, '')}` : personOf(user);
}

function mutedCell(mute: Mute | undefined): Cell {
  return mute === undefined ? '–' : rich`until ${instant(mute.until)}`;
}

function origin({ configured, by }: Watch): Cell {
  if (configured) return 'WATCHES';
  return by === undefined ? 'a command' : personOf(by);
}

/** "20 s ago"; or since when it cannot be read, and why. */
function lastRead(poll: PollStatus, now: number): string {
  const age = poll.at === 0 ? 'never' : formatAge(now - poll.at);
  if (poll.failures > 0) {
    return `${age}, ${plural(poll.failures, 'try', 'tries')} failed since (${truncate(poll.error, ERROR_LENGTH)})`;
  }
  return poll.skipped === 0 ? age : `${age}, ${plural(poll.skipped, 'deployment')} unreadable`;
}

function notes({ channel, entries, mutes, elsewhere, now }: WatchesView): KnownBlock[] {
  // A mute of one workload does not silence a watch of the whole GVC, so no row above shows it.
  const partial = mutes.filter((mute) =>
    entries.some(
      ({ watch }) => overlaps(watch, mute) && muteOf([mute], channel, watch, now) === undefined,
    ),
  );
  return smallPrint([
    ...partial.slice(0, 5).map((mute) => mrkdwn`${sign('off')} Muted: ${muteLine(mute)}`),
    ...(partial.length > 5
      ? [mrkdwn`${partial.length - 5} more are muted: ${code('/deployments mute')}`]
      : []),
    ...(elsewhere > 0 ? [mrkdwn`${elsewhere} more in other channels`] : []),
  ]);
}
