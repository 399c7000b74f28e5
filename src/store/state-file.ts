import { z } from 'zod';
import { compareNames } from '../lib/text.ts';
import { isAuditLine, isOfNpm, readStored } from './audit.ts';
import type { RedisConnection } from './redis.ts';
import { SCHEMA } from './schema.ts';

/** The lines of one kind: a field of a hash each, with JSON. */
export interface StatePart {
  readonly kind: string;
  readonly hash: string;
  /** Fields that are this kind's own, among those of other kinds. */
  readonly isField?: (field: string) => boolean;
  readonly isValid: (id: string, value: unknown) => boolean;
  /** A field that belongs to it, as memory of the bot: written with it, and never compared. */
  readonly beside?: (field: string) => string;
  /** The field with the highest number that a field of this kind ever had: it is raised. */
  readonly highest?: string;
}

export interface StatePlaces {
  readonly parts: readonly StatePart[];
  /** The stream. */
  readonly audit: string;
}

/** The number of this format. */
const FORMAT = 1;
const HEAD = 'purser-state';
const AUDIT = 'audit';

const Head = z.object({ kind: z.literal(HEAD), format: z.number(), schema: z.number() });
const End = z.object({ kind: z.literal('end'), lines: z.number() });
const Field = z.object({
  kind: z.string(),
  id: z.string().min(1),
  value: z.unknown(),
  beside: z.unknown().optional(),
});
const Line = z.object({
  kind: z.literal(AUDIT),
  /** Of the stream. */
  id: z.string().regex(/^\d{1,20}-\d{1,20}$/),
  /** A text where it is no JSON that can be written again. */
  value: z.unknown().refine((value) => typeof value === 'string' || isAuditLine(value)),
  hash: z.string(),
});

/** One JSON object per line: the head, what people made, the audit with the oldest first, and the end. */
export async function* exportState(
  redis: RedisConnection,
  { parts, audit }: StatePlaces,
  now: number,
): AsyncIterable<string> {
  let lines = 0;
  const text = (line: object): string => `${JSON.stringify(line)}\n`;
  yield text({ kind: HEAD, format: FORMAT, schema: SCHEMA, at: new Date(now).toISOString() });
  for (const part of parts) {
    const all = await redis.hgetall(part.hash);
    // Two exports can be compared.
    const ids = Object.keys(all).toSorted(compareNames);
    for (const id of ids) {
      if (part.isField?.(id) === false) continue;
      const beside = part.beside && all[part.beside(id)];
      lines += 1;
      yield text({
        kind: part.kind,
        id,
        value: valueOf(all[id] ?? ''),
        ...(beside !== undefined && { beside: valueOf(beside) }),
      });
    }
  }
  for await (const { entry, data = '', hash = '' } of readStored(redis, audit)) {
    lines += 1;
    yield text({ kind: AUDIT, id: entry, value: valueOf(data), hash });
  }
  yield text({ kind: 'end', lines });
}

/** Parsed, if the same text can be written again. */
function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'string' && JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Nothing of the file may be written. */
export class StateRefused extends Error {}

/**
 * Writes a field and what belongs to it in one step, unless there is one already.
 * @returns 1: written, 0: the same is there, -1: another is there
 */
const PUT = `
local there = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[1] == ARGV[5] then
  if tonumber(there or 0) >= tonumber(ARGV[2]) then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  return 1
end
if there then return there == ARGV[2] and 0 or -1 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], ARGV[3], ARGV[4]) end
if ARGV[5] ~= '' and tonumber(ARGV[1]) > tonumber(redis.call('HGET', KEYS[1], ARGV[5]) or 0) then
  redis.call('HSET', KEYS[1], ARGV[5], ARGV[1])
end
return 1`;

/** Appends a line of the audit under its own id; a stream takes no id before its last one. */
const APPEND = `
local there = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])[1]
if there then
  local fields = { 'data', ARGV[2], 'hash', ARGV[3] }
  return table.concat(there[2], '\\n') == table.concat(fields, '\\n') and 0 or -1
end
local added = redis.pcall('XADD', KEYS[1], ARGV[1], 'data', ARGV[2], 'hash', ARGV[3])
if type(added) ~= 'table' then return 1 end
if string.find(added.err, 'equal or smaller', 1, true) then return -2 end
return added`;

type Outcome = 'written' | 'known' | { readonly problem: string };

/**
 * Writes the lines of an export, each in one step, and none over an existing key. After a line of the audit that cannot
 * be written no further one is: the chain would have a hole that nothing can fill.
 * @throws StateRefused when the file is not of this format; else when Redis does not answer
 */
export async function importState(
  redis: RedisConnection,
  places: StatePlaces,
  texts: AsyncIterable<string>,
) {
  /** A sentence for each line that was not written. */
  const problems: string[] = [];
  // Lines that were written, and lines that Redis had already.
  let [number, written, known, lines] = [0, 0, 0, 0];
  let hasHead = false;
  let end: number | undefined;
  let brokenAudit: { readonly at: number; more: number } | undefined;
  for await (const text of texts) {
    number += 1;
    if (text.trim() === '' || (!hasHead && isOfNpm(text))) continue;
    const line = parsed(text);
    if (!hasHead) {
      checkHead(line);
      hasHead = true;
      continue;
    }
    const isAudit = kindOf(line) === AUDIT;
    end ??= End.safeParse(line).data?.lines;
    if (kindOf(line) === 'end') continue;
    lines += 1;
    if (isAudit && brokenAudit) {
      brokenAudit.more += 1;
      continue;
    }
    const outcome = isAudit
      ? await append(redis, places.audit, line)
      : await put(redis, places.parts, line);
    if (outcome === 'written') written += 1;
    else if (outcome === 'known') known += 1;
    else {
      problems.push(`Line ${number} was not written: ${outcome.problem}.`);
      if (isAudit) brokenAudit = { at: number, more: 0 };
    }
  }
  if (!hasHead) throw new StateRefused('The file is empty: nothing was written.');
  if (brokenAudit && brokenAudit.more > 0) {
    problems.push(
      `The ${brokenAudit.more} lines of the audit after line ${brokenAudit.at} were not written either: they continue its chain.`,
    );
  }
  if (end === undefined) {
    problems.push('The file is cut off: its last line is missing, so there may have been more.');
  } else if (end !== lines) {
    problems.push(
      `The file should have ${end} lines between the first and the last, and has ${lines}.`,
    );
  }
  return { written, known, problems };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOf(line: unknown): string | undefined {
  return z.object({ kind: z.string() }).safeParse(line).data?.kind;
}

function checkHead(line: unknown): void {
  const { data } = Head.safeParse(line);
  if (data === undefined) {
    throw new StateRefused(
      'This is no export of Purser: its first line names no format. Nothing was written.',
    );
  }
  if (data.format === FORMAT && data.schema === SCHEMA) return;
  throw new StateRefused(
    `The export has format ${data.format} and schema ${data.schema}, this Purser knows format ${FORMAT} and schema ${SCHEMA}: import it with the release that wrote it. Nothing was written.`,
  );
}

async function put(
  redis: RedisConnection,
  parts: readonly StatePart[],
  line: unknown,
): Promise<Outcome> {
  const { data } = Field.safeParse(line);
  if (data === undefined) return { problem: 'it is cut off, or no line of an export' };
  const part = parts.find(({ kind }) => kind === data.kind);
  if (part === undefined) return { problem: `this Purser knows no kind ${quoted(data.kind)}` };
  if (!part.isValid(data.id, data.value))
    return { problem: `it is no valid ${part.kind} (${quoted(data.id)})` };
  const beside = data.beside === undefined ? undefined : part.beside?.(data.id);
  const answer = await redis.eval(
    PUT,
    1,
    part.hash,
    data.id,
    textOf(data.value),
    beside ?? '',
    beside === undefined ? '' : textOf(data.beside),
    part.highest ?? '',
  );
  if (answer === 1) return 'written';
  if (answer === 0) return 'known';
  return { problem: `Redis has another ${part.kind} ${quoted(data.id)}, and it stays` };
}

async function append(redis: RedisConnection, stream: string, line: unknown): Promise<Outcome> {
  const { data } = Line.safeParse(line);
  if (data === undefined) return { problem: 'it is no valid line of the audit' };
  const answer = await redis.eval(APPEND, 1, stream, data.id, textOf(data.value), data.hash);
  if (answer === 1) return 'written';
  if (answer === 0) return 'known';
  if (answer === -1) return { problem: `Redis has another line of the audit at ${data.id}` };
  return {
    problem:
      'the audit in Redis has newer lines already, so it cannot go before them: import into an empty Redis, before Purser starts',
  };
}

const SHOWN = 80;

/** Foreign text, on one line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
