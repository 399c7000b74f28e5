import { createHash } from 'node:crypto';
import { once } from 'node:events';
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
import type { Secret } from '../../lib/secret.ts';
import type { Clock } from '../../lib/time.ts';
import { record } from '../../metrics.ts';
import { given } from '../kit/text.ts';
import { REFUSAL } from '../routing/clicks.ts';
import { refusalWord, UNAVAILABLE, type Keys, type RedisConnection } from '../../store/redis.ts';

interface HttpReceiverOptions {
  signingSecret: Secret;
  /** 0: any free one. */
  port: number;
  dedupe: Dedupe;
  clock: Clock;
  logger: Logger;
}

export interface SlackReceiver extends Receiver {
  /** Whether requests can come in. */
  connected(): boolean;
  /** The port, in HTTP mode. */
  address(): number | undefined;
}

const PATH = '/slack/events';
/** Property of an event: when its request came, by `performance.now`. */
export const RECEIVED_AT = 'receivedAt';
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
export function createHttpReceiver(options: HttpReceiverOptions): SlackReceiver {
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
    let held = bytes;
    const release = (): void => {
      receiving -= held;
      held = 0;
    };
    // Not every request that is cut off closes: its response does.
    request.once('close', release);
    response.once('close', release);
    const onSigned = (): void => void unsigned.delete(request.socket);
    // Bolt takes a form only where no charset follows its type.
    request.headers['content-type'] = request.headers['content-type']?.split(';', 1)[0]?.trim();
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
    start: () => once(server.listen(options.port), 'listening'),
    stop: () => close(server),
    connected: () => server.listening,
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
  const receivedAt = performance.now();
  const refuse = (
    status: number,
    why: string,
    kind: 'signature' | 'timestamp' | 'replay' | 'body',
  ): void => {
    record.refusals.inc({ why: kind });
    options.logger.warn({ status, why }, 'A request to the Slack endpoint was refused');
    response.writeHead(status, CLOSING).end();
  };
  let buffered;
  try {
    buffered = await readSigned(request, options.signingSecret);
  } catch (error) {
    const tooLarge = HTTPModuleFunctions.isRawBodyError(error) && error.statusCode === 413;
    return refuse(tooLarge ? 413 : 401, errorMessage(error), tooLarge ? 'body' : 'signature');
  }
  const body = readBody(buffered);
  if (body === undefined) return refuse(400, 'malformed body', 'body');
  // Slack's check of the certificate is its only unsigned request; it has no other effect.
  if (body['ssl_check'] === '1') {
    response.writeHead(200, CLOSING).end();
    return;
  }

  const timestamp = Number(request.headers['x-slack-request-timestamp']);
  const skew = Math.abs(timestamp - options.clock.now() / 1000);
  if (!(skew <= MAX_SKEW_S)) return refuse(401, 'timestamp', 'timestamp');
  options.onSigned();
  // The signed content, not the header, which can be written in several ways.
  const id = createHash('sha256')
    .update(`${timestamp}:`)
    .update(buffered.rawBody)
    .digest('base64url');
  // While the store is unavailable, the middleware answers that nothing was done.
  const delivery = await options.dedupe(deliveryOf(body) ?? id, id);
  if (delivery === 'replay') return refuse(401, 'replay', 'replay');

  if (body['type'] === 'url_verification') {
    return HTTPModuleFunctions.buildUrlVerificationResponse(response, body);
  }
  const properties = { delivery, [RECEIVED_AT]: receivedAt };
  const isRead = await handOn(app, buffered, response, body, properties, options.logger);
  if (!isRead || !response.headersSent) refuse(400, 'malformed payload', 'body');
}

/** @throws when it is too large, or was signed with no secret of the list */
async function readSigned(request: IncomingMessage, secrets: Secret) {
  let refusal: unknown;
  for (const signingSecret of secrets.all()) {
    try {
      // The first try reads the body, which the request then carries.
      return await HTTPModuleFunctions.parseAndVerifyHTTPRequest(
        { enabled: true, signingSecret, bodyLimit: BODY_LIMIT },
        request,
      );
    } catch (error) {
      if (HTTPModuleFunctions.isRawBodyError(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

type Buffered = Parameters<typeof HTTPModuleFunctions.parseHTTPRequestBody>[0];

/** Resolves when all listeners have ended. False when Bolt cannot read the payload: its members are not Slack's. */
async function handOn(
  app: App | undefined,
  request: Buffered,
  response: ServerResponse,
  body: Record<string, unknown>,
  customProperties: Record<string, unknown>,
  logger: Logger,
): Promise<boolean> {
  const ack = new HTTPResponseAck({
    logger: boltLogger<LogLevel>(logger),
    processBeforeResponse: false,
    unhandledRequestHandler: (unanswered) => {
      if (!response.headersSent) HTTPModuleFunctions.defaultUnhandledRequestHandler(unanswered);
    },
    httpRequest: request,
    httpRequestBody: body,
    httpResponse: response,
  });
  const retry = given({
    retryNum: HTTPModuleFunctions.extractRetryNumFromHTTPRequest(request),
    retryReason: HTTPModuleFunctions.extractRetryReasonFromHTTPRequest(request),
  });
  try {
    await app?.processEvent({ body, ack: ack.bind(), customProperties, ...retry });
    return true;
  } catch {
    return false;
  }
}

/** Undefined when it is no object; a form is one, and so is the `payload` of a form. */
function readBody(request: Buffered): Record<string, unknown> | undefined {
  try {
    const body: unknown = HTTPModuleFunctions.parseHTTPRequestBody(request);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
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

const WRITE_REFUSALS = ['OOM', 'READONLY', 'MISCONF'] as const;
type WriteRefusal = (typeof WRITE_REFUSALS)[number];

/**
 * `seen`: Slack repeats a delivery in a request of its own; `replay`: the same request came before; `unavailable`: the
 * store does not answer in time.
 */
export type DeliveryState = 'new' | 'seen' | 'replay' | 'unavailable' | WriteRefusal;

/**
 * Remembers a delivery with its request, and returns the earlier one. Shared by all processes of the bot. Never rejects.
 */
type Dedupe = (delivery: string, request: string) => Promise<DeliveryState>;

/** Slack delivers an event up to three times within about five minutes; ids are kept twice as long. */
const REMEMBER_MS = 10 * 60_000;
/** A request must be acknowledged within three seconds. */
const TIMEOUT_MS = 1_200;

/** KEYS: delivery. ARGV: request, milliseconds. The value has the requests of the delivery, each after a space. */
const REMEMBER = `
local requests = redis.call('GET', KEYS[1])
if requests and string.find(requests, ' ' .. ARGV[1], 1, true) then return 'replay' end
redis.call('SET', KEYS[1], (requests or '') .. ' ' .. ARGV[1], 'PX', ARGV[2])
return requests and 'seen' or 'new'`;

const notWritten = (word: WriteRefusal, fix: string): string =>
  `Purser’s store takes no writes (Redis says ${word}), so nothing was done: ask your Purser administrator to ${fix}.`;

/** For the person, when it is unknown whether a delivery is new. */
const SENTENCES: Readonly<Record<Exclude<DeliveryState, 'new' | 'seen' | 'replay'>, string>> = {
  unavailable: UNAVAILABLE,
  OOM: notWritten('OOM', 'give Redis more memory (maxmemory)'),
  READONLY: notWritten('READONLY', 'name the primary in REDIS_URL, as this is a replica'),
  MISCONF: notWritten('MISCONF', 'check the log of Redis, and whether its disk is full'),
};

export function createDedupe(redis: RedisConnection, keys: Keys): Dedupe {
  return async (delivery, request) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<DeliveryState>((resolve) => {
      // After a pause of the whole process timers come first: an answer that is there by then counts.
      timer = setTimeout(() => setImmediate(() => resolve('unavailable')), TIMEOUT_MS);
    });
    const state = redis.eval(REMEMBER, 1, keys.seen(delivery), request, REMEMBER_MS).then(
      (answer) => answer as DeliveryState,
      (error: unknown): DeliveryState =>
        WRITE_REFUSALS.find((word) => word === refusalWord(error)) ?? 'unavailable',
    );
    return Promise.race([state, late]).finally(() => clearTimeout(timer));
  };
}

type Args = AnyMiddlewareArgs & AllMiddlewareArgs;

/** The id of what happened in Slack; view_closed and option loads have none, and may run twice. */
function deliveryOf({ event_id: event, trigger_id: trigger }: Record<string, unknown>) {
  const id = event ?? trigger;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * Lets each delivery through once: Slack repeats unacknowledged ones, and a click may arrive on two connections. A
 * repeated one is acknowledged and has no effect. In HTTP mode the receiver has looked already.
 */
export function dedupeDeliveries(dedupe: Dedupe, logger: Logger): Middleware<AnyMiddlewareArgs> {
  return async (args: Args) => {
    const body: Record<string, unknown> = { ...args.body };
    const id = deliveryOf(body);
    const known = args.context['delivery'] as DeliveryState | undefined;
    const state = id === undefined ? 'new' : (known ?? (await dedupe(id, 'socket')));
    if (state === 'new') return args.next();
    if (state === 'seen' || state === 'replay') {
      logger.info({ kind: body['type'] ?? 'command' }, 'A repeated delivery was ignored');
      return acknowledge(args);
    }
    if (state !== 'unavailable') logger.error({ says: state }, 'Redis takes no writes');
    if (await isRefused(args, SENTENCES[state])) return;
    // A click is refused by its listener, which knows where its answers go. An event is not: two answers to a question
    // are better than none.
    args.context[REFUSAL] = SENTENCES[state];
    return args.next();
  };
}

async function acknowledge(args: Args): Promise<void> {
  if ('ack' in args && args.ack !== undefined) await args.ack();
}

/** Answers a command or a form in its acknowledgement; false for anything else. */
async function isRefused(args: Args, text: string): Promise<boolean> {
  if ('command' in args && args.command !== undefined) {
    await args.ack({ response_type: 'ephemeral', text });
    return true;
  }
  if (!('view' in args && args.view !== undefined && args.body.type === 'view_submission')) {
    return false;
  }
  const input = args.body.view.blocks.find((block) => block.type === 'input');
  const ack = args.ack as (answer?: object) => Promise<void>;
  const errors = { [input?.block_id ?? '']: text };
  await ack(input === undefined ? undefined : { response_action: 'errors', errors });
  return true;
}
