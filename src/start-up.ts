import type { Server } from 'node:http';
import type { Ground } from './app-ground.ts';
import { backoffDelay } from './lib/retry.ts';
import { redisReady } from './store/redis.ts';

/** The steps of a start, in the order of what stands on what. */
export interface StartSteps {
  /** Asks Slack who the bot is. */
  identify(): Promise<void>;
  /** Starts workers and schedules. */
  work(): Promise<void>;
  /** Opens the door to Slack. */
  listen(): Promise<void>;
}

const REDIS_WAIT_MS = 60_000;
const RETRY = { baseMs: 500, capMs: 10_000 };

/**
 * Starts the parts of a role. Redis or Slack that are away are waited for, with `/readyz` saying so;
 * a token that Slack refuses is an error at once, because waiting does not mend it.
 */
export async function startUp(
  process: { server: Server; port: number; ground: Ground; role: 'all' | 'app' | 'worker' },
  steps: StartSteps,
): Promise<void> {
  const { server, port, ground, role } = process;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
  if (role !== 'worker') {
    await untilDone(ground, 'Slack', () => steps.identify());
    await steps.listen();
  }
  if (role !== 'app') {
    await untilDone(ground, 'Redis', async () => {
      await redisReady(ground.redis, REDIS_WAIT_MS);
      await steps.work();
    });
  }
  ground.logger.info({ role }, 'Purser is up');
}

async function untilDone(ground: Ground, what: string, step: () => Promise<void>): Promise<void> {
  for (let attempt = 1; !ground.stopping.signal.aborted; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (what === 'Slack' && isFinal(error)) throw error;
      ground.logger.warn({ err: error, what }, 'Not there yet; waiting for it');
    }
    const delay = backoffDelay(attempt, { ...RETRY, random: Math.random });
    await new Promise((resolve) => {
      setTimeout(resolve, delay);
    });
  }
}

const REFUSED_TOKEN = new Set(['invalid_auth', 'not_authed', 'token_revoked', 'account_inactive']);

function isFinal(error: unknown): boolean {
  const { data } = error as { data?: { error?: unknown } };
  return typeof data?.error === 'string' && REFUSED_TOKEN.has(data.error);
}
