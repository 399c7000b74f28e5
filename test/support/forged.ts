import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { sign } from '../../src/sandbox/slack/delivery/signed-http.ts';
import type { RunningBot } from './running-bot.ts';
import type { World } from './world.ts';

type Json = Record<string, unknown>;

/** What a delivery is turned into, before the bot sees it. */
type Rewrite = (payload: Json) => Json;

/** Stands between the workspace and the bot, with the signing secret: what nobody can do by clicking. */
export interface Forger {
  /** Alters every delivery while `work` runs: of a command its fields, else the payload. */
  during<T>(rewrite: Rewrite, work: () => Promise<T>): Promise<T>;
  /** Gets out of the way: what follows reaches the bot directly. */
  close(): Promise<void>;
}

/** Puts a forger in front of a bot. */
export async function createForger(world: World, bot: RunningBot): Promise<Forger> {
  const address = `http://127.0.0.1:${bot.port}/slack/events`;
  let rewrite: Rewrite | undefined;
  async function forwarded({ headers }: IncomingMessage, body: string): Promise<Response> {
    const altered = rewrite === undefined ? body : alteredBy(rewrite, body);
    const timestamp = Math.floor(Date.now() / 1000);
    return fetch(address, {
      method: 'POST',
      headers: {
        'content-type': headers['content-type'] ?? '',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': sign(CREDENTIALS.signingSecret, timestamp, altered),
      },
      body: altered,
    });
  }
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await forwarded(request, await text(request));
      const type = answer.headers.get('content-type') ?? 'text/plain';
      response.writeHead(answer.status, { 'content-type': type });
      response.end(await answer.text());
    } catch {
      // The bot is gone, and so is the line to it.
      response.destroy();
    }
  }
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  await world.slack('request-url', { url: `http://127.0.0.1:${port}/slack/events` });
  return {
    async during(next, work) {
      rewrite = next;
      try {
        return await work();
      } finally {
        rewrite = undefined;
      }
    },
    async close() {
      await world.slack('request-url', { url: address });
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function alteredBy(rewrite: Rewrite, body: string): string {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const { payload } = fields;
  if (payload === undefined) return encoded(rewrite(fields));
  return encoded({ payload: JSON.stringify(rewrite(JSON.parse(payload) as Json)) });
}

function encoded(fields: Json): string {
  return new URLSearchParams(fields as Record<string, string>).toString();
}

/** The delivery as if somebody else had done it. */
export function as(user: string): Rewrite {
  return (payload) =>
    'user_id' in payload
      ? { ...payload, user_id: user }
      : { ...payload, user: { ...(payload['user'] as Json), id: user } };
}

/** A click as if it were on another button: of this action, about this change. */
export function clicking(actionId: string, value: string): Rewrite {
  return (payload) => {
    const [action] = payload['actions'] as Json[];
    return { ...payload, actions: [{ ...action, action_id: actionId, value }] };
  };
}
