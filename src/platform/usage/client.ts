import { pathOf } from '../address.ts';
import { checkTagValuesQuery, checkUsageQuery } from '../consumption/check-query.ts';
import { bodyOf } from '../consumption/query.ts';
import type { ConsumptionQuery } from '../consumption/query.ts';
import { countRows, readResult, readUsageRow } from '../consumption/result.ts';
import type { ConsumptionResult, UsageRow } from '../consumption/result.ts';
import { readTagValues, tagValuesBodyOf } from '../consumption/tag-values.ts';
import type { TagValues, TagValuesQuery } from '../consumption/tag-values.ts';
import type { OrgCredentials } from '../credential.ts';
import type { HttpLimits } from '../http.ts';
import { createOrgHttp } from '../org-http.ts';
import { createReadCache } from '../read-cache.ts';
import type { Reading, ReadOptions } from '../read-cache.ts';
import { explainUsage } from './explain.ts';

export type Usage = ConsumptionResult<UsageRow>;

/** The usage API: raw quantities of an org, without prices (spec 4.5, 4.6). */
export interface UsageClient {
  /**
   * Times are aligned outward to whole steps by the platform: the periods say what was summed.
   * @throws PlatformError `bad-request` with `earliestStart` beyond the retention, `unauthorized`
   */
  query(org: string, query: ConsumptionQuery, options?: ReadOptions): Promise<Reading<Usage>>;
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
    now,
  });

  async function ask<T>(
    org: string,
    path: string,
    body: object,
    reading: ReadOptions & { read: (answer: unknown) => T; weigh: (value: T) => number },
  ): Promise<Reading<T>> {
    const ofOrg = http.of(org);
    const load = async () => {
      const answer = await ofOrg.send({ method: 'POST', path, body, repeatable: true });
      return reading.read(answer.body);
    };
    return cache.read(`${path} ${JSON.stringify(body)}`, load, reading);
  }

  return {
    async query(org, query, options) {
      checkUsageQuery(query);
      return ask(org, pathOf('org', org, 'query'), bodyOf(query), {
        ...options,
        read: (answer) => readResult(answer, query.groupBy, readUsageRow),
        weigh: (usage) => countRows(usage),
      });
    },
    async tagValues(org, query, options) {
      checkTagValuesQuery(query);
      return ask(org, pathOf('org', org, 'tags', 'values', 'query'), tagValuesBodyOf(query), {
        ...options,
        read: readTagValues,
        weigh: ({ values }) => values.length,
      });
    },
    close: () => http.close(),
  };
}
