import type { Server } from 'node:http';
import type { Ground } from './app-ground.ts';
import { settledWithin } from './lib/patience.ts';
import { backoffDelay } from './lib/retry.ts';
import { isTokenRefused } from './slack/sender.ts';
import { redisReady } from './store/redis.ts';

/** The steps of a start, in the order of what stands on what. */
export interface StartSteps {
  /** Opens the doors for those who run the bot. */
  open(): Promise<void>;
  /** Asks Slack who the bot is. */
  identify(): Promise<void>;
  /** Starts workers and schedules. */
  work(): Promise<void>;
  /** Opens the door to Slack. */
  listen(): Promise<void>;
}

const REDIS_WAIT_MS = 60_000;
const BEFORE_LISTENING_MS = 3_000;
const RETRY = { baseMs: 500, capMs: 10_000 };

/**
 * Starts the parts of a role. Redis or Slack that are away are waited for, with `/readyz` saying so;
 * a token that Slack refuses is an error at once, because waiting does not mend it. A stop in
 * between ends it.
 */
export async function startUp(
  { ground, role }: { ground: Ground; role: 'all' | 'app' | 'worker' },
  steps: StartSteps,
): Promise<void> {
  await steps.open();
  if (role !== 'worker') {
    await untilDone(ground, () => steps.identify(), isTokenRefused);
    if (ground.stopping.signal.aborted) return;
    // The first command finds the store connected; when it is away, it hears so instead of silence.
    await settledWithin(redisReady(ground.redis, REDIS_WAIT_MS), BEFORE_LISTENING_MS);
    await steps.listen();
  }
  if (role !== 'app') {
    await untilDone(ground, async () => {
      await redisReady(ground.redis, REDIS_WAIT_MS);
      await steps.work();
    });
  }
}

/** @throws when the port is taken */
export function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
}

/** Repeats a step until it succeeds or the process is asked to stop. @throws what `isFinal` says is final */
async function untilDone(
  ground: Ground,
  step: () => Promise<void>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<void> {
  for (let attempt = 1; !ground.stopping.signal.aborted; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (isFinal(error)) throw error;
      ground.logger.warn({ err: error }, 'Something that Purser needs is not there yet');
    }
    const delay = backoffDelay(attempt, { ...RETRY, random: Math.random });
    await new Promise((resolve) => {
      setTimeout(resolve, delay);
    });
  }
}
