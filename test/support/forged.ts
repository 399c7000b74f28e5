import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { listen, signedHeaders } from './http.ts';
import type { RunningBot } from './running-bot.ts';
import type { World } from './world.ts';

type Json = Record<string, unknown>;

/** Replaces a delivery before the bot sees it. */
type Rewrite = (payload: Json) => Json;

export type Forger = Awaited<ReturnType<typeof createForger>>;

/**
 * A proxy between the workspace and the bot, with the signing secret: it sends requests that no one can
 * make by clicking.
 */
export async function createForger(world: World, bot: RunningBot) {
  const address = `http://127.0.0.1:${bot.port}/slack/events`;
  let rewrite: Rewrite | undefined;
  const server = await listen(
    async ({ headers }, response, body) => {
      const altered = rewrite === undefined ? body : alteredBy(rewrite, body);
      const signed = signedHeaders(CREDENTIALS.signingSecret, altered);
      const type = headers['content-type'] ?? '';
      // Where the bot is gone, so is the line to it.
      const answer = await fetch(address, {
        method: 'POST',
        headers: { ...signed, 'content-type': type },
        body: altered,
      });
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      });
      response.end(await answer.text());
    },
    { mayFail: true },
  );
  await world.slack('request-url', { url: `${server.url}/slack/events` });
  return {
    /** Alters every delivery while `work` runs: of a command its fields, else the payload. */
    async during<T>(next: Rewrite, work: () => Promise<T>): Promise<T> {
      rewrite = next;
      try {
        return await work();
      } finally {
        rewrite = undefined;
      }
    },
    /** Gets out of the way: later requests reach the bot directly. */
    async close(): Promise<void> {
      await world.slack('request-url', { url: address });
      await server.close();
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

/** The delivery as if another person had done it. */
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
