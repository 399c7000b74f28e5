import type { Mailbox } from '../billing/mailbox.ts';
import type { Account } from '../billing/model.ts';
import type { Books } from '../metering/books.ts';
import { addMonths, HOUR_MS, iso } from '../metering/time.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { amountDue, type Invoice } from './model.ts';
import { dollars } from './money.ts';
import { seedStatuses } from './statuses.ts';

/** The invoices and mails of an account. */
export interface Room {
  readonly account: Account;
  readonly ledger: Ledger;
  readonly deliveries: Deliveries;
  /** Issues and mails invoices that are due by `now`. */
  catchUp(now: number): void;
  /** Issues and mails an early invoice; undefined if the present hour is billed already. */
  issueEarly(now: number): Invoice | undefined;
}

/** Got the first invoices, in vain, and is no longer a recipient. */
const FORMER_RECIPIENT = 'bounced@acme.example';
const FORMER_NUMBERS = 3;

/**
 * Bills an account's past at once; its mails are history, too, and not in the mailbox.
 * @param deps.seed when the past ends (ms since the epoch), and who got mail in it
 */
export function createRoom(deps: {
  account: Account;
  books: Books;
  mailbox: Mailbox;
  isRefused: (email: string) => boolean;
  seed: { at: number; recipients: readonly string[] };
}): Room {
  const { account, books, mailbox, isRefused, seed } = deps;
  const ledger = createLedger({ account, books, surchargedFrom: addMonths(seed.at, 1) });
  const deliveries = createDeliveries(isRefused);

  ledger.issueDue(seed.at, (invoice, at) => {
    if (invoice.number <= FORMER_NUMBERS) deliveries.add(invoice, FORMER_RECIPIENT, at);
    for (const to of seed.recipients) deliveries.add(invoice, to, at);
  });
  seedStatuses(ledger.invoices());

  const announce = (invoice: Invoice, at: number) => {
    for (const to of recipientsOf(account)) {
      deliveries.add(invoice, to, at);
      mailbox.send({ at, kind: 'new-invoice', to, ...mailOf(account, invoice) });
    }
  };

  return {
    account,
    ledger,
    deliveries,
    catchUp: (now) => ledger.issueDue(now, announce),
    issueEarly(now) {
      const invoice = ledger.issueEarly(now - (now % HOUR_MS));
      if (invoice !== undefined) announce(invoice, now);
      return invoice;
    },
  };
}

/** The addresses that invoices are mailed to (spec section 6). */
export function recipientsOf({ recipients }: Account): string[] {
  return recipients.filter(({ enabled }) => enabled).map(({ email }) => email);
}

function mailOf({ fullName }: Account, invoice: Invoice) {
  const month = iso(invoice.startTime).slice(0, 7);
  return {
    subject: `Invoice ${invoice.number} of ${fullName}`,
    text: `${month}: ${dollars(invoice.totalCharge)}, amount due ${dollars(amountDue(invoice))}.`,
  };
}
