import type { Explain } from './answer.ts';
import {
  bodyOf,
  checkTagValuesQuery,
  checkUsageQuery,
  explainQuery,
  readTagValues,
  tagValuesBodyOf,
  type ConsumptionQuery,
  type TagValues,
  type TagValuesQuery,
} from './consumption/query.ts';
import {
  postSmall,
  readBody,
  readResult,
  readSmall,
  readUsageRow,
  type BodyOptions,
  type ConsumptionResult,
  type UsageRow,
} from './consumption/result.ts';
import {
  pathOf,
  type Credential,
  createOrgHttp,
  forbiddenHint,
  orgKeyHint,
  type OrgApiOptions,
} from './http.ts';
import { createReadCache, ROW_BYTES, type Reading, type ReadOptions } from './concurrency.ts';

export type Usage = ConsumptionResult<UsageRow>;

interface Body {
  readonly body: Uint8Array;
}

/** The usage API: raw quantities of an org, without prices (spec 4.5, 4.6). */
export interface UsageClient {
  /**
   * The platform aligns times outward to whole steps: the periods of the answer show the summed range.
   * @throws PlatformError `bad-request` with `earliestStart` beyond the retention, `unauthorized`,
   *   `too-large` beyond 4 MB
   */
  query(org: string, query: ConsumptionQuery, options?: ReadOptions): Promise<Reading<Usage>>;
  /**
   * The raw answer, for another thread. @throws PlatformError as `query`; `too-large` beyond the allowance
   */
  queryBody(org: string, query: ConsumptionQuery, options: BodyOptions): Promise<Reading<Body>>;
  /** Values of the current month can lag. @throws PlatformError */
  tagValues(org: string, query: TagValuesQuery, options?: ReadOptions): Promise<Reading<TagValues>>;
  close(): Promise<void>;
}

/** The principals need `readMetrics` on their org (spec section 5). */
export function createUsageClient(options: OrgApiOptions): UsageClient {
  const { now, cacheMs } = options;
  const cache = createReadCache({ now, ttlMs: cacheMs });
  const http = createOrgHttp('usage', options, explainUsage);

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

/** Spec sections 5 and 7. */
export function explainUsage(org: string, kind: Credential['kind']): Explain {
  return (refusal) => {
    if (refusal.status === 401) {
      return { hint: `${orgKeyHint(org, PERMISSION)}; a deactivated org answers the same` };
    }
    return refusal.status === 403 ? { hint: forbiddenHint(kind) } : explainQuery(refusal);
  };
}

const PERMISSION = 'readMetrics on the org (readUsage does not grant it)';
