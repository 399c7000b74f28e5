import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** One command, click, form or job, and everything that it calls. */
interface Work {
  readonly id: string;
  /** Slack id; undefined for a job. */
  readonly user: unknown;
  end: WorkEnd;
}

/** `refused`: the person got a sentence instead of an answer. */
export type WorkEnd = 'done' | 'refused' | 'failed';

const current = new AsyncLocalStorage<Work>();

/** The id that the log lines and the calls of the current work carry; undefined outside of any. */
export function workId(): string | undefined {
  return current.getStore()?.id;
}

/** The person of the current work; undefined for a job. */
export function workUser(): string | undefined {
  const user = current.getStore()?.user;
  return typeof user === 'string' ? user : undefined;
}

/** Headers that calls carry, so that the other side can be asked about one piece of work. */
export function workHeaders(): Record<string, string> {
  const id = workId();
  return id === undefined ? {} : { 'x-request-id': id };
}

/** How the current work ends, as far as it is known. */
export function workEnd(): WorkEnd {
  return current.getStore()?.end ?? 'done';
}

/** Sets how the current work ends. */
export function endWork(end: WorkEnd): void {
  const work = current.getStore();
  if (work !== undefined) work.end = end;
}

/**
 * Runs one piece of work, and logs one line about it: what it was, whose, how long it took (milliseconds) and how it
 * ended.
 * @param facts ids only, no text that people typed
 */
export async function logWork<T>(
  logger: { info(fields: object, message: string): void },
  facts: Readonly<Record<string, unknown>>,
  run: () => Promise<T>,
): Promise<T> {
  const work: Work = { id: randomUUID(), user: facts['user'], end: 'done' };
  const began = performance.now();
  return current.run(work, async () => {
    try {
      return await run();
    } catch (error) {
      work.end = 'failed';
      throw error;
    } finally {
      logger.info({ ...facts, ms: Math.round(performance.now() - began), end: work.end }, 'Work');
    }
  });
}
