import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { derivedKeys, type SigningSecrets } from '../lib/derived-key.ts';
import { compareNames } from '../lib/text.ts';
import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../lib/time.ts';
import type { AuditLine } from '../store/audit.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';

/** The Slack accounts that may use the billing roles behind an e-mail address. */
export interface Pin {
  /** Slack ids, the first one first; empty when the entry was not written by Purser. */
  readonly ids: readonly string[];
  readonly isGenuine: boolean;
}

/** Writes with a line in the audit, in one step; undefined when the hash is not as expected. */
interface AuditedWrites {
  commit(
    messages: readonly never[],
    change: {
      hash: string;
      expect: Record<string, string>;
      set: Record<string, string>;
      remove: string[];
      audit: AuditLine;
    },
  ): Promise<unknown>;
}

interface IdentityServices {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly config: SigningSecrets;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const REPLACE = `if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) return 1 end return 0`;

export type Identities = ReturnType<typeof createIdentities>;

/**
 * Remembers which Slack accounts use the roles of an e-mail address, because an administrator of Slack's directory can
 * give an address to another account (ADR 29). Redis is not trusted with authority: each entry is signed, and one that
 * was edited admits no account. Nothing is kept in memory, so that every change counts at once. All throw when Redis
 * does not answer.
 */
export function createIdentities({ redis, keys, config, logger }: IdentityServices) {
  const { read, write } = createSignedPins(config);
  const hash = keys.identities;

  const create = async (email: string, userId: string): Promise<boolean> =>
    (await redis.hsetnx(hash, email, write(email, [userId]))) === 1;
  /** False when another process was faster. */
  const replace = async (email: string, stored: string, ids: readonly string[]) =>
    (await redis.eval(REPLACE, 1, hash, email, stored, write(email, ids))) === 1;

  return {
    /** Undefined: no account is remembered yet. */
    async pinOf(address: string): Promise<Pin | undefined> {
      const email = address.toLowerCase();
      const stored = await redis.hget(hash, email);
      return stored === null ? undefined : read(email, stored);
    },
    /**
     * Remembers the first account that uses a role of the address.
     * @returns the pin that refuses the account; undefined: it is admitted
     */
    async admit(address: string, userId: string): Promise<Pin | undefined> {
      const email = address.toLowerCase();
      for (;;) {
        const stored = await redis.hget(hash, email);
        if (stored === null) {
          if (!(await create(email, userId))) continue;
          logger.info({ user: userId }, 'A Slack account is remembered with its e-mail address');
          return undefined;
        }
        const pin = read(email, stored);
        if (!pin.isGenuine) logger.warn({ user: userId }, 'A remembered account is not verified');
        if (!pin.ids.includes(userId)) return pin;
        // Else it would be lost when the older key is no longer in SECRET_KEY.
        if (pin.isOfOlderKey) await replace(email, stored, pin.ids);
        return undefined;
      }
    },
    /** Adds an account; those of an entry that Purser did not write are dropped. */
    async add(address: string, userId: string): Promise<void> {
      const email = address.toLowerCase();
      for (;;) {
        const stored = await redis.hget(hash, email);
        const ids = stored === null ? [] : read(email, stored).ids;
        if (ids.includes(userId)) return;
        const isAdded = await (stored === null
          ? create(email, userId)
          : replace(email, stored, [...ids, userId]));
        if (isAdded) return;
      }
    },
    /** By address. */
    async list(): Promise<ReadonlyMap<string, Pin>> {
      const all = await redis.hgetall(hash);
      const emails = Object.keys(all).toSorted(compareNames);
      return new Map(emails.map((email) => [email, read(email, all[email] ?? '')]));
    },
    /**
     * Forgets the accounts of an address, with a line in the audit: the next one that uses a role is remembered.
     * @returns the former pin, if there was one
     */
    async release(address: string, clock: Clock, outbox: AuditedWrites): Promise<Pin | undefined> {
      const email = address.toLowerCase();
      for (;;) {
        const stored = await redis.hget(hash, email);
        if (stored === null) return undefined;
        const pin = read(email, stored);
        const audit = { at: clock.now(), event: 'identity.release', email, ids: pin.ids };
        const change = { hash, expect: { [email]: stored }, set: {}, remove: [email], audit };
        if ((await outbox.commit([], change)) !== undefined) return pin;
      }
    },
  };
}

export const StoredPin = z.object({
  ids: z.array(z.string().min(1)).min(1),
  signature: z.string(),
});

interface SignedPin extends Pin {
  readonly isOfOlderKey: boolean;
}

const FORGED: SignedPin = { ids: [], isGenuine: false, isOfOlderKey: false };

/** HMAC-SHA256 over the address and its accounts: an entry is of no use under another address. */
function createSignedPins(config: SigningSecrets) {
  const signers = derivedKeys(config, 'identities');
  const macOf = (key: Buffer, email: string, ids: readonly string[]): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([email, ids]))
      .digest();

  return {
    write: (email: string, ids: readonly string[]): string =>
      JSON.stringify({ ids, signature: macOf(signers()[0], email, ids).toString('hex') }),
    read: (email: string, stored: string): SignedPin => {
      const { ids, signature } = parsed(stored) ?? { ids: [], signature: '' };
      const given = Buffer.from(signature, 'hex');
      const at = signers().findIndex((key) => {
        const mac = macOf(key, email, ids);
        return mac.length === given.length && timingSafeEqual(mac, given);
      });
      return at === -1 ? FORGED : { ids, isGenuine: true, isOfOlderKey: at > 0 };
    },
  };
}

function parsed(stored: string): z.infer<typeof StoredPin> | undefined {
  try {
    return StoredPin.parse(JSON.parse(stored));
  } catch {
    return undefined;
  }
}
