import { BigNumber } from 'bignumber.js';

import type { Books } from '../metering/books.ts';
import type { Ledger } from './ledger.ts';
import type { LookBack } from './look-back.ts';
import type { Mailbox } from './mailbox.ts';
import type { Account, Alert } from './model.ts';

/** The check of the spend alerts (spec sections 3 and 6). */
export interface AlertWatch {
  /** Makes up for every ten-minute check that fell due since the last call. */
  catchUp(): void;
  /** Acts as if the charges had just reached the amount; false when the alert is off, quiet or absent. */
  reach(account: Account): boolean;
  /**
   * Firing stamps the record: from now on its `lastModified` is so long after its `lastTriggered`.
   * @param ms undefined: firing leaves `lastModified` as it is
   */
  stampAfter(ms: number | undefined): void;
}

const CHECK_MS = 10 * 60_000;
const STAMP_MS = 1000;
/** The books count in 10^-18 of the currency's whole unit. */
const BOOK_DECIMALS = 18;

export function createAlertWatch(deps: {
  ledger: Ledger;
  books: Books;
  mailbox: Mailbox;
  /** The clock by which the books count. */
  clock: LookBack;
}): AlertWatch {
  const { ledger, books, mailbox, clock } = deps;
  // The platform checks every ten minutes, no one knows from when on: here from the start.
  let checkedAt = clock.now();
  const rhythm = createRhythm(checkedAt);
  let stampMs: number | undefined = STAMP_MS;

  const fire = (account: Account, alert: Alert, at: number) => {
    alert.lastTriggered = at;
    alert.alertedTimes = (alert.alertedTimes ?? 0) + 1;
    alert.quietIn = monthStart(at);
    if (stampMs !== undefined) alert.lastModified = at + stampMs;
    for (const { email, roles } of account.users.values()) {
      if (!roles.includes('billing_admin')) continue;
      mailbox.send({ at, kind: 'spend-alert', to: email, ...alertMail(account, alert, at) });
    }
  };
  const isReached = (account: Account, { amount }: Alert, at: number) =>
    clock
      .at(at, () => books.monthLines(account, monthStart(at)))
      .reduce((sum, line) => sum.plus(line.amount.toString()), new BigNumber(0))
      .gte(new BigNumber(String(amount)).shiftedBy(BOOK_DECIMALS));

  const checkMonth = (account: Account, { first, last }: Checks) => {
    const { alert } = account;
    if (!isArmed(alert, last) || !isReached(account, alert, last)) return;
    fire(
      account,
      alert,
      rhythm.firstThat(first, last, (at) => isReached(account, alert, at)),
    );
  };

  return {
    catchUp() {
      const due = rhythm.lastCheck(clock.now());
      for (const checks of rhythm.checksByMonth(checkedAt + CHECK_MS, due)) {
        for (const account of ledger.accounts) checkMonth(account, checks);
      }
      checkedAt = due;
    },
    reach(account) {
      const { alert } = account;
      if (!isArmed(alert, clock.now())) return false;
      fire(account, alert, clock.now());
      return true;
    },
    stampAfter(ms) {
      stampMs = ms;
    },
  };
}

function isArmed(alert: Alert | undefined, at: number): alert is Alert {
  return alert?.enabled === true && alert.quietIn !== monthStart(at);
}

function alertMail(account: Account, { amount }: Alert, at: number) {
  const month = new Date(at).toISOString().slice(0, 7);
  return {
    subject: `Spend alert: ${account.fullName} reached ${amount} USD`,
    text: `The charges of ${account.fullName} for ${month} (UTC) reached the amount of its spend alert, ${amount} USD. There is no further alert until the next month.`,
  };
}

/** The checks of one month, ms since the epoch; both ends are checks. */
interface Checks {
  readonly first: number;
  readonly last: number;
}

/** @param start a check, ms since the epoch: the others are whole intervals away */
function createRhythm(start: number) {
  const placeOf = (at: number): number => Math.floor((at - start) / CHECK_MS);
  const timeOf = (place: number): number => start + place * CHECK_MS;
  const lastCheck = (at: number): number => timeOf(placeOf(at));
  return {
    lastCheck,
    /** Every check from `first` to `last`, month by month. */
    checksByMonth(first: number, last: number): Checks[] {
      const months: Checks[] = [];
      for (let at = first; at <= last;) {
        const end = Math.min(last, lastCheck(nextMonth(at) - 1));
        months.push({ first: at, last: end });
        at = end + CHECK_MS;
      }
      return months;
    },
    /**
     * The earliest check for which `holds`, which holds for `last`. Charges only grow within a month,
     * so halving finds it.
     */
    firstThat(first: number, last: number, holds: (at: number) => boolean): number {
      let [low, high] = [placeOf(first), placeOf(last)];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if (holds(timeOf(middle))) high = middle;
        else low = middle + 1;
      }
      return timeOf(high);
    },
  };
}

function monthStart(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function nextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
