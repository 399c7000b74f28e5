import type { FastifyInstance, FastifyRequest } from 'fastify';

import { readAuthorization, type Auth, type Authorization } from './auth.ts';
import type { SandboxClock } from './clock.ts';

const KEPT = 10_000;

interface LoggedRequest {
  readonly method: string;
  /** Of a call to a workload. */
  readonly host?: string;
  /** Path and query. Credentials are left out. */
  readonly path: string;
  /** Null while nothing was answered, and for ever when the connection was cut. */
  status: number | null;
  /** The org whose key was used; null without a valid one. */
  readonly org: string | null;
  /** Whose credential it was: the user's address, the token's name, the key's org. Null without a valid one. */
  readonly caller: LoggedCaller | null;
  readonly scheme: Authorization['scheme'];
  readonly accept: string | null;
  readonly contentType: string | null;
  /** The body, if it was read and is JSON. */
  body?: unknown;
  readonly at: string;
}

/** A credential by its name. */
export interface LoggedCaller {
  readonly kind: 'user' | 'billing-token' | 'org-key' | 'workload';
  readonly name: string;
}

/** The calls of the APIs, oldest first, without any token; the last 10,000 calls. */
export interface RequestLog {
  all(): readonly LoggedRequest[];
  clear(): void;
  install(app: FastifyInstance): void;
  /** Notes a call that is no API's, to the address of a workload. */
  note(request: FastifyRequest, answered: { host: string; status: number }): void;
}

export function createRequestLog(deps: {
  clock: SandboxClock;
  auth: Auth;
  /** Names the owner of an Authorization header. */
  callerOf: (header: string | undefined) => LoggedCaller | undefined;
}): RequestLog {
  let entries: LoggedRequest[] = [];
  const open = new WeakMap<object, LoggedRequest>();

  const entryOf = ({ method, url: path, headers }: FastifyRequest): LoggedRequest => ({
    method,
    path,
    status: null,
    org: deps.auth.keyOf(headers.authorization)?.org ?? null,
    caller: deps.callerOf(headers.authorization) ?? null,
    scheme: readAuthorization(headers.authorization).scheme,
    accept: headers.accept ?? null,
    contentType: headers['content-type'] ?? null,
    at: new Date(deps.clock.now()).toISOString(),
  });
  const add = (entry: LoggedRequest) => {
    entries.push(entry);
    if (entries.length > KEPT) entries.shift();
  };

  return {
    all: () => entries,
    clear() {
      entries = [];
    },
    install(app) {
      app.addHook('onRequest', async (request) => {
        const entry = entryOf(request);
        add(entry);
        open.set(request, entry);
      });
      app.addHook('preValidation', async (request) => {
        const entry = open.get(request);
        if (entry !== undefined && request.body !== undefined) entry.body = request.body;
      });
      app.addHook('onSend', async (request, reply) => {
        const entry = open.get(request);
        if (entry !== undefined) entry.status = reply.statusCode;
      });
    },
    note: (request, answered) => add({ ...entryOf(request), ...answered }),
  };
}
