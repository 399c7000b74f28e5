import { fileURLToPath } from 'node:url';
import { LogLevel, WebAPIPlatformError, WebClient } from '@slack/web-api';
import type { Logger, WebClientOptions } from '@slack/web-api';
import type {
  Bootstrap,
  PageEvent,
  PageMessage,
} from '../../../../src/sandbox/slack/page-protocol.ts';
import { createSandboxSlack } from '../../../../src/sandbox/slack/server.ts';
import type { SandboxSlack, SandboxSlackOptions } from '../../../../src/sandbox/slack/server.ts';

export const BOT_TOKEN = 'xoxb-test-bot';
export const APP_TOKEN = 'xapp-test-app';
export const SIGNING_SECRET = 'test-signing-secret';
const MANIFEST = fileURLToPath(new URL('fixture-manifest.yml', import.meta.url));

type Json = Record<string, unknown>;

/** A clock that only moves when told to. */
export function handClock(start = Date.UTC(2026, 9, 5, 12)) {
  let now = start;
  return {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
}

interface ControlMessage {
  readonly channel: string;
  readonly ts: string;
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly metadata: Json | null;
  readonly thread_ts: string | null;
  readonly ephemeral_to: string | null;
  readonly deleted: boolean;
  readonly edit_count: number;
  readonly edits: readonly { readonly text: string }[];
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

interface OpenPage {
  readonly events: readonly PageEvent[];
  /** The first event that fits, seen already or still to come; throws after the deadline. */
  until<T extends PageEvent['type']>(
    type: T,
    fits?: (event: Extract<PageEvent, { type: T }>) => boolean,
  ): Promise<Extract<PageEvent, { type: T }>>;
  untilMessage(fits: (message: PageMessage) => boolean): Promise<PageMessage>;
  close(): void;
}

const DEADLINE_MS = 5_000;

/** Opens the event stream of one person's page. */
async function openPage(url: string, user: string): Promise<OpenPage> {
  const abort = new AbortController();
  const response = await fetch(`${url}/page/events?user=${user}`, { signal: abort.signal });
  const events: PageEvent[] = [];
  const listeners = new Set<() => void>();
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body ?? []) {
      rest += Buffer.from(chunk as Uint8Array).toString();
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames.filter((one) => one.startsWith('data: '))) {
        events.push(JSON.parse(frame.slice('data: '.length)) as PageEvent);
      }
      for (const listener of listeners) listener();
    }
  };
  read().catch(() => undefined);

  const until: OpenPage['until'] = (type, fits = () => true) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = events.find((event) => event.type === type && fits(event as never));
        if (!found) return;
        clearTimeout(timer);
        listeners.delete(look);
        resolve(found as never);
      };
      const timer = setTimeout(() => {
        listeners.delete(look);
        reject(new Error(`no such ${type} among ${JSON.stringify(events)}`));
      }, DEADLINE_MS);
      listeners.add(look);
      look();
    });
  return {
    events,
    until,
    untilMessage: async (fits) => (await until('message', ({ message }) => fits(message))).message,
    close: () => abort.abort(),
  };
}

export interface TestWorkspace {
  readonly slack: SandboxSlack;
  readonly client: WebClient;
  /** What a person does on the page; answers the JSON. */
  act(path: string, body: Json): Promise<Json>;
  read<T = Json>(path: string): Promise<T>;
  bootstrap(user: string): Promise<Bootstrap>;
  control(path: string, body?: Json): Promise<Json>;
  messages(channel?: string): Promise<ControlMessage[]>;
  deliveries(): Promise<ControlDelivery[]>;
  page(user: string): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Says nothing: refusals are what these tests are about. */
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

/** A workspace on a free port, with everything a test needs to look at it. */
export async function startWorkspace(
  options: Partial<SandboxSlackOptions> = {},
): Promise<TestWorkspace> {
  const slack = createSandboxSlack({
    botToken: BOT_TOKEN,
    appToken: APP_TOKEN,
    signingSecret: SIGNING_SECRET,
    manifestPath: MANIFEST,
    ...options,
  });
  await slack.listen();
  const pages: OpenPage[] = [];
  const json = async (path: string, init?: RequestInit): Promise<never> => {
    const response = await fetch(slack.url + path, init);
    return (await response.json()) as never;
  };
  const post = (path: string, body: Json): Promise<Json> =>
    json(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    slack,
    client: webClient(slack.url),
    act: (path, body) => post(`/page/${path}`, body),
    read: (path) => json(path),
    bootstrap: (user) => json(`/page/bootstrap?user=${user}`),
    control: (path, body = {}) => post(`/_sandbox/${path}`, body),
    async messages(channel) {
      const query = channel ? `?channel=${channel}` : '';
      const answer: { messages: ControlMessage[] } = await json(`/_sandbox/messages${query}`);
      return answer.messages;
    },
    async deliveries() {
      const answer: { deliveries: ControlDelivery[] } = await json('/_sandbox/deliveries');
      return answer.deliveries;
    },
    async page(user) {
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
