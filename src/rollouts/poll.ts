import type { Clock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Counter } from '../lib/metrics.ts';
import type { Message } from '../notify/message.ts';
import type { Outbox } from '../notify/outbox.ts';
import { PlatformError } from '../platform/errors.ts';
import type { DeploymentsClient } from '../platform/deployments/client.ts';
import type { Keys } from '../store/keys.ts';
import { acquireLock } from '../store/lock.ts';
import type { Lock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import { advance } from './engine/advance.ts';
import type { Advance, GvcState } from './engine/advance.ts';
import { workloadOf } from './engine/gvc-step.ts';
import { changesOf, createGvcStore, readPulse } from './gvc-store.ts';
import type { Pulse } from './gvc-store.ts';
import type { Mutes } from './mutes.ts';
import { messagesOf } from './messages/publish.ts';
import { pollLockOf } from './poll-lock.ts';
import type { WatchedGvc } from './schedule.ts';
import { lazySightings } from './engine/sighting.ts';
import type { Sightings } from './engine/sighting.ts';
import type { Watches } from './watches.ts';

export interface PollDeps {
  redis: RedisConnection;
  keys: Keys;
  client: Pick<DeploymentsClient, 'seeGvc' | 'listWorkload'>;
  watches: Pick<Watches, 'all'>;
  mutes: Pick<Mutes, 'all'>;
  outbox: Outbox;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
  /** Told of polls that failed, be it the platform or a defect of ours, and of the first good one after them. */
  outages: {
    /** @param failures failed polls in a row, this one included */
    failed(place: WatchedGvc, failures: number, error: unknown): Promise<void>;
    /** @throws when it has to be called again */
    worked(place: WatchedGvc): Promise<void>;
  };
  /** Milliseconds between two polls while something moves, and while nothing does. */
  polling: { activeMs: number; idleMs: number };
  clock: Clock;
  logger: Logger;
  polls: Counter;
  stopping: AbortSignal;
}

/** A crash frees a GVC after this time. */
const LOCK_MS = 10_000;
/** Ticks come at the fast pace and not to the millisecond; one that is nearly due counts as due. */
const SLACK = 0.25;
/** One call per poll: the next tick is the repetition. */
const ATTEMPTS = 1;
/** From this failed poll in a row on it is no passing failure. */
const SOON_FAILURES = 5;
/** Longest pause that Retry-After is granted, in milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;

/**
 * One tick of a GVC (design section 4): nothing when it is not due or another process has it, else one
 * GET of all its deployments, the pure step, and one write of the new state with the messages. A poll
 * that changes nothing writes its pulse and nothing else.
 */
export function createPoller(deps: PollDeps): (org: string, gvc: string) => Promise<void> {
  const { redis, keys, client, clock, polling } = deps;
  const store = createGvcStore({ redis, keys });
  const polled = new Set<string>();

  /** @throws PlatformError; LostLock */
  async function pollOnce({ org, gvc }: WatchedGvc, lock: Lock): Promise<Pulse> {
    const began = clock.now();
    const list = await client.seeGvc(org, gvc, { attempts: ATTEMPTS, signal: deps.stopping });
    const open = await store.open(org, gvc);
    const sightings = await withAbsence(deps, { org, gvc }, lazySightings(list), open.state);
    const now = clock.now();
    const step = advance(open.state, sightings, now, open.settled);
    const change = changesOf(open.state, step.state);
    const messages = await messagesOfStep(deps, { org, gvc }, step, now);
    if (Object.keys(change.set).length + change.remove.length + messages.length > 0) {
      const hash = keys.rollouts(org, gvc);
      const channels = await deps.outbox.commit(messages, { lock, hash, ...change });
      if (channels === undefined) throw new LostLock();
      // A crash from here on delays the messages until the next sweep, and no longer.
      await deps.wake(channels);
    }
    store.keep(org, gvc, open, step.state, change);
    const skipped = sightings.unreadable.length + sightings.unidentified;
    return { at: now, began, moving: step.moving, failures: 0, notBefore: 0, error: '', skipped };
  }

  /** The next pulse; undefined when there is none of this poll's to write. */
  async function attempt(place: WatchedGvc, pulse: Pulse, lock: Lock): Promise<Pulse | undefined> {
    try {
      const next = await pollOnce(place, lock);
      deps.polls.inc({ result: 'done' });
      return (await noted(deps, place, pulse, next)) ? next : undefined;
    } catch (error) {
      if (deps.stopping.aborted) return undefined;
      deps.polls.inc({ result: error instanceof LostLock ? 'lost' : 'failed' });
      // Whoever has the GVC now says how it is.
      if (error instanceof LostLock) return undefined;
      const next = failed(pulse, error, polling, clock.now());
      if (next.error !== pulse.error) deps.logger.warn({ err: error, ...place }, 'A poll failed');
      await deps.outages.failed(place, next.failures, error);
      return next;
    }
  }

  return async (org, gvc) => {
    // After a restart nobody waits out a pause that an earlier process began.
    const first = !polled.has(`${org}/${gvc}`);
    if (!first && !isDue(await readPulse(redis, keys, org, gvc), polling, clock.now())) return;
    const lock = await acquireLock(redis, pollLockOf(keys, { org, gvc }), LOCK_MS);
    if (lock === undefined) return;
    polled.add(`${org}/${gvc}`);
    try {
      // Another process may have looked since.
      const pulse = await readPulse(redis, keys, org, gvc);
      if (!first && !isDue(pulse, polling, clock.now())) return;
      if (await isOver(deps.watches, { org, gvc }, pulse)) return;
      const next = await attempt({ org, gvc }, pulse, lock);
      if (next === undefined || !lock.held()) return;
      await redis.set(keys.pulse(org, gvc), JSON.stringify(next));
    } finally {
      await lock.release();
    }
  };
}

/**
 * An empty list may be the platform's mistake. A GVC is gone when the next list is empty, too, and a
 * workload that was known is not found; any other answer leaves all as it was.
 */
async function withAbsence(
  { client, logger, stopping }: Pick<PollDeps, 'client' | 'logger' | 'stopping'>,
  { org, gvc }: WatchedGvc,
  sightings: Sightings,
  { meta, records }: GvcState,
): Promise<Sightings> {
  const isEmpty = sightings.seen.length + sightings.unreadable.length === 0;
  if (!isEmpty || typeof meta?.emptySince !== 'number') return sightings;
  const known = Object.keys(records).find((key) => records[key]?.state !== 'gone');
  if (known === undefined) return sightings;
  try {
    await client.listWorkload(org, gvc, workloadOf(known), {
      attempts: ATTEMPTS,
      signal: stopping,
    });
    return sightings;
  } catch (error) {
    const gone = error instanceof PlatformError && error.reason === 'not-found';
    if (!gone) logger.debug({ err: error, org, gvc }, 'Nobody knows whether a GVC is gone');
    return { ...sightings, gone };
  }
}

/** Says what is different from the poll before. False when the outages have not heard that it worked. */
async function noted(
  { logger, outages }: Pick<PollDeps, 'logger' | 'outages'>,
  place: WatchedGvc,
  before: Pulse,
  { skipped }: Pulse,
): Promise<boolean> {
  if (skipped > 0 && skipped !== before.skipped) {
    logger.warn({ ...place, skipped }, 'Deployments could not be read');
  }
  if (before.failures === 0) return true;
  try {
    await outages.worked(place);
  } catch (error) {
    // The poll is good, but its pulse would end the failures, and nobody would say so any more.
    logger.warn({ err: error, ...place }, 'The end of an outage could not be told yet');
    return false;
  }
  logger.info({ ...place }, 'A GVC can be read again');
  return true;
}

/** Nobody watches it, and it is forgotten or was never read: what a late tick wrote would stay for ever. */
async function isOver(
  watches: PollDeps['watches'],
  place: WatchedGvc,
  pulse: Pulse,
): Promise<boolean> {
  if (pulse.at > 0) return false;
  const { org, gvc } = place;
  return !(await watches.all()).some((watch) => watch.org === org && watch.gvc === gvc);
}

/** Who watches and who is muted is only asked when there is something to tell. */
async function messagesOfStep(
  deps: Pick<PollDeps, 'watches' | 'mutes'>,
  place: WatchedGvc,
  step: Advance,
  now: number,
): Promise<Message[]> {
  if (step.tellings.length + step.news.length === 0) return [];
  const [watches, mutes] = await Promise.all([deps.watches.all(), deps.mutes.all(now)]);
  return messagesOf(place, step, { watches, mutes, now });
}

/** Another process took the GVC over in the middle of a poll. */
class LostLock extends Error {}

function isDue(pulse: Pulse, polling: PollDeps['polling'], now: number): boolean {
  if (pulse.failures > 0) return now >= pulse.notBefore;
  const everyMs = pulse.moving ? polling.activeMs : polling.idleMs;
  return now - (pulse.began ?? pulse.at) >= everyMs - polling.activeMs * SLACK;
}

/** A passing failure is asked again soon, a lasting one at the idle pace; what the platform asks for is kept. */
function failed(pulse: Pulse, error: unknown, polling: PollDeps['polling'], now: number): Pulse {
  const failures = pulse.failures + 1;
  const paceMs = failures < SOON_FAILURES ? polling.activeMs : polling.idleMs;
  const asked = error instanceof PlatformError ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(paceMs - polling.activeMs * SLACK, Math.min(asked, MAX_WAIT_MS));
  return { ...pulse, failures, notBefore: now + waitMs, error: errorMessage(error) };
}
