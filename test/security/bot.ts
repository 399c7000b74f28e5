import { vi } from 'vitest';
import { createHarness } from '../contract/app/harness.ts';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { listen, signedHeaders } from '../support/http.ts';

type Json = Record<string, unknown>;

/** The ids that the bot connects: a new one is attacked without being listed here. */
const heard = vi.hoisted(() => ({ actions: new Set<string>(), views: new Set<string>() }));

vi.mock('../../src/slack/routing/clicks.ts', async (original) => {
  const module = await original<typeof import('../../src/slack/routing/clicks.ts')>();
  const createListeners: typeof module.createListeners = (...parts) => {
    const listeners = module.createListeners(...parts);
    return {
      ...listeners,
      form(callbackId, listener) {
        heard.views.add(callbackId);
        listeners.form(callbackId, listener);
      },
      click(actionId, listener) {
        heard.actions.add(actionId);
        listeners.click(actionId, listener);
      },
      field(fieldId, callbackId, listener) {
        heard.actions.add(fieldId);
        listeners.field(fieldId, callbackId, listener);
      },
    };
  };
  return { ...module, createListeners };
});

/** One call of the bot's to Slack, or an answer at a response_url, whose method is empty. */
export interface Said {
  readonly method: string;
  readonly args: Json;
}

interface Overridden {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

export type AttackedBot = Awaited<ReturnType<typeof openAttackedBot>>;

/**
 * The whole bot in this process, with a Slack between it and the stand-in that takes every answer by the request that
 * it belongs to, opens every window, and leaves the rest to the stand-in.
 */
export async function openAttackedBot(
  changes: (environment: Readonly<Record<string, string>>) => Record<string, string> = () => ({}),
  /** Answers of Slack's Web API in place of those of the stand-in. */
  answerOf: (method: string) => Overridden | undefined = () => undefined,
) {
  const said: Said[] = [];
  const byRequest = new Map<string, Said[]>();
  const waiting = new Map<string, () => void>();
  /** The bytes of files, as text. */
  const uploads: string[] = [];
  let standIn = '';
  const note = (one: Said, request: string): void => {
    said.push(one);
    byRequest.set(request, [...(byRequest.get(request) ?? []), one]);
    waiting.get(request)?.();
  };
  const slack = await listen(async (request, response, body): Promise<void> => {
    const path = request.url ?? '';
    const answer = (value: object): void => void response.end(JSON.stringify(value));
    if (path.startsWith('/answer/')) {
      note({ method: '', args: JSON.parse(body) as Json }, path.slice('/answer/'.length));
      return answer({ ok: true });
    }
    const method = path.replace(/^\/api\//, '');
    const args = readArguments(body);
    const { trigger_id: trigger } = args;
    const id = typeof trigger === 'string' ? trigger : '';
    note({ method, args }, id.replace(/^trigger-/, ''));
    const own = answerOf(method);
    if (own !== undefined) {
      response.writeHead(own.status ?? 200, own.headers);
      return answer(own.body);
    }
    if (method.startsWith('views.')) {
      return answer({ ok: true, view: { id: `V${id || 'OPEN'}`, hash: 'hash' } });
    }
    if (path.startsWith('/upload/')) uploads.push(body);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const passed = await fetch(standIn + path, {
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body,
    });
    const text = (await passed.text()).replaceAll(standIn, slack.url);
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(text);
  });
  const harness = await createHarness();
  standIn = harness.slackUrl;
  await harness.restartBot({
    ...harness.money,
    SLACK_API_URL: `${slack.url}/api/`,
    ...changes(harness.money),
  });

  const address = (): string => `http://127.0.0.1:${harness.port()}/slack/events`;
  async function send(body: string, type: string): Promise<Response> {
    const headers = {
      ...signedHeaders(CREDENTIALS.signingSecret, body),
      'content-type': type,
    };
    return fetch(address(), { method: 'POST', headers, body });
  }
  return {
    harness,
    said,
    uploads,
    url: slack.url,
    actions: [...heard.actions].toSorted(),
    views: [...heard.views].toSorted(),
    /** The answers to the request with this number so far. */
    answersTo: (request: string): readonly Said[] => byRequest.get(request) ?? [],
    /** Resolves when the answers to the request fit. */
    answered: (request: string, fits: (said: readonly Said[]) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!fits(byRequest.get(request) ?? [])) return;
          waiting.delete(request);
          resolve();
        };
        waiting.set(request, check);
        check();
      }),
    responseUrl: (request: string): string => `${slack.url}/answer/${request}`,
    /** A signed form, as commands and clicks come. */
    form: (fields: Record<string, string>) =>
      send(new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded'),
    json: (body: object) => send(JSON.stringify(body), 'application/json'),
    /** Stops the bot, so that nothing is under way; all that it said to people. */
    async settled(): Promise<readonly Said[]> {
      await harness.stopBot();
      return said.filter(({ method }) => /^$|^views\.|^chat\./.test(method));
    },
    async close(): Promise<void> {
      await harness.close();
      await slack.close();
    },
  };
}

/** The arguments of a Web API call; objects among them are sent as JSON. */
function readArguments(body: string): Json {
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, value]) => {
      if (!/^[[{]/.test(value)) return [name, value];
      try {
        return [name, JSON.parse(value) as unknown];
      } catch {
        return [name, value];
      }
    }),
  );
}
