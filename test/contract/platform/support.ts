import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import { Secret } from '../../../src/lib/secret.ts';
import { type Credential, type HttpOptions, createHttp } from '../../../src/platform/http.ts';
import {
  createDeploymentsClient,
  type DeploymentsClientOptions,
} from '../../../src/platform/deployments/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';

export const TOKEN = 'canary-4f1d9c27b8';

/** Opens a server on a port that is free; it is closed with the connections that it has. */
export async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    sockets,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Seen {
  readonly url: string;
  readonly authorization: string | undefined;
}

/** A server with exactly the answers that the test wants, byte for byte; it records the requests. */
export async function serve(answer: (request: IncomingMessage, reply: ServerResponse) => void) {
  const seen: Seen[] = [];
  const server = createServer((request, reply) => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization });
    answer(request, reply);
  });
  const { close, ...opened } = await listen(server);
  onTestFinished(close);
  return { ...opened, seen };
}

/** Answers the given bodies one after another, the last one for ever. */
export function sequence(...answers: Answer[]) {
  let next = 0;
  return serve((_request, reply) => {
    const { status = 200, headers = {}, body = '{}' } = answers[next] ?? answers.at(-1) ?? {};
    next += 1;
    reply.writeHead(status, headers).end(body);
  });
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** The HTTP layer with a dice that always shows 0.5; pauses are written down instead of waited. */
export function startHttp(baseUrl: string, options: Partial<HttpOptions> = {}) {
  const pauses: number[] = [];
  const http = createHttp({
    api: 'deployments',
    baseUrl,
    credential: bearer(TOKEN),
    random: () => 0.5,
    wait: async (ms) => {
      pauses.push(ms);
    },
    ...options,
  });
  onTestFinished(() => http.close());
  return { ...http, pauses };
}

/** A service account key, or nothing where nothing is there. */
export function bearer(token: string): Credential;
export function bearer(token: string | undefined): Credential | undefined;
export function bearer(token: string | undefined): Credential | undefined {
  return token === undefined ? undefined : { kind: 'bearer', secret: new Secret(token) };
}

export function startClient(baseUrl: string, options: Partial<DeploymentsClientOptions> = {}) {
  const client = createDeploymentsClient({
    baseUrl,
    credentialOf: () => bearer(TOKEN),
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

export async function outcomeOf(
  call: Promise<unknown>,
): Promise<{ readonly value: unknown } | { readonly error: unknown }> {
  return call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** The error of the call; anything but a PlatformError fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<PlatformError> {
  const outcome = await outcomeOf(call);
  if ('error' in outcome && outcome.error instanceof PlatformError) return outcome.error;
  throw new Error('not a PlatformError', { cause: 'error' in outcome ? outcome.error : outcome });
}

/** One list page as the platform writes it. */
export function page(items: readonly unknown[], next?: string): string {
  const links = next === undefined ? [] : [{ rel: 'next', href: next }];
  return JSON.stringify({ kind: 'list', itemKind: 'deployment', items, links });
}

/** A deployment that is up, at version 11. */
export function item(workload: string, location = 'aws-us-west-2', status: object = {}) {
  return {
    kind: 'deployment',
    name: location,
    status: {
      ready: true,
      lastProcessedVersion: 11,
      expectedDeploymentVersion: 11,
      versions: [{ workload: 11, gvc: 3, ready: true, message: '', containers: {} }],
      ...status,
    },
    links: [{ rel: 'workload', href: `/org/acme/gvc/shop/workload/${workload}` }],
  };
}
