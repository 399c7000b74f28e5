import { Secret } from '../lib/secret.ts';

/** One node of Redis; `tls` for a `rediss://` address. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: Secret;
}

/** The format, in words that no scrub takes for a credential. */
const REDIS_HELP =
  'give redis://HOST:PORT (rediss:// with TLS), with USER:PASSWORD@ before the host where Redis asks for it and /DB behind the port; several nodes with commas between them are a cluster';

const SCHEME = /^rediss?:\/\//i;

/** A problem with REDIS_URL; it quotes nothing, since any part may be a password. */
interface RedisMistake {
  readonly mistake: string;
}

export function readRedisUrl(text: string): readonly RedisNode[] | RedisMistake {
  const read = readNodes(text);
  return 'mistake' in read ? { mistake: `${read.mistake}; ${REDIS_HELP}` } : read;
}

const SENTINELS_HELP =
  'give HOST:PORT of each sentinel with commas between them; where a sentinel asks for them, redis://USER:PASSWORD@HOST:PORT, and rediss:// with TLS';
const SENTINEL_PORT = 26_379;

/** The sentinels of REDIS_SENTINELS; `redis://` may be absent. A problem quotes nothing, as above. */
export function readSentinels(text: string): readonly RedisNode[] | RedisMistake {
  const parts = text.split(',').map((part) => part.trim());
  const read = parts.map((part) =>
    readNode(part === '' || part.includes('://') ? part : `redis://${part}`, SENTINEL_PORT),
  );
  const nodes = read.filter((node): node is RedisNode => !('mistake' in node));
  const wrong = read.findIndex((node) => 'mistake' in node);
  const first = read[wrong];
  const mistake = first !== undefined && 'mistake' in first ? first.mistake : differing(nodes);
  if (mistake === undefined) return nodes;
  const place = first !== undefined && read.length > 1 ? `sentinel ${wrong + 1}: ` : '';
  return { mistake: `${place}${mistake}; ${SENTINELS_HELP}` };
}

/** All sentinels share user, password and TLS, those of the first. */
function differing([first, ...others]: readonly RedisNode[]): string | undefined {
  if (first === undefined) return undefined;
  if ([first, ...others].some(({ db }) => db !== 0)) return 'a sentinel has no databases';
  if (others.some(({ tls }) => tls !== first.tls)) {
    return 'the sentinels all begin with rediss://, or none of them does';
  }
  if (others.some((node) => isNamed(node) && isOther(node, first))) {
    return 'the user and the password of the first sentinel count for all: write them there';
  }
  return undefined;
}

function isNamed({ username, password }: RedisNode): boolean {
  return (username ?? password) !== undefined;
}

function isOther(node: RedisNode, first: RedisNode): boolean {
  return node.username !== first.username || node.password?.reveal() !== first.password?.reveal();
}

function readNodes(text: string): readonly RedisNode[] | RedisMistake {
  const [, ...others] = text.split(',');
  if (others.some((part) => part.includes('@') && !SCHEME.test(part.trim()))) {
    return { mistake: 'in a password a comma is written as %2C' };
  }
  const read = text.split(',').map((node) => readNode(node.trim()));
  const wrong = read.findIndex((node) => 'mistake' in node);
  const nodes = read.filter((node): node is RedisNode => !('mistake' in node));
  const first = read[wrong];
  if (first === undefined || !('mistake' in first)) return checkCluster(nodes) ?? nodes;
  return read.length === 1 ? first : { mistake: `node ${wrong + 1}: ${first.mistake}` };
}

/** All nodes of a cluster share database, user and TLS. */
function checkCluster(nodes: readonly RedisNode[]): RedisMistake | undefined {
  const [first, ...others] = nodes;
  if (first === undefined || others.length === 0) return undefined;
  if (nodes.some(({ db }) => db !== 0)) {
    return { mistake: 'a cluster has database 0 alone: leave the number behind the host out' };
  }
  if (others.some(({ tls }) => tls !== first.tls)) {
    return { mistake: 'the nodes of a cluster all begin with redis://, or all with rediss://' };
  }
  if (others.some((node) => isNamed(node) && isOther(node, first))) {
    return {
      mistake:
        'the user and the password of the first node count for the whole cluster: write them there',
    };
  }
  return undefined;
}

function readNode(text: string, defaultPort = 6_379): RedisNode | RedisMistake {
  if (text === '') return { mistake: 'there is nothing where an address has to be' };
  if (!SCHEME.test(text)) {
    return { mistake: 'an address has to begin with redis:// or rediss://' };
  }
  if (hasOpenSign(text)) {
    return { mistake: 'in a password / is written as %2F, ? as %3F and # as %23' };
  }
  if (!URL.canParse(text)) return { mistake: unreadable(text) };

  const { hostname, port, pathname, protocol, username, password } = new URL(text);
  const db = /^\/?(\d{0,5})$/.exec(pathname);
  const user = decode(username);
  const secret = decode(password);
  if (hostname === '') return { mistake: 'it names no host' };
  if (port === '0') return { mistake: WRONG_PORT };
  if (!db || /[?#]/.test(text)) {
    return { mistake: 'only the number of a database may follow the host' };
  }
  if (user === undefined || secret === undefined) {
    return { mistake: 'a % in the user or the password has to be written as %25' };
  }
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    db: Number(db[1]),
    tls: protocol === 'rediss:',
    ...(user === '' ? {} : { username: user }),
    ...(secret === '' ? {} : { password: new Secret(secret) }),
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
