import { pathOf } from '../address.ts';
import { checkChargeQuery, checkItems, checkTagValuesQuery } from '../consumption/check-query.ts';
import { bodyOf } from '../consumption/query.ts';
import type { ConsumptionQuery } from '../consumption/query.ts';
import { countRows } from '../consumption/result.ts';
import { readTagValues, tagValuesBodyOf } from '../consumption/tag-values.ts';
import type { TagValues, TagValuesQuery } from '../consumption/tag-values.ts';
import type { Http } from '../http.ts';
import type { Reading, ReadOptions } from '../read-cache.ts';
import { countTiers, readCharges, readDetailedCharges } from './charge-rows.ts';
import type { Charges, DetailedCharges } from './charge-rows.ts';
import type { BillingContext } from './context.ts';
import { readCatalogue } from './items.ts';
import type { Catalogue } from './items.ts';

/** A charge query of the account (spec 4.1). */
export interface AccountChargeQuery extends ConsumptionQuery {
  /** Only these orgs of the account; absent: all of them. */
  readonly orgs?: readonly string[];
}

/**
 * Charges, tag values and the catalogue (spec 4.1). Queries are checked before they are sent; every
 * method throws a PlatformError, `bad-request` with the reason for what the platform would refuse.
 * `detailed` has the pricing tiers per billing period. A step that the range covers only in part may be
 * answered whole, so parts of a day are asked for by the hour.
 */
export interface ChargesClient {
  account(query: AccountChargeQuery, options?: ReadOptions): Promise<Reading<Charges>>;
  accountDetailed(
    query: AccountChargeQuery,
    options?: ReadOptions,
  ): Promise<Reading<DetailedCharges>>;
  /** One org, asked with its own credential and priced with the rate plan of the paying account. */
  org(org: string, query: ConsumptionQuery, options?: ReadOptions): Promise<Reading<Charges>>;
  orgDetailed(
    org: string,
    query: ConsumptionQuery,
    options?: ReadOptions,
  ): Promise<Reading<DetailedCharges>>;
  /** Distinct values of a usage tag over the account. */
  tagValues(query: TagValuesQuery, options?: ReadOptions): Promise<Reading<TagValues>>;
  chargeableItems(options?: ReadOptions): Promise<Reading<Catalogue>>;
}

/** Where a query is asked; the body has what belongs to the place. */
interface Place {
  readonly http: Http;
  readonly path: string;
  readonly orgs?: readonly string[] | undefined;
}

/** What is asked for, and how the answer is read. */
interface Kind<T> {
  readonly detailed?: true;
  readonly read: (answer: unknown, groupBy: readonly string[]) => T;
  readonly weigh: (value: T) => number;
}

const PLAIN: Kind<Charges> = { read: readCharges, weigh: (charges) => countRows(charges) };
const DETAILED: Kind<DetailedCharges> = {
  detailed: true,
  read: readDetailedCharges,
  weigh: countTiers,
};

export function createCharges(context: BillingContext): ChargesClient {
  const { cache, account } = context;

  const chargeableItems = (options: ReadOptions = {}) => {
    const load = async () =>
      readCatalogue((await account.send({ method: 'GET', path: 'chargeable_items' })).body);
    return cache.read('chargeable_items', load, {
      ...options,
      weigh: ({ items }) => items.length,
    });
  };

  async function ask<T>(
    { detailed, read, weigh }: Kind<T>,
    { http, path, orgs }: Place,
    query: ConsumptionQuery,
    options: ReadOptions = {},
  ): Promise<Reading<T>> {
    checkChargeQuery(query, orgs);
    if (query.consumptionQueries.some(({ chargeableItems }) => chargeableItems?.length)) {
      // Without the catalogue the question goes unchecked, and the platform says what is wrong with it.
      const catalogue = await chargeableItems().catch(() => undefined);
      if (catalogue) checkItems(query, catalogue.value);
    }
    const body = { ...bodyOf(query), ...(orgs && { orgs }), ...(detailed && { detailed }) };
    return cache.read(
      `${path} ${JSON.stringify(body)}`,
      async () => read(await post(http, path, body), query.groupBy),
      { ...options, weigh },
    );
  }

  const ofAccount = (orgs: Place['orgs']): Place => {
    return { http: account, path: context.accountPath('charges', '-query'), orgs };
  };
  const ofOrg = (org: string): Place => {
    return { http: context.org(org), path: pathOf('org', org, 'charges', '-query') };
  };

  return {
    account: async (query, options) => ask(PLAIN, ofAccount(query.orgs), query, options),
    accountDetailed: async (query, options) => ask(DETAILED, ofAccount(query.orgs), query, options),
    org: async (org, query, options) => ask(PLAIN, ofOrg(org), query, options),
    orgDetailed: async (org, query, options) => ask(DETAILED, ofOrg(org), query, options),
    async tagValues(query, options = {}) {
      checkTagValuesQuery(query);
      const path = context.accountPath('tags', 'values', 'query');
      const body = tagValuesBodyOf(query);
      return cache.read(
        `${path} ${JSON.stringify(body)}`,
        async () => readTagValues(await post(account, path, body)),
        { ...options, weigh: ({ values }) => values.length },
      );
    },
    chargeableItems: async (options) => chargeableItems(options),
  };
}

/** A query changes nothing, so it may be asked again. */
async function post(http: Http, path: string, body: object): Promise<unknown> {
  return (await http.send({ method: 'POST', path, body, repeatable: true })).body;
}
