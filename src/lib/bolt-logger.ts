import type { Logger } from './logger.ts';
import { serializeError } from './serialize-error.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** The logger that Slack's libraries expect; `L` is their own type of a level. */
export interface BoltLogger<L extends string> {
  debug(...messages: unknown[]): void;
  info(...messages: unknown[]): void;
  warn(...messages: unknown[]): void;
  error(...messages: unknown[]): void;
  setLevel(level: L): void;
  getLevel(): L;
  setName(name: string): void;
}

/**
 * Lets Slack's libraries write into our log: `boltLogger<LogLevel>(logger)`. Texts are joined to the
 * message, errors go through the allow-list, and of other objects only the kind is written, because
 * these libraries hand over whole requests. The level is ours alone: Bolt sets one when it starts,
 * which is accepted and has no effect.
 */
export function boltLogger<L extends string = Level>(logger: Logger): BoltLogger<L> {
  let name = 'slack';

  function write(level: Level, messages: readonly unknown[]): void {
    if (!logger.isLevelEnabled(level)) return;

    const error = messages.find((message) => message instanceof Error);
    const texts = messages.filter((message) => message !== error).map(describe);
    logger[level](
      { from: name, ...(error === undefined ? {} : { err: serializeError(error) }) },
      texts.join(' '),
    );
  }

  return {
    debug: (...messages) => write('debug', messages),
    info: (...messages) => write('info', messages),
    warn: (...messages) => write('warn', messages),
    error: (...messages) => write('error', messages),
    setLevel: () => {},
    getLevel: () => nearestLevel(logger.level) as L,
    setName: (given) => void (name = given),
  };
}

function describe(value: unknown): string {
  if (value instanceof Error) return value.message;
  if (typeof value !== 'object' || value === null) return String(value);
  return `[${value.constructor?.name ?? 'object'}]`;
}

/** Slack's libraries know four levels, pino six and silence. */
function nearestLevel(level: string): Level {
  if (level === 'trace' || level === 'debug') return 'debug';
  return level === 'info' || level === 'warn' ? level : 'error';
}
