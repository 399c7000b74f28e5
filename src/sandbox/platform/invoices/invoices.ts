import type { Mailbox } from '../billing/mailbox.ts';
import type { Account } from '../billing/model.ts';
import type { SandboxClock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import type { Books } from '../metering/books.ts';
import { addMonths } from '../metering/time.ts';
import { issueTimeOf } from './calendar.ts';
import type { Delivery, Invoice, InvoicePatch, InvoiceStatus } from './model.ts';
import { createRoom, recipientsOf, type Room } from './room.ts';
import { moveTo } from './statuses.ts';

/** The invoices of all accounts, issued as time passes. */
export interface Invoices {
  readonly clock: SandboxClock;
  /** Issues invoices due by now, with their mails. */
  catchUp(): void;
  /** All issued invoices, newest first. */
  list(account: Account): readonly Invoice[];
  /** An issued invoice of the account; throws a SandboxError (404) if it has none of that id. */
  find(account: Account, id: string): Invoice;
  /** Accrued and not billed yet; in full is the current month with surcharges and credits. */
  pending(account: Account, options: { inFull: boolean }): readonly Invoice[];
  /** The latest 500, newest first; of one invoice, if its id is given. */
  deliveries(account: Account, invoiceId?: string): readonly Delivery[];
  /** Bills the current month up to the present hour; throws a SandboxError (400) if it is billed. */
  issueNow(accountId?: string): Invoice;
  /**
   * Moves an invoice and its periods, or one period alone; throws a SandboxError: 404 if nothing is there
   * of that name, 400 if it is named twice.
   */
  setStatus(name: InvoiceName, status: InvoiceStatus, period?: number): void;
  /** The API says something else of an invoice from now on; throws a SandboxError (404). */
  patch(id: string, patch: InvoicePatch): void;
  /** Mails the first account's newest invoice to so many further addresses. */
  addDeliveries(count: number): void;
  /** Whether mails to an address are refused from now on; those that were sent go on as they are. */
  refuseMail(email: string, refused: boolean): void;
}

/** The id, or the number within an account, or neither for its newest; the first account, unless it is reported. */
export interface InvoiceName {
  readonly id?: string;
  readonly number?: number;
  readonly account?: string;
}

export function createInvoices(deps: {
  accounts: () => readonly Account[];
  books: Books;
  clock: SandboxClock;
  mailbox: Mailbox;
}): Invoices {
  const { clock } = deps;
  const refusing = new Set<string>();
  const isRefused = (email: string) => refusing.has(email.toLowerCase());
  const { rooms, roomOf, named, catchUp } = createRooms({ ...deps, isRefused });

  return {
    clock,
    catchUp,
    list: ({ id }) => roomOf(id).ledger.invoices().toReversed(),
    find: (account, id) => pick(roomOf(account.id).ledger.invoices(), hasId(id)),
    pending({ id }, { inFull }) {
      const { ledger } = roomOf(id);
      return inFull ? ledger.pendingInFull(clock.now()) : ledger.pending(clock.now());
    },
    deliveries: ({ id }, invoiceId) => roomOf(id).deliveries.latest(invoiceId),

    issueNow(accountId) {
      const invoice = roomOf(accountId).issueEarly(clock.now());
      if (invoice === undefined) throw new SandboxError(400, 'this hour has been billed already');
      return invoice;
    },
    setStatus(name, status, index) {
      const invoice = named(name);
      if (index === undefined) return moveTo(invoice, status);
      const period = invoice.periods[index];
      if (period === undefined) throw new SandboxError(404, `the invoice has no period ${index}`);
      period.status = status;
    },
    patch(id, patch) {
      pickAny(rooms(), id).patches.push(patch);
    },
    addDeliveries(count) {
      const { ledger, deliveries } = roomOf();
      const invoice = ledger.invoices().at(-1);
      if (invoice === undefined) throw new SandboxError(400, 'there is no invoice to deliver yet');
      for (let number = 1; number <= count; number += 1)
        deliveries.add(invoice, `reader-${number}@acme.example`, clock.now());
    },
    refuseMail(email, refused) {
      // The mails of the seed were accepted.
      rooms();
      if (refused) refusing.add(email.toLowerCase());
      else refusing.delete(email.toLowerCase());
    },
  };
}

/** The past of the seed is billed when a person first asks, or when the first new invoice is due. */
function createRooms(deps: {
  accounts: () => readonly Account[];
  books: Books;
  clock: SandboxClock;
  mailbox: Mailbox;
  isRefused: (email: string) => boolean;
}) {
  const { accounts, clock } = deps;
  const seeds = accounts().map((account) => {
    return { account, seed: { at: clock.now(), recipients: recipientsOf(account) } };
  });
  const firstDue = firstIssueAfter(clock.now());
  let opened: readonly Room[] | undefined;

  const rooms = () => {
    opened ??= seeds.map((seed) => createRoom({ ...deps, ...seed }));
    for (const room of opened) room.catchUp(clock.now());
    return opened;
  };

  const roomOf = (accountId?: string): Room => {
    const room = rooms().find(({ account }) => account.id === (accountId ?? account.id));
    if (room === undefined) throw new SandboxError(404, 'there is no such account');
    return room;
  };

  const named = ({ id, number, account }: InvoiceName): Invoice => {
    if (id !== undefined && number !== undefined)
      throw new SandboxError(400, 'an invoice is named either by its id or by its number');
    if (id !== undefined) return pickAny(rooms(), id);
    const newestFirst = roomOf(account).ledger.invoices().toReversed();
    return pick(newestFirst, (invoice) => number === undefined || invoice.number === number);
  };

  const catchUp = () => {
    if (opened !== undefined || clock.now() >= firstDue) rooms();
  };

  return { rooms, roomOf, named, catchUp };
}

/** Of whichever account it is. */
function pickAny(rooms: readonly Room[], id: string): Invoice {
  return pick(
    rooms.flatMap(({ ledger }) => ledger.invoices()),
    hasId(id),
  );
}

function hasId(id: string): (invoice: Invoice) => boolean {
  return (invoice) => invoice.id === id;
}

function pick(invoices: readonly Invoice[], fits: (invoice: Invoice) => boolean): Invoice {
  const invoice = invoices.find(fits);
  if (invoice === undefined) throw new SandboxError(404, 'invoice not found');
  return invoice;
}

/** Around the turn of a month, the last month's invoice may still be to come. */
function firstIssueAfter(time: number): number {
  const dues = [-1, 0].map((months) => issueTimeOf(addMonths(time, months)));
  return Math.min(...dues.filter((due) => due > time));
}
