import { createHttp, type Credential, type Http, type HttpLimits } from './http.ts';
import type { Explain } from './answer.ts';
import type { ConcurrencyLimits } from './concurrency.ts';
import { PlatformError } from './errors.ts';

/** The credential of an org; undefined when none is configured. */
type OrgCredentials = (org: string) => Credential | undefined;

/** Likely causes of a refused credential, as the end of a sentence (spec section 5). */

export const DELAY = 'changes take up to 5 minutes';

/** Of a 403: a workload's own token outside of its workload gives one. */
export function forbiddenHint(kind: Credential['kind']): string {
  return kind === 'workload'
    ? 'the token that a workload is injected with works only inside of that workload'
    : `it may lack a permission that this takes; ${DELAY}`;
}

/** Of a 401 of an org's key that lacks `permission`. */
export function orgKeyHint(org: string, permission: string): string {
  return `the key of org ${org} may be mistyped, expired or of another org, or lack ${permission}; ${DELAY}`;
}

/** What a client of orgs' APIs is made with. */
export interface OrgApiOptions {
  baseUrl: string;
  credentialOf: OrgCredentials;
  limits?: Partial<HttpLimits>;
  /** How many calls run at once; shared with the other clients of the platform. */
  concurrency?: ConcurrencyLimits;
  /** Milliseconds for which repeated reads are remembered, where they are (see `createReadCache`). */
  cacheMs?: number;
  now?: () => number;
}

/** An API that is called with each org's own credential, and never with that of another. */
interface OrgHttp {
  /** @throws PlatformError `unauthorized` when no credential is configured for the org */
  of(org: string): Http;
  /** Ends the calls that still run and closes the connections; a later call fails at once. */
  close(): Promise<void>;
}

/** @param explainFor what the API knows of its refusals, by what it was called with */
export function createOrgHttp(
  { baseUrl, credentialOf, limits, concurrency, now }: OrgApiOptions,
  explainFor: (org: string, kind: Credential['kind']) => Explain,
): OrgHttp {
  const opened = new Map<string, Http>();
  let isClosed = false;

  return {
    of(org) {
      const known = opened.get(org);
      if (known) return known;
      const credential = credentialOf(org);
      if (credential === undefined) {
        throw new PlatformError(
          'unauthorized',
          `no service account key is configured for org ${org}`,
        );
      }
      const http = createHttp({
        baseUrl,
        credential,
        explain: explainFor(org, credential.kind),
        limits,
        concurrency: concurrency?.of(org),
        now,
      });
      opened.set(org, http);
      if (isClosed) void http.close();
      return http;
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...opened.values()].map((http) => http.close()));
    },
  };
}
