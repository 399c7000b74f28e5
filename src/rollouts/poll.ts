import type { Clock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Counter } from '../lib/metrics.ts';
import type { Outbox } from '../notify/outbox.ts';
import { PlatformError } from '../platform/errors.ts';
import type { DeploymentsClient } from '../platform/deployments/client.ts';
import type { Keys } from '../store/keys.ts';
import { acquireLock } from '../store/lock.ts';
import type { Lock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import { advance } from './advance.ts';
import { changesOf, readGvc, readPulse } from './gvc-store.ts';
import type { Pulse } from './gvc-store.ts';
import { messagesOf } from './publish.ts';
import type { Watches } from './watches.ts';

export interface PollDeps {
  redis: RedisConnection;
  keys: Keys;
  client: DeploymentsClient;
  watches: Watches;
  outbox: Outbox;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
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
 * One tick of a GVC: nothing when it is not due or another process has it, else one GET of all its
 * deployments, the pure step, and one write of the new state with the messages.
 */
export function createPoller(deps: PollDeps): (org: string, gvc: string) => Promise<void> {
  const { redis, keys, clock } = deps;
  const polled = new Set<string>();

  async function pollOnce(org: string, gvc: string, lock: Lock): Promise<Pulse> {
    const list = await deps.client.listGvc(org, gvc, {
      attempts: ATTEMPTS,
      signal: deps.stopping,
    });
    const before = await readGvc(redis, keys, org, gvc);
    const now = clock.now();
    const step = advance(before.state, list, now);
    const change = changesOf(before, step.state);
    const messages = messagesOf({ org, gvc }, step.tellings, await deps.watches.all());
    if (Object.keys(change.set).length + change.remove.length + messages.length > 0) {
      const hash = keys.rollouts(org, gvc);
      const channels = await deps.outbox.commit(messages, { lock, hash, ...change });
      if (channels === undefined) throw new Error('the lock of this poll was lost');
      // A crash from here on delays the messages until the next sweep, and no longer.
      await deps.wake(channels);
    }
    const skipped = list.unreadable.length + list.unidentified;
    if (skipped > 0) deps.logger.warn({ org, gvc, skipped }, 'Deployments could not be read');
    return { at: now, moving: step.moving, failures: 0, notBefore: 0, error: '', skipped };
  }

  return async (org, gvc) => {
    const pulse = await readPulse(redis, keys, org, gvc);
    // After a restart nobody waits out a pause that an earlier process began.
    const first = !polled.has(`${org}/${gvc}`);
    if (!first && !isDue(pulse, deps.polling, clock.now())) return;
    const lock = await acquireLock(redis, keys.lock(`poll:${org}/${gvc}`), LOCK_MS);
    if (lock === undefined) return;
    polled.add(`${org}/${gvc}`);
    let next: Pulse;
    try {
      next = await pollOnce(org, gvc, lock);
      deps.polls.inc({ result: 'done' });
      if (pulse.failures > 0) deps.logger.info({ org, gvc }, 'A GVC can be read again');
    } catch (error) {
      if (deps.stopping.aborted) return;
      deps.polls.inc({ result: 'failed' });
      next = failed(pulse, error, deps.polling, clock.now());
      if (next.error !== pulse.error) deps.logger.warn({ err: error, org, gvc }, 'A poll failed');
    } finally {
      await lock.release();
    }
    await redis.set(keys.pulse(org, gvc), JSON.stringify(next));
  };
}

function isDue(pulse: Pulse, polling: PollDeps['polling'], now: number): boolean {
  if (pulse.failures > 0) return now >= pulse.notBefore;
  const everyMs = pulse.moving ? polling.activeMs : polling.idleMs;
  return now - pulse.at >= everyMs - polling.activeMs * SLACK;
}

/** A passing failure is asked again soon, a lasting one at the idle pace; what the platform asks for is kept. */
function failed(pulse: Pulse, error: unknown, polling: PollDeps['polling'], now: number): Pulse {
  const failures = pulse.failures + 1;
  const paceMs = failures < SOON_FAILURES ? polling.activeMs : polling.idleMs;
  const asked = error instanceof PlatformError ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(paceMs - polling.activeMs * SLACK, Math.min(asked, MAX_WAIT_MS));
  return { ...pulse, failures, notBefore: now + waitMs, error: errorMessage(error) };
}
