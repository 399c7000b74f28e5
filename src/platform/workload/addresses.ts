/** The values of `svc` and the domains of the specification (design section 7). */
export interface Brand {
  readonly prefix: string;
  readonly globalDomain?: string | undefined;
  readonly locationDomain?: string | undefined;
  readonly internalDomain?: string | undefined;
  readonly orgEndpointPrefixes: ReadonlyMap<string, string>;
}

export interface AddressQuestion {
  readonly brand: Brand;
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  /** Each location once. Undefined replicas: absent in the answer, which is not 0. */
  readonly reported: readonly {
    readonly location: string;
    readonly endpoint: string | undefined;
    readonly replicas: number | undefined;
  }[];
  /** Of the GVC; undefined: unknown. */
  readonly alias: string | undefined;
  /** In every location, instead of the reported number. */
  readonly replicas?: number | undefined;
  readonly port?: number | undefined;
  readonly containers: readonly string[];
}

export type Addresses = ReturnType<typeof addressesOf>;

/**
 * Every address of a workload (spec 2.14). Unknown parts are placeholders: `<gvcAlias>`, `{global_domain}`. A
 * reported endpoint takes precedence. Pure.
 */
export function addressesOf(question: AddressQuestion) {
  const { brand, org, gvc, workload, alias, reported, containers } = question;
  const { globalDomain, locationDomain, internalDomain } = brand;
  const port = question.port ?? '<port>';
  const read = reported.map((one) => ({
    ...one,
    domain: endpointOf(one.endpoint ?? '', { workload, location: one.location })?.domain,
  }));
  const domain = read.find((one) => one.domain !== undefined)?.domain;
  const name = `${workload}-${alias ?? '<gvcAlias>'}`;
  const global = globalDomain ?? '{global_domain}';
  const internal = internalDomain ?? '{internal_domain}';
  const prefix = brand.orgEndpointPrefixes.get(org);
  const isOther = locationDomain !== undefined && domain !== locationDomain.toLowerCase();
  return {
    canonical: `${name}.${global}`,
    /** With the prefix of the org; `known`: one is configured. */
    canonicalWithPrefix: {
      host: `${name}.${prefix ?? '<orgEndpointPrefix>'}.${global}`,
      known: prefix !== undefined,
    },
    locations: read.map(({ location, endpoint = '', domain: own, replicas }) => {
      const below = `${location}.${own ?? domain ?? locationDomain ?? '{location_domain}'}`;
      return {
        location,
        /** The reported host, else the one by the rule. */
        host: endpointUrl(endpoint)?.host || `${name}.${below}`,
        replicas: question.replicas ?? replicas,
        /** Of one replica; without an index it is a placeholder. */
        replica: (index?: number) => `${name}-${index ?? '<replicaIndex>'}.${below}`,
        internalReplica: (index?: number) =>
          `replica-${index ?? '<replicaIndex>'}.${workload}.${location}.${gvc}.${internal}:${port}`,
      };
    }),
    internal: `${workload}.${gvc}.${internal}:${port}`,
    containers: (containers.length > 0 ? containers : ['<containerName>']).map(
      (container) => `http://${container}:${port}`,
    ),
    alias,
    /** Unset variables of Purser that are needed here. */
    missing: [
      globalDomain === undefined ? ('GLOBAL_DOMAIN' as const) : undefined,
      (domain ?? locationDomain) === undefined ? ('LOCATION_DOMAIN' as const) : undefined,
      internalDomain === undefined ? ('INTERNAL_DOMAIN' as const) : undefined,
    ].filter((variable) => variable !== undefined),
    /** The reported location domain, if LOCATION_DOMAIN differs. */
    otherDomain: isOther ? domain : undefined,
  };
}

/** After the name of the workload. An alias has 13 letters and digits (spec 2.15); that may change. */
const BEHIND_NAME = /^(?<alias>[a-z0-9]{1,63})\.(?<location>[a-z0-9-]{1,63})\.(?<domain>.+)$/;

/**
 * Reads `https://<workload>-<alias>.<location>.{location_domain}/` (spec 2.12 and 2.14). A name may have dashes
 * and an alias has none, so it is unambiguous. The domain is everything after the location, with the port.
 * Undefined for anything else, for example the endpoint of another workload or location.
 */
export function endpointOf(
  endpoint: string,
  place: { readonly workload: string; readonly location: string },
): { alias: string; domain: string } | undefined {
  const url = endpointUrl(endpoint);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  const { host, pathname, search, hash, username, password } = url;
  if (pathname + search + hash + username + password !== '/') return undefined;
  const name = `${place.workload.toLowerCase()}-`;
  if (!host.startsWith(name)) return undefined;
  const { alias, location, domain } = BEHIND_NAME.exec(host.slice(name.length))?.groups ?? {};
  if (alias === undefined || domain === undefined) return undefined;
  return location === place.location.toLowerCase() ? { alias, domain } : undefined;
}

/** `cart-a1.aws.loc.example:8443/`, which a URL parser would take for a scheme. */
const WITHOUT_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/|$)/i;

/** HTTPS unless the endpoint names a scheme. Undefined for an invalid address. */
function endpointUrl(endpoint: string): URL | undefined {
  const address = WITHOUT_SCHEME.test(endpoint) ? `https://${endpoint}` : endpoint;
  return URL.canParse(address) ? new URL(address) : undefined;
}
