import { EventEmitter } from 'node:events';
import { Redis } from 'ioredis';
import { createApp } from '../../../src/app.ts';
import { loadConfig, secretsOf } from '../../../src/config/config.ts';
import { botEnvironment, CREDENTIALS } from '../../../src/sandbox/bot.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type {
  PageEvent,
  PageMessage,
  PageView,
  StateValues,
} from '../../../src/sandbox/slack/page-protocol.ts';
import { createSandboxSlack } from '../../../src/sandbox/slack/server.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { until } from '../../support/until.ts';
import { freshPrefix, listeningLogger, MANIFEST } from '../slack/support.ts';

/** Where the bot finds the platform, and what opens it. */
export interface Platform {
  readonly url: string;
  readonly billingUrl: string;
  readonly usageUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** Something to press or to choose from, as it stands in a message. */
export interface Control {
  readonly blockId: string;
  readonly action_id: string;
  readonly type: string;
  readonly value?: string;
  readonly text?: { readonly text: string };
  readonly options?: readonly {
    readonly value: string;
    readonly text: { readonly text: string };
  }[];
}

export interface MoneyBot {
  /** Ada, who may do everything, types a command; her private answer. */
  ask(text: string): Promise<PageMessage>;
  /** She presses a button of an answer; the message that is new, or that was changed. */
  press(message: PageMessage, button: string): Promise<PageMessage>;
  /** She types a command that opens a form, fills in these fields, and sends it. */
  request(text: string, values: StateValues): Promise<void>;
  /** As if somebody had pressed Next for so long that the answer is at this page: its number as it is kept. */
  turnTo(message: PageMessage, page: number): Promise<void>;
  /** The file that came with the last answer to a press. */
  file(): Promise<{ name: string; text: string }>;
  log(): string;
  close(): Promise<void>;
}

const ADA = 'U0ADA';
const CHANNEL = 'C0BILLING';
/** Until an answer comes: a vast one takes some time on a busy machine. */
const PATIENCE_MS = 45_000;

/**
 * The whole bot in this process, between the stand-in of Slack and a platform: every command comes by
 * signed HTTP, and every answer by the response_url.
 */
export async function startMoneyBot(
  platform: Platform,
  environment: Record<string, string> = {},
): Promise<MoneyBot> {
  const redis = await startRedis(process.env['REDIS_URL']);
  const slack = createSandboxSlack({ ...CREDENTIALS, manifestPath: MANIFEST });
  await slack.listen();
  const prefix = freshPrefix();
  const store = new Redis(redis.url);
  const config = loadConfig({
    ...botEnvironment({
      slackUrl: slack.url,
      platformUrl: platform.url,
      billingUrl: platform.billingUrl,
      usageUrl: platform.usageUrl,
      orgTokens: platform.tokens,
      redisUrl: redis.url,
      port: 0,
      opsPort: 0,
    }),
    REDIS_PREFIX: prefix,
    ...environment,
  });
  const { logger, lines } = listeningLogger(secretsOf(config));
  const app = createApp(config, logger);
  await app.start();
  slack.setRequestUrl(`http://127.0.0.1:${app.ports().slack}/slack/events`);
  const ada = await watch(slack.url);

  return {
    ask: (text) =>
      ada.answered('message', () =>
        post(`${slack.url}/page/command`, { user: ADA, channel: CHANNEL, text }),
      ),
    press(message, name) {
      const control = controlsOf(message).find((one) => one.text?.text === name);
      if (control === undefined) throw new Error(`there is no button ${name}`);
      const { blockId, action_id } = control;
      const container = { type: 'message', channel: CHANNEL, ts: message.ts };
      return ada.answered('any', () =>
        post(`${slack.url}/page/action`, {
          user: ADA,
          container,
          block_id: blockId,
          action_id,
          element: { type: 'button' },
        }),
      );
    },
    async request(text, values) {
      await post(`${slack.url}/page/command`, { user: ADA, channel: CHANNEL, text });
      const form = await until('a form to fill in', async () => {
        const answer = await fetch(`${slack.url}/page/bootstrap?user=${ADA}`);
        const { views } = (await answer.json()) as { views: PageView[] };
        return views.find(({ submit }) => submit !== undefined);
      });
      await post(`${slack.url}/page/view/submit`, { user: ADA, view_id: form.id, values });
    },
    async turnTo(message, page) {
      const id = controlsOf(message).find(({ text }) => text?.text === 'Next')?.value;
      const key = createKeys(prefix).kept(`${ADA}:${id}`);
      const state = await store.get(key);
      if (state === null) throw new Error('nothing is kept for Next');
      await store.set(key, state.replace(/"page":\d+/, `"page":${page}`));
    },
    async file() {
      const file = ada.files().at(-1);
      if (file === undefined) throw new Error('there is no file');
      const answer = await fetch(`${slack.url}${file.url}`);
      return { name: file.name, text: await answer.text() };
    },
    log: lines,
    async close() {
      ada.leave();
      await app.stop();
      store.disconnect();
      await slack.close();
      await redis.close();
    },
  };
}

/** Buttons and menus below an answer, in their order. */
export function controlsOf(message: PageMessage): Control[] {
  return message.blocks.flatMap(({ type, block_id, elements }) =>
    type === 'actions' && Array.isArray(elements)
      ? elements.map((element) => ({ ...(element as Control), blockId: String(block_id) }))
      : [],
  );
}

/** Everything that Ada's page shows from now on, as it comes. */
async function watch(slackUrl: string) {
  const leaving = new AbortController();
  const page = await fetch(`${slackUrl}/page/events?user=${ADA}`, { signal: leaving.signal });
  const events = new EventEmitter();
  const files: PageMessage['files'][number][] = [];
  const reading = read(page, (event) => {
    if (event.type === 'message') files.push(...event.message.files);
    events.emit('event', event);
  });
  // It ends by leaving, and only so.
  reading.catch((error: unknown) => leaving.signal.aborted || events.emit('error', error));

  return {
    files: () => files,
    leave: () => leaving.abort(),
    /** Acts, and waits for a private answer that is more than a word in between. */
    async answered(kind: 'message' | 'any', act: () => Promise<void>): Promise<PageMessage> {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      let hear: (event: PageEvent) => void = () => undefined;
      const answer = new Promise<PageMessage>((resolve, reject) => {
        patience.addEventListener('abort', () => reject(new Error('there was no answer')));
        hear = (event) => {
          if (event.type === 'failure') reject(new Error(event.text));
          const isNew =
            event.type === 'message' || (kind === 'any' && event.type === 'message_changed');
          if (!isNew || !event.message.ephemeral) return;
          if (!event.message.text.startsWith('Still')) resolve(event.message);
        };
      });
      events.on('event', hear);
      try {
        const [shown] = await Promise.all([answer, act()]);
        return shown;
      } finally {
        events.off('event', hear);
      }
    },
  };
}

async function read(page: Response, tell: (event: PageEvent) => void): Promise<void> {
  let rest = '';
  for await (const chunk of page.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (part.startsWith('data: ')) tell(JSON.parse(part.slice(6)) as PageEvent);
    }
  }
}

async function post(address: string, body: object): Promise<void> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { ok, error } = (await answer.json()) as { ok: boolean; error?: string };
  if (!ok) throw new Error(error);
}
