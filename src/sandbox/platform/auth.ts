import type { Org } from './deployments/model.ts';
import { SandboxError } from './errors.ts';

/** Who can call: service account keys of orgs, and what workloads are injected with. */
export interface Auth {
  /** Org -> service account key; the same on every run. */
  readonly tokens: Record<string, string>;
  /** The org whose key the Authorization header carries, if any. */
  orgOf(header: string | undefined): string | undefined;
  /** Refuses with 401 what may not read `org` (or nothing at all), and with 403 a workload's own token (spec 5). */
  check(header: string | undefined, org: string | undefined): void;
}

const BEARER = /^bearer +(\S+)$/i;
/** `SVC_TOKEN` of every workload here, sent plain; from outside of the workload it opens nothing. */
const WORKLOAD_TOKEN = /^(bearer +)?sandbox-workload-\S+$/i;

export function createAuth(orgs: ReadonlyMap<string, Org>): Auth {
  const tokens = Object.fromEntries([...orgs.keys()].map((org) => [org, `sandbox-key-${org}`]));
  const orgOf = (header: string | undefined) => {
    const token = BEARER.exec(header ?? '')?.[1];
    return Object.keys(tokens).find((org) => tokens[org] === token);
  };

  return {
    tokens,
    orgOf,
    check(header, org) {
      if (WORKLOAD_TOKEN.test(header ?? '')) {
        throw new SandboxError(403, 'a workload token is valid only inside of its workload');
      }
      const owner = orgOf(header);
      if (owner === undefined) throw new SandboxError(401, 'missing or invalid token');
      if (org !== undefined && owner !== org)
        throw new SandboxError(401, `this token has no access to the org ${org}`);
    },
  };
}
