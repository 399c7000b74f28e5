import { pino } from 'pino';
import { serializeError } from './errors.ts';
import { createScrubber, type Secret } from './secret.ts';
import { workId } from './work-log.ts';

export type Logger = pino.Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

interface LoggerOptions {
  readonly level: LogLevel;
  /** Every configured secret; none is ever written. */
  readonly secrets: readonly (Secret | string)[];
  /** Prefix of the platform's tokens (`svc`). */
  readonly brandPrefix?: string;
  /** In every line: service, version, role, thread. */
  readonly base?: Readonly<Record<string, string>>;
  /** Default: standard output, written at once. */
  readonly destination?: pino.DestinationStream;
}

/**
 * Writes one JSON object per line. Errors go through an allow-list, and the finished line is scrubbed on its
 * way out, so no call can bypass it: of secrets always, of e-mail addresses unless the level is `trace`.
 * Never log an object of a library as a whole.
 */
export function createLogger(options: LoggerOptions): Logger {
  const withoutSecrets = createScrubber(options.secrets, options.brandPrefix);
  const scrub =
    options.level === 'trace'
      ? withoutSecrets
      : (line: string) => withoutSecrets(line).replace(EMAIL, '[e-mail]');

  return pino(
    {
      level: options.level,
      base: options.base ?? null,
      mixin: () => ({ work: workId() }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: withPlainErrors,
      },
      serializers: { err: toPlain },
      hooks: { streamWrite: (line) => scrubLine(line, scrub) },
    },
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/** Begins where a run of its signs begins, so that it reads a run without an "@" once. */
const EMAIL = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

function withPlainErrors(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toPlain(value)]));
}

function toPlain(value: unknown): unknown {
  return value instanceof Error ? serializeError(value) : value;
}

/** Replacing a secret with quotation marks can break the JSON; such a line is withheld. */
function scrubLine(line: string, scrub: (text: string) => string): string {
  const scrubbed = scrub(line);
  if (scrubbed === line) return line;

  try {
    JSON.parse(scrubbed);
    return scrubbed;
  } catch {
    return '{"level":"error","msg":"a log line was withheld: a secret ran through its structure"}\n';
  }
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/**
 * Lets Slack's libraries write into our log: `boltLogger<LogLevel>(logger)`, with their type of a level. Texts are joined to the message,
 * errors go through the allow-list, and other objects are reduced to their type, because these libraries pass
 * whole requests. Our level applies: Bolt sets one at its start, which has no effect. Their debug texts hold
 * requests and answers, so they appear at `trace` alone.
 */
export function boltLogger<L extends string = Level>(logger: Logger) {
  let name = 'slack';

  function write(level: Level | 'trace', messages: readonly unknown[]): void {
    if (!logger.isLevelEnabled(level)) return;

    const error = messages.find((message) => message instanceof Error);
    const texts = messages.filter((message) => message !== error).map(describe);
    logger[level]({ from: name, err: error && serializeError(error) }, texts.join(' '));
  }

  return {
    debug: (...messages: unknown[]) => write('trace', messages),
    info: (...messages: unknown[]) => write('info', messages),
    warn: (...messages: unknown[]) => write('warn', messages),
    error: (...messages: unknown[]) => write('error', messages),
    setLevel: (_level: L) => {},
    getLevel: () => nearestLevel(logger.level) as L,
    setName: (given: string) => void (name = given),
  };
}

function describe(value: unknown): string {
  if (value instanceof Error) return value.message;
  if (typeof value !== 'object' || value === null) return String(value);
  return `[${value.constructor?.name ?? 'object'}]`;
}

function nearestLevel(level: string): Level {
  if (level === 'trace') return 'debug';
  if (level === 'debug') return 'info';
  return level === 'info' || level === 'warn' ? level : 'error';
}
