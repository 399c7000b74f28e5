import { pathOf } from '../address.ts';
import { checkTagValuesQuery, checkUsageQuery } from '../consumption/check-query.ts';
import { bodyOf } from '../consumption/query.ts';
import type { ConsumptionQuery } from '../consumption/query.ts';
import { postSmall, readBody, readSmall } from '../consumption/body.ts';
import type { BodyOptions } from '../consumption/body.ts';
import { readResult, readUsageRow } from '../consumption/result.ts';
import type { ConsumptionResult, UsageRow } from '../consumption/result.ts';
import { readTagValues, tagValuesBodyOf } from '../consumption/tag-values.ts';
import type { TagValues, TagValuesQuery } from '../consumption/tag-values.ts';
import type { OrgCredentials } from '../credential.ts';
import type { HttpLimits } from '../http.ts';
import { createOrgHttp } from '../org-http.ts';
import { createReadCache, ROW_BYTES } from '../read-cache.ts';
import type { Reading, ReadOptions } from '../read-cache.ts';
import type { Turns } from '../turns.ts';
import { explainUsage } from './explain.ts';

export type Usage = ConsumptionResult<UsageRow>;

interface Body {
  readonly body: Uint8Array;
}

/** The usage API: raw quantities of an org, without prices (spec 4.5, 4.6). */
export interface UsageClient {
  /**
   * Times are aligned outward to whole steps by the platform: the periods say what was summed.
   * @throws PlatformError `bad-request` with `earliestStart` beyond the retention, `unauthorized`,
   * `too-large` beyond 4 MB
   */
  query(org: string, query: ConsumptionQuery, options?: ReadOptions): Promise<Reading<Usage>>;
  /** The same as it came, for another thread to read. @throws PlatformError as `query`; `too-large` by the allowance */
  queryBody(org: string, query: ConsumptionQuery, options: BodyOptions): Promise<Reading<Body>>;
  /** Values of the current month can lag. @throws PlatformError */
  tagValues(org: string, query: TagValuesQuery, options?: ReadOptions): Promise<Reading<TagValues>>;
  /** Ends the calls that still run and closes the connections. */
  close(): Promise<void>;
}

export interface UsageDeps {
  usageUrl: string;
  /** The principals need `readMetrics` on their org (spec section 5). */
  credentialOf: OrgCredentials;
  limits?: Partial<HttpLimits>;
  turns?: Turns;
  /** How long repeated reads are remembered, ms (see `createReadCache`). */
  cacheMs?: number;
  now?: () => number;
}

export function createUsageClient(deps: UsageDeps): UsageClient {
  const { now = Date.now, cacheMs, limits } = deps;
  const cache = createReadCache({ now, ...(cacheMs === undefined ? {} : { ttlMs: cacheMs }) });
  const http = createOrgHttp({
    baseUrl: deps.usageUrl,
    credentialOf: deps.credentialOf,
    explainFor: explainUsage,
    limits,
    turns: deps.turns,
    now,
  });

  const queryBody: UsageClient['queryBody'] = async (org, query, options) => {
    checkUsageQuery(query);
    const path = pathOf('org', org, 'query');
    const { value, readAt } = await readBody(
      { cache, http: http.of(org) },
      path,
      bodyOf(query),
      options,
    );
    return { value: { body: value }, readAt };
  };

  return {
    queryBody,
    query: async (org, query, options = {}) =>
      readSmall(
        (asked) => queryBody(org, query, asked),
        options,
        (answer) => readResult(answer, query.groupBy, readUsageRow),
      ),
    async tagValues(org, query, options) {
      checkTagValuesQuery(query);
      const ofOrg = http.of(org);
      const path = pathOf('org', org, 'tags', 'values', 'query');
      const body = tagValuesBodyOf(query);
      const load = async () => readTagValues(await postSmall(ofOrg, path, body));
      return cache.read(`${path} ${JSON.stringify(body)}`, load, {
        ...options,
        weigh: ({ values }) => ROW_BYTES * values.length,
      });
    },
    close: () => http.close(),
  };
}
