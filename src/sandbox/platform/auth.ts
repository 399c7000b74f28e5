import { SandboxError } from './errors.ts';

/** How an Authorization header carries what it carries. */
export interface Authorization {
  readonly scheme: 'Bearer' | 'plain' | 'none';
  readonly token: string;
}

/** A service account key of an org. */
export interface OrgKey {
  readonly org: string;
  readonly kind: 'service-account' | 'superuser' | 'read-usage';
  readMetrics: boolean;
}

/** The keys of the orgs, and what they open on the deployments API. */
export interface Auth {
  /** Org -> service account key; the same on every run. */
  readonly tokens: Record<string, string>;
  /** The org key that the Authorization header carries, if any. */
  keyOf(header: string | undefined): OrgKey | undefined;
  /** Refuses with 401 what may not read `org` (or nothing at all), and with 403 a workload's own token (spec 5). */
  check(header: string | undefined, org: string | undefined): void;
  /** Gives a new org its superuser key, which has `readMetrics` through `manage`. */
  issueSuperuserKey(org: string, secret: string): void;
  /** Grants or takes `readMetrics` of the org's service account; 404 when nothing is there. */
  setReadMetrics(org: string, granted: boolean): void;
}

/** `SVC_TOKEN` of every workload here. */
const WORKLOAD_TOKEN = /^sandbox-workload-\S+$/i;

/** Takes the header apart; a workload's token is the plain value, all others are Bearer (spec 5). */
export function readAuthorization(header: string | undefined): Authorization {
  if (header === undefined || header === '') return { scheme: 'none', token: '' };
  const bearer = /^bearer +(\S+)$/i.exec(header)?.[1];
  return bearer === undefined
    ? { scheme: 'plain', token: header }
    : { scheme: 'Bearer', token: bearer };
}

export function isWorkloadToken({ token }: Authorization): boolean {
  return WORKLOAD_TOKEN.test(token);
}

/** A workload's own token opens nothing from outside of the workload: 403 on every API (spec 5). */
export function refuseWorkload(authorization: Authorization): void {
  if (!isWorkloadToken(authorization)) return;
  throw new SandboxError(403, 'a workload token is valid only inside of its workload');
}

/** @param names the orgs that have keys */
export function createAuth(names: readonly string[]): Auth {
  const tokens = Object.fromEntries(names.map((org) => [org, `sandbox-key-${org}`]));
  const keys = new Map<string, OrgKey>();
  for (const org of names) {
    keys.set(`sandbox-key-${org}`, { org, kind: 'service-account', readMetrics: true });
    keys.set(`sandbox-readusage-${org}`, { org, kind: 'read-usage', readMetrics: false });
  }
  const keyOf = (header: string | undefined) => {
    const { scheme, token } = readAuthorization(header);
    return scheme === 'Bearer' ? keys.get(token) : undefined;
  };

  return {
    tokens,
    keyOf,
    check(header, org) {
      refuseWorkload(readAuthorization(header));
      const key = keyOf(header);
      if (key === undefined) throw new SandboxError(401, 'missing or invalid token');
      if (org !== undefined && key.org !== org)
        throw new SandboxError(401, `this token has no access to the org ${org}`);
      if (key.kind === 'read-usage')
        throw new SandboxError(401, 'this token may not view workloads');
    },
    issueSuperuserKey(org, secret) {
      keys.set(secret, { org, kind: 'superuser', readMetrics: true });
    },
    setReadMetrics(org, granted) {
      const key = keys.get(tokens[org] ?? '');
      if (key === undefined) throw new SandboxError(404, `the org ${org} has no service account`);
      key.readMetrics = granted;
    },
  };
}
