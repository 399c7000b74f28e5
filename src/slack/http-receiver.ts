import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { HTTPModuleFunctions, HTTPResponseAck } from '@slack/bolt';
import type { App, LogLevel, Receiver } from '@slack/bolt';
import { boltLogger } from '../lib/bolt-logger.ts';
import type { Clock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Seen } from './once.ts';

export interface HttpReceiverDeps {
  signingSecret: string;
  /** 0 = any free one. */
  port: number;
  seen: (id: string) => Promise<Seen>;
  clock: Clock;
  logger: Logger;
}

export type HttpReceiver = Receiver & { address(): number | undefined };

const PATH = '/slack/events';
const BODY_LIMIT = 256 * 1024;
/** Of all large bodies that come in at a time, whoever sends them: nothing is known of them yet. Bytes. */
const BODIES_LIMIT = 32 * 1024 * 1024;
/** What is smaller always comes in, so that nobody crowds Slack out with the others. Bytes. */
const SMALL_BODY = 16 * 1024;
/** Slack's window for a timestamp. Bolt checks the past only, so the future is checked here. Seconds. */
const MAX_SKEW_S = 300;
/** Slack gives up after three seconds, so whoever sends for longer is not Slack. */
const LIMITS_OF_SENDING = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep an idle connection: one that closes first gives a person a 502.
  keepAliveTimeout: 75_000,
};
const MAX_CONNECTIONS = 1_000;
const CLOSE_GRACE_MS = 1_000;
/** Whoever Slack’s signature does not stand for has one answer, and no connection after it. */
const CLOSING = { connection: 'close' } as const;

/**
 * Receives Slack's signed requests. What Bolt's own receiver lacks: timestamps from the future and
 * requests that were seen before are refused with 401, slow senders are cut off, and the connection of a
 * request that is not Slack’s is closed after its answer.
 */
export function createHttpReceiver(deps: HttpReceiverDeps): HttpReceiver {
  const { logger } = deps;
  let app: App | undefined;
  let coming = 0;
  const server = createServer(LIMITS_OF_SENDING, (request, response) => {
    if (request.method !== 'POST' || request.url?.split('?')[0] !== PATH) {
      response.writeHead(404, CLOSING).end();
      return;
    }
    const bytes = bytesOf(request);
    if (bytes > 0 && coming + bytes > BODIES_LIMIT) {
      response.writeHead(503, CLOSING).end();
      return;
    }
    coming += bytes;
    request.once('close', () => (coming -= bytes));
    receive(request, response, app, deps).catch((error: unknown) => {
      logger.error({ err: error }, 'A request from Slack failed');
      if (!response.headersSent) response.writeHead(500, CLOSING).end();
    });
  });
  server.on('checkExpectation', (_, response: ServerResponse) => {
    response.writeHead(417, CLOSING).end();
  });
  server.maxConnections = MAX_CONNECTIONS;

  return {
    init(bolt) {
      app = bolt;
    },
    start: () => listen(server, deps.port),
    stop: () => close(server),
    address() {
      const address = server.address();
      return typeof address === 'object' ? address?.port : undefined;
    },
  };
}

/** What a large body takes while it comes in; 0 for a small one. */
function bytesOf({ headers }: IncomingMessage): number {
  const said = Number(headers['content-length'] ?? BODY_LIMIT);
  return said <= SMALL_BODY ? 0 : Math.min(said || BODY_LIMIT, BODY_LIMIT);
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  app: App | undefined,
  deps: HttpReceiverDeps,
): Promise<void> {
  const refuse = (status: number, why: string): void => {
    deps.logger.warn({ status, why }, 'A request to the Slack endpoint was refused');
    response.writeHead(status, CLOSING).end();
  };
  let buffered;
  try {
    buffered = await HTTPModuleFunctions.parseAndVerifyHTTPRequest(
      {
        enabled: true,
        signingSecret: deps.signingSecret,
        bodyLimit: BODY_LIMIT,
      },
      request,
    );
  } catch (error) {
    const tooLarge = HTTPModuleFunctions.isRawBodyError(error) && error.statusCode === 413;
    return refuse(tooLarge ? 413 : 401, errorMessage(error));
  }
  const body = readBody(buffered);
  if (body === undefined) return refuse(400, 'malformed body');
  // Slack's look at the certificate is the one thing that is not signed; nothing else is left of it.
  if (body['ssl_check'] === '1') {
    response.writeHead(200, CLOSING).end();
    return;
  }

  const timestamp = Number(request.headers['x-slack-request-timestamp']);
  const skew = Math.abs(timestamp - deps.clock.now() / 1000);
  if (!(skew <= MAX_SKEW_S)) return refuse(401, 'timestamp');
  // What was signed, not the header: that can be written in several ways.
  const id = createHash('sha256')
    .update(`${timestamp}:`)
    .update(buffered.rawBody)
    .digest('base64url');
  // While the store is away nobody can tell; the middleware then answers that nothing was done.
  if ((await deps.seen(`request:${id}`)) === 'seen') return refuse(401, 'replay');

  if (body['type'] === 'url_verification') {
    return HTTPModuleFunctions.buildUrlVerificationResponse(response, body);
  }
  const ack = new HTTPResponseAck({
    logger: boltLogger<LogLevel>(deps.logger),
    processBeforeResponse: false,
    httpRequest: buffered,
    httpRequestBody: body,
    httpResponse: response,
  });
  const retryNum = HTTPModuleFunctions.extractRetryNumFromHTTPRequest(request);
  const retryReason = HTTPModuleFunctions.extractRetryReasonFromHTTPRequest(request);
  await app?.processEvent({
    body,
    ack: ack.bind(),
    ...(retryNum === undefined ? {} : { retryNum }),
    ...(retryReason === undefined ? {} : { retryReason }),
  });
}

/** Undefined when it is no object; a form is one, and so is what a form has in its `payload`. */
function readBody(
  request: Parameters<typeof HTTPModuleFunctions.parseHTTPRequestBody>[0],
): Record<string, unknown> | undefined {
  try {
    const body: unknown = HTTPModuleFunctions.parseHTTPRequestBody(request);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Takes nothing new; connections on which nothing moves are cut after a moment, so that none keeps the process. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    // The only error is that the server was not listening, which is just as well.
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
