import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { asJson, asText, parseJson, type Json } from '../json.ts';
import type { Ids } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { APP_ID } from '../seed.ts';
import type { Answer, Parcel } from './parcel.ts';

/** Path of the WebSocket; the ticket of `apps.connections.open` is its query. */
export const SOCKET_PATH = '/socket';
const PING_EVERY_MS = 10_000;

const ENVELOPE_TYPES = {
  command: 'slash_commands',
  interaction: 'interactive',
  options: 'interactive',
  event: 'events_api',
} as const;

export interface SocketMode {
  readonly connections: number;
  /** A one-time query string for a new connection. */
  ticket(): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** To one of the connections, in turn. Never throws. */
  send(parcel: Parcel): Promise<Answer>;
  /** Asks every connection to reconnect, as Slack does when it moves a server. */
  disconnect(reason: string): void;
  close(): void;
}

/** Waits for the answers to envelopes. */
function createMailbox() {
  const waiting = new Map<string, (body: Json) => void>();
  return {
    receive(data: RawData): void {
      const text = Buffer.isBuffer(data) ? data.toString() : '';
      const message = asJson(parseJson(text));
      const envelopeId = asText(message['envelope_id']) ?? '';
      waiting.get(envelopeId)?.(asJson(message['payload']));
      waiting.delete(envelopeId);
    },
    answerTo: (envelopeId: string) =>
      new Promise<Answer>((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(envelopeId);
          resolve({ ok: false, reason: 'operation_timeout' });
        }, LIMITS.answerTime);
        waiting.set(envelopeId, (body) => {
          clearTimeout(timer);
          resolve({ ok: true, status: 200, body });
        });
      }),
  };
}

/** The open connections; each gets a hello and regular pings. */
function createConnections(receive: (data: RawData) => void) {
  const open: WebSocket[] = [];
  return {
    all: open,
    welcome(socket: WebSocket): void {
      const ping = setInterval(() => socket.ping(), PING_EVERY_MS);
      ping.unref();
      socket.on('message', receive);
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        clearInterval(ping);
        open.splice(open.indexOf(socket), 1);
      });
      open.push(socket);
      const hello = {
        type: 'hello',
        num_connections: open.length,
        connection_info: { app_id: APP_ID },
        debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: 18_060 },
      };
      socket.send(JSON.stringify(hello));
    },
    next(): WebSocket | undefined {
      const socket = open.find(({ readyState, OPEN }) => readyState === OPEN);
      if (socket) open.push(...open.splice(open.indexOf(socket), 1));
      return socket;
    },
    count: () => open.filter(({ readyState, OPEN }) => readyState === OPEN).length,
  };
}

function envelopeOf({ kind, payload, retry }: Parcel, envelopeId: string): Json {
  return {
    envelope_id: envelopeId,
    type: ENVELOPE_TYPES[kind],
    payload,
    accepts_response_payload: kind !== 'event',
    ...(kind === 'event' && {
      retry_attempt: retry?.number ?? 0,
      retry_reason: retry?.reason ?? '',
    }),
  };
}

/** The server's end of Socket Mode. */
export function createSocketMode({ ids }: { ids: Ids }): SocketMode {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const mailbox = createMailbox();
  const connections = createConnections((data) => mailbox.receive(data));
  return {
    get connections() {
      return connections.count();
    },
    ticket() {
      const ticket = ids.next('ticket');
      tickets.add(ticket);
      return `?ticket=${ticket}`;
    },
    upgrade(request, socket, head) {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const ticket = url.searchParams.get('ticket') ?? '';
      if (url.pathname !== SOCKET_PATH || !tickets.delete(ticket)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, (opened) => connections.welcome(opened));
    },
    send(parcel) {
      const socket = connections.next();
      if (!socket) return Promise.resolve({ ok: false, reason: 'dispatch_failed' });
      const envelopeId = ids.next('envelope-');
      const answer = mailbox.answerTo(envelopeId);
      socket.send(JSON.stringify(envelopeOf(parcel, envelopeId)));
      return answer;
    },
    disconnect(reason) {
      for (const socket of connections.all) {
        socket.send(JSON.stringify({ type: 'disconnect', reason }));
      }
    },
    close() {
      for (const socket of connections.all) socket.terminate();
      server.close();
    },
  };
}
