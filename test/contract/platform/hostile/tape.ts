import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer as it went over the wire. */
export interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A recorder between the clients and a platform: it passes calls on, or says again what it is given. */
export interface Tape {
  readonly url: string;
  /** What the platform says to the calls that are made within. */
  record(calls: () => Promise<unknown>): Promise<Said[]>;
  /** Answers with these, one after another, the last one for ever. */
  replay(script: readonly Said[]): void;
  /** How many answers were replayed. */
  readonly replayed: number;
  close(): Promise<void>;
}

/** @param platformUrl where calls go while nothing is replayed */
export async function startTape(platformUrl: string): Promise<Tape> {
  let recorded: Said[] = [];
  let script: readonly Said[] | undefined;
  let place = 0;
  let replayed = 0;

  function say(reply: ServerResponse, { status, headers, body }: Said): void {
    reply.writeHead(status, headers).end(body);
  }
  async function passOn(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const said = await askPlatform(new URL(request.url ?? '', platformUrl), request);
    // Links of answers must lead back here.
    const body = Buffer.from(said.body.toString('latin1').replaceAll(platformUrl, url), 'latin1');
    recorded.push({ ...said, body });
    say(reply, { ...said, body });
  }
  const server = createServer((request, reply) => {
    const next = script?.[Math.min(place, script.length - 1)];
    if (next === undefined) {
      passOn(request, reply).catch(() => reply.destroy());
      return;
    }
    place += 1;
    replayed += 1;
    request.resume();
    say(reply, next);
  });
  // Where the machine is busy, a connection that the server ends could be one that a call just took.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    async record(calls) {
      recorded = [];
      await calls();
      return recorded;
    },
    replay(next) {
      script = next;
      place = 0;
    },
    get replayed() {
      return replayed;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function askPlatform(url: URL, request: IncomingMessage): Promise<Said> {
  const body = await buffer(request);
  const names = ['authorization', 'accept', 'content-type'] as const;
  const headers = names.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers,
    ...(body.length > 0 ? { body } : {}),
  });
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    headers: type === null ? {} : { 'content-type': type },
    body: Buffer.from(await answer.arrayBuffer()),
  };
}
