import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Authorizer } from '../access/authorizer.ts';
import type { Config } from '../config/config.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Services } from '../services.ts';
import { createDirectChannel, createGroupFor } from '../slack/directory.ts';
import { acquireLock } from '../store/lock.ts';
import { createKinds } from './kinds/kinds.ts';
import type { AnyKind, ChangeInput } from './kinds/kinds.ts';
import { createSecretCipher } from './secret-cipher.ts';
import type { SecretCipher } from './secret-cipher.ts';
import { createChangeStore } from './store.ts';
import type { ChangeStore } from './store.ts';

/** What requests, reviews, executions and reveals work with. */
export interface ChangeContext extends Pick<Services, 'billing' | 'clock' | 'logger'> {
  readonly access: Pick<Authorizer, 'principal'>;
  readonly changes: ChangeStore;
  readonly kindOf: (input: Pick<ChangeInput, 'kind'>) => AnyKind;
  /**
   * Works on a change, or on what changes are about, while it holds the lock of that name; undefined when
   * another process holds it. `held` says whether the lock still holds.
   */
  readonly withLock: <T>(
    name: string,
    work: (held: () => boolean) => Promise<T>,
  ) => Promise<T | undefined>;
  /** Absent: there is no SECRET_KEY, and kinds with secrets are off. */
  readonly cipher: SecretCipher | undefined;
  readonly approvals: Config['approvals'];
  /** Channel of the cards. */
  readonly channel: string;
  /** The person's messages with the bot; undefined when Slack does not say. */
  readonly directChannel: (userId: string) => Promise<string | undefined>;
  /** A user group that stands for one of these roles, by its handle; undefined when there is none. */
  readonly groupFor: (roles: readonly string[]) => Promise<string | undefined>;
  readonly jobs: Pick<Jobs, 'add'>;
  /** Waits so many milliseconds; absent: what was read back is not read again. */
  readonly pause?: (ms: number) => Promise<void>;
  readonly newId: () => string;
}

/** A worker that dies leaves its change to the next one after this time, in milliseconds. */
const LOCK_MS = 15_000;

/** Letters and digits that are hard to mistake for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_LENGTH = 8;

export function createChangeContext(
  services: Pick<
    Services,
    | 'access'
    | 'billing'
    | 'clock'
    | 'config'
    | 'jobs'
    | 'keys'
    | 'logger'
    | 'outbox'
    | 'redis'
    | 'slack'
    | 'stopwatch'
    | 'wake'
  >,
): ChangeContext {
  const { access, billing, clock, config, jobs, keys, logger, redis, slack, stopwatch } = services;
  return {
    access,
    billing,
    clock,
    jobs,
    logger,
    changes: createChangeStore(services),
    kindOf: createKinds(config.currency, clock),
    async withLock(name, work) {
      const lock = await acquireLock(redis, keys.lock(`change:${name}`), LOCK_MS);
      if (lock === undefined) return undefined;
      try {
        return await work(() => lock.held());
      } finally {
        await lock.release();
      }
    },
    cipher: config.secretKey && createSecretCipher(config.secretKey),
    approvals: config.approvals,
    channel: config.channels.approvals,
    directChannel: createDirectChannel(slack, logger),
    groupFor: createGroupFor(slack, stopwatch, logger),
    pause: (ms) => sleep(ms),
    newId: () =>
      Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  };
}

/** Asks a worker to go on with a change now. @throws when the store does not answer */
export function enqueue({ jobs }: Pick<ChangeContext, 'jobs'>, id: string): Promise<void> {
  return jobs.add('changes', 'advance', { id });
}

/** As `enqueue`; when that fails, the next sweep goes on with it. */
export async function enqueueOrSweep(
  context: Pick<ChangeContext, 'jobs' | 'logger'>,
  id: string,
): Promise<void> {
  try {
    await enqueue(context, id);
  } catch (error) {
    context.logger.warn({ err: error, change: id }, 'a change waits for the next sweep');
  }
}
