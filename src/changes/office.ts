import type { Gate } from '../access/gate.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Order } from './change.ts';
import type { Kind, Platform } from './kinds/kind.ts';
import type { Changes } from './store.ts';
import type { Vault } from './vault.ts';

/** What everybody who handles changes works with. */
export interface OfficeDeps {
  readonly changes: Changes;
  /** @throws Refusal when billing is not configured */
  readonly platform: () => Platform;
  readonly kindOf: (order: Pick<Order, 'kind'>) => Kind;
  /** Works on a change, or what changes are of, by itself, with a lock; undefined when somebody else does. `held`: still by itself. */
  readonly alone: <T>(
    id: string,
    work: (held: () => boolean) => Promise<T>,
  ) => Promise<T | undefined>;
  readonly standing: Gate['standing'];
  /** A sentence for a failure of the platform's; undefined for anything else. */
  readonly explain: (error: unknown) => string | undefined;
  /** Absent: there is no SECRET_KEY, and kinds with secrets are off. */
  readonly vault: Vault | undefined;
  readonly approvals: { readonly required: boolean; readonly allowSelf: boolean };
  /** Channel of the cards. */
  readonly channel: string;
  /** The person's messages with the bot; undefined when Slack does not say. */
  readonly directChannel: (userId: string) => Promise<string | undefined>;
  /** A user group that stands for one of these roles, by its handle; undefined when there is none. */
  readonly groupFor: (roles: readonly string[]) => Promise<string | undefined>;
  /** Asks a worker to go on with a change now. */
  readonly advance: (id: string) => Promise<void>;
  /** Waits so many milliseconds; absent: what was read back is not read again. */
  readonly pause?: (ms: number) => Promise<void>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Asks a worker to go on; where that fails, the next sweep does. */
export async function nudge({ advance, logger }: OfficeDeps, id: string): Promise<void> {
  try {
    await advance(id);
  } catch (error) {
    logger.warn({ err: error, change: id }, 'a change waits for the next sweep');
  }
}
