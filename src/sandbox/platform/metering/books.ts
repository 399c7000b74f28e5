import type { Account } from '../billing/model.ts';
import type { Currency } from './catalogue.ts';

/** An item of the catalogue (spec 2.6). */
export interface ChargeableItem {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly consumptionTags: Readonly<Record<string, string>>;
  /** For example `bytes * seconds`. */
  readonly unit: string;
  readonly type?: string;
}

/** A price from `from` up to `to` units of a month; `to` undefined = no end. */
export interface Tier {
  /** Thousandths of the metric's unit, as all quantities of the stand-in. */
  readonly from: bigint;
  readonly to: bigint | undefined;
  /** 10^-15 of the currency's whole unit, per whole unit of the metric. */
  readonly rate: bigint;
}

/** One line of an account's month: what an org used of an item within a tier. */
export interface BookLine {
  readonly org: string;
  readonly item: ChargeableItem;
  readonly tier: Tier;
  /** Thousandths of the metric's unit. */
  readonly units: bigint;
  /** 10^-18 of the currency's whole unit: units times rate, exactly. */
  readonly amount: bigint;
}

/** The platform's own figures, which invoices and the spend alert use. */
export interface Books {
  /** Start of the first month that has usage, ms since the epoch. */
  readonly firstMonth: number;
  readonly currency: Currency;
  /**
   * A UTC month of an account up to now, priced over the whole account: sorted by org, then by item,
   * then by tier.
   * @param monthStart ms since the epoch
   */
  monthLines(account: Account, monthStart: number): readonly BookLine[];
}
