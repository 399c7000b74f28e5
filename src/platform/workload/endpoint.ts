/** What the endpoint of a deployment tells (spec 2.12 and 2.14), in lower case. */
export interface Endpoint {
  /** Of the GVC; the same in all its locations. */
  readonly alias: string;
  /** With its port, if it has one. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly location: string;
  /** What follows the location, with the port: `{location_domain}`. */
  readonly domain: string;
}

/** `cart-a1.aws.loc.example:8443/`, which a parser of URLs would take for a scheme. */
const WITHOUT_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/|$)/i;

/** Behind the name of the workload. An alias has 13 letters and digits (spec 2.15); that may change. */
const BEHIND_NAME = /^(?<alias>[a-z0-9]{1,63})\.(?<location>[a-z0-9-]{1,63})\.(?<domain>.+)$/;

/** An endpoint as an address: over HTTPS where it names no scheme. Undefined: it is none. */
export function endpointUrl(endpoint: string): URL | undefined {
  const address = WITHOUT_SCHEME.test(endpoint) ? `https://${endpoint}` : endpoint;
  return URL.canParse(address) ? new URL(address) : undefined;
}

/**
 * Reads `https://<workload>-<alias>.<location>.{location_domain}/`. A name may have dashes and an alias has
 * none, so nothing is ambiguous. Undefined for anything else, for example the endpoint of another workload
 * or of another location.
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
