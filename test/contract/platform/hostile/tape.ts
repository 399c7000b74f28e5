import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { listen } from '../support.ts';

/** An answer as it went over the wire. */
export interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * A recorder between the clients and a platform: it passes calls on, or says again what it is given.
 * @param platformUrl where calls go while nothing is replayed
 */
export async function startTape(platformUrl: string) {
  let recorded: Said[] = [];
  let script: readonly Said[] = [];
  let served = 0;

  async function passOn(request: IncomingMessage): Promise<Said> {
    const said = await askPlatform(new URL(request.url ?? '', platformUrl), request);
    // Links of answers must lead back here.
    const body = Buffer.from(said.body.toString('latin1').replaceAll(platformUrl, url), 'latin1');
    recorded.push({ ...said, body });
    return { ...said, body };
  }
  const server = createServer((request, reply) => {
    const next = script[Math.min(served, script.length - 1)];
    served += 1;
    const answer = next ? Promise.resolve(next) : passOn(request);
    answer.then(
      ({ status, headers, body }) => reply.writeHead(status, headers).end(body),
      () => reply.destroy(),
    );
  });
  // Where the machine is busy, a connection that the server ends could be one that a call just took.
  server.keepAliveTimeout = 0;
  const { url, close } = await listen(server);

  return {
    url,
    close,
    /** The platform's answers to the calls that are made within. */
    async record(calls: () => Promise<unknown>): Promise<Said[]> {
      recorded = [];
      await calls();
      return recorded;
    },
    /** Answers with these, one after another, the last one for ever. */
    replay(next: readonly Said[]): void {
      script = next;
      served = 0;
    },
    /** How many answers were given since then. */
    get served() {
      return served;
    },
  };
}

async function askPlatform(url: URL, request: IncomingMessage): Promise<Said> {
  const body = await buffer(request);
  const { authorization = '', accept = '*/*', 'content-type': sent } = request.headers;
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers: { authorization, accept, ...(sent ? { 'content-type': sent } : {}) },
    ...(body.length > 0 ? { body } : {}),
  });
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    headers: type === null ? {} : { 'content-type': type },
    body: Buffer.from(await answer.arrayBuffer()),
  };
}
