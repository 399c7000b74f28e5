import { SocketModeReceiver } from '@slack/bolt';
import type { LogLevel } from '@slack/bolt';
import { boltLogger } from '../lib/bolt-logger.ts';
import type { Logger } from '../lib/logger.ts';
import { clientOptions } from './client.ts';

/**
 * Milliseconds. Bolt's 5 s end healthy connections on a slow network; but the client also waits this
 * long before it opens the next connection, and hears nothing meanwhile.
 */
const CLIENT_PING_TIMEOUT_MS = 8_000;
/** Only for opening a connection: about ten minutes of trying, with growing pauses. */
const OPEN_RETRIES = { retries: 30, factor: 1.5, minTimeout: 500, maxTimeout: 30_000 };

/** Socket Mode, for workspaces that cannot reach the bot. `connected` follows the connection. */
export function createSocketReceiver(deps: {
  appToken: string;
  apiUrl: string;
  logger: Logger;
  onConnected: (connected: boolean) => void;
}): SocketModeReceiver {
  const receiver = new SocketModeReceiver({
    appToken: deps.appToken,
    logger: boltLogger<LogLevel>(deps.logger),
    clientPingTimeout: CLIENT_PING_TIMEOUT_MS,
    installerOptions: {
      clientOptions: {
        ...clientOptions(deps.apiUrl, deps.logger),
        retryConfig: OPEN_RETRIES,
        rejectRateLimitedCalls: false,
      },
    },
  });
  receiver.client.on('connected', () => deps.onConnected(true));
  // Told at once; "reconnecting" comes only when the pause before the next try is over.
  receiver.client.on('close', () => deps.onConnected(false));
  return receiver;
}
