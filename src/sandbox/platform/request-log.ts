import type { FastifyInstance } from 'fastify';

import type { Auth } from './auth.ts';
import type { SandboxClock } from './clock.ts';

const KEPT = 10_000;

interface LoggedRequest {
  readonly method: string;
  /** Path and query. Credentials are never part of it. */
  readonly path: string;
  /** Null while nothing was answered, and for ever when the connection was cut. */
  status: number | null;
  /** The org whose key was used; null without a valid one. */
  readonly org: string | null;
  readonly at: string;
}

/** What was asked of the API, oldest first, without any token; the last 10,000 calls. */
export interface RequestLog {
  all(): readonly LoggedRequest[];
  clear(): void;
  install(app: FastifyInstance): void;
}

export function createRequestLog(deps: { clock: SandboxClock; auth: Auth }): RequestLog {
  let entries: LoggedRequest[] = [];
  const open = new WeakMap<object, LoggedRequest>();

  return {
    all: () => entries,
    clear() {
      entries = [];
    },
    install(app) {
      app.addHook('onRequest', async (request) => {
        const { method, url: path, headers } = request;
        const org = deps.auth.orgOf(headers.authorization) ?? null;
        const at = new Date(deps.clock.now()).toISOString();
        const entry: LoggedRequest = { method, path, status: null, org, at };
        entries.push(entry);
        if (entries.length > KEPT) entries.shift();
        open.set(request, entry);
      });
      app.addHook('onSend', async (request, reply) => {
        const entry = open.get(request);
        if (entry !== undefined) entry.status = reply.statusCode;
      });
    },
  };
}
