import { createAllowance } from '../answer.ts';
import {
  bodyOf,
  checkChargeQuery,
  checkItems,
  type ConsumptionQuery,
  type TagValuesQuery,
} from '../consumption/query.ts';
import {
  askTagValues,
  readAnswerIn,
  readBody,
  SMALL_BYTES,
  type BodyOptions,
} from '../consumption/result.ts';
import { pathOf, type Http, type OrgApiOptions } from '../http.ts';
import type { Reading, ReadOptions } from '../concurrency.ts';
import {
  createCatalogue,
  pricedOn,
  readCharges,
  type Aggregation,
  type Charges,
  type Readers,
} from './charge-rows.ts';
import { createOrgContext, type BillingContext } from './context.ts';

/** Spec 4.1. */
export interface AccountChargeQuery extends ConsumptionQuery {
  /** Absent: all orgs of the account. */
  readonly orgs?: readonly string[];
}

export interface ChargeOptions extends ReadOptions {
  /** How long to wait for the optional catalogue; ms (15 s). */
  readonly catalogueWithinMs?: number;
}

/** The raw answer to a charge query, for `readCharges` or `readDetailedCharges`. */
export interface ChargeBody extends Aggregation {
  readonly body: Uint8Array;
}

export interface ChargeBodyOptions extends ChargeOptions, BodyOptions {
  readonly detailed?: boolean | undefined;
}

interface Place {
  readonly http: Http;
  readonly path: string;
  readonly orgs?: readonly string[] | undefined;
}

export type ChargesClient = ReturnType<typeof createCharges>;

/**
 * Charges and the catalogue (spec 4.1). Queries are checked before they are sent; every method throws a
 * PlatformError, `bad-request` with the reason for queries that the platform would refuse. Rows are aggregated
 * by every tag that a chargeable item prices on, because a row that lacks one of them counts as 0 (rule 1).
 * `detailed` adds the pricing tiers per billing period. The platform may answer a partly covered step as a
 * whole, so parts of a day are queried by the hour. Answers read here are `too-large` beyond 4 MB; a body is
 * the raw answer of either, for another thread.
 */
export function createCharges(context: BillingContext) {
  const { cache, account } = context;
  const { ask, askBody, ...ofOrgs } = createAsk(context, [() => account]);
  const ofAccount = (orgs: Place['orgs']): Place => {
    return { http: account, path: context.accountPath('charges', '-query'), orgs };
  };

  return {
    ...ofOrgs,
    account: async (query: AccountChargeQuery, options?: ChargeOptions) =>
      ask(ofAccount(query.orgs), query, options),
    accountBody: async (query: AccountChargeQuery, options: ChargeBodyOptions) =>
      askBody(ofAccount(query.orgs), query, options),
    tagValues: async (query: TagValuesQuery, options?: ReadOptions) =>
      askTagValues(
        { cache, http: account },
        context.accountPath('tags', 'values', 'query'),
        query,
        options,
      ),
  };
}

/** Charges of single orgs and the catalogue. */
export type OrgCharges = Omit<OrgChargesClient, 'close'>;

export type OrgChargesClient = ReturnType<typeof createOrgCharges>;

/**
 * Without an account; each org with its own key, and priced with the rate plan of the paying account.
 * @param options.orgs their keys read the catalogue, each if the one before is refused
 */
export function createOrgCharges(options: OrgApiOptions & { readonly orgs: readonly string[] }) {
  const context = createOrgContext(options);
  const [first = '', ...others] = options.orgs;
  const readers: Readers = [
    () => context.org(first),
    ...others.map((org) => () => context.org(org)),
  ];
  const { ask: _ask, askBody: _askBody, ...charges } = createAsk(context, readers);
  return { ...charges, close: () => context.close() };
}

function createAsk(
  context: Pick<BillingContext, 'cache' | 'cacheMs' | 'org' | 'now'>,
  readers: Readers,
) {
  const { cache, org } = context;
  const { chargeableItems, knownItems } = createCatalogue(context, readers);

  async function askBody(
    { http, path, orgs }: Place,
    query: ConsumptionQuery,
    { catalogueWithinMs, detailed, ...options }: ChargeBodyOptions,
  ): Promise<Reading<ChargeBody>> {
    checkChargeQuery(query, orgs);
    // Without the catalogue the query is not checked, and the platform reports its mistakes.
    const known = await knownItems(catalogueWithinMs);
    const priced = known ? pricedOn(known) : [];
    const consumptionQueries = query.consumptionQueries.map((one) => {
      return { ...one, aggregateBy: [...new Set([...one.aggregateBy, ...priced])] };
    });
    if (known) checkItems({ ...query, consumptionQueries }, known);
    const asked = {
      ...bodyOf({ ...query, consumptionQueries }),
      orgs,
      detailed: detailed || undefined,
    };
    const { value: body, readAt } = await readBody({ cache, http }, path, asked, options);
    const aggregateBy = [...new Set(consumptionQueries.flatMap((one) => one.aggregateBy))];
    // An unreadable item may price on a tag of its own.
    const mayBeTooLow = known === undefined || known.skipped > 0 || known.items.length === 0;
    return { value: { body, aggregateBy, catalogue: known, mayBeTooLow }, readAt };
  }

  async function ask(
    place: Place,
    query: ConsumptionQuery,
    options: ChargeOptions = {},
  ): Promise<Reading<Charges>> {
    const allowance = createAllowance(SMALL_BYTES);
    const { value, readAt } = await askBody(place, query, { ...options, allowance });
    const { body, ...aggregation } = value;
    const charges = readAnswerIn(body, (answer) => readCharges(answer, query.groupBy));
    return { value: { ...charges, ...aggregation }, readAt };
  }

  const ofOrg = (name: string): Place => {
    return { http: org(name), path: pathOf('org', name, 'charges', '-query') };
  };
  return {
    ask,
    askBody,
    /** Any valid credential may read it. */
    chargeableItems,
    /**
     * For callers that can do without it: undefined when it cannot be read within 15 s; the failure is cached
     * like a read. Never throws.
     */
    knownItems: async () => knownItems(),
    org: async (name: string, query: ConsumptionQuery, options?: ReadOptions) =>
      ask(ofOrg(name), query, options),
    orgBody: async (name: string, query: ConsumptionQuery, options: ChargeBodyOptions) =>
      askBody(ofOrg(name), query, options),
  };
}
