import { Secret } from '../lib/secret.ts';

/** One node of Redis; `tls` for a `rediss://` address. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly tls: boolean;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
}

/** The formats, in words that no scrub takes for a credential. */
export const REDIS_HELP =
  'give redis://HOST:PORT (rediss:// with TLS), with USER:PASSWORD@ before the host where Redis asks for it and /DB behind the port; several nodes with commas between them are a cluster';
export const SENTINELS_HELP =
  'give HOST:PORT of each sentinel with commas between them, after redis:// (rediss:// with TLS) and USER:PASSWORD@ where a sentinel asks for them';

/** A mistake in an address. It quotes nothing, since any part may be a password. */
export class RedisMistake extends Error {}

const SCHEME = /^rediss?:\/\//i;

/** @throws RedisMistake */
export function readRedisUrl(text: string): readonly RedisNode[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.slice(1).some((part) => part.includes('@') && !SCHEME.test(part))) {
    throw new RedisMistake('in a password a comma is written as %2C');
  }
  const nodes = readNodes(parts, 'node', 6_379);
  if (nodes.length > 1) {
    checkAlike(nodes, {
      database: 'a cluster has database 0 alone: leave the number behind the host out',
      tls: 'the nodes of a cluster all begin with redis://, or all with rediss://',
      user: 'the user and the password of the first node count for the whole cluster: write them there',
    });
  }
  return nodes;
}

/** The sentinels of REDIS_SENTINELS; `redis://` may be absent. @throws RedisMistake */
export function readSentinels(text: string): readonly RedisNode[] {
  const parts = text.split(',').map((part) => part.trim());
  const addresses = parts.map((part) =>
    part === '' || part.includes('://') ? part : `redis://${part}`,
  );
  const sentinels = readNodes(addresses, 'sentinel', 26_379);
  checkAlike(sentinels, {
    database: 'a sentinel has no databases',
    tls: 'the sentinels all begin with rediss://, or none of them does',
    user: 'the user and the password of the first sentinel count for all: write them there',
  });
  return sentinels;
}

/** @param kind names the wrong one of several */
function readNodes(parts: readonly string[], kind: string, defaultPort: number): RedisNode[] {
  return parts.map((part, index) => {
    const read = readNode(part, defaultPort);
    if (typeof read !== 'string') return read;
    throw new RedisMistake(parts.length > 1 ? `${kind} ${index + 1}: ${read}` : read);
  });
}

/** All share database 0, TLS, and the user and password of the first. */
function checkAlike(
  [first, ...others]: readonly RedisNode[],
  mistakes: Readonly<Record<'database' | 'tls' | 'user', string>>,
): void {
  if ([first, ...others].some((node) => node?.db !== 0)) throw new RedisMistake(mistakes.database);
  if (others.some(({ tls }) => tls !== first?.tls)) throw new RedisMistake(mistakes.tls);
  const isOther = ({ username, password }: RedisNode): boolean =>
    (username ?? password) !== undefined &&
    (username !== first?.username || password?.reveal() !== first?.password?.reveal());
  if (others.some(isOther)) throw new RedisMistake(mistakes.user);
}

/** @returns a text when it is wrong */
function readNode(text: string, defaultPort: number): RedisNode | string {
  if (text === '') return 'there is nothing where an address has to be';
  if (!SCHEME.test(text)) return 'an address has to begin with redis:// or rediss://';
  if (hasOpenSign(text)) return 'in a password / is written as %2F, ? as %3F and # as %23';
  if (!URL.canParse(text)) return unreadable(text);

  const { hostname, port, pathname, protocol, username, password } = new URL(text);
  const db = /^\/?(\d{0,5})$/.exec(pathname);
  if (hostname === '') return 'it names no host';
  if (port === '0') return WRONG_PORT;
  if (!db || /[?#]/.test(text)) return 'only the number of a database may follow the host';
  const [user, secret] = [decode(username), decode(password)];
  if (user === undefined || secret === undefined) {
    return 'a % in the user or the password has to be written as %25';
  }
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    db: Number(db[1]),
    tls: protocol === 'rediss:',
    username: user || undefined,
    password: secret === '' ? undefined : new Secret(secret),
  };
}

/** Whether a character that ends user, password, host and port is followed by an @: it was meant for the password. */
function hasOpenSign(text: string): boolean {
  const authority = text.replace(SCHEME, '');
  const end = authority.search(/[/?#]/);
  return end >= 0 && authority.includes('@', end);
}

const WRONG_PORT = 'the port has to be a number from 1 to 65535';

function unreadable(text: string): string {
  const authority = text.replace(SCHEME, '');
  const place = authority.slice(authority.lastIndexOf('@') + 1).split(/[/?#]/, 1)[0] ?? '';
  const [host, port, ...more] = place.split(':');
  if (more.length > 0 && !place.includes('[')) return 'an IPv6 address needs square brackets';
  if (host === '') return 'it names no host';
  const isPort = port === undefined || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535);
  return isPort ? 'its host cannot be one' : WRONG_PORT;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
