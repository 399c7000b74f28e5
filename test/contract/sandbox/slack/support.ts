import { fileURLToPath } from 'node:url';
import {
  LogLevel,
  WebAPIPlatformError,
  WebClient,
  type Logger,
  type WebClientOptions,
} from '@slack/web-api';
import type {
  Bootstrap,
  PageEvent,
  PageMessage,
} from '../../../../src/sandbox/slack/page-protocol.ts';
import {
  createSandboxSlack,
  type SandboxSlackOptions,
} from '../../../../src/sandbox/slack/server.ts';
import { get, sendJson } from '../../../support/http.ts';
import { until as waitFor } from '../../../support/until.ts';
import type { SeenMessage } from '../../../support/world.ts';

export const BOT_TOKEN = 'xoxb-test-bot';
export const APP_TOKEN = 'xapp-test-app';
export const SIGNING_SECRET = 'test-signing-secret';
const MANIFEST = fileURLToPath(new URL('fixture-manifest.yml', import.meta.url));

type Json = Record<string, unknown>;

/** A clock that moves by hand. */
export function handClock(start = Date.UTC(2026, 9, 5, 12)) {
  let now = start;
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}

interface ControlDelivery {
  readonly via: string;
  readonly kind: string;
  readonly name: string;
  readonly retry: number;
  readonly ok: boolean;
  readonly error?: string;
  readonly ackMs: number;
}

type OpenPage = Awaited<ReturnType<typeof openPage>>;

/** Opens the event stream of one person's page. */
async function openPage(url: string, user: string) {
  const abort = new AbortController();
  const response = await fetch(`${url}/page/events?user=${user}`, { signal: abort.signal });
  const events: PageEvent[] = [];
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body ?? []) {
      rest += Buffer.from(chunk as Uint8Array).toString();
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames.filter((one) => one.startsWith('data: '))) {
        events.push(JSON.parse(frame.slice('data: '.length)) as PageEvent);
      }
    }
  };
  read().catch(() => undefined);

  /** The first event that fits, past or still to come; throws after the deadline. */
  const until = <T extends PageEvent['type']>(
    type: T,
    fits: (event: Extract<PageEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<PageEvent, { type: T }>> =>
    waitFor(`a ${type}`, () =>
      events.find(
        (event): event is Extract<PageEvent, { type: T }> =>
          event.type === type && fits(event as never),
      ),
    ).catch((error: unknown) => {
      throw new Error(`no such ${type} among ${JSON.stringify(events)}`, { cause: error });
    });
  return {
    events,
    until,
    untilMessage: async (fits: (message: PageMessage) => boolean) =>
      (await until('message', ({ message }) => fits(message))).message,
    close: () => abort.abort(),
  };
}

export type TestWorkspace = Awaited<ReturnType<typeof startWorkspace>>;

/** Refusals are the subject of these tests, so they are not logged. */
export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

export function webClient(url: string, token = BOT_TOKEN, options: WebClientOptions = {}) {
  return new WebClient(token, {
    slackApiUrl: `${url}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
    ...options,
  });
}

/** A workspace on a free port, with the client of Slack, its page and its controls. */
export async function startWorkspace(options: Partial<SandboxSlackOptions> = {}) {
  const slack = createSandboxSlack({
    botToken: BOT_TOKEN,
    appToken: APP_TOKEN,
    signingSecret: SIGNING_SECRET,
    manifestPath: MANIFEST,
    ...options,
  });
  await slack.listen();
  const pages: OpenPage[] = [];
  const read = <T = Json>(path: string): Promise<T> => get(slack.url + path);
  const post = async (path: string, body: Json): Promise<Json> =>
    (await (await sendJson(slack.url + path, body)).json()) as Json;
  return {
    slack,
    client: webClient(slack.url),
    /** An act of a person on the page; answers the JSON. */
    act: (path: string, body: Json) => post(`/page/${path}`, body),
    read,
    bootstrap: (user: string) => read<Bootstrap>(`/page/bootstrap?user=${user}`),
    control: (path: string, body: Json = {}) => post(`/_sandbox/${path}`, body),
    async messages(channel?: string) {
      const query = channel ? `?channel=${channel}` : '';
      return (await read<{ messages: SeenMessage[] }>(`/_sandbox/messages${query}`)).messages;
    },
    deliveries: async () =>
      (await read<{ deliveries: ControlDelivery[] }>('/_sandbox/deliveries')).deliveries,
    async page(user: string) {
      const page = await openPage(slack.url, user);
      pages.push(page);
      return page;
    },
    async close() {
      for (const page of pages) page.close();
      await slack.close();
    },
  };
}

/** The error code of a call that Slack refuses; `ok` when it does not. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof WebAPIPlatformError) return error.data.error;
    throw error;
  }
}

export const section = (text: string) =>
  ({ type: 'section', text: { type: 'mrkdwn', text } }) as const;
export const plain = (text: string) => ({ type: 'plain_text', text }) as const;
export const button = (text: string, actionId: string, value?: string) =>
  ({ type: 'button', text: plain(text), action_id: actionId, ...(value && { value }) }) as const;
