import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { createIdentities, StoredPin, type Identities, type Pin } from './access/identities.ts';
import { ConfigError, loadConfig, secretsOf, type Config } from './config/config.ts';
import { channelId, OUTCOMES } from './config/watches.ts';
import { Stop } from './features/notices.ts';
import { LAST as LAST_NUMBER, memoryField, Saved } from './features/reports/saved.ts';
import { derivedKeys } from './lib/derived-key.ts';
import { StartRefused } from './lib/errors.ts';
import { createLogger, type Logger } from './lib/logger.ts';
import { createScrubber } from './lib/secret.ts';
import { systemClock } from './lib/time.ts';
import { createOutbox, type Outbox } from './notify/outbox.ts';
import { isTopic } from './monitors/topics.ts';
import { fieldOf } from './rollouts/watches.ts';
import {
  connectRedis,
  createKeys,
  redisReady,
  requireDatabase,
  type Keys,
  type RedisConnection,
} from './store/redis.ts';
import { ensureSchema } from './store/schema.ts';
import { exportState, importState, StateRefused, type StatePlaces } from './store/state-file.ts';
import { createAuditLog, verifyAudit, type Verdict } from './store/audit.ts';

const USAGE = `Usage: npm run -s state -- export > FILE
       npm run -s state -- import FILE
       npm run -s state -- audit --verify FILE
       npm run -s state -- identity list
       npm run -s state -- identity release EMAIL...

export: with the environment of Purser, writes what people made to standard output, one JSON object per line: watches,
mutes, saved questions, stopped topics, remembered Slack accounts, and the audit. No secrets.

import: writes an export to Redis, posts nothing, and replaces nothing that is there; twice is once. Without a file, or
with "-", reads standard input. The exit code is 0 when everything is in Redis, 1 when a line was not written, with the
number of the line and why, 2 when nothing could be done.

audit --verify: checks the chain of an exported audit ("Audit as a file" in /changes); "-" reads standard input.
An export is checked, too. The exit code is 0 when the chain has no break, 1 at a break, 2 when there is nothing to check.

identity: with the environment of Purser, lists the e-mail addresses with the Slack accounts that may use their billing
roles, or forgets those of some addresses, with a line in the audit. The next account that uses a role is remembered.
The exit code is 1 when one of the addresses is not there, 2 when nothing could be done.
`;

/** @returns the exit code */
async function run(words: readonly string[]): Promise<number> {
  const [what, option, file, ...more] = words;
  if (what === 'identity') return runIdentity(words.slice(1));
  if (what === 'export' && words.length === 1) return inStore(runExport, process.stderr);
  if (what === 'import' && words.length <= 2) {
    return inStore((services) => runImport(services, option ?? '-'), process.stdout);
  }
  if (what !== 'audit' || option !== '--verify' || file === undefined || more.length > 0) {
    return usage();
  }
  try {
    const verdict = await withLines(file, verifyAudit);
    process.stdout.write(`${sentencesOf(verdict).join('\n')}\n`);
    return exitCodeOf(verdict);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

class FileUnreadable extends Error {}

/** @param work has to read at once: lines that come before are lost @param file `-`: standard input @throws FileUnreadable */
async function withLines<T>(
  file: string,
  work: (lines: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  // Readline hides errors of its input.
  const failed = new Promise<never>((_, reject) => {
    input.once('error', ({ message }: Error) =>
      reject(new FileUnreadable(`${file} cannot be read: ${message}`)),
    );
  });
  return Promise.race([work(createInterface({ input, crlfDelay: Infinity })), failed]);
}

async function runExport({ redis, keys }: StoreServices): Promise<number> {
  const lines = exportState(redis, placesOf(keys), systemClock.now());
  await pipeline(Readable.from(lines), process.stdout);
  return 0;
}

async function runImport({ redis, keys }: StoreServices, file: string): Promise<number> {
  await ensureSchema(redis, keys);
  const { written, known, problems } = await withLines(file, (lines) =>
    importState(redis, placesOf(keys), lines),
  );
  process.stdout.write(`${written} lines were written, and ${known} were in Redis already.\n`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** The parts of an export, in its order. */
function placesOf(keys: Keys): StatePlaces {
  return {
    parts: [
      {
        kind: 'watch',
        hash: keys.watches,
        isValid: isNamed(StoredWatch, fieldOf),
      },
      {
        kind: 'mute',
        hash: keys.mutes,
        isValid: isNamed(StoredMute, fieldOf),
      },
      {
        kind: 'question',
        hash: keys.savedQuestions,
        isField: (field) => isNumber(field) || field === LAST_NUMBER,
        isValid: (id, value) =>
          id === LAST_NUMBER
            ? isNumber(String(value))
            : isNumber(id) && Saved.safeParse(value).success,
        beside: memoryField,
        highest: LAST_NUMBER,
      },
      {
        kind: 'stop',
        hash: keys.stops,
        isValid: (id, value) => isTopic(id) && Stop.safeParse(value).success,
      },
      {
        kind: 'identity',
        hash: keys.identities,
        isValid: (_, value) => StoredPin.safeParse(value).success,
      },
    ],
    audit: keys.audit,
  };
}

function isNamed<T>(schema: z.ZodType<T>, idOf: (value: T) => string) {
  return (id: string, value: unknown): boolean => {
    const { data } = schema.safeParse(value);
    return data !== undefined && idOf(data) === id;
  };
}

function isNumber(field: string): boolean {
  return /^\d{1,15}$/.test(field);
}

const place = { gvc: z.string().min(1), workload: z.string().min(1).exactOptional() };
const StoredWatch = z.object({
  channel: z.string().regex(channelId),
  org: z.string().min(1),
  ...place,
  only: z.array(z.enum(OUTCOMES)).exactOptional(),
  quiet: z.boolean(),
  notify: z.string().exactOptional(),
  configured: z.literal(false),
  by: z.string().exactOptional(),
});
const StoredMute = z.object({
  channel: z.string().regex(channelId),
  org: z.string().min(1).exactOptional(),
  gvc: place.gvc.exactOptional(),
  workload: place.workload,
  since: z.number(),
  until: z.number(),
  by: z.string(),
});

/** @returns the exit code */
async function runIdentity([what, ...emails]: readonly string[]): Promise<number> {
  const isList = what === 'list' && emails.length === 0;
  if (!isList && (what !== 'release' || emails.length === 0)) return usage();
  return inStore((services) => {
    const identities = createIdentities(services);
    return isList ? listPins(identities) : releasePins(identities, services.outbox, emails);
  }, process.stdout);
}

/** Milliseconds. */
const READY_MS = 10_000;

interface StoreServices {
  readonly config: Config;
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly outbox: Outbox;
  readonly logger: Logger;
}

/** With the environment of Purser. @param output takes the address of Redis @returns the exit code */
async function inStore(
  work: (services: StoreServices) => Promise<number>,
  output: NodeJS.WritableStream,
): Promise<number> {
  let redis: RedisConnection | undefined;
  let outputError: unknown;
  process.stdout.once('error', (error) => (outputError = error));
  try {
    const config = loadConfig();
    output.write(`Redis ${addressOf(config.redis)}, prefix ${config.redis.prefix}\n`);
    const secrets = secretsOf(config);
    // Standard output is for the answer; the line of the audit is logged, too.
    const logger = createLogger({ level: 'info', secrets, destination: process.stderr });
    redis = connectRedis(config.redis, 'commands', logger);
    await redisReady(redis, READY_MS);
    await requireDatabase(redis);
    const keys = createKeys(config.redis.prefix);
    const logAudit = createAuditLog(logger, derivedKeys(config, 'audit-log'));
    const outbox = createOutbox(redis, keys, createScrubber(secrets), logAudit);
    return await work({ config, redis, keys, outbox, logger });
  } catch (error) {
    const { message } = error as Error;
    const isPlain = [ConfigError, FileUnreadable, StateRefused, StartRefused].some(
      (kind) => error instanceof kind,
    );
    const failed = error === outputError ? 'The output cannot be written' : 'Redis cannot be used';
    process.stderr.write(isPlain ? `${message}\n` : `${failed}: ${message}\n`);
    return 2;
  } finally {
    redis?.disconnect();
  }
}

function addressOf({ nodes, sentinel }: Config['redis']): string {
  const db = nodes[0]?.db ?? 0;
  const hosts = (sentinel?.nodes ?? nodes).map(({ host, port }) => `${host}:${port}`);
  return sentinel
    ? `${sentinel.name}/${db} of the sentinels ${hosts.join(', ')}`
    : hosts.map((host) => `${host}/${db}`).join(', ');
}

async function listPins(identities: Identities): Promise<number> {
  const pins = await identities.list();
  const rows = [...pins].map(([email, pin]) => `${email}\t${idsOf(pin)}\n`);
  process.stdout.write(rows.join(''));
  if (rows.length === 0) process.stderr.write('No Slack account is remembered.\n');
  return 0;
}

async function releasePins(
  identities: Identities,
  outbox: Outbox,
  emails: readonly string[],
): Promise<number> {
  let missing = 0;
  for (const email of emails) {
    const pin = await identities.release(email, systemClock, outbox);
    if (pin === undefined) missing += 1;
    process.stdout.write(
      pin === undefined
        ? `${email}: no Slack account is remembered with it, so nothing was changed.\n`
        : `${email}: released ${idsOf(pin)}. The next account with this address that uses a role is remembered.\n`,
    );
  }
  return missing === 0 ? 0 : 1;
}

function idsOf({ ids, isGenuine }: Pin): string {
  return isGenuine ? ids.join(', ') : 'an entry that cannot be verified';
}

function usage(): number {
  process.stderr.write(USAGE);
  return 2;
}

function exitCodeOf({ broken, chained }: Verdict): number {
  if (broken !== undefined) return 1;
  return chained === 0 ? 2 : 0;
}

function sentencesOf({ lines, chained, from, lastHash, broken }: Verdict): string[] {
  const sentences = [`${chained} of ${lines} lines are chained.`];
  if (from === 'middle') {
    sentences.push(
      'The file begins in the middle of the chain: its first line is the start of the check, and is itself not checked.',
    );
  }
  if (broken !== undefined) {
    const entry = broken.entry === '' ? '' : ` (entry ${broken.entry})`;
    sentences.push(`BROKEN at line ${broken.line}${entry}: ${broken.why}.`);
  } else if (chained > 0) sentences.push('No break was found.');
  if (lastHash !== undefined) {
    sentences.push(
      `The last hash${broken === undefined ? '' : ' before the break'} is ${lastHash}: compare it with the log.`,
    );
  }
  return sentences;
}

process.exitCode = await run(process.argv.slice(2));
