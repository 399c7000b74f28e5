import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { createApp, type PurserApp } from './app.ts';
import { ConfigError, loadConfig, secretsOf, type Config } from './config/config.ts';
import { createKeyFiles } from './config/key-files.ts';
import { StartRefused } from './lib/errors.ts';
import { readFileSync } from 'node:fs';
import { createLogger, type Logger } from './lib/logger.ts';
import { settledWithin } from './lib/time.ts';
import { createLogOutput } from './lib/log-output.ts';
import { measureThread } from './lib/metrics.ts';
import { metricValues, record } from './metrics.ts';
import { startTracing, type Tracing } from './tracing.ts';
import {
  createThreadOutput,
  serveMainThread,
  startWorkerThread,
  type WorkerThread,
} from './jobs/worker-thread.ts';

const EXIT_CONFIG = 2;
const output = isMainThread
  ? createLogOutput(1, () => record.logDropped.inc({}))
  : createThreadOutput();
/** How long the end of the process waits for a slow collector. Milliseconds. */
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
  record.build.set(
    { version: packageVersion(), node: process.versions.node, role: config.role },
    1,
  );
  const telemetry = await trace(config, logger);
  const thread =
    config.role === 'all'
      ? startWorkerThread(new URL(import.meta.url), (line) => output.write(line))
      : undefined;
  const app = await createApp(thread === undefined ? config : { ...config, role: 'app' }, logger, {
    measured: measureThread('main'),
    telemetry,
    ...(thread && { workerThread: thread }),
  });
  let stopping = false;
  const stop = async (): Promise<boolean> => {
    stopping = true;
    const parts = await Promise.all([app.stop(), thread?.stop(THREAD_STOP_MS)]);
    return parts.every((end) => end?.clean !== false);
  };
  // The end of a terminal ends its processes.
  const isAtTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const ends = ['SIGTERM', 'SIGINT', ...(isAtTerminal ? (['SIGHUP'] as const) : [])] as const;
  for (const signal of ends) {
    process.on(signal, () => {
      logger.info({ signal }, 'Asked to stop');
      void stop().then((clean) => exit(clean ? 0 : 1));
    });
  }
  const keyFiles = createKeyFiles({ config, logger });
  const readKeys = (): void => {
    // The thread first: what this one signs with a new key, the thread has to know.
    thread?.readKeys();
    keyFiles.read();
  };
  if (!isAtTerminal) process.on('SIGHUP', readKeys);
  keyFiles.watch(readKeys);
  const die = (error: unknown, message: string): void => {
    logger.fatal({ err: error }, message);
    void exit(1);
  };
  // Socket Mode can fail outside of our promises: a restart is better than a bot that receives nothing.
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => die(error, 'An unhandled error'));
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
  const telemetry = await trace(config, logger);
  const app = await createApp(config, logger, { listen: false, telemetry });
  const measured = measureThread('worker');
  const keyFiles = createKeyFiles({ config, logger });
  const mainThread = serveMainThread({
    metrics: async () => [...(await metricValues()), ...(await measured())],
    health: () => app.health(),
    readKeys: () => keyFiles.read(),
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

let tracing: Tracing | undefined;

/** Of this thread. Without its packages the process ends. */
async function trace(config: Config, logger: Logger): Promise<Tracing['telemetry'] | undefined> {
  if (!config.isTraced) return undefined;
  try {
    tracing = await startTracing(packageVersion());
    return tracing.telemetry;
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    logger.fatal({}, error.message);
    return exit(1);
  }
}

async function exit(code: number): Promise<never> {
  if (tracing) await settledWithin(tracing.stop(), FLUSH_MS);
  await output.flush(FLUSH_MS);
  process.exit(code);
}

function loggerOf(config: Config, thread: 'main' | 'worker'): Logger {
  return createLogger({
    base: { service: 'purser', version: packageVersion(), role: config.role, thread },
    destination: output,
    level: config.logLevel,
    secrets: secretsOf(config),
    brandPrefix: config.brand.prefix,
  });
}

function packageVersion(): string {
  return Package.parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;
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
