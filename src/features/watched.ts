import { Refusal, UsageError } from '../lib/errors.ts';
import { compareNatural, truncate } from '../lib/text.ts';
import { nearest } from '../lib/words.ts';
import { DAY_MS, within } from '../lib/time.ts';
import { nameOf, type Target } from '../platform/deployments/target.ts';
import { isAbsence, PlatformError, type PlatformReason } from '../platform/errors.ts';
import { type PollStatus, readGvc, readPollStatus } from '../rollouts/gvc-store.ts';
import type { GvcState } from '../rollouts/watch/advance.ts';
import { pollTime } from '../rollouts/watch/spans.ts';
import { rememberedStatuses, type WorkloadStatus } from '../rollouts/watch/status.ts';
import { createWatches, placeOf, type Watch, watchedGvcs } from '../rollouts/watches.ts';
import { firstOf } from '../slack/kit/fit.ts';
import type { Services } from '../services.ts';

/** Results stored by the polls of the watches. The platform is asked only for the names of an absent place. */

export type StoreServices = Pick<Services, 'config' | 'redis' | 'keys'>;

/** A GVC as of its last complete poll. */
export interface WatchedState {
  org: string;
  gvc: string;
  poll: PollStatus;
  /** The list is suddenly empty, so that what runs is not known. */
  isEmpty: boolean;
  watches: readonly Watch[];
  workloads: readonly WorkloadStatus[];
  /** Workloads whose rollout was posted as stuck. */
  stuck: readonly string[];
}

export async function readWatched(
  services: StoreServices,
  org: string | undefined,
): Promise<WatchedState[]> {
  const all = await createWatches(services).all();
  const gvcs = watchedGvcs(all).filter((one) => org === undefined || one.org === org);
  return Promise.all(gvcs.map((place) => readOne(services, place, all)));
}

async function readOne(
  { config, redis, keys }: StoreServices,
  { org, gvc }: { org: string; gvc: string },
  all: readonly Watch[],
): Promise<WatchedState> {
  const [{ state }, poll] = await Promise.all([
    readGvc(redis, keys, org, gvc),
    readPollStatus(redis, keys, org, gvc),
  ]);
  const watches = all.filter((watch) => watch.org === org && watch.gvc === gvc);
  const workloads = rememberedStatuses(state, pollTime(poll.at, poll.at, config.polling));
  const isEmpty = state.meta?.emptySince !== undefined;
  return { org, gvc, poll, isEmpty, watches, workloads, stuck: stuckIn(state) };
}

/** Workloads whose rollout was posted as stuck. */
export function stuckIn({ workloads }: GvcState): string[] {
  const all = Object.entries(workloads).filter(([, { ends }]) => ends.stuck !== undefined);
  return all.map(([workload]) => workload);
}

/** Changes with the watches and the states; not with counts and times, which change all the time. */
export function fingerprintOf(gvcs: readonly WatchedState[]): string {
  const prints = gvcs.map(({ org, gvc, poll, watches, workloads, stuck }) => [
    `${org}/${gvc} ${isUnread({ poll })} ${stuck.join(' ')}`,
    ...watches.map((watch) => `${watch.channel} ${placeOf(watch)}`),
    ...workloads.map(({ workload, state, impact }) => `${workload} ${state} ${impact.level}`),
  ]);
  return JSON.stringify(prints);
}

export function isUnread({ poll }: Pick<WatchedState, 'poll'>): boolean {
  return poll.failures > 0 || poll.at === 0;
}

export interface LastKnown {
  /** Ms since the epoch. */
  at: number;
  /** Reason for the age: "the platform does not answer". */
  why: string;
}

interface Known extends Pick<WatchedState, 'stuck'> {
  workloads: readonly WorkloadStatus[];
  /** Deployments that could not be read then. */
  skipped: number;
  known: LastKnown;
}

/** Reasons that do not depend on the requested place. */
const AWAY: Partial<Readonly<Record<PlatformReason, string>>> = {
  timeout: 'the platform does not answer',
  unreachable: 'the platform does not answer',
  unavailable: 'the platform does not answer',
  'server-error': 'the platform fails',
  'rate-limited': 'the platform asks for fewer calls',
};

/** The last stored state of a watched place while the platform is away; else undefined. */
export async function readLastKnown(
  services: StoreServices,
  { org, target }: { org: string; target: Target },
  error: unknown,
): Promise<Known | undefined> {
  const why = error instanceof PlatformError ? AWAY[error.reason] : undefined;
  if (why === undefined) return undefined;
  const { gvc } = target;
  const all = await createWatches(services).all();
  const isWatched = all.some((watch) => watch.org === org && watch.gvc === gvc);
  if (!isWatched) return undefined;
  const { poll, workloads, stuck } = await readOne(services, { org, gvc }, all);
  const asked = partOf(workloads, target);
  if (poll.at === 0 || asked.length === 0) return undefined;
  return { workloads: asked, stuck, skipped: poll.skipped, known: { at: poll.at, why } };
}

/** The part of a GVC that a target names. The impact stays that of all locations. */
export function partOf(all: readonly WorkloadStatus[], target: Target): WorkloadStatus[] {
  const { workload, location } = target;
  const own = all.filter((one) => (workload ?? one.workload) === one.workload);
  if (location === undefined) return own;
  return own.flatMap((one) =>
    one.rows
      .filter((row) => row.location === location)
      .map((row) => ({ ...one, state: row.state, version: row.version, rows: [row] })),
  );
}

export type NameServices = Pick<
  Services,
  'config' | 'redis' | 'keys' | 'deployments' | 'usage' | 'clock' | 'stopping' | 'orgs'
>;

/** Longest wait for a suggestion. Milliseconds. */
const SUGGESTION_TIMEOUT_MS = 3_000;
/** Names in use within this time are suggested. Milliseconds. */
const USED_MS = 31 * DAY_MS;
const WHOLE = ['watches', 'mute', 'unwatch'];
const MAX_NAMES = 5;
const NAME_LENGTH = 40;

/**
 * The error for an absent place, with the nearest name as a command. Undefined when nothing is
 * known. It takes the right to read the orgs.
 * @param command the same command for another place
 * @param isEmpty the platform knows the place, but lists nothing there
 */
export async function absentPlace(
  services: NameServices,
  { org, target }: Asked,
  command: (target: Target) => string,
  isEmpty = false,
): Promise<UsageError | Refusal | undefined> {
  const { what, meant, known } = await likelyPlace(services, org, target);
  const sentence = `${isEmpty ? 'Nothing is listed of' : 'There is no'} ${what}`;
  const ended = known === '' ? `${sentence}.` : `${sentence}: ${known}.`;
  if (meant !== undefined) return new UsageError(ended, command(meant));
  const verb = target.workload === undefined ? nearest(target.gvc, WHOLE) : undefined;
  if (verb !== undefined) return new UsageError(ended, `/deployments ${verb}`);
  if (known === '') return undefined;
  if (isEmpty) return target.location === undefined ? undefined : new Refusal(ended);
  const isGvcOfSeveral = target.workload === undefined && services.orgs.known.length > 1;
  const elsewhere = isGvcOfSeveral ? '; for another org add "org NAME"' : '';
  return new Refusal(`${sentence}, or Purser’s key may not view it: ${known}${elsewhere}.`);
}

interface Asked {
  org: string;
  target: Target;
}

interface Likely {
  /** "GVC shpo in acme" */
  what: string;
  meant: Target | undefined;
  /** "it is in shop and prod-eu"; '' when unknown, or where `meant` says it. */
  known: string;
}

/** The place that was probably meant by a name that nothing has. */
export async function likelyPlace(
  services: NameServices,
  org: string,
  target: Target,
): Promise<Likely> {
  const { gvc, workload, location } = target;
  const watched = await readWatched(services, org);
  const listed = workload && (await readListed(services, watched, org, gvc));
  if (workload === undefined || !listed) {
    const names = union(
      [...watched.map((one) => one.gvc), ...(await usedGvcs(services, org))],
      gvc,
    );
    const meant = likeliest(gvc, names);
    const what = `GVC ${short(gvc)} in ${short(org)}`;
    return likely(what, meant && { ...target, gvc: meant }, 'Purser knows', names);
  }
  const own = listed.filter((one) => one.workload === workload);
  if (location !== undefined && own.length > 0) {
    const places = own.map((one) => one.location);
    const locations = union(places, location);
    const meant = likeliest(location, locations);
    return {
      what: `${nameOf({ gvc, workload })} in ${short(location)}`,
      meant: meant === undefined ? undefined : { ...target, location: meant },
      known: `it is in ${listOf(locations)}`,
    };
  }
  const what = `workload ${short(workload)} in ${short(gvc)}`;
  const holding = watched.filter((one) => one.workloads.some((its) => its.workload === workload));
  const used = await usedGvcs(services, org, { workload });
  const elsewhere = union([...holding.map((one) => one.gvc), ...used], gvc);
  const [other] = elsewhere;
  if (other !== undefined) {
    return { what, meant: { ...target, gvc: other }, known: `it is in ${listOf(elsewhere)}` };
  }
  const its = listed.map((one) => one.workload);
  const names = union(its, workload);
  const meant = likeliest(workload, names);
  return likely(what, meant && { ...target, workload: meant }, `${short(gvc)} has`, names);
}

/** Names are listed where none is near. */
function likely(
  what: string,
  meant: Target | '' | undefined,
  before: string,
  names: readonly string[],
): Likely {
  if (meant) return { what, meant, known: '' };
  return { what, meant: undefined, known: names.length === 0 ? '' : `${before} ${listOf(names)}` };
}

/** GVCs of an org that are watched or in use, sorted. */
export async function gvcNames(services: NameServices, org: string): Promise<string[]> {
  const [watched, used] = await Promise.all([readWatched(services, org), usedGvcs(services, org)]);
  return union([...watched.map(({ gvc }) => gvc), ...used]);
}

/** Workloads of a GVC, sorted; none while the platform does not answer. */
export async function workloadNames(
  services: NameServices,
  org: string,
  gvc: string,
): Promise<string[]> {
  const watched = await readWatched(services, org);
  const listed = (await readListed(services, watched, org, gvc)) ?? [];
  return union(listed.map(({ workload }) => workload));
}

/** From the store or else from the platform; undefined when the GVC does not exist. */
async function readListed(
  { deployments, stopping }: NameServices,
  watched: readonly WatchedState[],
  org: string,
  gvc: string,
): Promise<readonly { workload: string; location: string }[] | undefined> {
  const known = watched.find((one) => one.gvc === gvc)?.workloads ?? [];
  if (known.length > 0) return known.flatMap(({ rows }) => rows);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(SUGGESTION_TIMEOUT_MS)]);
  try {
    return (await deployments.listGvc(org, gvc, { signal })).deployments;
  } catch (error) {
    // A failed suggestion must not replace the first error.
    return isAbsence(error) ? undefined : [];
  }
}

/** GVCs in the usage of an org, if that is configured and answers in time. */
async function usedGvcs(
  { config, usage, clock }: NameServices,
  org: string,
  filterBy: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  if (config.usageUrl === undefined) return [];
  const now = clock.now();
  const startTime = new Date(now - USED_MS).toISOString();
  const endTime = new Date(now).toISOString();
  const asked = usage()
    .tagValues(org, { startTime, endTime, tag: 'gvc', filterBy })
    .then(({ value }) => value.values.filter((name) => name !== ''))
    .catch(() => []);
  return within<readonly string[]>(asked, SUGGESTION_TIMEOUT_MS, []);
}

/** Sorted, without duplicates and the absent name. */
function union(names: readonly string[], without?: string): string[] {
  return [...new Set(names)].filter((name) => name !== without).toSorted(compareNatural);
}

function likeliest(typed: string, names: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  return (
    nearest(word, names) ??
    names.find((name) => name.toLowerCase().startsWith(word)) ??
    names.find((name) => name.toLowerCase().includes(word))
  );
}

function listOf(names: readonly string[]): string {
  return firstOf(names.map(short), MAX_NAMES);
}

function short(name: string): string {
  return truncate(name, NAME_LENGTH);
}
