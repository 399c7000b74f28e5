import { createApp } from './app.ts';
import { ConfigError, loadConfig, secretsOf } from './config.ts';
import type { Config } from './config.ts';
import { createLogger } from './lib/logger.ts';

const EXIT_CONFIG = 2;

/** The process: environment, signals, exit code. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({
    level: config.logLevel,
    secrets: secretsOf(config),
    brandPrefix: config.brand.prefix,
  });
  const app = createApp(config, logger);
  const stop = (signal: string): void => {
    logger.info({ signal }, 'Asked to stop');
    void app.stop().then(({ clean }) => process.exit(clean ? 0 : 1));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Socket Mode can fail outside of any promise that is ours: better a clean start than a deaf process.
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, 'An error nobody handled');
      process.exit(1);
    });
  }
  try {
    await app.start();
    logger.info({ ports: app.ports() }, 'Ready');
  } catch (error) {
    logger.fatal({ err: error }, 'Purser cannot start');
    await app.stop();
    process.exit(1);
  }
}

function readConfig(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

await main();
