import { WebClient } from '@slack/web-api';
import type { LogLevel } from '@slack/web-api';
import { boltLogger } from '../../../src/lib/bolt-logger.ts';
import { createScrubber } from '../../../src/lib/scrub.ts';
import { CREDENTIALS } from '../../../src/sandbox/bot.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import { createSandboxSlack } from '../../../src/sandbox/slack/server.ts';
import { createAnswers } from '../../../src/slack/answers.ts';
import { createSendDirectly } from '../../../src/slack/direct.ts';
import { createEdge } from '../../../src/slack/edge.ts';
import { createHome } from '../../../src/slack/home.ts';
import type { HomeDeps } from '../../../src/slack/home.ts';
import { createKeep } from '../../../src/slack/keep.ts';
import { createModals } from '../../../src/slack/modals.ts';
import { route } from '../../../src/slack/router.ts';
import type { RouterDeps } from '../../../src/slack/router.ts';
import type {
  ActionRoute,
  Answer,
  CommandRoute,
  FormRoute,
  HomePart,
  ModalRoute,
  RevealRoute,
} from '../../../src/slack/routes.ts';
import { createKeys } from '../../../src/store/keys.ts';
import { connectRedis, redisReady } from '../../../src/store/redis.ts';
import { until } from '../../support/until.ts';
import { freshPrefix, leash, listeningLogger, MANIFEST } from './support.ts';

export const ADA = 'U0ADA';
export const CHANNEL = 'C0BILLING';

type Json = Record<string, unknown>;

interface Element {
  type: string;
  action_id: string;
  text?: { text: string };
  options?: { value: string }[];
  confirm?: Json;
}

export interface Message {
  channel: string;
  ts: string;
  text: string;
  blocks: { type: string; block_id: string; elements?: Element[]; accessory?: Element }[];
  ephemeral_to: string | null;
  edits: { text: string; blocks: Json[] }[];
  files: { name: string; title: string }[];
}

export interface View {
  id: string;
  title: string;
  submit?: string;
  blocks: (Message['blocks'][number] & { element?: { type: string } })[];
}

/** What is known of a person: why they may not do something, if so. */
export interface Known {
  readonly refusal?: string;
  readonly spendRefusal?: string;
}

interface Wares {
  /** What the command answers. */
  answer?: () => Promise<Answer>;
  /** What the command opens instead. */
  opens?: CommandRoute['opens'];
  actions?: readonly ActionRoute[];
  modals?: readonly ModalRoute[];
  forms?: readonly FormRoute[];
  reveals?: readonly RevealRoute[];
  /** Of the home tab. */
  parts?: readonly HomePart<Known>[];
  /** Everything that anybody writes into the log is written. */
  level?: 'trace';
  deps?: Partial<RouterDeps & Pick<HomeDeps<Known>, 'clock' | 'partMs' | 'who'>>;
}

/** The edge of the bot with a command and buttons of the test's own, between a real Redis and the stand-in Slack. */
export async function openCounter(wares: Wares) {
  const redis = await startRedis(process.env['REDIS_URL']);
  const line = await leash(redis.url);
  const slack = createSandboxSlack({ ...CREDENTIALS, manifestPath: MANIFEST });
  await slack.listen();
  const { logger, lines } = listeningLogger([], wares.level);
  const { hostname, port } = new URL(line.url);
  const node = { host: hostname, port: Number(port), db: 0, tls: false };
  const connection = connectRedis([node], 'commands', logger);
  await redisReady(connection, 5_000);
  const keys = createKeys(freshPrefix());
  const apiUrl = `${slack.url}/api/`;
  const client = new WebClient(CREDENTIALS.botToken, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: boltLogger<LogLevel>(logger),
  });
  const scrub = createScrubber(['top-secret']);
  const edge = createEdge({
    mode: { kind: 'http', signingSecret: CREDENTIALS.signingSecret, port: 0 },
    apiUrl,
    botToken: CREDENTIALS.botToken,
    identity: () => ({ botId: 'B1', botUserId: 'UBOT', teamId: 'T1' }),
    redis: connection,
    keys,
    clock: { now: () => Date.now() },
    logger,
  });
  const keep = createKeep({ redis: connection, keys, logger });
  const direct = createSendDirectly({ client, logger });
  const ask: Wares['answer'] = wares.answer ?? (() => Promise.reject(new Error('not asked')));
  const shared = {
    admit: () => Promise.resolve(),
    explain: () => undefined,
    stopping: new AbortController().signal,
    clock: { now: () => Date.now() },
    who: () => Promise.resolve<Known>({}),
    refusal: (who: Known) => who.refusal,
    scrub,
    logger,
    ...wares.deps,
  };
  route(
    {
      app: edge.app,
      answers: createAnswers({ redis: connection, keys, apiUrl, scrub, direct, logger }),
      modals: createModals({ client, scrub, logger }),
      home: createHome({ client, parts: wares.parts ?? [], ...shared }),
      keep,
      allow: () => Promise.resolve(),
      ...shared,
    },
    [
      {
        help: { command: '/charges', summary: 'Sums.', usages: [], examples: ['/charges'] },
        run: ask,
        ...(wares.opens === undefined ? {} : { opens: wares.opens }),
      },
    ],
    wares.actions ?? [],
    wares.modals ?? [],
    wares.forms ?? [],
    wares.reveals ?? [],
  );
  await edge.start();
  slack.setRequestUrl(`http://127.0.0.1:${edge.port()}/slack/events`);
  return {
    slackUrl: slack.url,
    client,
    keep,
    logger,
    lines,
    redisLine: line,
    /** The store is gone from here on, and the bot knows it. */
    async loseStore(): Promise<void> {
      await line.cut();
      await until('the loss of the store', () => connection.status !== 'ready');
    },
    ...visitor(slack.url),
    async close() {
      await edge.stop();
      connection.disconnect();
      await line.close();
      await slack.close();
      await redis.close();
    },
  };
}

/** A person at the stand-in Slack. */
function visitor(url: string) {
  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Json;
  };
  const messages = async (channel = CHANNEL): Promise<Message[]> => {
    const answer = await fetch(`${url}/_sandbox/messages?channel=${channel}`);
    return ((await answer.json()) as { messages: Message[] }).messages;
  };
  const untilMessage = (what: string, fits: (one: Message) => boolean, channel = CHANNEL) =>
    until(what, async () => (await messages(channel)).findLast(fits));
  const use = async (message: Message, label: string, element: object): Promise<void> => {
    const at = find(message, label);
    await post('/page/action', {
      user: ADA,
      container: { type: 'message', channel: message.channel, ts: message.ts },
      ...at,
      element,
    });
  };
  const type = (text: string) => post('/page/command', { user: ADA, channel: CHANNEL, text });
  return {
    messages,
    untilMessage,
    type,
    ask: async (): Promise<Message> => {
      const known = new Set((await messages()).map(({ ts }) => ts));
      await type('/charges');
      return untilMessage('an answer', ({ ts, text }) => !known.has(ts) && !isProgress(text));
    },
    press: (message: Message, label: string) => use(message, label, { type: 'button' }),
    choose: (message: Message, action: string, value: string) =>
      use(message, action, {
        type: 'static_select',
        selected_option: { text: { type: 'plain_text', text: value }, value },
      }),
    /** The modal that is open, once it fits. */
    view: (what: string, fits: (view: View, said: string) => boolean): Promise<View> =>
      until(what, async () => {
        const answer = await fetch(`${url}/page/bootstrap?user=${ADA}`);
        const { views } = (await answer.json()) as { views: View[] };
        return views.find((view) => fits(view, JSON.stringify(view.blocks)));
      }),
    /** Chooses an option of a field in an open modal, with what was filled in besides. */
    pick: (view: View, field: string, value: string, state: Json = {}) => {
      const option = { text: { type: 'plain_text', text: value }, value };
      const element = { type: 'static_select', selected_option: option };
      return post('/page/action', {
        user: ADA,
        container: { type: 'view', view_id: view.id },
        block_id: field,
        action_id: field,
        element,
        state: { ...state, [field]: { [field]: element } },
      });
    },
    /** Presses a button in an open modal. */
    pressIn: (view: View, label: string) =>
      post('/page/action', {
        user: ADA,
        container: { type: 'view', view_id: view.id },
        ...find(view, label),
        element: { type: 'button' },
      }),
    submit: (view: View, values: Json) =>
      post('/page/view/submit', { user: ADA, view_id: view.id, values }),
    closeView: (view: View) =>
      post('/page/view/close', { user: ADA, view_id: view.id, clear: true }),
    faults: (...faults: object[]) => post('/_sandbox/faults', { faults }),
    /** What the bot was told, and whether it answered in time. */
    deliveries: async (): Promise<{ name: string; ok: boolean }[]> => {
      const answer = await fetch(`${url}/_sandbox/deliveries`);
      return ((await answer.json()) as { deliveries: { name: string; ok: boolean }[] }).deliveries;
    },
    requests: async (method: string): Promise<{ args: Json; ok: boolean; error?: string }[]> => {
      const answer = await fetch(`${url}/_sandbox/requests`);
      const { requests } = (await answer.json()) as { requests: { method: string }[] };
      return requests.filter((one) => one.method === method) as never;
    },
  };
}

export const isProgress = (text: string): boolean => text.startsWith('Still working');

/** The ids of a button with this text, or of an element with this action. */
function find(
  message: Pick<Message, 'blocks'>,
  label: string,
): { block_id: string; action_id: string } {
  for (const block of message.blocks) {
    const elements = [...(block.elements ?? []), ...(block.accessory ? [block.accessory] : [])];
    const found = elements.find((one) => one.action_id === label || one.text?.text === label);
    if (found !== undefined) return { block_id: block.block_id, action_id: found.action_id };
  }
  throw new Error(`there is no ${label} in ${JSON.stringify(message.blocks)}`);
}

/** All labels of buttons, in order. */
export function buttonsOf(message: Message): string[] {
  return message.blocks.flatMap(({ elements = [] }) =>
    elements.flatMap(({ type, text }) => (type === 'button' ? (text?.text ?? []) : [])),
  );
}

/** A door that work waits at until the test opens it. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
