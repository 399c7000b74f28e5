import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGzip } from 'node:zlib';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Random } from '../random.ts';
import type { SandboxClock } from './clock.ts';
import { SandboxError } from './errors.ts';

export const FAULT_KINDS = [
  'reset',
  'reset-after',
  'http-after',
  'delay-after',
  'truncate',
  'malformed',
  'html',
  'slow',
  'empty-list',
  'bad-item',
  'gzip-bomb',
  'huge',
] as const;

/** Something that goes wrong on purpose with the API calls that it matches. */
export interface Fault {
  /** A regular expression on path and query; absent: every call. */
  readonly path?: string;
  readonly method?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Milliseconds before the call reaches the API; of the answer with `delay-after`, of each byte with `slow` (1000). */
  readonly delayMs?: number;
  /** With `-after`: the call is carried out, and the caller does not get to know. */
  readonly kind?: (typeof FAULT_KINDS)[number];
  /** How often it strikes; absent: always. */
  readonly times?: number;
  /** For how long it strikes, by the stand-in's clock; absent: for ever. */
  readonly seconds?: number;
  /** The share of matching calls that it strikes, above 0 to 1; absent: all. */
  readonly chance?: number;
}

export interface Faults {
  /** Replaces the list; throws a SandboxError (400) for a `path` that is no regular expression. */
  replace(faults: readonly Fault[]): void;
  /** Makes the faults strike the routes of `app`. */
  install(app: FastifyInstance): void;
  /** Ends every answer that is being delayed. */
  stop(): void;
}

const BOMB_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const SLOW_MS = 1000;

export function createFaults({ clock, random }: { clock: SandboxClock; random: Random }): Faults {
  const stopping = new AbortController();
  const { signal } = stopping;
  const striking = new WeakMap<FastifyRequest, Fault>();
  let armed: { fault: Fault; path: RegExp; left: number; until: number }[] = [];

  const strike = (request: FastifyRequest): Fault | undefined => {
    const hit = armed.find(
      ({ fault, path, left, until }) =>
        left > 0 &&
        clock.now() < until &&
        path.test(request.url) &&
        (fault.method === undefined || fault.method.toUpperCase() === request.method) &&
        (fault.chance === undefined || random.next() < fault.chance),
    );
    if (hit !== undefined) hit.left -= 1;
    return hit?.fault;
  };

  return {
    replace(faults) {
      armed = faults.map((fault) => ({
        fault,
        path: pattern(fault.path ?? ''),
        left: fault.times ?? Infinity,
        until: clock.now() + (fault.seconds ?? Infinity) * 1000,
      }));
    },

    install(app) {
      app.addHook('onRequest', async (request, reply) => {
        const fault = strike(request);
        if (fault === undefined) return undefined;
        striking.set(request, fault);
        if (fault.delayMs !== undefined && !holdsBack(fault)) {
          await delay(fault.delayMs, undefined, { signal });
        }
        return answerInstead(fault, request, reply);
      });
      app.addHook('onSend', async (request, reply, payload) => {
        const fault = striking.get(request);
        if (fault === undefined) return payload;
        const { kind, delayMs = SLOW_MS } = fault;
        if (kind === 'reset-after') request.raw.socket.resetAndDestroy();
        if (kind === 'delay-after') await delay(delayMs, undefined, { signal });
        if (kind === 'slow') return Readable.from(drip(bytesOf(payload), delayMs, signal));
        return spoil(fault, payload, reply);
      });
    },

    stop: () => stopping.abort(),
  };
}

/** It lets the call through at once, and keeps the answer. */
function holdsBack({ kind }: Fault): boolean {
  return kind === 'slow' || kind === 'delay-after';
}

function pattern(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw new SandboxError(400, `${source} is no regular expression`);
  }
}

/** Faults that need nothing of the true answer. */
function answerInstead(fault: Fault, request: FastifyRequest, reply: FastifyReply) {
  if (fault.headers !== undefined) reply.headers(fault.headers);
  if (fault.kind === 'reset') {
    reply.hijack();
    request.raw.socket.resetAndDestroy();
    return reply;
  }
  if (fault.kind === 'html') {
    const page = '<!doctype html><title>Bad gateway</title><h1>502 Bad gateway</h1>';
    return reply
      .code(fault.status ?? 502)
      .type('text/html')
      .send(page);
  }
  if (fault.kind !== undefined || (fault.status === undefined && fault.body === undefined)) {
    return undefined;
  }
  const status = fault.status ?? 200;
  // Thrown, so that each API gives it its own shape.
  if (fault.body === undefined && status >= 400) {
    throw new SandboxError(status, 'a fault that was asked for');
  }
  const body = fault.body ?? {};
  reply.code(status);
  if (typeof body === 'string') return reply.type('text/plain').send(body);
  return reply.type('application/json').send(body);
}

/** Faults that spoil the true answer on its way out. */
async function spoil({ kind, status = 502 }: Fault, payload: unknown, reply: FastifyReply) {
  const bytes = bytesOf(payload);
  const text = bytes.toString();
  switch (kind) {
    case 'http-after':
      reply.code(status).type('text/plain');
      return 'upstream unavailable';
    case 'truncate':
      return Readable.from(breakOff(bytes));
    case 'malformed':
      return `${text.slice(0, -1)},`;
    case 'empty-list':
      return withItems(text, () => []);
    case 'bad-item':
      return withItems(text, ([first, ...rest]) => [
        {},
        { ...first, status: { versions: 'none', expectedDeploymentVersion: {}, ready: 'yes' } },
        ...rest,
      ]);
    case 'gzip-bomb':
      reply.header('content-encoding', 'gzip');
      return Readable.from(blanks()).pipe(createGzip());
    case 'huge':
      return Readable.from(blanks());
    case 'reset':
    case 'reset-after':
    case 'delay-after':
    case 'html':
    case 'slow':
    case undefined:
      break;
  }
  return payload;
}

type Item = Record<string, unknown>;

function withItems(text: string, change: (items: Item[]) => Item[]): string {
  const page = JSON.parse(text) as { items?: Item[] };
  return page.items === undefined ? text : JSON.stringify({ ...page, items: change(page.items) });
}

/** Also of binary content, such as a PDF. */
function bytesOf(payload: unknown): Buffer {
  return Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload));
}

async function* breakOff(bytes: Buffer) {
  yield bytes.subarray(0, bytes.length / 2);
  throw new Error('the answer breaks off here, as asked');
}

async function* drip(bytes: Buffer, delayMs: number, signal: AbortSignal) {
  for (const byte of bytes) {
    await delay(delayMs, undefined, { signal });
    yield Buffer.of(byte);
  }
}

/** White space, which JSON allows anywhere: small on the wire, large once it is unpacked. */
function* blanks() {
  const chunk = Buffer.alloc(CHUNK_BYTES, ' ');
  for (let sent = 0; sent < BOMB_BYTES; sent += CHUNK_BYTES) yield chunk;
  yield '{}';
}
