import type { Config } from '../config/config.ts';
import { errorMessage } from '../lib/errors.ts';
import { record } from '../metrics.ts';
import type { Message } from '../notify/message.ts';
import type { DeploymentsClient } from '../platform/deployments/client.ts';
import { PlatformError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { acquireLock, withLock, type Keys, type Lock } from '../store/redis.ts';
import {
  advance,
  presentIn,
  type GvcState,
  type Notice,
  type RecordList,
} from './watch/advance.ts';
import { isCall } from './watch/workload.ts';
import {
  changesOf,
  createGvcStore,
  nextOrg,
  orgChange,
  readOrg,
  readPollStatus,
  readPollStatuses,
  type GvcStore,
  type OpenGvc,
  type PollStatus,
} from './gvc-store.ts';
import { messagesOf } from './render/messages.ts';
import {
  createWatches,
  readMutes,
  watchedGvcs,
  type WatchConfig,
  type WatchedGvc,
  type Watches,
} from './watches.ts';
import type { Outages } from './outages/outages.ts';

export type PollServices = Pick<
  Services,
  'redis' | 'keys' | 'outbox' | 'wake' | 'clock' | 'logger' | 'stopping'
> & {
  config: WatchConfig &
    Pick<Config, 'polling' | 'links'> & {
      readonly channels: Pick<Config['channels'], 'ops'>;
    };
  deployments: Pick<DeploymentsClient, 'scanGvc' | 'listWorkload'>;
};

interface PollContext extends PollServices {
  watches: Watches;
  store: GvcStore;
  outages: Pick<Outages, 'failed' | 'worked'>;
}

type Poll = (org: string, gvc: string) => Promise<void>;

/** After a crash a GVC is free after this time. */
const LOCK_MS = 10_000;
/** Ticks come at the fast interval and are not exact; one that is nearly due counts as due. */
const SLACK = 0.25;
/** One call per poll: the next tick is the retry. */
const ATTEMPTS = 1;
/** From this many failed polls in a row on, the failure is not temporary. */
const SOON_FAILURES = 5;
/** Tries of a poll whose org the polls of other GVCs change meanwhile. */
const ORG_TRIES = 5;
/** Longest pause for Retry-After, in milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;

/**
 * One tick of a GVC (design section 4): nothing when it is not due or another process has it, else one GET of
 * all its deployments, the pure step, and one write of the new state with the messages. An unchanged poll
 * writes only its status.
 * @param outages gets failed polls with any cause, and the first good one after them
 */
export function createPoller(services: PollServices, outages: PollContext['outages']): Poll {
  const { redis, keys, clock, config } = services;
  const context: PollContext = {
    ...services,
    outages,
    watches: createWatches(services),
    store: createGvcStore(services),
  };
  const polled = new Set<string>();

  return async (org, gvc) => {
    // A pause from before a restart does not count.
    const first = !polled.has(`${org}/${gvc}`);
    const isEarly = (status: PollStatus): boolean =>
      !first && !isDue(status, config.polling, clock.now());
    if (!first && isEarly(await readPollStatus(redis, keys, org, gvc))) return;
    const lock = await acquireLock(redis, pollLockOf(keys, { org, gvc }), LOCK_MS);
    if (lock === undefined) return;
    polled.add(`${org}/${gvc}`);
    try {
      // Another process may have polled since.
      const status = await readPollStatus(redis, keys, org, gvc);
      if (isEarly(status) || (await isOver(context, { org, gvc }, status))) return;
      const next = await attempt(context, { org, gvc }, { status, lock });
      if (next === undefined || !lock.held()) return;
      await redis.set(keys.pulse(org, gvc), JSON.stringify(next));
    } finally {
      await lock.release();
    }
  };
}

/** The next status; undefined when this poll may not write one. */
async function attempt(
  context: PollContext,
  place: WatchedGvc,
  { status, lock }: { status: PollStatus; lock: Lock },
): Promise<PollStatus | undefined> {
  const { logger, outages, stopping } = context;
  const began = performance.now();
  try {
    const next = await pollOnce(context, place, { status, lock });
    record.polls.inc({ result: 'done' });
    record.pollSeconds.observe({}, (performance.now() - began) / 1_000);
    return (await noted(context, place, status)) ? next : undefined;
  } catch (error) {
    if (stopping.aborted) return undefined;
    record.polls.inc({ result: error instanceof LostLock ? 'lost' : 'failed' });
    // The new owner of the GVC writes its status.
    if (error instanceof LostLock) return undefined;
    const next = failed(status, error, context.config.polling, context.clock.now());
    if (next.error !== status.error) logger.warn({ err: error, ...place }, 'A poll failed');
    await outages.failed(place, next.failures, error);
    return next;
  }
}

/** Names of unreadable deployments in a line of the log. */
const LOGGED = 20;

/** @throws PlatformError; LostLock */
async function pollOnce(
  context: PollContext,
  place: WatchedGvc,
  { status, lock }: { status: PollStatus; lock: Lock },
): Promise<PollStatus> {
  const { redis, keys, deployments, logger, store, clock, stopping } = context;
  const { org, gvc } = place;
  const began = clock.now();
  const options = { attempts: ATTEMPTS, signal: stopping };
  const { listed: seen, ...unread } = await deployments.scanGvc(org, gvc, options);
  let open = await store.open(org, gvc);
  const list = await withAbsence(context, place, { seen, ...unread }, open.state);
  const now = clock.now();
  const skipped = list.unreadable.length + list.unidentified;
  if (skipped > 0 && skipped !== status.skipped) {
    const unreadable = list.unreadable.slice(0, LOGGED);
    logger.warn({ ...place, skipped, unreadable }, 'Deployments could not be read');
  }
  for (let tries = 1; ; tries += 1) {
    const step = await writeStep(context, place, { open, list, now, status, lock });
    if (step !== undefined) {
      const { active: moving } = step;
      return { at: now, began, moving, failures: 0, notBefore: 0, error: '', skipped };
    }
    const fresh = await readOrg(redis, keys, org);
    if (fresh.revision === open.org.revision || tries === ORG_TRIES) throw new LostLock();
    // The cache has been written by the step whose result is dropped.
    open = { ...open, org: fresh, cache: new Map() };
  }
}

interface PollInput {
  open: OpenGvc;
  list: RecordList;
  now: number;
  status: PollStatus;
  lock: Lock;
}

/** Undefined when nothing was written: the lock was lost, or the org has changed meanwhile. */
async function writeStep(
  context: PollContext,
  place: WatchedGvc,
  { open, list, now, status, lock }: PollInput,
): Promise<{ active: boolean } | undefined> {
  const { keys, store, config, outbox } = context;
  const { org, gvc } = place;
  const { at: previousAt, failures } = status;
  const options = { gvc, now, previousAt, failures, ...config.polling, cache: open.cache };
  const step = advance(open.state, open.org.state, list, options);
  const { state } = step;
  const shared = nextOrg(open.org, step.org);
  const change = changesOf(open.state, state);
  const messages = await messagesOfStep(context, place, step.notices, now);
  const isSame = Object.keys(change.set).length + change.remove.length + messages.length === 0;
  if (!isSame || shared !== open.org) {
    const channels = await outbox.commit(messages, {
      lock,
      hash: keys.rollouts(org, gvc),
      ...change,
      shared: orgChange(keys.org(org), open.org, shared),
    });
    if (channels === undefined) return undefined;
    // A crash from here on only delays the messages until the next sweep.
    await context.wake(channels);
  }
  store.keep(org, gvc, { ...open, state, org: shared }, change);
  countCalls(step.notices);
  return { active: step.active };
}

/** Each workload that people are called about counts, also where several share one message. */
function countCalls(notices: readonly Notice[]): void {
  for (const notice of notices) {
    if (notice.kind !== 'event' || !isCall(notice.event)) continue;
    record.calls.inc({ level: `${notice.event.impact.level}` });
  }
}

/** Watches and mutes are only read when there are notices. */
async function messagesOfStep(
  context: PollContext,
  place: WatchedGvc,
  notices: readonly Notice[],
  now: number,
): Promise<Message[]> {
  if (notices.length === 0) return [];
  const [watches, mutes] = await Promise.all([context.watches.all(), readMutes(context, now)]);
  const { links, channels } = context.config;
  return messagesOf(place, notices, { watches, mutes, now, links, ops: channels.ops });
}

/**
 * An empty list may be a mistake of the platform. A GVC is gone when the next list is empty, too, and a known
 * workload is not found; any other answer changes nothing.
 */
async function withAbsence(
  { deployments, logger, stopping }: PollContext,
  { org, gvc }: WatchedGvc,
  list: RecordList,
  { meta, workloads }: GvcState,
): Promise<RecordList> {
  const isEmpty = list.seen.length + list.unreadable.length === 0;
  if (!isEmpty || meta?.emptySince === undefined) return list;
  const known = Object.entries(workloads).find(([, one]) => presentIn(one).size > 0);
  if (known === undefined) return list;
  try {
    await deployments.listWorkload(org, gvc, known[0], { attempts: ATTEMPTS, signal: stopping });
    return list;
  } catch (error) {
    const gone = error instanceof PlatformError && error.reason === 'not-found';
    if (!gone) logger.debug({ err: error, org, gvc }, 'Whether a GVC is gone is not known');
    return { ...list, gone };
  }
}

/** False when the outages could not record the success. */
async function noted(
  { logger, outages }: PollContext,
  place: WatchedGvc,
  before: PollStatus,
): Promise<boolean> {
  if (before.failures === 0) return true;
  try {
    await outages.worked(place);
  } catch (error) {
    // The status of this poll would end the failures, and then nothing would report the end of the outage.
    logger.warn({ err: error, ...place }, 'The end of an outage could not be posted yet');
    return false;
  }
  logger.info({ ...place }, 'A GVC can be read again');
  return true;
}

/** Not watched, and forgotten or never read: data of a late tick would stay forever. */
async function isOver(
  { watches }: PollContext,
  { org, gvc }: WatchedGvc,
  status: PollStatus,
): Promise<boolean> {
  if (status.at > 0) return false;
  return !(await watches.all()).some((watch) => watch.org === org && watch.gvc === gvc);
}

class LostLock extends Error {}

function isDue(status: PollStatus, polling: Config['polling'], now: number): boolean {
  if (status.failures > 0) return now >= status.notBefore;
  const everyMs = status.moving ? polling.activeMs : polling.idleMs;
  return now - (status.began ?? status.at) >= everyMs - polling.activeMs * SLACK;
}

/** A temporary failure is retried soon, a lasting one at the idle interval; Retry-After is respected. */
function failed(
  status: PollStatus,
  error: unknown,
  polling: Config['polling'],
  now: number,
): PollStatus {
  const failures = status.failures + 1;
  const paceMs = failures < SOON_FAILURES ? polling.activeMs : polling.idleMs;
  const asked = error instanceof PlatformError ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(paceMs - polling.activeMs * SLACK, Math.min(asked, MAX_WAIT_MS));
  return { ...status, failures, notBefore: now + waitMs, error: errorMessage(error) };
}

/**
 * Concurrent polls of one org in one process: a quarter of a worker, and fewer than the org's concurrency
 * limit, so that commands are answered beside polls that hang.
 */
const PER_ORG = 12;

interface OrgPolls {
  running: number;
  /** GVCs beyond the org's share, in order. */
  readonly waiting: Set<string>;
}

/**
 * Polls of one org use up to a share of a worker, so that up to three hanging orgs delay no other. A tick
 * beyond the share ends at once, and the GVC is polled when a poll of its org ends. So every GVC of an org
 * that is only slow is polled, too.
 * @param again requests a tick of a GVC from any free worker
 */
export function createPollQueue(poll: Poll, again: Poll): Poll {
  const orgs = new Map<string, OrgPolls>();

  function pollsOf(org: string): OrgPolls {
    const polls = orgs.get(org) ?? { running: 0, waiting: new Set() };
    orgs.set(org, polls);
    return polls;
  }

  return async (org, gvc) => {
    const polls = pollsOf(org);
    if (polls.running >= PER_ORG) {
      polls.waiting.add(gvc);
      return;
    }
    polls.waiting.delete(gvc);
    polls.running += 1;
    try {
      await poll(org, gvc);
    } finally {
      polls.running -= 1;
      const [next] = polls.waiting;
      if (next !== undefined) {
        polls.waiting.delete(next);
        // If Redis refuses it, the GVC's own schedule repeats it.
        await again(org, next).catch(() => undefined);
      }
    }
  };
}

/** Only the holder of this lock may write the state of the GVC. */
export function pollLockOf(keys: Keys, { org, gvc }: WatchedGvc): string {
  return keys.lock(`poll:${org}/${gvc}`);
}

/**
 * Runs work while no poll of the GVC runs.
 * @throws after `patienceMs` milliseconds of waiting for a running poll
 */
export async function withPollLock(
  { redis, keys }: Pick<Services, 'redis' | 'keys'>,
  place: WatchedGvc,
  patienceMs: number,
  work: () => Promise<void>,
): Promise<void> {
  await withLock(redis, pollLockOf(keys, place), { ttlMs: LOCK_MS, patienceMs }, work);
}

/**
 * As `withPollLock`, but goes on without a poll that takes longer: it waits for the platform, and reads the
 * watches after the answer.
 */
export async function withPollLockSoon(
  services: Pick<Services, 'redis' | 'keys'>,
  place: WatchedGvc,
  patienceMs: number,
  work: () => Promise<void>,
): Promise<void> {
  let began = false;
  try {
    await withPollLock(services, place, patienceMs, async () => {
      began = true;
      await work();
    });
  } catch (error) {
    if (began) throw error;
    await work();
  }
}

/** Reads when the watched GVCs were polled, for the metrics. */
export async function measurePolls(
  services: Pick<Services, 'redis' | 'keys' | 'clock'> & { config: WatchConfig },
): Promise<void> {
  const { redis, keys, clock } = services;
  const watched = watchedGvcs(await createWatches(services).all());
  const statuses = await readPollStatuses(redis, keys, watched);
  const polled = statuses.filter(({ at }) => at > 0);
  const oldest = Math.min(...polled.map(({ at }) => at));
  const ageMs = polled.length === 0 ? 0 : Math.max(0, clock.now() - oldest);
  record.pollAge.set({}, ageMs / 1_000);
  record.unreadable.set(
    {},
    polled.reduce((sum, { skipped }) => sum + skipped, 0),
  );
}
