import type { Shown } from '../../src/rollouts/play.ts';
import { impactOf, minutesAt, type Impact } from './impact.ts';
import { type Life } from './life.ts';
import { isEnd, isGood, isLoud, isTrouble, postsByWorkload, type Post } from './posts.ts';
import { rolloutsOf, troubleMinutes, type TrueRollout } from './rollouts.ts';
import { KNOWN, LISTED, MINUTES, PLAYS, READY, type Track } from './track.ts';

/** The counts of one life or of many. */
export const COUNTS = [
  'outages',
  'within5',
  'within15',
  'later',
  'never',
  'late',
  'calls',
  'falseCalls',
  'goodNews',
  'falseGoodNews',
  'falseRecoveries',
  'recoveries',
  'recoveriesNotPosted',
  'readies',
  'readiesNotPosted',
  'troubles',
  'troublesNotPosted',
  'loud',
  'workloads',
] as const;
export type Counts = Record<(typeof COUNTS)[number], number>;

/** One place where a life went against the rules. */
export interface Breach {
  readonly kind: keyof Counts;
  readonly seed: number;
  readonly workload: string;
  /** Minutes from the beginning of the life. */
  readonly at: number;
  readonly about: string;
}

export interface Measured {
  readonly counts: Counts;
  readonly breaches: Breach[];
}

/** One workload with all that was posted about it. */
interface Case {
  readonly impact: Impact;
  readonly trouble: Uint8Array;
  readonly posts: readonly Post[];
  readonly gvcTracks: readonly Track[];
  readonly isCron: boolean;
  readonly count: (kind: keyof Counts, by?: number) => void;
  readonly breach: (kind: keyof Counts, at: number, about: string) => void;
}

export function noCounts(): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;
}

/** Compares the messages of a life with its truth. */
export function measure(life: Life, shown: readonly Shown[]): Measured {
  const counts = noCounts();
  const breaches: Breach[] = [];
  const posts = postsByWorkload(shown);
  counts.loud = shown.filter((one) => isLoud(one) && !one.key.includes('/@api/')).length;
  const byWorkload = new Map<string, Track[]>();
  for (const track of life.tracks) {
    const name = `${track.org}/${track.gvc}/${track.workload}`;
    byWorkload.set(name, [...(byWorkload.get(name) ?? []), track]);
  }
  for (const [name, tracks] of byWorkload) {
    const gvc = tracks[0]?.gvc ?? '';
    const seen = life.seen.get(gvc) ?? new Uint8Array(MINUTES + 1);
    const isCron = tracks.some(({ cron }) => cron);
    const own: Case = {
      impact: impactOf(name, tracks, seen),
      trouble: troubleMinutes(tracks),
      posts: posts.get(name) ?? [],
      gvcTracks: life.tracks.filter((one) => one.gvc === gvc && !one.cron),
      isCron,
      count: (kind, by = 1) => (counts[kind] += by),
      breach(kind, at, about) {
        counts[kind] += 1;
        breaches.push({ kind, seed: life.seed, workload: name, at, about });
      },
    };
    counts.workloads += 1;
    if (!isCron) judgeOutages(own);
    judgeCalls(own);
    judgeGoodNews(own);
    if (!isCron) judgeRecoveries(own);
    if (!isCron) judgeRollouts(own, rolloutsOf(tracks, seen));
  }
  return { counts, breaches };
}

/** Outages of at least so many minutes count. */
const OUTAGE = 20;
/** A dip in the level that is shorter ends no episode. */
const DIP = 8;

function judgeOutages(one: Case): void {
  const { impact, count, breach } = one;
  const { out, seen, level } = impact;
  for (const [from, to] of runsOf(out)) {
    const start = longSeenStart(seen, from, to);
    // Outages at the first poll are adopted.
    if (start === undefined || from === firstSeen(seen)) continue;
    const reached = isMostly(level, 3, [start, to]) ? 3 : 2;
    const since = episodeStart(impact, reached, start);
    if (since === firstSeen(seen)) continue;
    count('outages');
    const call = callOf(one, { since, start, to });
    const delay = minutesAt(seen, 1, [start, Math.max(start, call ?? start)]) - 1;
    const text = `from ${start} to ${to}, level ${reached} since ${since}`;
    if (call === undefined) breach('never', start, text);
    else if (delay <= 5) count('within5');
    else if (delay <= 15) count('within15');
    else count('later');
    const lastEnd = Math.max(0, ...endsBefore(one, start));
    const due = dueAt(impact, reached, Math.max(since, lastEnd));
    const isSeen = minutesAt(seen, 1, [since - 10, due + 5]) === 16 + due - since;
    if (isSeen && due < to && (call ?? Infinity) > due + 5) {
      breach('late', start, `${text}: due at ${due}, called at ${call ?? 'no time'}`);
    }
  }
}

/** At the level for as long as an outage, and for half of some ten minutes: not a minute now and then. */
function isMostly(level: Impact['level'], least: number, [from, to]: [number, number]): boolean {
  if (minutesAt(level, least, [from, to]) < OUTAGE) return false;
  for (let now = from; now <= to - 9; now += 1) {
    if (minutesAt(level, least, [now, now + 9]) >= 5) return true;
  }
  return false;
}

function endsBefore({ posts }: Case, start: number): number[] {
  return posts.filter((post) => isEnd(post) && post.at <= start).map(({ at }) => at);
}

/** The minute of the call that covers an outage. */
function callOf(
  { posts }: Case,
  { since, start, to }: { since: number; start: number; to: number },
): number | undefined {
  const call = posts.find((post) => {
    if (!post.isLoud || !isTrouble(post) || post.at > to) return false;
    const isOver = posts.some((end) => isEnd(end) && end.at > post.at && end.at <= start);
    if (isOver) return false;
    if (post.at >= since) return true;
    // While it flaps it is called once an hour.
    return /flapping/i.test(post.text) && start - post.at <= 60;
  });
  return call?.at;
}

/** When the clock of design section 4.3 makes a call due, at the earliest. */
function dueAt({ level, settled, seen }: Impact, reached: number, since: number): number {
  let [held, shaky] = [0, 0];
  for (let now = since; now <= MINUTES; now += 1) {
    if (seen[now] !== 1) [held, shaky] = [0, 0];
    else if ((level[now] ?? 0) >= reached) {
      held += 1;
      if ((settled[now] ?? 0) >= reached) shaky += 1;
    } else held = 0;
    if (shaky >= 4 || held >= 11) return now;
  }
  return Infinity;
}

function judgeCalls({ impact, trouble, posts, isCron, count, breach }: Case): void {
  const { level, unknown } = impact;
  for (const post of posts) {
    // Containers that crash again and again are posted whatever users get.
    if (!post.isLoud || !isTrouble(post) || post.word === 'crashloop') continue;
    count('calls');
    const span = [post.at - 15, post.at + 8] as const;
    const isHurt = minutesAt(level, 2, span) >= 3 || minutesAt(level, 1, span) >= 8;
    const hasFailed = minutesAt(trouble, 1, [post.at - 12, post.at + 4]) >= 1;
    const isUnknown = minutesAt(unknown, 1, [post.at - 12, post.at]) > 0;
    const isTrue = post.word === 'stale' ? isUnknown : !isCron && (isHurt || hasFailed);
    if (!isTrue) breach('falseCalls', post.at, `${post.word}: ${firstLine(post)}`);
  }
}

/** It serves less than it should, or reports nothing. */
function isHurt(track: Track, now: number): boolean {
  const flags = track.flags[now] ?? 0;
  if ((flags & LISTED) === 0) return false;
  const lacks = (track.have[now] ?? 0) < (track.want[now] ?? 0);
  return (flags & KNOWN) === 0 || ((flags & PLAYS) !== 0 && lacks);
}

function isSick(track: Track, now: number): boolean {
  const flags = track.flags[now] ?? 0;
  const isUnready = (flags & LISTED) !== 0 && (flags & PLAYS) !== 0 && (flags & READY) === 0;
  return isUnready || isHurt(track, now);
}

/** It serves the least that was wanted within ten minutes. */
function isWhole(track: Track, now: number): boolean {
  const wanted = LISTED | KNOWN | PLAYS;
  const flags = track.flags[now] ?? 0;
  const least = Math.min(...track.want.subarray(Math.max(0, now - 10), now + 1));
  return (flags & wanted) === wanted && (track.have[now] ?? 0) >= least;
}

function judgeGoodNews({ impact, posts, count, breach }: Case): void {
  const { level, tracks } = impact;
  for (const post of posts) {
    const { at } = post;
    if (!post.isLoud || !isGood(post) || post.word === 'resumed') continue;
    count('goodNews');
    const isHurt = minutesAt(level, 2, [at - 1, at]) >= 2;
    if (!post.isOwn && isListedApart(post, impact.name)) continue;
    const isRecovery =
      post.word === 'recovered' || (post.isOwn && /(?<!not )\brecovered\b/i.test(firstLine(post)));
    const isUp = tracks.some(
      (track) => ((track.flags[at] ?? 0) & READY) !== 0 && track.expected[at] === post.version,
    );
    const recovered = tracks.some((track) => wasWhole(track, at) && wasSick(track, at));
    const isTrue = !isHurt && (isRecovery ? recovered : isUp);
    if (isTrue) continue;
    const about = `${post.word} v${post.version}${isHurt ? ' while hurt' : ''}: ${firstLine(post)}`;
    breach('falseGoodNews', at, about);
    if (isRecovery) breach('falseRecoveries', at, about);
  }
}

/** A message for many lists those that are not well at its end, under `recovered` like the others. */
function isListedApart({ text }: Post, name: string): boolean {
  const own = name.slice(name.indexOf('/') + 1);
  const line = text.split('\n')[0] ?? '';
  const [, rest = ''] = /(?:not recovered|not well now|still):(.*)$/.exec(line) ?? [];
  const isIn = (part: string): boolean => new RegExp(`${own}(?![\\w-])`).test(part);
  return isIn(rest) || (/more/.test(rest) && !isIn(line.slice(0, line.length - rest.length)));
}

/** Recoveries are collected for five minutes. */
const COLLECTED = 6;

function wasWhole(track: Track, at: number): boolean {
  for (let now = at; now >= at - COLLECTED; now -= 1) if (isWhole(track, now)) return true;
  return false;
}

function wasSick(track: Track, at: number): boolean {
  for (let now = at; now >= 0; now -= 1) if (isSick(track, now)) return true;
  return false;
}

/** An episode is over for certain after so many minutes, in which flapping ends, too. */
const CALM = 30;

function judgeRecoveries({ impact, posts, count, breach }: Case): void {
  const { level, unknown, seen } = impact;
  let after = 0;
  for (const call of posts) {
    const { at } = call;
    // Containers that crash again and again open no episode, so none recovers.
    if (!call.isLoud || !isTrouble(call) || call.word === 'crashloop' || at < after) continue;
    const wasUnknown = call.word === 'stale' && (unknown[at] ?? 0) > 0;
    if (!wasUnknown && minutesAt(level, 1, [at - 2, at]) < 3) continue;
    const over = calmFrom(impact, at);
    if (over === undefined) return;
    after = over;
    if (minutesAt(seen, 1, [over, over + CALM]) <= CALM) continue;
    const sick = impact.tracks.filter((track) => isHurt(track, at));
    const isBack = sick.some((track) => isBackFor(track, at, over));
    const hasLeft = posts.some((post) => isLeaving(post) && post.at > at && post.at <= over + 5);
    if (!isBack || hasLeft) continue;
    count('recoveries');
    const isPosted = posts.some(
      (post) => post.isLoud && isGood(post) && post.at > at && post.at <= over + CALM,
    );
    if (!isPosted) {
      breach('recoveriesNotPosted', over, `${call.word} of ${at}: ${firstLine(call)}`);
    }
  }
}

const isLeaving = ({ word }: Post): boolean => word === 'gone' || word === 'suspended';

/** Whole from then on; one that did not report is judged by its first reports, too. */
function isBackFor(track: Track, at: number, over: number): boolean {
  if (!isWhole(track, over) || !isWhole(track, over + CALM)) return false;
  const known = track.flags.findIndex((flags, now) => now > at && (flags & KNOWN) !== 0);
  return isKnownAt(track, at) || isWhole(track, known + 3);
}

function isKnownAt(track: Track, now: number): boolean {
  return ((track.flags[now] ?? 0) & KNOWN) !== 0;
}

/** The first minute after `at` from which nothing is hurt or unknown for long. */
function calmFrom({ level, tracks }: Impact, at: number): number | undefined {
  let since = at + 1;
  for (let now = at; now <= MINUTES; now += 1) {
    if ((level[now] ?? 0) > 0 || tracks.some((track) => isHurt(track, now))) since = now + 1;
    if (now - since >= CALM) return since;
  }
  return undefined;
}

/** A workload that serves again after it left is posted in its thread. */
const isReadyPost = (post: Post): boolean =>
  isGood(post) && (post.isLoud || post.word === 'resumed');

const isTroublePost = (post: Post): boolean =>
  post.isLoud && isTrouble(post) && post.word !== 'stale';

function judgeRollouts(one: Case, rollouts: readonly TrueRollout[]): void {
  const { posts, count, breach } = one;
  for (const rollout of rollouts) {
    const { version, under, from, to, isReroll, readyAt, troubleAt } = rollout;
    const own = posts.filter((post) => post.version === version && post.at >= from);
    const about = `v${version} under ${under} from ${from} to ${to}`;
    if (readyAt !== undefined && (!isReroll || isRerolled(one, rollout, readyAt))) {
      count('readies');
      const by = readyAt + 15;
      if (!own.some((post) => isReadyPost(post) && post.at <= by)) {
        breach('readiesNotPosted', readyAt, about);
      }
    }
    if (troubleAt !== undefined) {
      count('troubles');
      if (!own.some((post) => isTroublePost(post) && post.at <= to)) {
        breach('troublesNotPosted', troubleAt, about);
      }
    }
  }
}

/** `ready` of a GVC's version is for all its workloads together. */
function isRerolled({ gvcTracks }: Case, { under }: TrueRollout, readyAt: number): boolean {
  return gvcTracks.every((track) => {
    for (let now = readyAt; now <= readyAt + 12; now += 1) {
      const flags = track.flags[now] ?? 0;
      const plays = (flags & LISTED) !== 0 && (flags & KNOWN) !== 0 && (flags & PLAYS) !== 0;
      if (plays && ((track.under[now] ?? 0) < under || (flags & READY) === 0)) return false;
    }
    return true;
  });
}

/** Runs of minutes with a mark, both ends included. */
function runsOf(marks: Uint8Array): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (let now = 0; now <= MINUTES; now += 1) {
    if (marks[now] !== 1) continue;
    const last = runs.at(-1);
    if (last?.[1] === now - 1) last[1] = now;
    else runs.push([now, now]);
  }
  return runs;
}

/** The first seen minute of a run that is seen for long enough without a gap. */
function longSeenStart(seen: Uint8Array, from: number, to: number): number | undefined {
  let since: number | undefined;
  for (let now = from; now <= to; now += 1) {
    if (seen[now] === 1) since ??= now;
    else since = undefined;
    if (since !== undefined && now - since >= OUTAGE) return since;
  }
  return undefined;
}

function firstSeen(seen: Uint8Array): number {
  return seen.indexOf(1);
}

/** When the level was reached without longer dips; while nothing is reported, it remains. */
function episodeStart({ level, unknown }: Impact, reached: number, start: number): number {
  let [since, dip] = [start, 0];
  for (let now = start; now >= 0 && dip <= DIP; now -= 1) {
    if ((level[now] ?? 0) >= reached) [since, dip] = [now, 0];
    else if (unknown[now] !== 1) dip += 1;
  }
  return since;
}

function firstLine({ text }: Post): string {
  return text.split('\n')[0]?.slice(0, 160) ?? '';
}
