import { isIP, isIPv4 } from 'node:net';
import { nearest } from '../../lib/text.ts';
import {
  copied,
  either,
  error,
  note,
  shortened,
  spoken,
  warning,
  type Judgment,
} from './finding.ts';
import type { ValueNode } from './manifest/node.ts';
import { listedValues, valueText, type TagValue } from './tags.ts';

/**
 * Whether the value of a special tag is one of those that spec 2.16 lists. YAML's `true` and the text
 * `"true"` are the same here, as are `443` and `"443"`: tags are text. Pure.
 */
export function tagValueJudgment(node: ValueNode, takes: TagValue): Judgment | undefined {
  const text = node.text.trim();
  switch (takes.kind) {
    case 'flag':
      return flagJudgment(node, text);
    case 'boolean':
    case 'enum':
      return listedJudgment(node, text, listedValues(takes) ?? []);
    case 'port':
      return (takes.several ? partsOf(text) : [text]).every((one) => isWhole(one, 1, 65_535))
        ? undefined
        : notTaken(node, 'a port number, 1 to 65535', `a number such as ${copied('8080')}`);
    case 'seconds':
      return isWhole(text, 1, takes.max)
        ? undefined
        : notTaken(node, `whole seconds, 1 to ${takes.max}`, `a number up to ${takes.max}`);
    case 'duration':
      return durationJudgment(node, text);
    case 'cidr':
      return cidrsJudgment(node, text);
    case 'host':
      return hostJudgment(node, text);
    case 'text':
      if (text === '') return error('is empty', `write the ${valueText(takes)}, or remove the tag`);
      return takes.what === 'path' ? pathJudgment(node, text) : undefined;
    case 'open':
      return undefined;
  }
}

function pathJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (text.startsWith('/')) return undefined;
  return warning(
    `is ${spoken(node)}, and a path starts with a slash`,
    `write ${copied(`/${shortened(text)}`)}`,
  );
}

function notTaken(node: ValueNode, what: string, example: string): Judgment {
  return error(`is ${spoken(node)}, but takes ${what}`, `write ${example}`);
}

function flagJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (text === 'true') return undefined;
  if (text === 'false') {
    return warning(
      'is false, but true is its only published value',
      'remove the tag to be without it',
    );
  }
  return notTaken(node, 'true', `${copied('true')}, or remove the tag`);
}

function listedJudgment(
  node: ValueNode,
  text: string,
  values: readonly string[],
): Judgment | undefined {
  if (values.includes(text)) return undefined;
  const meant = nearest(text, values);
  return notTaken(
    node,
    either(values),
    either((meant === undefined ? values : [meant]).map(copied)),
  );
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function durationJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  return notTaken(
    node,
    'a duration with its unit',
    isWhole(text, 0, 1e9)
      ? either([copied(`${text}s`), copied(`${text}ms`)])
      : `one such as ${copied('1s')} or ${copied('500ms')}`,
  );
}

/** Sources disagree on whether such a tag takes one value, or some with commas between them: both pass. */
function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** Of the first range with something to be said of it. */
function cidrsJudgment(node: ValueNode, text: string): Judgment | undefined {
  for (const part of partsOf(text)) {
    const judgment = cidrJudgment(
      part === text ? node : { ...node, value: part, text: part },
      part,
    );
    if (judgment !== undefined) return judgment;
  }
  return undefined;
}

function cidrJudgment(node: ValueNode, text: string): Judgment | undefined {
  const [address = '', bits, ...rest] = text.split('/', 3);
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || rest.length > 0)
    return notTaken(node, 'a CIDR range', `one such as ${copied('10.0.0.0/8')}`);
  const single = copied(`${address}/${most}`);
  if (bits === undefined) return notTaken(node, 'a CIDR range', `${single} for this address alone`);
  if (!isWhole(bits, 0, most)) return notTaken(node, `at most /${most}`, single);
  const whole = networkOf(address, Number(bits));
  if (whole === undefined) return undefined;
  return note(
    `is ${spoken(node)}, an address within the range ${copied(whole)}`,
    `write ${copied(whole)} if all of it is meant, or ${single} for this address alone`,
  );
}

const LABEL = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;

/** A name or an address, and nothing around it: scheme and port have tags of their own. */
function hostJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (isIP(text) !== 0 || isHostname(text)) return undefined;
  const bare = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
  const host = bare.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');
  const isMeant = host !== text && (isIP(host) !== 0 || isHostname(host));
  const example = isMeant
    ? `${copied(host)}; scheme and port have tags of their own`
    : `one such as ${copied('auth.example.com')}`;
  return notTaken(node, 'a hostname or an IP address', example);
}

function isHostname(text: string): boolean {
  const name = text.replace(/\.$/, '');
  const isNumbers = /^[\d.]+$/.test(name);
  return name.length <= 253 && !isNumbers && name.split('.').every((label) => LABEL.test(label));
}

/**
 * The CIDR range that an address lies inside: `10.0.0.0/8` for 10.1.2.3 and 8. Undefined where
 * the address is the first of its range, or belongs to an interface (`fe80::1%eth0`). Pure.
 * @param address of IPv4 or IPv6 @param bits that all addresses of the range share
 */
function networkOf(address: string, bits: number): string | undefined {
  const isShort = isIPv4(address);
  if (!isShort && !URL.canParse(pageAt(address))) return undefined;
  const own = isShort ? fromParts(address.split('.'), 8) : fromParts(groupsOf(address), 16);
  const free = BigInt((isShort ? 32 : 128) - bits);
  const first = (own >> free) << free;
  if (first === own) return undefined;
  return `${isShort ? digitsOf(first, 4, 8).join('.') : written(first)}/${bits}`;
}

function fromParts(parts: readonly string[], width: number): bigint {
  const base = width === 16 ? '0x' : '';
  return parts.reduce((sum, part) => (sum << BigInt(width)) + BigInt(base + part), 0n);
}

function digitsOf(value: bigint, count: number, width: number): bigint[] {
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
  const groups = digitsOf(value, 8, 16).map((group) => group.toString(16));
  return shortest(groups.join(':'));
}
