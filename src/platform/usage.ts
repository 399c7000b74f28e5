import type { Explain } from './answer.ts';
import {
  bodyOf,
  checkUsageQuery,
  explainQuery,
  type ConsumptionQuery,
  type TagValuesQuery,
} from './consumption/query.ts';
import {
  askTagValues,
  readBody,
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
import { createReadCache, type ReadOptions } from './concurrency.ts';

export type Usage = ConsumptionResult<UsageRow>;

export type UsageClient = ReturnType<typeof createUsageClient>;

/**
 * The usage API: raw quantities of an org, without prices (spec 4.5, 4.6). The principals need `readMetrics` on
 * their org (spec section 5).
 */
export function createUsageClient(options: OrgApiOptions) {
  const { now, cacheMs } = options;
  const cache = createReadCache({ now, ttlMs: cacheMs });
  const http = createOrgHttp('usage', options, explainUsage);

  return {
    /**
     * The raw answer, for another thread. The platform aligns times outward to whole steps: the periods of
     * the answer show the summed range.
     * @throws PlatformError `bad-request` with `earliestStart` beyond the retention, `unauthorized`,
     *   `too-large` beyond the allowance
     */
    async queryBody(org: string, query: ConsumptionQuery, options: BodyOptions) {
      checkUsageQuery(query);
      const caller = { cache, http: http.of(org) };
      const path = pathOf('org', org, 'query');
      const { value: body, readAt } = await readBody(caller, path, bodyOf(query), options);
      return { value: { body }, readAt };
    },
    tagValues: async (org: string, query: TagValuesQuery, options?: ReadOptions) =>
      askTagValues(
        { cache, http: http.of(org) },
        pathOf('org', org, 'tags', 'values', 'query'),
        query,
        options,
      ),
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
