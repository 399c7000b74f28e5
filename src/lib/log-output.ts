import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type DestinationStream } from 'pino';

/** Standard output, as the log writes to it. */
export interface LogOutput extends DestinationStream {
  /** Waits until everything is written, at most `limitMs` milliseconds. */
  flush(limitMs: number): Promise<void>;
}

/** Bytes that wait for a collector that has stopped reading. */
const MOST_WAITING = 1_000_000;
const FLUSH_STEP_MS = 10;

/**
 * A pipe to a log collector is written without blocking: while it reads too slowly, lines are dropped and counted, and
 * the next line says how many. Files and terminals are written at once.
 * @param fd of standard output
 * @param onDrop called for each line that is dropped
 */
export function createLogOutput(fd = 1, onDrop: () => void = () => {}): LogOutput {
  if (!isPipe(fd)) {
    const file = pino.destination({ dest: fd, sync: true });
    return { write: (line) => void file.write(line), flush: () => Promise.resolve() };
  }
  // Not a stream of `fs`: a blocked write there would keep the process from ending.
  const pipe = new Socket({ fd, readable: false, writable: true });
  pipe.unref();
  // The collector is gone: the bot goes on without a log.
  pipe.on('error', () => undefined);
  let dropped = 0;
  return {
    write(line) {
      if (pipe.writableLength + line.length > MOST_WAITING) {
        dropped += 1;
        onDrop();
        return;
      }
      if (dropped > 0) pipe.write(droppedLine(dropped));
      dropped = 0;
      pipe.write(line);
    },
    async flush(limitMs) {
      const until = performance.now() + limitMs;
      while (pipe.writableLength > 0 && pipe.writable && performance.now() < until) {
        await sleep(FLUSH_STEP_MS);
      }
    },
  };
}

function isPipe(fd: number): boolean {
  const stat = fstatSync(fd);
  return stat.isFIFO() || stat.isSocket();
}

function droppedLine(dropped: number): string {
  const msg = 'Log lines were dropped, because the log collector did not read them in time';
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg, dropped })}\n`;
}
