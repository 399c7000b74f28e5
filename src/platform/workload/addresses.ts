/** The values of `svc` and the domains of the specification (design section 7). */
export interface Brand {
  readonly prefix: string;
  readonly globalDomain?: string | undefined;
  readonly locationDomain?: string;
  readonly internalDomain?: string;
  readonly orgEndpointPrefixes: ReadonlyMap<string, string>;
}

interface Reported {
  readonly location: string;
  readonly endpoint: string | undefined;
  /** Undefined: absent in the answer, which is not 0. */
  readonly replicas: number | undefined;
}

export interface AddressQuestion {
  readonly brand: Brand;
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  /** Each location once. */
  readonly reported: readonly Reported[];
  /** Of the GVC; undefined: unknown. */
  readonly alias: string | undefined;
  /** In every location, instead of the reported number. */
  readonly replicas?: number | undefined;
  readonly port?: number | undefined;
  readonly containers: readonly string[];
}

interface InLocation {
  readonly location: string;
  /** The reported host, else the one by the rule. */
  readonly host: string;
  readonly replicas: number | undefined;
  /** Of one replica; without an index it is a placeholder. */
  readonly replica: (index?: number) => string;
  readonly internalReplica: (index?: number) => string;
}

/**
 * Every address of a workload (spec 2.14). Unknown parts are placeholders: `<gvcAlias>`, `{global_domain}`.
 */
export interface Addresses {
  readonly canonical: string;
  /** With the prefix of the org; `known`: one is configured. */
  readonly canonicalWithPrefix: { readonly host: string; readonly known: boolean };
  readonly locations: readonly InLocation[];
  readonly internal: string;
  readonly containers: readonly string[];
  readonly alias: string | undefined;
  /** Unset variables of Purser that are needed here. */
  readonly missing: readonly ('GLOBAL_DOMAIN' | 'LOCATION_DOMAIN' | 'INTERNAL_DOMAIN')[];
  /** The reported location domain, if LOCATION_DOMAIN differs. */
  readonly otherDomain: string | undefined;
}

/** Builds every address of spec 2.14. A reported endpoint takes precedence. Pure. */
export function addressesOf(question: AddressQuestion): Addresses {
  const { brand, org, gvc, workload, alias, reported, containers } = question;
  const port = question.port ?? '<port>';
  const read = reported.map((one) => ({
    ...one,
    found: endpointOf(one.endpoint ?? '', { workload, location: one.location }),
  }));
  const domain = read.find(({ found }) => found !== undefined)?.found?.domain;
  const name = `${workload}-${alias ?? '<gvcAlias>'}`;
  const global = brand.globalDomain ?? '{global_domain}';
  const internal = brand.internalDomain ?? '{internal_domain}';
  const prefix = brand.orgEndpointPrefixes.get(org);
  const fallback = domain ?? brand.locationDomain ?? '{location_domain}';
  return {
    canonical: `${name}.${global}`,
    canonicalWithPrefix: {
      host: `${name}.${prefix ?? '<orgEndpointPrefix>'}.${global}`,
      known: prefix !== undefined,
    },
    locations: read.map(({ location, endpoint, found, replicas }) => {
      const below = `${location}.${found?.domain ?? fallback}`;
      return {
        location,
        host: hostOf(endpoint) ?? `${name}.${below}`,
        replicas: question.replicas ?? replicas,
        replica: (index) => `${name}-${index ?? '<replicaIndex>'}.${below}`,
        internalReplica: (index) =>
          `replica-${index ?? '<replicaIndex>'}.${workload}.${location}.${gvc}.${internal}:${port}`,
      };
    }),
    internal: `${workload}.${gvc}.${internal}:${port}`,
    containers: (containers.length > 0 ? containers : ['<containerName>']).map(
      (container) => `http://${container}:${port}`,
    ),
    alias,
    missing: missingOf(brand, fallback),
    otherDomain: isOther(domain, brand.locationDomain) ? domain : undefined,
  };
}

function isOther(reported: string | undefined, configured: string | undefined): boolean {
  return configured !== undefined && reported !== configured.toLowerCase();
}

function hostOf(endpoint: string | undefined): string | undefined {
  return (endpoint === undefined ? undefined : endpointUrl(endpoint)?.host) || undefined;
}

function missingOf(brand: Brand, locationDomain: string): Addresses['missing'] {
  return [
    ...(brand.globalDomain === undefined ? (['GLOBAL_DOMAIN'] as const) : []),
    ...(locationDomain === '{location_domain}' ? (['LOCATION_DOMAIN'] as const) : []),
    ...(brand.internalDomain === undefined ? (['INTERNAL_DOMAIN'] as const) : []),
  ];
}

/** Parts of a deployment's endpoint (spec 2.12 and 2.14), in lower case. */
interface Endpoint {
  /** Of the GVC; the same in all its locations. */
  readonly alias: string;
  /** With the port, if any. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly location: string;
  /** Everything after the location, with the port: `{location_domain}`. */
  readonly domain: string;
}

/**
 * Reads `https://<workload>-<alias>.<location>.{location_domain}/`. A name may have dashes and an alias has
 * none, so it is unambiguous. Undefined for anything else, for example the endpoint of another workload or
 * location.
 */
export function endpointOf(
  endpoint: string,
  place: { readonly workload: string; readonly location: string },
): Endpoint | undefined {
  const url = endpointUrl(endpoint);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  const { protocol, host, pathname, search, hash, username, password } = url;
  if (pathname + search + hash + username + password !== '/') return undefined;
  const name = `${place.workload.toLowerCase()}-`;
  if (!host.startsWith(name)) return undefined;
  const { alias, location, domain } = BEHIND_NAME.exec(host.slice(name.length))?.groups ?? {};
  if (alias === undefined || location === undefined || domain === undefined) return undefined;
  if (location !== place.location.toLowerCase()) return undefined;
  return { alias, host, scheme: protocol === 'https:' ? 'https' : 'http', location, domain };
}

/** HTTPS unless the endpoint names a scheme. Undefined for an invalid address. */
function endpointUrl(endpoint: string): URL | undefined {
  const address = WITHOUT_SCHEME.test(endpoint) ? `https://${endpoint}` : endpoint;
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** `cart-a1.aws.loc.example:8443/`, which a URL parser would take for a scheme. */
const WITHOUT_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/|$)/i;

/** After the name of the workload. An alias has 13 letters and digits (spec 2.15); that may change. */
const BEHIND_NAME = /^(?<alias>[a-z0-9]{1,63})\.(?<location>[a-z0-9-]{1,63})\.(?<domain>.+)$/;
