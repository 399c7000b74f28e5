import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Recorder {
  readonly url: string;
  readonly received: readonly Received[];
  /** How requests are answered from now on. */
  answer(reply: Reply): void;
  close(): Promise<void>;
}

/** An app that only writes down what it gets. */
export async function startRecorder(): Promise<Recorder> {
  const received: Received[] = [];
  let reply: Reply = {};
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(reply.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/slack/events`,
    received,
    answer(next) {
      reply = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
