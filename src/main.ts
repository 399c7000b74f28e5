import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { createApp, type PurserApp } from './app.ts';
import { ConfigError, loadConfig, secretsOf, type Config } from './config/config.ts';
import { StartRefused } from './lib/errors.ts';
import { readFileSync } from 'node:fs';
import { createLogger, type Logger } from './lib/logger.ts';
import { createLogOutput } from './lib/log-output.ts';
import {
  createThreadOutput,
  serveMainThread,
  startWorkerThread,
  type WorkerThread,
} from './jobs/worker-thread.ts';

const EXIT_CONFIG = 2;
const output = isMainThread ? createLogOutput() : createThreadOutput();
/** So long the end of the process waits for a log collector that reads slowly. */
const FLUSH_MS = 1_000;
/** More than the thread's own limit and less than the 25 s of the process. */
const THREAD_STOP_MS = 22_000;

/**
 * The process: environment, signals, exit code. With `ROLE=all` it answers Slack, and a second thread, which
 * runs this same file, does the work that would delay the answers. A thread that ends unasked ends the
 * process.
 */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = loggerOf(config, 'main');
  const thread =
    config.role === 'all'
      ? startWorkerThread(new URL(import.meta.url), (line) => output.write(line))
      : undefined;
  const app = createApp(thread === undefined ? config : { ...config, role: 'app' }, logger, {
    ...(thread && { workerThread: thread }),
  });
  let stopping = false;
  const stop = async (): Promise<boolean> => {
    stopping = true;
    const ends = await Promise.all([app.stop(), thread?.stop(THREAD_STOP_MS)]);
    return ends.every((end) => end?.clean !== false);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'Asked to stop');
      void stop().then((clean) => exit(clean ? 0 : 1));
    });
  }
  const die = (error: unknown, message: string): void => {
    logger.fatal({ err: error }, message);
    void exit(1);
  };
  // Socket Mode can fail outside of our promises: a restart is better than a bot that receives nothing.
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => die(error, 'An error nobody handled'));
  }
  thread?.onEnd((error) => {
    if (!stopping) die(error, 'The thread of the workers has ended');
  });
  await start(app, thread, logger, stop);
}

async function start(
  app: PurserApp,
  thread: WorkerThread | undefined,
  logger: Logger,
  stop: () => Promise<boolean>,
): Promise<void> {
  try {
    await Promise.all([app.start(), thread?.started]);
    logger.info({ ports: app.ports() }, 'Ready');
  } catch (error) {
    if (error instanceof StartRefused) logger.fatal({}, error.message);
    else logger.fatal({ err: error }, 'Purser cannot start');
    await stop();
    await exit(1);
  }
}

/** The second thread. Its errors end it and the process, which logs them. */
async function work(): Promise<void> {
  const config: Config = { ...readConfig(), role: 'worker' };
  const logger = loggerOf(config, 'worker');
  const app = createApp(config, logger, { listen: false });
  const mainThread = serveMainThread({
    families: () => app.families(),
    health: () => app.health(),
    stop: () => void app.stop().then(({ clean }) => exit(clean ? 0 : 1)),
  });
  try {
    await app.start();
    mainThread.started();
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    mainThread.refused(error);
  }
}

async function exit(code: number): Promise<never> {
  await output.flush(FLUSH_MS);
  process.exit(code);
}

function loggerOf(config: Config, thread: 'main' | 'worker'): Logger {
  const { version } = Package.parse(JSON.parse(readFileSync(PACKAGE, 'utf8')));
  return createLogger({
    base: { service: 'purser', version, role: config.role, thread },
    destination: output,
    level: config.logLevel,
    secrets: secretsOf(config),
    brandPrefix: config.brand.prefix,
  });
}

const PACKAGE = new URL('../package.json', import.meta.url);
const Package = z.object({ version: z.string() });

function readConfig(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

await (isMainThread ? main() : work());
