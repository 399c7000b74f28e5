import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  HTTPModuleFunctions,
  HTTPResponseAck,
  type AllMiddlewareArgs,
  type AnyMiddlewareArgs,
  type App,
  type LogLevel,
  type Middleware,
  type Receiver,
} from '@slack/bolt';
import { errorMessage } from '../../lib/errors.ts';
import { boltLogger, type Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time.ts';
import { refusalWord, type Keys, type RedisConnection } from '../../store/redis.ts';

interface HttpReceiverOptions {
  signingSecret: string;
  /** 0: any free one. */
  port: number;
  dedupe: Dedupe;
  clock: Clock;
  logger: Logger;
}

type HttpReceiver = Receiver & { address(): number | undefined };

const PATH = '/slack/events';
const BODY_LIMIT = 256 * 1024;
/** Sum of the large bodies being received, before their signatures are checked. Bytes. */
const BODIES_LIMIT = 32 * 1024 * 1024;
/** Smaller bodies are always accepted, so that large ones cannot block Slack. Bytes. */
const SMALL_BODY = 16 * 1024;
/** Slack's window for a timestamp. Bolt checks the past only, so the future is checked here. Seconds. */
const MAX_SKEW_S = 300;
/** Slack gives up after three seconds, so a slower sender is not Slack. Milliseconds. */
const SENDER_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep an idle connection: one that closes first gives a person a 502.
  keepAliveTimeout: 75_000,
};
const MAX_CONNECTIONS = 1_000;
/** Connections without a signed request so far: the oldest makes room for the next, so that they cannot block Slack. */
const MAX_UNSIGNED = 500;
const CLOSE_GRACE_MS = 1_000;
/** A request without Slack’s signature gets one answer, and its connection is closed. */
const CLOSING = { connection: 'close' } as const;

/**
 * Receives Slack's signed requests. Beyond Bolt's own receiver: timestamps from the future and repeated requests are
 * refused with 401, slow senders are cut off, and the connection of a request that is not Slack’s is closed after its
 * answer.
 */
export function createHttpReceiver(options: HttpReceiverOptions): HttpReceiver {
  const { logger } = options;
  let app: App | undefined;
  let receiving = 0;
  const server = createServer(SENDER_LIMITS, (request, response) => {
    if (request.method !== 'POST' || request.url?.split('?')[0] !== PATH) {
      response.writeHead(404, CLOSING).end();
      return;
    }
    const bytes = largeBodyBytes(request);
    if (bytes > 0 && receiving + bytes > BODIES_LIMIT) {
      response.writeHead(503, CLOSING).end();
      return;
    }
    receiving += bytes;
    request.once('close', () => (receiving -= bytes));
    const onSigned = (): void => void unsigned.delete(request.socket);
    receive(request, response, app, { ...options, onSigned }).catch((error: unknown) => {
      logger.error({ err: error }, 'A request from Slack failed');
      if (!response.headersSent) response.writeHead(500, CLOSING).end();
    });
  });
  server.on('checkExpectation', (_, response: ServerResponse) => {
    response.writeHead(417, CLOSING).end();
  });
  server.maxConnections = MAX_CONNECTIONS;
  const unsigned = new Set<Socket>();
  server.on('connection', (socket) => {
    socket.once('close', () => unsigned.delete(socket));
    const [oldest] = unsigned;
    unsigned.add(socket);
    if (oldest === undefined || unsigned.size <= MAX_UNSIGNED) return;
    unsigned.delete(oldest);
    oldest.destroy();
  });

  return {
    init(bolt) {
      app = bolt;
    },
    start: () => listen(server, options.port),
    stop: () => close(server),
    address() {
      const address = server.address();
      return typeof address === 'object' ? address?.port : undefined;
    },
  };
}

/** The bytes reserved for a large body; 0 for a small one. */
function largeBodyBytes({ headers }: IncomingMessage): number {
  const length = Number(headers['content-length'] ?? BODY_LIMIT);
  return length <= SMALL_BODY ? 0 : Math.min(length || BODY_LIMIT, BODY_LIMIT);
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  app: App | undefined,
  options: HttpReceiverOptions & { readonly onSigned: () => void },
): Promise<void> {
  const refuse = (status: number, why: string): void => {
    options.logger.warn({ status, why }, 'A request to the Slack endpoint was refused');
    response.writeHead(status, CLOSING).end();
  };
  let buffered;
  try {
    buffered = await HTTPModuleFunctions.parseAndVerifyHTTPRequest(
      {
        enabled: true,
        signingSecret: options.signingSecret,
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
  // Slack's check of the certificate is its only unsigned request; it has no other effect.
  if (body['ssl_check'] === '1') {
    response.writeHead(200, CLOSING).end();
    return;
  }

  const timestamp = Number(request.headers['x-slack-request-timestamp']);
  const skew = Math.abs(timestamp - options.clock.now() / 1000);
  if (!(skew <= MAX_SKEW_S)) return refuse(401, 'timestamp');
  options.onSigned();
  // The signed content, not the header, which can be written in several ways.
  const id = createHash('sha256')
    .update(`${timestamp}:`)
    .update(buffered.rawBody)
    .digest('base64url');
  // Unknown while the store is unavailable; the middleware then answers that nothing was done.
  if ((await options.dedupe(`request:${id}`)) === 'seen') return refuse(401, 'replay');

  if (body['type'] === 'url_verification') {
    return HTTPModuleFunctions.buildUrlVerificationResponse(response, body);
  }
  const ack = new HTTPResponseAck({
    logger: boltLogger<LogLevel>(options.logger),
    processBeforeResponse: false,
    unhandledRequestHandler: (unanswered) => {
      if (!response.headersSent) HTTPModuleFunctions.defaultUnhandledRequestHandler(unanswered);
    },
    httpRequest: buffered,
    httpRequestBody: body,
    httpResponse: response,
  });
  const retryNum = HTTPModuleFunctions.extractRetryNumFromHTTPRequest(request);
  const retryReason = HTTPModuleFunctions.extractRetryReasonFromHTTPRequest(request);
  const event = {
    body,
    ack: ack.bind(),
    ...(retryNum === undefined ? {} : { retryNum }),
    ...(retryReason === undefined ? {} : { retryReason }),
  };
  // Bolt reads the payload before any listener, and throws where its members are not those that Slack sends.
  const isRead = await app?.processEvent(event).then(
    () => true,
    () => false,
  );
  if (isRead === false || !response.headersSent) refuse(400, 'malformed payload');
}

/** Undefined when it is no object; a form is one, and so is the `payload` of a form. */
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

/** Accepts nothing new; connections that stay open are cut after a moment, so that none keeps the process. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    // The only error is that the server was not listening, which is fine here.
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

type WriteRefusal = 'OOM' | 'READONLY' | 'MISCONF';

/** `unavailable` when the store does not answer in time. */
export type DeliveryState = 'new' | 'seen' | 'unavailable' | WriteRefusal;

/** Remembers an id and returns whether it was known. Shared by all processes of the bot. Never rejects. */
type Dedupe = (id: string) => Promise<DeliveryState>;

/** Slack delivers an event up to three times within about five minutes; ids are kept twice as long. */
const REMEMBER_MS = 10 * 60_000;
/** Asked twice for a signed request, which must be acknowledged within three seconds. */
const TIMEOUT_MS = 600;

export const UNAVAILABLE =
  'Purser cannot reach its own store just now, so nothing was done. Please try again in a minute.';

const notWritten = (word: WriteRefusal, fix: string): string =>
  `Purser’s store takes no writes (Redis says ${word}), so nothing was done: ask your Purser administrator to ${fix}.`;

/** For the person, when it is unknown whether a delivery is new. */
const SENTENCES: Readonly<Record<Exclude<DeliveryState, 'new' | 'seen'>, string>> = {
  unavailable: UNAVAILABLE,
  OOM: notWritten('OOM', 'give Redis more memory (maxmemory)'),
  READONLY: notWritten('READONLY', 'name the primary in REDIS_URL, as this is a replica'),
  MISCONF: notWritten('MISCONF', 'check the log of Redis, and whether its disk is full'),
};

export function createDedupe(redis: RedisConnection, keys: Keys): Dedupe {
  return async (id) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<DeliveryState>((resolve) => {
      // After a pause of the whole process timers come first: an answer that is there by then counts.
      timer = setTimeout(() => setImmediate(() => resolve('unavailable')), TIMEOUT_MS);
    });
    const state = redis.set(keys.seen(id), '1', 'PX', REMEMBER_MS, 'NX').then(
      (answer): DeliveryState => (answer === 'OK' ? 'new' : 'seen'),
      (error: unknown): DeliveryState => writeRefusal(error) ?? 'unavailable',
    );
    return Promise.race([state, late]).finally(() => clearTimeout(timer));
  };
}

function writeRefusal(error: unknown): WriteRefusal | undefined {
  const word = refusalWord(error);
  return word === 'OOM' || word === 'READONLY' || word === 'MISCONF' ? word : undefined;
}

type Args = AnyMiddlewareArgs & AllMiddlewareArgs;

/**
 * Lets each delivery through once: Slack repeats unacknowledged ones, and a click may arrive on two connections. A
 * repeated one is acknowledged and has no effect.
 */
export function dedupeDeliveries(dedupe: Dedupe, logger: Logger): Middleware<AnyMiddlewareArgs> {
  return async (args: Args) => {
    const body = args.body as { event_id?: unknown; trigger_id?: unknown; type?: unknown };
    const id = body.event_id ?? body.trigger_id;
    // view_closed and option loads carry no id; they may run twice.
    const state = typeof id === 'string' ? await dedupe(`delivery:${id}`) : 'new';
    if (state === 'new') return args.next();
    if (state === 'seen') {
      logger.info({ kind: body.type ?? 'command' }, 'A repeated delivery was ignored');
      return acknowledge(args);
    }
    if (state !== 'unavailable') logger.error({ says: state }, 'Redis takes no writes');
    return refuse(args, SENTENCES[state]);
  };
}

async function acknowledge(args: Args): Promise<void> {
  if ('ack' in args && args.ack !== undefined) await args.ack();
}

async function refuse(args: Args, text: string): Promise<void> {
  if ('command' in args && args.command !== undefined) {
    await args.ack({ response_type: 'ephemeral', text });
    return;
  }
  if ('view' in args && args.view !== undefined && args.body.type === 'view_submission') {
    const input = args.body.view.blocks.find((block) => block.type === 'input');
    const ack = args.ack as (answer?: object) => Promise<void>;
    const errors = { [input?.block_id ?? '']: text };
    await ack(input === undefined ? undefined : { response_action: 'errors', errors });
    return;
  }
  await acknowledge(args);
  if ('respond' in args && args.respond !== undefined) {
    await args.respond({ text, response_type: 'ephemeral', replace_original: false });
  }
}
