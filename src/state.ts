import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createIdentities, type Identities, type Pin } from './access/identities.ts';
import { ConfigError, loadConfig, secretsOf, type Config } from './config/config.ts';
import { derivedKeys } from './lib/derived-key.ts';
import { createLogger } from './lib/logger.ts';
import { createScrubber } from './lib/secret.ts';
import { systemClock } from './lib/time.ts';
import { createOutbox, type Outbox } from './notify/outbox.ts';
import { createAuditLog } from './store/audit-log.ts';
import { connectRedis, createKeys, redisReady } from './store/redis.ts';
import { verifyAudit, type Verdict } from './store/audit.ts';

const USAGE = `Usage: npm run state -- audit --verify FILE
       npm run state -- identity list
       npm run state -- identity release EMAIL...

audit --verify: checks the chain of an exported audit ("Audit as a file" in /changes); "-" reads standard input.
The exit code is 0 when the chain has no break, 1 at a break, 2 when there is nothing to check.

identity: with the environment of Purser, lists the e-mail addresses with the Slack accounts that may use their billing
roles, or forgets those of some addresses, with a line in the audit. The next account that uses a role is remembered.
The exit code is 1 when one of the addresses is not there, 2 when nothing could be done.
`;

/** @returns the exit code */
async function run(words: readonly string[]): Promise<number> {
  const [what, option, file, ...more] = words;
  if (what === 'identity') return runIdentity(words.slice(1));
  if (what !== 'audit' || option !== '--verify' || file === undefined || more.length > 0) {
    return usage();
  }
  const input = file === '-' ? process.stdin : createReadStream(file);
  // Readline hides errors of its input.
  const failed = new Promise<never>((_, reject) => void input.once('error', reject));
  const lines = createInterface({ input, crlfDelay: Infinity });
  try {
    const verdict = await Promise.race([verifyAudit(lines), failed]);
    process.stdout.write(`${sentencesOf(verdict).join('\n')}\n`);
    return exitCodeOf(verdict);
  } catch (error) {
    process.stderr.write(`${file} cannot be read: ${(error as Error).message}\n`);
    return 2;
  }
}

/** @returns the exit code */
async function runIdentity([what, ...emails]: readonly string[]): Promise<number> {
  const isList = what === 'list' && emails.length === 0;
  if (!isList && (what !== 'release' || emails.length === 0)) return usage();
  try {
    return await withIdentities(loadConfig(), (identities, outbox) =>
      isList ? listPins(identities) : releasePins(identities, outbox, emails),
    );
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(
      error instanceof ConfigError ? `${message}\n` : `Redis cannot be used: ${message}\n`,
    );
    return 2;
  }
}

/** Milliseconds. */
const READY_MS = 10_000;

/** Says which Redis it is. @throws when Redis does not answer */
async function withIdentities(
  config: Config,
  work: (identities: Identities, outbox: Outbox) => Promise<number>,
): Promise<number> {
  const { nodes, sentinel, prefix } = config.redis;
  const at = sentinel?.nodes ?? nodes;
  const db = nodes[0]?.db ?? 0;
  const places = at
    .map(({ host, port }) => `${host}:${port}${sentinel ? '' : `/${db}`}`)
    .join(', ');
  const named = sentinel ? `${sentinel.name}/${db} of the sentinels ${places}` : places;
  process.stdout.write(`Redis ${named}, prefix ${prefix}\n`);
  const secrets = secretsOf(config);
  // Standard output is for the answer; the line of the audit is logged, too.
  const logger = createLogger({ level: 'info', secrets, destination: process.stderr });
  const redis = connectRedis(config.redis, 'commands', logger);
  try {
    await redisReady(redis, READY_MS);
    const keys = createKeys(prefix);
    const logAudit = createAuditLog(logger, derivedKeys(config, 'audit-log')[0]);
    const outbox = createOutbox(redis, keys, createScrubber(secrets), logAudit);
    return await work(createIdentities({ redis, keys, config, logger }), outbox);
  } finally {
    redis.disconnect();
  }
}

async function listPins(identities: Identities): Promise<number> {
  const pins = await identities.list();
  const rows = [...pins].map(([email, pin]) => `${email}\t${idsOf(pin)}\n`);
  process.stdout.write(rows.join('') || 'No Slack account is remembered.\n');
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

function sentencesOf({ lines, chained, unchained, from, lastHash, broken }: Verdict): string[] {
  const sentences = [`${chained} of ${lines} lines are chained.`];
  if (unchained > 0) {
    sentences.push(`${unchained} before them have no hash: they are older than the chain.`);
  }
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
