import type { Auth } from '../auth.ts';
import type { SandboxClock } from '../clock.ts';
import type { Org } from '../deployments/model.ts';
import type { AlertWatch } from './alert-watch.ts';
import type { Grants } from './grants.ts';
import type { Guard } from './guard.ts';
import type { Ledger } from './ledger.ts';
import type { Mailbox } from './mailbox.ts';

/** The state behind the routes and the controls of billing. */
export interface Office {
  readonly ledger: Ledger;
  readonly guard: Guard;
  readonly grants: Grants;
  readonly mailbox: Mailbox;
  readonly alerts: AlertWatch;
  readonly auth: Auth;
  readonly clock: SandboxClock;
  /** Every org of the platform; a new one is added with nothing in it. */
  readonly orgs: Map<string, Org>;
  readonly ids: Ids;
}

export interface Ids {
  uuid(): string;
  /** Hexadecimal digits for a secret. */
  secret(): string;
}
