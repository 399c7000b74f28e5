import type { Need } from '../../access/changes.ts';
import type { Secret } from '../../lib/secret.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { ChangeKind, Facts, Marks, OrderOf, Plan, Sealed } from '../change.ts';

/** The part of the platform that changes are about. */
export type Platform = BillingClient;

/** What is there now, as far as it concerns one order. */
export interface Sight {
  /** Why it cannot be done as things are now: one sentence, with the next step. */
  readonly conflict?: string;
  /** What the order would do now. Nothing in it but its `passing` changes by itself (no "3 minutes ago"). */
  readonly plan: Plan;
  /** What is there now, in words: after the call this is the proof of it. */
  readonly now: Facts;
  /** What to remember before the call is sent, for `settle`. */
  readonly marks: Marks;
}

/** Whether a call that was sent has had its effect. */
export type Settled =
  | { readonly kind: 'done' }
  /** Done, and the secret that was said with it is lost: `tokenIds` can be deleted, none cannot. */
  | {
      readonly kind: 'secret lost';
      readonly what: Sealed['what'];
      readonly tokenIds: readonly string[];
    }
  | { readonly kind: 'not done' }
  /** It cannot be told from what is there. */
  | { readonly kind: 'unclear' };

/** What the platform said to a call that it took. */
export interface Sent {
  /** What is worth saying beside "done": the org was there already, the quota waits for the platform. */
  readonly note?: string;
  /** The platform took the request and says no to it. */
  readonly denied?: string;
  /** What its answer shows, where reading back does not. */
  readonly said?: Facts;
  readonly secret?: {
    readonly value: Secret;
    readonly what: Sealed['what'];
    readonly tokenId?: string;
  };
}

/** One kind of change: what it needs, shows, sends, and how it is proven. */
export interface Kind<K extends ChangeKind = ChangeKind> {
  readonly kind: K;
  /** "Replace the spend alert": what is done, as a sentence begins. */
  title(order: OrderOf<K>): string;
  /** Who may ask for it and who may approve it (design section 6). */
  readonly needs: { readonly request: Need; readonly approve: Need };
  /** Whether the platform answers with a secret. */
  hasSecret(order: OrderOf<K>): boolean;
  /** E-mails of the billing users that it changes: none of them may have a part in it. */
  subjects(order: OrderOf<K>): readonly string[];
  /** Sending it twice does nothing that sending it once does not. */
  readonly repeatable: boolean;
  /** Reads what is there now, always fresh. @throws PlatformError */
  look(platform: Platform, order: OrderOf<K>): Promise<Sight>;
  /** The one call that changes something. @throws PlatformError */
  send(platform: Platform, order: OrderOf<K>): Promise<Sent>;
  /** Whether a call that was sent was done, by what is there now. Reads. @throws PlatformError */
  settle(
    platform: Platform,
    order: OrderOf<K>,
    before: { marks: Marks; sentAt: number },
  ): Promise<Settled>;
  /** A sentence with the next step for a no of the platform that this kind knows (409, 400, 404). */
  explain(order: OrderOf<K>, error: PlatformError): string | undefined;
}

/** All kinds by their names. */
export type Kinds = { readonly [K in ChangeKind]: Kind<K> };

/** What kinds have to be told. */
export interface KindDeps {
  /** ISO 4217 code of the account's currency, which no amount carries (spec 2.4). */
  readonly currency: string;
  /** Ms since the epoch. */
  readonly now: () => number;
}
