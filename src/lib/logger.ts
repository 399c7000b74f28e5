import { pino } from 'pino';
import { serializeError } from './serialize-error.ts';
import { createScrubber } from './scrub.ts';
import type { Secret } from './secret.ts';

export type Logger = pino.Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

interface LoggerOptions {
  readonly level: LogLevel;
  /** Every configured secret; none of them is ever written. */
  readonly secrets: readonly (Secret | string)[];
  /** What the platform's own tokens begin with (`svc`). */
  readonly brandPrefix?: string;
  /** Where the lines go; standard output unless given. */
  readonly destination?: pino.DestinationStream;
}

/**
 * One JSON object per line. Errors are written by an allow-list, and the finished line is scrubbed
 * on its way out: no way of logging goes round it. Never log an object of a library as a whole.
 */
export function createLogger(options: LoggerOptions): Logger {
  const scrub = createScrubber(options.secrets, options.brandPrefix);

  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: withPlainErrors,
      },
      serializers: { err: toPlain },
      hooks: { streamWrite: (line) => scrubLine(line, scrub) },
    },
    // At once: a line that waits is lost or out of order when its process or thread ends.
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

function withPlainErrors(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toPlain(value)]));
}

function toPlain(value: unknown): unknown {
  return value instanceof Error ? serializeError(value) : value;
}

/** A secret with quotation marks in it could take the line's own with it: then the line is lost. */
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
