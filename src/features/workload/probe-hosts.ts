import { Refusal } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Brand } from '../../platform/workload/brand.ts';

/** Of workloads, aliases and prefixes: what stands between two dots of a host. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Where a workload answers globally (spec 2.14). */
export interface CanonicalAddress {
  readonly url: URL;
  /** The one without the org's prefix, when `url` has it. */
  readonly plain: URL | undefined;
}

/**
 * The canonical address, only ever below GLOBAL_DOMAIN, whatever the names are: over HTTPS, and over HTTP
 * below localhost alone, which never leaves the machine (RFC 6761).
 * @throws Refusal when GLOBAL_DOMAIN is missing or no domain, or a name makes no host
 */
export function canonicalAddress(
  { globalDomain, orgEndpointPrefixes }: Brand,
  org: string,
  { workload, alias }: { workload: string; alias: string },
): CanonicalAddress {
  if (globalDomain === undefined) {
    throw new Refusal(
      'Purser does not know the domain of global endpoints: whoever runs it has to set GLOBAL_DOMAIN.',
    );
  }
  const base = baseOf(globalDomain);
  const prefix = orgEndpointPrefixes.get(org);
  const name = `${workload}-${alias}`;
  const plain = below(base, name);
  return prefix === undefined
    ? { url: plain, plain: undefined }
    : { url: below(base, name, prefix), plain };
}

/** @throws Refusal */
function baseOf(domain: string): URL {
  if (!URL.canParse(`http://${domain}/`)) {
    throw new Refusal(
      `GLOBAL_DOMAIN is “${domain}”, which is no domain: whoever runs Purser has to correct it.`,
    );
  }
  const { hostname } = new URL(`http://${domain}/`);
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
  return new URL(`${isHere ? 'http' : 'https'}://${domain}/`);
}

/** @throws Refusal */
function below(base: URL, ...labels: readonly string[]): URL {
  const address = `${base.protocol}//${labels.join('.')}.${base.host}/`;
  const isHost = labels.every((label) => LABEL.test(label)) && URL.canParse(address);
  const url = isHost ? new URL(address) : undefined;
  // Looked at again once it is parsed: where a call goes is decided by the parser.
  if (url?.protocol !== base.protocol || !url.host.endsWith(`.${base.host}`)) {
    throw new Refusal(
      `There is no global address to call: “${truncate(labels.join('.'), 100)}” below ${base.host} makes no name of a host, whose parts take up to 63 letters, digits and dashes.`,
    );
  }
  return url;
}
