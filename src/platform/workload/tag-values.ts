import { isIP, isIPv4 } from 'node:net';
import {
  copied,
  either,
  error,
  type Judgment,
  noneOf,
  note,
  notTaken,
  shortened,
  spoken,
  warning,
} from './finding.ts';
import type { ValueNode } from './node.ts';

/**
 * Values of a special tag (spec 2.16). YAML's `true` and the text `"true"` are the same here, as are `443` and
 * `"443"`: tags are text.
 */
export interface TagValue {
  /** Continues "takes": "port number". */
  readonly words: string;
  /** The literal values; absent: values of a kind. */
  readonly listed?: readonly string[];
  /** A value to start from. */
  readonly example: string;
  /** @param text of the node, without blanks around it */
  judge(text: string, node: ValueNode): Judgment | undefined;
}

export function oneOf(...values: readonly [string, ...string[]]): TagValue {
  return {
    words: either(values),
    listed: values,
    example: values[0],
    judge: (text, node) => (values.includes(text) ? undefined : noneOf(node, text, values)),
  };
}

export const BOOLEAN = oneOf('true', 'false');

/** Only `true` is published. */
export const FLAG: TagValue = {
  words: 'true',
  listed: ['true'],
  example: 'true',
  judge(text, node) {
    if (text === 'true') return undefined;
    return text === 'false'
      ? warning('is false, but true is its only published value', 'remove the tag to be without it')
      : notTaken(node, 'true', `${copied('true')}, or remove the tag`);
  },
};

export const PORT = port((text) => [text]);

/** One, or a comma-separated list: sources disagree. */
export const PORTS = port(partsOf);

function port(numbersIn: (text: string) => readonly string[]): TagValue {
  return {
    words: 'port number',
    example: '8080',
    judge: (text, node) =>
      numbersIn(text).every((one) => isWhole(one, 1, 65_535))
        ? undefined
        : notTaken(node, 'a port number, 1 to 65535', `a number such as ${copied('8080')}`),
  };
}

export function secondsUpTo(max: number): TagValue {
  return {
    words: `whole seconds, at most ${max}`,
    example: String(max),
    judge: (text, node) =>
      isWhole(text, 1, max)
        ? undefined
        : notTaken(node, `whole seconds, 1 to ${max}`, `a number up to ${max}`),
  };
}

export const DURATION: TagValue = {
  words: 'duration, such as 1s',
  example: '1s',
  judge(text, node) {
    if (/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
    const write = isWhole(text, 0, 1e9)
      ? either([copied(`${text}s`), copied(`${text}ms`)])
      : `one such as ${copied('1s')} or ${copied('500ms')}`;
    return notTaken(node, 'a duration with its unit', write);
  },
};

/** One, or a comma-separated list: sources disagree. */
export const RANGES: TagValue = {
  words: 'CIDR range',
  example: '10.0.0.0/8',
  judge: (text, node) =>
    partsOf(text)
      .map((part) =>
        rangeJudgment(part, part === text ? node : { ...node, value: part, text: part }),
      )
      .find((judgment) => judgment !== undefined),
};

/** A bare name or address: scheme and port have tags of their own. */
export const HOST: TagValue = {
  words: 'hostname or IP',
  example: 'service.example.com',
  judge(text, node) {
    if (isHost(text)) return undefined;
    const bare = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
    const host = bare.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');
    const write = isHost(host)
      ? `${copied(host)}; scheme and port have tags of their own`
      : `one such as ${copied('auth.example.com')}`;
    return notTaken(node, 'a hostname or an IP address', write);
  },
};

/** Free text: "role name". */
export function freeText(words: string): TagValue {
  return {
    words,
    example: words.toUpperCase().replaceAll(' ', '-'),
    judge: (text) =>
      text === '' ? error('is empty', `write the ${words}, or remove the tag`) : undefined,
  };
}

export const PATH: TagValue = {
  ...freeText('path'),
  example: '/check',
  judge(text, node) {
    if (text === '' || text.startsWith('/')) return freeText('path').judge(text, node);
    return warning(
      `is ${spoken(node)}, and a path starts with a slash`,
      `write ${copied(`/${shortened(text)}`)}`,
    );
  },
};

/** At most one value is published, and others may work: anything is fine. */
export function anything(words: string, example: string): TagValue {
  return { words, example, judge: () => undefined };
}

function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

const LABEL = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;

function isHost(text: string): boolean {
  const name = text.replace(/\.$/, '');
  const isNumbers = /^[\d.]+$/.test(name);
  const isName =
    name.length <= 253 && !isNumbers && name.split('.').every((one) => LABEL.test(one));
  return isIP(text) !== 0 || isName;
}

function rangeJudgment(text: string, node: ValueNode): Judgment | undefined {
  const [address = '', bits, ...rest] = text.split('/', 3);
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || rest.length > 0)
    return notTaken(node, 'a CIDR range', `one such as ${copied('10.0.0.0/8')}`);
  const single = copied(`${address}/${most}`);
  if (bits === undefined) return notTaken(node, 'a CIDR range', `${single} for this address alone`);
  if (!isWhole(bits, 0, most)) return notTaken(node, `at most /${most}`, single);
  const first = firstOf(address, Number(bits));
  if (first === undefined) return undefined;
  const whole = copied(`${first}/${bits}`);
  return note(
    `is ${spoken(node)}, an address within the range ${whole}`,
    `write ${whole} if all of it is meant, or ${single} for this address alone`,
  );
}

/**
 * The first address of a range: 10.0.0.0 for 10.1.2.3 and 8. Undefined when the address is that itself, or
 * belongs to an interface (`fe80::1%eth0`).
 */
function firstOf(address: string, bits: number): string | undefined {
  const isShort = isIPv4(address);
  // URLs write each IPv6 address in one way; one of IPv4 is the end of one.
  const page = `http://[${isShort ? '::' : ''}${address}]`;
  if (!URL.canParse(page)) return undefined;
  const [head = [], tail = []] = new URL(page).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').flatMap((group) => (group === '' ? [] : [`0x${group}`])));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  const own = [...head, ...zeros, ...tail].map(Number);
  const kept = isShort ? bits + 96 : bits;
  const first = own.map((group, at) => {
    const free = Math.min(16, Math.max(0, 16 * (at + 1) - kept));
    return (group >> free) << free;
  });
  if (first.every((group, at) => group === own[at])) return undefined;
  if (isShort)
    return first
      .slice(-2)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return new URL(`http://[${first.map((group) => group.toString(16)).join(':')}]`).hostname.slice(
    1,
    -1,
  );
}
