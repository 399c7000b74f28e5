import { rfc3339 } from '../../figures/consumption-query.ts';
import { pathOf } from '../../platform/address.ts';
import type { BareAnswer } from '../../platform/bare-http.ts';
import { createOrgCharges } from '../../platform/billing/charges.ts';
import type { OrgChargesClient } from '../../platform/billing/charges.ts';
import { createBillingClient } from '../../platform/billing/client.ts';
import type { ConsumptionQuery } from '../../platform/consumption/query.ts';
import type { Credential } from '../../platform/credential.ts';
import { createDeploymentsClient } from '../../platform/deployments/client.ts';
import type { DeploymentsClient } from '../../platform/deployments/client.ts';
import { createUsageClient } from '../../platform/usage/client.ts';
import type { UsageClient } from '../../platform/usage/client.ts';
import type { Check, Finding } from './check.ts';
import { off } from './findings.ts';
import { closing } from './platform-closing.ts';
import type { PlatformCheckDeps, WatchedPlace } from './platform-deps.ts';
import { isSameToken, kindOf, orgsWithKey } from './platform-kind.ts';
import { isAnswered, judgeOrg } from './platform-org-judge.ts';
import type { SeenGvc, SeenOrg } from './platform-org-judge.ts';
import { isThere, judgeReach, reach } from './platform-reach.ts';
import type { Address } from './platform-reach.ts';
import { isRefused, see, seeValue } from './platform-seen.ts';
import type { Seen } from './platform-seen.ts';

/** A GVC that nobody has: that it is not found shows that the key is accepted. */
const NO_GVC = 'purser-doctor-asks';
/** Watched GVCs of an org that are looked at: each is a list of its own. */
const MAX_GVCS = 20;
const MONTH_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;
/** One repetition, so that a flaw of a second is no finding. */
const LIMITS = { attempts: 2 };

/** API_URL, USAGE_URL, the key of every org, and what is watched (spec 4.4 to 4.6 and section 5). */
export function createOrgsCheck(deps: PlatformCheckDeps): Check {
  return {
    area: 'Platform',
    async look(signal) {
      const [api, usage] = [apiOf(deps), usageOf(deps)];
      const [watched, seenApi, seenUsage] = await Promise.all([
        // Without Redis they are not known, which has its own finding.
        deps.watched().catch(() => undefined),
        reach(deps.bare, api, signal),
        usage && reach(deps.bare, usage, signal),
      ]);
      const clients = openClients(deps, {
        api: isThere(seenApi),
        usage: seenUsage !== undefined && isThere(seenUsage),
      });
      const orgs = await closing(clients.all, signal, () =>
        Promise.all(
          [...deps.credentials].map(([org, credential]) =>
            lookAtOrg({ deps, clients, org, credential, watched: watched ?? [], signal }),
          ),
        ),
      );
      return [
        ...judged(orgs, { api, seenApi, usage, seenUsage }),
        ...(watched?.length === 0 ? [NO_WATCH] : []),
      ];
    },
  };
}

interface Reached {
  readonly api: Address;
  readonly seenApi: Seen<BareAnswer>;
  readonly usage: Address | undefined;
  readonly seenUsage: Seen<BareAnswer> | undefined;
}

function judged(
  orgs: readonly SeenOrg[],
  { api, seenApi, usage, seenUsage }: Reached,
): readonly Finding[] {
  const lists = orgs.flatMap(({ gvcs }) => gvcs.map(({ list }) => list));
  const usages = orgs.flatMap((org) => org.usage ?? []);
  const apiFinding = judgeReach(api, seenApi, lists.some(isAnswered));
  const usageFinding = usage && seenUsage && judgeReach(usage, seenUsage, usages.some(isAnswered));
  const addresses = {
    api: apiFinding.state === 'well',
    hasLists: lists.some(({ ok }) => ok),
    usage: usageFinding?.state === 'well',
  };
  return [
    apiFinding,
    ...(usageFinding ? [usageFinding] : []),
    ...orgs.flatMap((org) => judgeOrg(org, addresses)),
  ];
}

const NO_WATCH = off('Watches', 'nothing is watched: /deployments watch GVC or WATCHES begins one');

/** Answers 401 where the path is right: nobody says who asks. */
function apiOf({ urls, credentials }: PlatformCheckDeps): Address {
  const path = pathOf('org', firstOf(credentials), 'gvc', NO_GVC, 'workload', '-deployment');
  return { variable: 'API_URL', url: urls.api, path, isGet: true };
}

function usageOf({ urls, credentials }: PlatformCheckDeps): Address | undefined {
  const path = pathOf('org', firstOf(credentials), 'query');
  return urls.usage === undefined
    ? undefined
    : { variable: 'USAGE_URL', url: urls.usage, path, isGet: false };
}

function firstOf(credentials: ReadonlyMap<string, Credential>): string {
  const [org = 'none'] = credentials.keys();
  return org;
}

interface Clients {
  readonly deployments: DeploymentsClient | undefined;
  readonly usage: UsageClient | undefined;
  readonly charges: OrgChargesClient | undefined;
  readonly all: readonly { close(): Promise<void> }[];
}

/** @param there which of the addresses answer: the others are not asked again */
function openClients(
  { urls, credentials }: PlatformCheckDeps,
  there: { readonly api: boolean; readonly usage: boolean },
): Clients {
  const shared = { credentialOf: (org: string) => credentials.get(org), limits: LIMITS };
  const deployments = there.api
    ? createDeploymentsClient({ ...shared, apiUrl: urls.api })
    : undefined;
  const usage =
    there.usage && urls.usage !== undefined
      ? createUsageClient({ ...shared, usageUrl: urls.usage })
      : undefined;
  const charges =
    urls.orgCharges === undefined
      ? undefined
      : createOrgCharges({
          billingUrl: urls.orgCharges,
          orgCredentialOf: shared.credentialOf,
          limits: LIMITS,
          orgs: [...credentials.keys()],
        });
  return {
    deployments,
    usage,
    charges,
    all: [deployments, usage, charges].filter((client) => client !== undefined),
  };
}

interface OrgLook {
  readonly deps: PlatformCheckDeps;
  readonly clients: Clients;
  readonly org: string;
  readonly credential: Credential;
  readonly watched: readonly WatchedPlace[];
  readonly signal: AbortSignal;
}

async function lookAtOrg(look: OrgLook): Promise<SeenOrg> {
  const { deps, clients, org, credential, watched, signal } = look;
  const { kind, secret } = credential;
  const token = kindOf(secret, deps.prefix);
  const base = {
    org,
    credential: kind,
    token,
    sharedWith: orgsWithKey(secret, deps.credentials).filter((other) => other !== org),
    isUserToken: isSameToken(secret, deps.account?.userToken),
  };
  const places = watched.filter((place) => place.org === org);
  // It works on account paths alone, so it is sent to no other (spec section 5).
  if (token !== 'unknown')
    return { ...base, places, gvcs: [], usage: undefined, charges: undefined, isValid: undefined };

  const [gvcs, usage, charges] = await Promise.all([
    lookAtGvcs(clients, org, places),
    clients.usage && seeValue(clients.usage.tagValues(org, lastMonth(deps.clock.now()))),
    clients.charges && seeValue(clients.charges.org(org, lastHour(deps.clock.now()))),
  ]);
  const isShown = usage?.ok === true || charges?.ok === true || gvcs.some(({ list }) => list.ok);
  const isDoubted =
    !isShown || gvcs.some(({ list }) => isRefused(list)) || isRefused(usage) || isRefused(charges);
  const isValid = isDoubted ? await isTokenValid(deps, credential, signal) : undefined;
  return { ...base, places, gvcs, usage, charges, isValid };
}

async function lookAtGvcs(
  { deployments }: Clients,
  org: string,
  places: readonly WatchedPlace[],
): Promise<readonly SeenGvc[]> {
  if (deployments === undefined) return [];
  const names = [...new Set(places.map(({ gvc }) => gvc))].slice(0, MAX_GVCS);
  const asked = names.length > 0 ? names : [NO_GVC];
  return Promise.all(
    asked.map(async (gvc) => ({
      gvc,
      isWatched: names.length > 0,
      list: await see(deployments.listGvc(org, gvc)),
    })),
  );
}

/**
 * Whether the platform knows the key at all. It goes to the catalogue, which belongs to no account: that
 * takes any valid token (spec 4.1), and nothing else does. What a workload is injected with works only
 * inside of it, so it is sent to no other place.
 */
async function isTokenValid(
  { urls, account }: PlatformCheckDeps,
  credential: Credential,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (urls.billing === undefined || account === undefined) return undefined;
  if (credential.kind === 'workload') return undefined;
  const client = createBillingClient({
    billingUrl: urls.billing,
    accountId: account.id,
    accountCredential: credential,
    orgCredentialOf: () => undefined,
    limits: LIMITS,
  });
  const seen = await closing([client], signal, () => seeValue(client.charges.chargeableItems()));
  return seen.ok ? true : isRefused(seen) ? false : undefined;
}

/** The smallest question that takes the right. */
function lastHour(now: number): ConsumptionQuery {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return {
    startTime: rfc3339(end - HOUR_MS),
    endTime: rfc3339(end),
    timeStep: 'hour',
    groupBy: [],
    consumptionQueries: [{ aggregateBy: ['metric', 'locationType'] }],
  };
}

function lastMonth(now: number): { startTime: string; endTime: string; tag: string } {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return {
    startTime: new Date(end - MONTH_MS).toISOString(),
    endTime: new Date(end).toISOString(),
    tag: 'gvc',
  };
}
