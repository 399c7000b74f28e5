import type { Message } from '../../notify/message.ts';
import type { Advance } from '../engine/advance.ts';
import type { JobNotice, Notice, RolloutNotice } from '../engine/notices.ts';
import { hasCard } from '../engine/rollout.ts';
import { outcomesWith, THREAD_ONLY } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  audiencesOf,
  cardKey,
  jobKey,
  muteMarkIn,
  outcomeKey,
  withCovers,
  type Audience,
  type WorkloadAudience,
} from './audience.ts';
import { gvcGoneMessages, gvcMessages, gvcTold, type GvcTold } from './publish-gvc.ts';
import { locationMessages, locationsTold, type LocationsTold } from './publish-location.ts';
import { rolloutName, type Content } from './view-parts.ts';
import { outcomeContent } from './outcome-view.ts';
import { cardContent, jobContent } from './workload-view.ts';

type Outcome = NonNullable<RolloutNotice['outcome']>;

/** Kinds with which an episode ends. */
const RETURNS = outcomesWith('endsEpisode');

/** What the messages of one poll are made with. */
interface RenderContext {
  place: WatchedGvc;
  audience: Audience;
  locations: LocationsTold;
  gvcs: GvcTold;
  /** All outcomes of the poll, by workload and version. */
  outcomes: ReadonlyMap<string, readonly Outcome[]>;
}

/** A notice. Its text is the same in every channel, and is made only when a channel needs it. */
interface Rendered {
  notice: RolloutNotice;
  card: () => Content;
  outcome: () => Content;
}

/** The messages that a poll becomes, for every channel that hears them. Pure. */
export function messagesOf(
  place: WatchedGvc,
  step: Pick<Advance, 'rolloutNotices' | 'notices'>,
  audience: Audience,
): Message[] {
  const watches = audience.watches.filter(({ org, gvc }) => org === place.org && gvc === place.gvc);
  const here = { ...audience, watches };
  const locations = locationsTold(place, step.notices, here);
  const gvcs = gvcTold(place, step.notices, here);
  const outcomes = outcomesByRollout(step.rolloutNotices);
  const context: RenderContext = { place, audience: here, locations, gvcs, outcomes };
  return [
    ...step.rolloutNotices.flatMap((notice) => rolloutMessages(context, notice)),
    ...noticeMessages(place, step.notices, here, locations),
  ];
}

function outcomesByRollout(rolloutNotices: readonly RolloutNotice[]): Map<string, Outcome[]> {
  const outcomes = new Map<string, Outcome[]>();
  for (const notice of rolloutNotices) {
    const { outcome } = notice;
    if (outcome === undefined) continue;
    outcomes.set(rolloutId(notice), [...(outcomes.get(rolloutId(notice)) ?? []), outcome]);
  }
  return outcomes;
}

function rolloutId({ workload, version }: RolloutNotice): string {
  return `${workload}/${version}`;
}

function outcomesOf({ outcomes }: RenderContext, notice: RolloutNotice): readonly Outcome[] {
  return outcomes.get(rolloutId(notice)) ?? [];
}

/** What is told beyond single workloads, as messages. Pure. */
function noticeMessages(
  place: WatchedGvc,
  notices: readonly Notice[],
  audience: Audience,
  locations: LocationsTold,
): Message[] {
  return notices.flatMap((one) => {
    switch (one.kind) {
      case 'location':
        return locationMessages(place, one, audience, locations);
      case 'gvc':
        return gvcMessages(place, one, audience);
      case 'gvc-gone':
        return gvcGoneMessages(place, one, audience);
      case 'job':
        return jobMessages(place, one, audience);
    }
  });
}

/** A filter hears it under the word `failed`. */
function jobMessages(place: WatchedGvc, job: JobNotice, audience: Audience): Message[] {
  const own = { ...place, workload: job.workload };
  return audiencesOf(audience.watches, own)
    .filter((listener) => listener.hears('failed'))
    .map(({ channel }) => ({
      channel,
      key: jobKey(place, job),
      ...jobContent(place, job, audience),
      ...muteMarkIn(channel, own, audience),
    }));
}

function rolloutMessages(context: RenderContext, notice: RolloutNotice): Message[] {
  const { place, audience } = context;
  const rendered: Rendered = {
    notice,
    card: memoized(() => cardContent(place, notice, audience)),
    outcome: memoized(() => outcomeContent(place, notice, audience)),
  };
  const { workload, outcome } = notice;
  return audiencesOf(audience.watches, { ...place, workload }).flatMap((listener) =>
    outcome === undefined
      ? cardMessages(context, rendered, listener)
      : outcomeMessages(context, rendered, outcome, listener),
  );
}

function memoized<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A card is posted where it opens; anywhere else it is an edit of one that is there. */
function cardMessages(
  context: RenderContext,
  rendered: Rendered,
  listener: WorkloadAudience,
): Message[] {
  const { place } = context;
  const { notice, card } = rendered;
  const { channel } = listener;
  if (isToldByReady(context, notice, listener)) return [];
  const key = cardKey(place, notice);
  const own = ownCard(context, rendered, listener, key);
  const { readyIsCard } = notice.rollout;
  if (readyIsCard === undefined) return own;
  const ready = outcomeKey(place, notice, 'ready', readyIsCard);
  return [{ channel, key: ready, ...card(), requires: ready }, ...own];
}

/** A version that was ready when it was first seen is one post: its `ready` serves as the card. */
function isToldByReady(
  context: RenderContext,
  notice: RolloutNotice,
  listener: WorkloadAudience,
): boolean {
  const { readyIsCard } = notice.rollout;
  const ready = outcomesOf(context, notice).find(
    ({ kind, n }) => kind === 'ready' && n === readyIsCard,
  );
  if (ready === undefined || !listener.hears('ready')) return false;
  return !isToldBeside(context, notice.workload, ready, listener);
}

function ownCard(
  context: RenderContext,
  rendered: Rendered,
  listener: WorkloadAudience,
  key: string,
): Message[] {
  const { place, audience } = context;
  const { notice, card } = rendered;
  const { channel } = listener;
  const muted = muteMarkIn(channel, { ...place, workload: notice.workload }, audience);
  const wanted = muted.held === undefined && isWanted(context, notice, listener);
  if (!wanted && neverOpened(context, notice, channel)) return [];
  return [{ channel, key, ...card(), ...(wanted ? {} : { requires: key }) }];
}

/** A filter holds a card back until a named outcome comes. */
function isWanted(
  context: RenderContext,
  notice: RolloutNotice,
  listener: WorkloadAudience,
): boolean {
  const { workload, opens, opensFor } = notice;
  const { channel, filtered } = listener;
  const outcomes = outcomesOf(context, notice);
  const named = outcomes.filter(
    (outcome) =>
      listener.hears(outcome.kind) && !isToldBeside(context, workload, outcome, listener),
  );
  const calls = named.some(({ kind }) => !THREAD_ONLY.has(kind));
  const beside =
    context.locations.tells(channel, opensFor, workload) ||
    outcomes.some((outcome) => context.gvcs.tells(channel, workload, outcome));
  if (opens && (filtered ? calls : !beside || calls)) return true;
  // A filter that names an outcome of the thread brings the card that was held back, if there is one.
  return filtered && hasCard(notice.rollout) && named.length > 0;
}

/**
 * Whether a channel to which a location tells of the workload's first trouble can have no card of it:
 * the rollout was in place before the first poll, and nothing was told of it before this one.
 */
function neverOpened(context: RenderContext, notice: RolloutNotice, channel: string): boolean {
  const { workload, version, rollout, opensFor } = notice;
  const { locations } = context;
  if (rollout.startedAt !== null || !locations.tells(channel, opensFor, workload)) return false;
  const now = new Set(outcomesOf(context, notice).map(({ kind, n }) => `${version}/${kind} ${n}`));
  return Object.entries(rollout.told).every(
    ([word, n]) =>
      !word.startsWith(`${version}/`) ||
      (n === 1 && (word === `${version}/card` || now.has(`${word} 1`))),
  );
}

/** Another message stands for the outcome: that of a location, or of the GVC. */
function isToldBeside(
  { locations, gvcs }: RenderContext,
  workload: string,
  outcome: Outcome,
  listener: WorkloadAudience,
): boolean {
  const { channel } = listener;
  if (gvcs.tells(channel, workload, outcome)) return true;
  const { kind, by } = outcome;
  const counts = listener.hears(kind) || RETURNS.has(kind);
  return counts && locations.tells(channel, by, workload);
}

function outcomeMessages(
  context: RenderContext,
  rendered: Rendered,
  outcome: Outcome,
  listener: WorkloadAudience,
): Message[] {
  const { place, audience } = context;
  const { notice } = rendered;
  const { workload, version } = notice;
  const { channel, filtered } = listener;
  const { kind, n, covers = [] } = outcome;
  if (isToldBeside(context, workload, outcome, listener)) return [];
  const heard = listener.hears(kind);
  const threadKey = cardKey(place, notice);
  const key = outcomeKey(place, notice, kind, n);
  const held = muteMarkIn(channel, { ...place, workload }, audience);
  if (kind === 'ready' && isToldByReady(context, notice, listener)) {
    return [{ channel, key, ...rendered.card(), servesAs: threadKey, ...held }];
  }
  const quiet = THREAD_ONLY.has(kind);
  const message: Message = {
    channel,
    key,
    ...rendered.outcome(),
    // Only a crash loop is told where there never was a card.
    ...(kind === 'crashloop' && !hasCard(notice.rollout) ? {} : { threadKey }),
    // What no filter of the channel names is not broadcast.
    broadcast: heard && (!quiet || outcome.broadcast === true) && !listener.quiet(kind),
    ...required(context, notice, outcome, heard),
    ...held,
  };
  // The poll may tell such an outcome without the card, because nothing in the card has changed.
  const card = filtered && heard && quiet ? cardMessages(context, rendered, listener) : [];
  const title = rolloutName(place, workload, version);
  return [...card, ...withCovers(place, { message, title }, covers)];
}

/** What an outcome needs to be there already. */
function required(
  { place, locations }: RenderContext,
  notice: RolloutNotice,
  { kind, n, by }: Outcome,
  heard: boolean,
): { requires?: string } {
  // Containers that crash again and again are told where there is no card, too.
  if (heard && kind === 'crashloop') return {};
  // A filter holds back until a named outcome has brought the card; from then on nothing is kept.
  if (!heard || THREAD_ONLY.has(kind)) return { requires: cardKey(place, notice) };
  // A location told it before, to the channels that heard of it then: here it is only an edit.
  const key = outcomeKey(place, notice, kind, n);
  return by === undefined || locations.isNews(key) ? {} : { requires: key };
}
