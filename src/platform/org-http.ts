import { createScrubber } from '../lib/scrub.ts';
import type { Explain } from './answer.ts';
import { authorizationOf } from './credential.ts';
import type { Credential, OrgCredentials } from './credential.ts';
import { PlatformError } from './errors.ts';
import { createHttp } from './http.ts';
import type { Http, HttpLimits } from './http.ts';
import type { Turns } from './turns.ts';

export interface OrgHttpDeps {
  baseUrl: string;
  credentialOf: OrgCredentials;
  /** What the API knows of its refusals, by what it was called with. */
  explainFor: (org: string, kind: Credential['kind']) => Explain;
  limits?: Partial<HttpLimits> | undefined;
  /** How many calls run at once; shared with what else asks the platform. */
  turns?: Turns | undefined;
  now?: (() => number) | undefined;
}

/** An API that is called with each org's own credential, and never with that of another. */
export interface OrgHttp {
  /** @throws PlatformError `unauthorized` when no credential is configured for the org */
  of(org: string): Http;
  /** Ends the calls that still run and closes the connections; a later call fails at once. */
  close(): Promise<void>;
}

export function createOrgHttp(deps: OrgHttpDeps): OrgHttp {
  const { baseUrl, credentialOf, explainFor, limits, turns, now } = deps;
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
        authorization: () => authorizationOf(credential),
        scrub: createScrubber([credential.secret]),
        explain: explainFor(org, credential.kind),
        ...(limits ? { limits } : {}),
        ...(turns ? { turn: turns.of(org) } : {}),
        ...(now ? { now } : {}),
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
