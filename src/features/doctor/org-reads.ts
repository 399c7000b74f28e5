import { createOrgCharges } from '../../platform/billing/charges.ts';
import type { OrgChargesClient } from '../../platform/billing/charges.ts';
import { createDeploymentsClient } from '../../platform/deployments/client.ts';
import type { DeploymentsClient } from '../../platform/deployments/client.ts';
import type { DeploymentList } from '../../platform/deployments/deployment.ts';
import type { Credential } from '../../platform/http.ts';
import { createUsageClient } from '../../platform/usage.ts';
import type { UsageClient } from '../../platform/usage.ts';
import type { Watch } from '../../rollouts/watches.ts';
import {
  askCatalogue,
  closing,
  HOUR_MS,
  isRefused,
  isSameToken,
  kindOf,
  lastHour,
  LIMITS,
  orgsWithKey,
  resultOf,
  valueOf,
} from './platform-calls.ts';
import type { CallResult, PlatformServices, TokenKind } from './platform-calls.ts';

/** What is watched: a GVC, or one workload of it. */
type WatchedPlace = Pick<Watch, 'org' | 'gvc' | 'workload'>;

/** A GVC that was read; not watched: it is one that does not exist. */
export interface GvcFacts {
  readonly gvc: string;
  readonly isWatched: boolean;
  readonly list: CallResult<DeploymentList>;
}

/** What was found out with the key of an org. */
export interface OrgFacts {
  readonly org: string;
  readonly credential: Credential['kind'];
  /** Anything but `unknown` was not sent. */
  readonly token: TokenKind;
  /** Orgs with the same key. */
  readonly sharedWith: readonly string[];
  readonly isUserToken: boolean;
  readonly places: readonly WatchedPlace[];
  /** Empty where API_URL does not answer. */
  readonly gvcs: readonly GvcFacts[];
  /** Absent where USAGE_URL is not set or does not answer. */
  readonly usage: CallResult<unknown> | undefined;
  /** Absent without ORG_CHARGES. */
  readonly charges: CallResult<unknown> | undefined;
  /** Whether the platform knows the key at all; undefined: not asked, or not answered. */
  readonly isValid: boolean | undefined;
}

/** A GVC that does not exist: that it is not found shows that the key is accepted. */
export const NO_GVC = 'purser-doctor-asks';
/** Watched GVCs of an org that are looked at: each is a list of its own. */
const MAX_GVCS = 20;
const MONTH_MS = 30 * 86_400_000;

interface Clients {
  readonly deployments: DeploymentsClient | undefined;
  readonly usage: UsageClient | undefined;
  readonly charges: OrgChargesClient | undefined;
}

/** Asks with the key of every org. @param usable which addresses answer: the others are not asked again */
export function readOrgs(
  services: PlatformServices,
  usable: { readonly api: boolean; readonly usage: boolean },
  watched: readonly WatchedPlace[],
  signal: AbortSignal,
): Promise<readonly OrgFacts[]> {
  const { api, orgChargesUrl, usageUrl } = services.config;
  const { credentials } = api;
  const options = { credentialOf: (org: string) => credentials.get(org), limits: LIMITS };
  const clients: Clients = {
    deployments: usable.api ? createDeploymentsClient({ ...options, baseUrl: api.url }) : undefined,
    usage:
      usable.usage && usageUrl !== undefined
        ? createUsageClient({ ...options, baseUrl: usageUrl })
        : undefined,
    charges:
      orgChargesUrl === undefined
        ? undefined
        : createOrgCharges({ ...options, baseUrl: orgChargesUrl, orgs: [...credentials.keys()] }),
  };
  const opened = Object.values(clients).filter((client) => client !== undefined);
  return closing(opened, signal, () =>
    Promise.all(
      [...credentials].map(([org, credential]) => {
        const places = watched.filter((place) => place.org === org);
        return readOrg(services, clients, { org, credential, places }, signal);
      }),
    ),
  );
}

async function readOrg(
  services: PlatformServices,
  clients: Clients,
  {
    org,
    credential,
    places,
  }: { org: string; credential: Credential; places: readonly WatchedPlace[] },
  signal: AbortSignal,
): Promise<OrgFacts> {
  const { api, billing, brand } = services.config;
  const { kind, secret } = credential;
  const known = {
    org,
    credential: kind,
    token: kindOf(secret, brand.prefix),
    sharedWith: orgsWithKey(secret, api.credentials).filter((other) => other !== org),
    isUserToken: isSameToken(secret, billing?.userToken),
    places,
  };
  // A billing token works on account paths alone, so it is sent to no other (spec section 5).
  if (known.token !== 'unknown')
    return { ...known, gvcs: [], usage: undefined, charges: undefined, isValid: undefined };

  const now = services.clock.now();
  const [gvcs, usage, charges] = await Promise.all([
    clients.deployments ? readGvcs(clients.deployments, org, places) : [],
    clients.usage && valueOf(clients.usage.tagValues(org, lastMonth(now))),
    clients.charges && valueOf(clients.charges.org(org, lastHour(now))),
  ]);
  const results = [...gvcs.map(({ list }) => list), usage, charges];
  const isDoubted = !results.some((result) => result?.ok) || results.some(isRefused);
  // What a workload is injected with works only inside of it, so it is sent to no other place.
  const isAsked = isDoubted && billing !== undefined && kind !== 'workload';
  const catalogue = isAsked ? await askCatalogue(billing, credential, signal) : undefined;
  const isValid = catalogue?.ok ? true : isRefused(catalogue) ? false : undefined;
  return { ...known, gvcs, usage, charges, isValid };
}

async function readGvcs(
  deployments: DeploymentsClient,
  org: string,
  places: readonly WatchedPlace[],
): Promise<readonly GvcFacts[]> {
  const names = [...new Set(places.map(({ gvc }) => gvc))].slice(0, MAX_GVCS);
  const isWatched = names.length > 0;
  return Promise.all(
    (isWatched ? names : [NO_GVC]).map(async (gvc) => {
      return { gvc, isWatched, list: await resultOf(deployments.listGvc(org, gvc)) };
    }),
  );
}

/** The smallest question for usage of an org. @param now milliseconds since the epoch */
function lastMonth(now: number): { startTime: string; endTime: string; tag: string } {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return {
    startTime: new Date(end - MONTH_MS).toISOString(),
    endTime: new Date(end).toISOString(),
    tag: 'gvc',
  };
}
