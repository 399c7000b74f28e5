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

/** Behind the name of the workload. An alias has 13 letters and digits (spec 2.15); that may change. */
const BEHIND_NAME = /^(?<alias>[a-z0-9]{1,63})\.(?<location>[a-z0-9-]{1,63})\.(?<domain>.+)$/;

/**
 * Reads `https://<workload>-<alias>.<location>.{location_domain}/`. A name may have dashes and an alias has
 * none, so nothing is ambiguous. Undefined for anything else, for example the endpoint of another workload.
 */
export function endpointOf(endpoint: string, workload: string): Endpoint | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { protocol, host, pathname, search, hash, username, password } = new URL(endpoint);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  if (pathname + search + hash + username + password !== '/') return undefined;
  const name = `${workload.toLowerCase()}-`;
  if (!host.startsWith(name)) return undefined;
  const { alias, location, domain } = BEHIND_NAME.exec(host.slice(name.length))?.groups ?? {};
  if (alias === undefined || location === undefined || domain === undefined) return undefined;
  return { alias, host, scheme: protocol === 'https:' ? 'https' : 'http', location, domain };
}
