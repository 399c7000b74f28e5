import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { DerivedKeys } from '../lib/derived-key.ts';
import type { Logger } from '../lib/logger.ts';
import { DAY_MS } from '../lib/time.ts';
import type { RedisConnection } from './redis.ts';

/** A year, and time to look back at it (ADR 20). Milliseconds. */
export const KEPT_MS = 400 * DAY_MS;
/** So many of the newest stay, whatever a clock says. */
const ALWAYS_KEPT = 1_000;
/** More are never kept, so that no member can fill Redis with them: about 70 MB. The log has all lines. */
export const MOST_KEPT = 200_000;
/** Most that one write removes. */
const STEP = 100;

/** Open to more fields: no key of a line may be `entry` or `hash`, which are added to it. */
const AuditLine = z.looseObject({
  /** Ms since the epoch. */
  at: z.number(),
  /** Absent when it is not about a change, and when the request itself was refused. */
  change: z.string().optional(),
  event: z.string(),
  /** That of the change after the event. */
  state: z.string().optional(),
  /** Slack id; absent when no person did it. */
  by: z.string().optional(),
});
/** A line of the audit: it has every field worth keeping, and no secret. */
export type AuditLine = z.infer<typeof AuditLine>;

export type AuditEntry = AuditLine & {
  /** Of the stream; rises. The stream of one change and that of all count separately. */
  readonly entry: string;
  /** SHA-1, in hex, of the hash before and the stored text. */
  readonly hash: string;
};

/**
 * Lua functions for the script that writes what a line reports.
 *
 * `appendAudit(streams, line)` appends to the first stream, and the same with the same hash to the others. The hash
 * covers the newest hash of the first stream and the text of the line.
 *
 * `trimAudit(stream)` and `trimIndex(index)` remove, oldest first, entries older than 400 days by the clock of Redis.
 * The newest 1,000 stay, and one call removes 100 at most; of more than 200,000 lines the oldest go in any case.
 */
export const AUDIT_FUNCTIONS = `
local function hashAfter(stream, line)
  local newest = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  local previous = ''
  for at = 1, newest and #newest[2] or 0, 2 do
    if newest[2][at] == 'hash' then previous = newest[2][at + 1] end
  end
  return redis.sha1hex(previous .. line)
end

local function appendAudit(streams, line)
  local hash = hashAfter(streams[1], line)
  for _, stream in ipairs(streams) do
    redis.call('XADD', stream, '*', 'data', line, 'hash', hash)
  end
  return hash
end

local function tooOld()
  local time = redis.call('TIME')
  return string.format('%.0f', math.max(0, time[1] * 1000 + math.floor(time[2] / 1000) - ${KEPT_MS}))
end

local function trimAudit(stream)
  local length = redis.call('XLEN', stream)
  local most = math.min(${STEP}, length - ${ALWAYS_KEPT})
  if most <= 0 then return end
  local last = length > ${MOST_KEPT} and '+' or tooOld()
  for _, old in ipairs(redis.call('XRANGE', stream, '-', last, 'COUNT', most)) do
    redis.call('XDEL', stream, old[1])
  end
end

local function trimIndex(index)
  local most = math.min(${STEP}, redis.call('ZCARD', index) - ${ALWAYS_KEPT})
  if most <= 0 then return end
  local old = redis.call('ZRANGEBYSCORE', index, '-inf', tooOld(), 'LIMIT', 0, most)
  if #old > 0 then redis.call('ZREM', index, unpack(old)) end
end
`;

export function isAuditLine(value: unknown): boolean {
  return AuditLine.safeParse(value).success;
}

/** As the script computes it. @param line the stored text */
export function hashOf(previous: string, line: string): string {
  return createHash('sha1')
    .update(previous + line)
    .digest('hex');
}

/** Most entries in one answer of Redis. */
const PAGE = 500;

/** All of a stream of the audit as they are stored, the oldest first. */
export async function* readStored(redis: RedisConnection, stream: string) {
  for (let from = '-'; ;) {
    const page = await redis.xrange(stream, from, '+', 'COUNT', PAGE);
    for (const [entry, fields] of page) yield { entry, ...storedOf(fields) };
    const last = page.at(-1)?.[0];
    if (last === undefined || page.length < PAGE) return;
    from = `(${last}`;
  }
}

/** The oldest first. What cannot be read is left out and logged. */
export async function* readAudit(
  redis: RedisConnection,
  stream: string,
  logger: Pick<Logger, 'error'>,
): AsyncIterable<AuditEntry> {
  for await (const { entry, data = '', hash } of readStored(redis, stream)) {
    try {
      // The keys keep their order, so that the stored text, which is hashed, can be written again.
      const line = JSON.parse(data) as AuditLine;
      AuditLine.parse(line);
      yield { ...line, entry, hash: z.string().parse(hash) };
    } catch (error) {
      logger.error({ err: error, entry }, 'A line of the audit cannot be read');
    }
  }
}

/** How many of the newest lines are searched for one of which it is unknown whether it was written. */
const NEWEST = 50;

/** The hash of a line among the newest, by its stored text. */
export async function findHash(
  redis: RedisConnection,
  stream: string,
  line: string,
): Promise<string | undefined> {
  const newest = await redis.xrevrange(stream, '+', '-', 'COUNT', NEWEST);
  return newest.map(([, fields]) => storedOf(fields)).find(({ data }) => data === line)?.hash;
}

function storedOf(fields: readonly string[]): { data?: string; hash?: string } {
  const pairs = fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]]] : []));
  return Object.fromEntries(pairs) as { data?: string; hash?: string };
}

/** The result of checking an export of the audit. */
export interface Verdict {
  readonly lines: number;
  /** Lines that fit to those before them, up to the first break. */
  readonly chained: number;
  /** `start`: of the chain; `middle`: the line before it is not in the file, so the first line itself is not checked. */
  readonly from?: 'start' | 'middle';
  /** Of the last line that was checked. */
  readonly lastHash?: string;
  readonly broken?: { readonly line: number; readonly entry: string; readonly why: string };
}

/** The lines that `npm run` without `-s` writes before the first one. */
export function isOfNpm(text: string): boolean {
  return text.startsWith('> ');
}

/** Checks the lines of an export, up to the first break. Empty lines count, and are skipped; so are other lines of an export of the whole state. */
export async function verifyAudit(texts: AsyncIterable<string>): Promise<Verdict> {
  let verdict: Verdict = { lines: 0, chained: 0 };
  let isState = false;
  for await (const text of texts) {
    verdict = { ...verdict, lines: verdict.lines + 1 };
    if (text.trim() === '' || isOfNpm(text)) continue;
    isState ||= text.startsWith('{"kind":"purser-state"');
    if (isState && !text.startsWith('{"kind":"audit"')) continue;
    if (verdict.broken === undefined) verdict = withLine(verdict, text);
  }
  return verdict;
}

function withLine(verdict: Verdict, text: string): Verdict {
  const read = readExported(text);
  const { lastHash } = verdict;
  const brokenBy = (why: string): Verdict => ({
    ...verdict,
    broken: { line: verdict.lines, entry: read?.entry ?? '', why },
  });
  if (read === undefined) return brokenBy('it is no line of the audit');
  const { hash, data } = read;
  const isFirst = lastHash === undefined;
  const fits = hash === hashOf(lastHash ?? '', data);
  if (!fits && !isFirst) {
    return brokenBy('its hash does not fit: it was changed, or a line before it is missing');
  }
  return {
    ...verdict,
    ...(isFirst && { from: fits ? 'start' : 'middle' }),
    chained: verdict.chained + 1,
    lastHash: hash,
  };
}

/** A line of an export of the whole state as one of the audit alone, which has `entry`. */
function ofAudit(line: Record<string, unknown>): Record<string, unknown> {
  if (line['entry'] !== undefined) return line;
  return { ...(line['value'] as object), entry: line['id'], hash: line['hash'] };
}

const Place = z.object({ entry: z.string(), hash: z.string() });

/** `data`: the stored text of the line. */
function readExported(text: string): (z.infer<typeof Place> & { data: string }) | undefined {
  try {
    const { entry, hash, ...line } = ofAudit(JSON.parse(text) as Record<string, unknown>);
    AuditLine.parse(line);
    return { ...Place.parse({ entry, hash }), data: JSON.stringify(line) };
  } catch {
    return undefined;
  }
}

/**
 * Logs each line of the audit with its hash. An e-mail address in it is replaced by a keyed hash: the same address has
 * the same one, and without the key no address can be found by trying.
 */
export function createAuditLog(
  logger: Pick<Logger, 'info'>,
  keys: () => DerivedKeys,
): (line: AuditLine, hash: string) => void {
  return (line, hash) => {
    logger.info({ audit: true, ...(hideEmails(line, keys()[0]) as AuditLine), hash }, 'Audit');
  };
}

/** In all texts of a value, and in the names of its fields. */
function hideEmails(value: unknown, key: Buffer): unknown {
  if (typeof value === 'string') return withoutEmails(value, key);
  if (Array.isArray(value)) return value.map((one) => hideEmails(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [withoutEmails(name, key), hideEmails(one, key)]),
  );
}

/** A word, or a quoted local part with its domain: `"ada l"@acme.example`. */
const WORDS = /"[^"\n]{1,64}"@[^\s<>()[\]{}",;:|`\\]+|[^\s<>()[\]{}",;:|`\\]+/g;
/** Punctuation around an address. */
const SIGNS = "'*_~./=!?";

/** In doubt more is replaced: whatever has an @ within a word. */
function withoutEmails(text: string, key: Buffer): string {
  if (!text.includes('@')) return text;
  return text.replace(WORDS, (word) => {
    let [from, to] = [0, word.length];
    while (from < to && SIGNS.includes(word.charAt(from))) from += 1;
    while (from < to && SIGNS.includes(word.charAt(to - 1))) to -= 1;
    const address = word.slice(from, to);
    if (!/.@./u.test(address)) return word;
    const hash = createHmac('sha256', key).update(address.toLowerCase()).digest('hex');
    return `${word.slice(0, from)}email:${hash.slice(0, 12)}${word.slice(to)}`;
  });
}
