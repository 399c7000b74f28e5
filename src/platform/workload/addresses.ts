import type { Brand } from './brand.ts';
import { endpointOf, endpointUrl } from './endpoint.ts';

/** What a deployment says of a workload in one location, as far as addresses are made of it. */
export interface Reported {
  readonly location: string;
  readonly endpoint: string | undefined;
  /** Undefined: the platform states none, which is not 0. */
  readonly replicas: number | undefined;
}

export interface AddressQuestion {
  readonly brand: Brand;
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  /** Each location once. */
  readonly reported: readonly Reported[];
  /** Of the GVC; undefined: nothing shows it. */
  readonly alias: string | undefined;
  /** In every location, in the place of what is reported. */
  readonly replicas?: number | undefined;
  readonly port?: number | undefined;
  readonly containers: readonly string[];
}

/** The addresses of a workload in one location. */
interface InLocation {
  readonly location: string;
  /** The host that is reported, else the one that the rule gives. */
  readonly host: string;
  /** Undefined: unknown. 0: none run. */
  readonly replicas: number | undefined;
  /** Of one replica; without an index it stands as a placeholder. */
  readonly replica: (index?: number) => string;
  readonly internalReplica: (index?: number) => string;
}

/** Every address of a workload (spec 2.14). What is unknown stands as a placeholder: `<gvcAlias>`, `{global_domain}`. */
export interface Addresses {
  readonly canonical: string;
  /** The same with the prefix of the org; `known`: one is configured. */
  readonly canonicalWithPrefix: { readonly host: string; readonly known: boolean };
  readonly locations: readonly InLocation[];
  readonly internal: string;
  /** How the containers of the workload reach each other. */
  readonly containers: readonly string[];
  readonly alias: string | undefined;
  /** Variables of Purser that are not set and missing here. */
  readonly missing: readonly ('GLOBAL_DOMAIN' | 'LOCATION_DOMAIN' | 'INTERNAL_DOMAIN')[];
  /** The location domain that the platform reports, where LOCATION_DOMAIN says another one. */
  readonly otherDomain: string | undefined;
}

/** Builds every address of spec 2.14. Where a deployment reports an endpoint, that counts. Pure. */
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
