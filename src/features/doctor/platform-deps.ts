import type { Clock } from '../../lib/clock.ts';
import type { Secret } from '../../lib/secret.ts';
import type { BareHttp } from '../../platform/bare-http.ts';
import type { Credential } from '../../platform/credential.ts';

/** A GVC that a watch names, or one workload of it. */
export interface WatchedPlace {
  readonly org: string;
  readonly gvc: string;
  readonly workload?: string | undefined;
}

/**
 * The configuration, not clients: the doctor opens its own, because it asks with every credential by
 * itself and remembers nothing of what it asked before.
 */
export interface PlatformCheckDeps {
  /** `usage` and `billing` are absent where they are not configured, `orgCharges` without ORG_CHARGES. */
  readonly urls: {
    readonly api: string;
    readonly usage?: string | undefined;
    readonly billing?: string | undefined;
    readonly orgCharges?: string | undefined;
  };
  readonly bare: BareHttp;
  /** Of every org of ORG_TOKENS. */
  readonly credentials: ReadonlyMap<string, Credential>;
  /** Absent: billing is not configured. */
  readonly account?:
    | {
        readonly id: string;
        readonly token: Secret;
        readonly userToken?: Secret | undefined;
      }
    | undefined;
  /** What is watched now, by command and by WATCHES. */
  watched(): Promise<readonly WatchedPlace[]>;
  /** BRAND_PREFIX, by which the kinds of tokens are told apart. */
  readonly prefix: string;
  readonly approvals: { readonly required: boolean; readonly allowSelf: boolean };
  readonly clock: Clock;
}
