import { isIPv4 } from 'node:net';

/**
 * The CIDR range that an address is in the midst of: `10.0.0.0/8` for 10.1.2.3 and 8. Undefined where
 * the address is the first of its range, or belongs to an interface (`fe80::1%eth0`). Pure.
 * @param address of IPv4 or IPv6 @param bits that all addresses of the range share
 */
export function networkOf(address: string, bits: number): string | undefined {
  const isShort = isIPv4(address);
  if (!isShort && !URL.canParse(pageAt(address))) return undefined;
  const own = isShort ? fromParts(address.split('.'), 8) : fromParts(groupsOf(address), 16);
  const free = BigInt((isShort ? 32 : 128) - bits);
  const first = (own >> free) << free;
  if (first === own) return undefined;
  return `${isShort ? partsOf(first, 4, 8).join('.') : written(first)}/${bits}`;
}

function fromParts(parts: readonly string[], width: number): bigint {
  const base = width === 16 ? '0x' : '';
  return parts.reduce((sum, part) => (sum << BigInt(width)) + BigInt(base + part), 0n);
}

function partsOf(value: bigint, count: number, width: number): bigint[] {
  const last = 2n ** BigInt(width) - 1n;
  return Array.from(
    { length: count },
    (_, at) => (value >> BigInt((count - 1 - at) * width)) & last,
  );
}

/** URLs write addresses of IPv6 in one way only. */
function pageAt(address: string): string {
  return `http://[${address}]`;
}

function shortest(address: string): string {
  return new URL(pageAt(address)).hostname.slice(1, -1);
}

function groupsOf(address: string): string[] {
  const [before = '', after = ''] = shortest(address).split('::');
  const groups = (half: string): string[] => (half === '' ? [] : half.split(':'));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
}

function written(value: bigint): string {
  const groups = partsOf(value, 8, 16).map((group) => group.toString(16));
  return shortest(groups.join(':'));
}
