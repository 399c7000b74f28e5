import type { FastifyInstance } from 'fastify';

import type { SandboxClock } from '../clock.ts';
import type { Org } from '../deployments/model.ts';
import type { Books } from '../metering/books.ts';
import type { Random } from '../random.ts';
import type { Guard } from './guard.ts';
import { createMailbox } from './mailbox.ts';
import type { Mailbox } from './mailbox.ts';
import type { Account } from './model.ts';

/** The accounts, who may use them, and what hangs on them. */
export interface Billing {
  readonly guard: Guard;
  readonly mailbox: Mailbox;
  accounts(): readonly Account[];
  /** Does what falls due by the clock: the ten-minute check of the alert. */
  catchUp(): void;
}

export function createBilling(_deps: {
  orgs: ReadonlyMap<string, Org>;
  books: Books;
  clock: SandboxClock;
  random: Random;
}): Billing {
  return {
    guard: {} as Guard,
    mailbox: createMailbox(),
    accounts: () => [],
    catchUp: () => undefined,
  };
}

/** Everything of the billing API that is neither a charge query nor an invoice (spec 4.3). */
export function registerBillingRoutes(_app: FastifyInstance, _billing: Billing): void {}

/** What a person or a test does to accounts under `/_sandbox`. */
export function registerBillingControl(_app: FastifyInstance, _billing: Billing): void {}
