import type { IncomingHttpHeaders } from 'node:http';
import { listen } from '../../../support/http.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/** An app that only records its requests. */
export async function startRecorder() {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  let reply: Reply = {};
  const { url, close } = await listen(({ headers }, response, body) => {
    received.push({ headers, body });
    response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(reply.body ?? '');
  });
  return {
    url: `${url}/slack/events`,
    received,
    /** How requests are answered from now on. */
    answer: (next: Reply): void => void (reply = next),
    close,
  };
}
