import { createHash } from 'node:crypto';
import { z } from 'zod';
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

const PAGE = 500;

/** The oldest first. What cannot be read is left out and logged. */
export async function* readAudit(
  redis: RedisConnection,
  stream: string,
  logger: Pick<Logger, 'error'>,
): AsyncIterable<AuditEntry> {
  for (let from = '-'; ;) {
    const page = await redis.xrange(stream, from, '+', 'COUNT', PAGE);
    for (const [entry, fields] of page) {
      try {
        yield entryOf(entry, fields);
      } catch (error) {
        logger.error({ err: error, entry }, 'A line of the audit cannot be read');
      }
    }
    const last = page.at(-1)?.[0];
    if (last === undefined || page.length < PAGE) return;
    from = `(${last}`;
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
  const fields = newest.map(([, all]) => valuesOf(all)).find((all) => all.get('data') === line);
  return fields?.get('hash');
}

/**
 * The keys of a line keep their order, so that its stored text, which is hashed, can be written again.
 * @throws when it is no line of the audit
 */
function entryOf(entry: string, fields: readonly string[]): AuditEntry {
  const values = valuesOf(fields);
  const line = JSON.parse(values.get('data') ?? '') as AuditLine;
  AuditLine.parse(line);
  return { ...line, entry, hash: z.string().parse(values.get('hash')) };
}

function valuesOf(fields: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) values.set(fields[at] ?? '', fields[at + 1] ?? '');
  return values;
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
