import { setTimeout as sleep } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import { WebAPIRateLimitedError, type LogLevel } from '@slack/web-api';
import { errorMessage } from '../../lib/errors.ts';
import { boltLogger, type Logger } from '../../lib/logger.ts';
import type { Secret } from '../../lib/secret.ts';
import { backoffDelay } from '../../lib/time.ts';
import { bodyResult, measureCall } from '../calls.ts';
import { clientOptions, timedFetch } from '../client.ts';
import { tokenRefusal } from '../sender.ts';
import type { SlackReceiver } from './http-receiver.ts';

/** Bolt's 5 s end healthy connections on a slow network. Milliseconds. */
const CLIENT_PING_TIMEOUT_MS = 8_000;
/** Pauses between two tries to open a connection. Milliseconds. */
const RETRY = { baseMs: 1_000, capMs: 30_000 };

/**
 * Socket Mode, for workspaces that cannot reach the bot. Slack closes a connection every few hours, and the next one is
 * opened at once: Slack's own client waits for as long as its pings may take, ends the process where the opening fails
 * for ten minutes, and logs no reason meanwhile.
 */
export function createSocketReceiver(
  appToken: Secret,
  apiUrl: string,
  logger: Logger,
): SlackReceiver {
  const stopping = new AbortController();
  const { signal } = stopping;
  const bolt = openedBy(appToken, apiUrl, logger);
  let connected = false;

  /** Opens a connection, however long that takes. @throws StartRefused when waiting does not help and `atStart` */
  async function connect(atStart: boolean): Promise<void> {
    let logged: string | undefined;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await bolt.client.start();
        break;
      } catch (error) {
        const refusal = tokenRefusal('SLACK_APP_TOKEN', error);
        if (refusal && atStart) throw refusal;
        const reason = errorMessage(refusal ?? error);
        if (!signal.aborted && reason !== logged) {
          logger.error({ err: refusal ?? error }, 'The connection to Slack cannot be opened');
        }
        logged = reason;
        const asked = error instanceof WebAPIRateLimitedError ? error.retryAfter * 1_000 : 0;
        const pause = Math.max(asked, backoffDelay(attempt, { ...RETRY, random: Math.random }));
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
    if (signal.aborted) return bolt.stop();
    if (logged !== undefined) logger.info({}, 'The connection to Slack is open again');
  }

  bolt.client.on('connected', () => (connected = true));
  bolt.client.on('disconnected', () => {
    const wasConnected = connected;
    connected = false;
    if (wasConnected && !signal.aborted) void connect(false);
  });
  return {
    init: (app) => bolt.init(app),
    start: () => connect(true),
    stop: () => {
      stopping.abort();
      return bolt.stop();
    },
    connected: () => connected && !signal.aborted,
    address: () => undefined,
  };
}

/** Slack's receiver, whose client opens one connection and reports its end. */
function openedBy(appToken: Secret, apiUrl: string, logger: Logger): SocketModeReceiver {
  // The open connection stays; the next one is opened with the token of that moment.
  const open = timedFetch(apiUrl, appToken);
  return new SocketModeReceiver({
    appToken: appToken.reveal(),
    logger: boltLogger<LogLevel>(logger),
    autoReconnectEnabled: false,
    clientPingTimeout: CLIENT_PING_TIMEOUT_MS,
    installerOptions: {
      clientOptions: {
        ...clientOptions(apiUrl, logger, appToken),
        fetch: (url, init) =>
          measureCall('apps.connections.open', () => open(url, init), bodyResult),
      },
    },
  });
}
