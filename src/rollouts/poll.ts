import type { Clock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Counter } from '../lib/metrics.ts';
import type { Outbox } from '../notify/outbox.ts';
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

/**
 * One tick of a GVC: nothing when it is not due or another process has it, else one GET of all its
 * deployments, the pure step, and one write of the new state with the messages.
 */
export function createPoller(deps: PollDeps): (org: string, gvc: string) => Promise<void> {
  const { redis, keys, clock } = deps;

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
    return { at: now, moving: step.moving, failures: 0, error: '', skipped };
  }

  return async (org, gvc) => {
    const pulse = await readPulse(redis, keys, org, gvc);
    if (!isDue(pulse, deps.polling, clock.now())) return;
    const lock = await acquireLock(redis, keys.lock(`poll:${org}/${gvc}`), LOCK_MS);
    if (lock === undefined) return;
    let next: Pulse;
    try {
      next = await pollOnce(org, gvc, lock);
      deps.polls.inc({ result: 'done' });
      if (pulse.failures > 0) deps.logger.info({ org, gvc }, 'A GVC can be read again');
    } catch (error) {
      if (deps.stopping.aborted) return;
      deps.polls.inc({ result: 'failed' });
      next = { ...pulse, failures: pulse.failures + 1, error: errorMessage(error) };
      if (next.error !== pulse.error) deps.logger.warn({ err: error, org, gvc }, 'A poll failed');
    } finally {
      await lock.release();
    }
    await redis.set(keys.pulse(org, gvc), JSON.stringify(next));
  };
}

function isDue(pulse: Pulse, polling: PollDeps['polling'], now: number): boolean {
  const everyMs = pulse.moving || pulse.failures > 0 ? polling.activeMs : polling.idleMs;
  return now - pulse.at >= everyMs - polling.activeMs * SLACK;
}
