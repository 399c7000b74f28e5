import { onTestFinished } from 'vitest';
import { createScrubber, Secret } from '../../../src/lib/secret.ts';
import { systemStopwatch } from '../../../src/lib/time.ts';
import { CREDENTIALS } from '../../../src/sandbox/bot.ts';
import { createSandboxSlack } from '../../../src/sandbox/slack/server.ts';
import { createSlackClient } from '../../../src/slack/client.ts';
import { createSlackConnection } from '../../../src/slack/connection/connection.ts';
import { createAudiences } from '../../../src/slack/audience.ts';
import { createPeople } from '../../../src/slack/directory.ts';
import { createKept } from '../../../src/slack/replies/shelf.ts';
import type { PersonLimit } from '../../../src/slack/routing/person-limit.ts';
import type { HomeServices } from '../../../src/slack/routing/home.ts';
import { connectFeatures } from '../../../src/slack/routing/router.ts';
import type { Answer, CommandRoute, SlackRoutes } from '../../../src/slack/routing/routes.ts';
import type { RoutingServices } from '../../../src/slack/routing/windows.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { get as getFrom, post as postTo } from '../../support/http.ts';
import { useRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { connectThroughProxy, freshPrefix, listeningLogger, MANIFEST } from './support.ts';
import { createHomeVersions } from '../../../src/slack/home-versions.ts';
import { createNativeBlocks } from '../../../src/slack/native-blocks.ts';

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
  by_app: boolean;
  thread_ts: string | null;
  edits: { text: string; blocks: Json[] }[];
  files: { name: string; title: string }[];
}

export interface View {
  id: string;
  title: string;
  submit?: string;
  blocks: (Message['blocks'][number] & { element?: { type: string } })[];
}

export type HomeTab = Pick<View, 'id' | 'blocks'>;

/** The refusals of a person, if any. */
export interface Known {
  readonly refusal?: string;
  readonly spendRefusal?: string;
}

interface SlackHarnessOptions extends SlackRoutes<Known> {
  /** The answer of the command. */
  answer?: () => Promise<Answer>;
  /** Reads the words of the command; absent: runs `answer`. */
  parse?: CommandRoute['parse'];
  /** How much is logged. */
  level?: 'trace';
  /** PERSON_LIMIT; absent: no limit. */
  personLimit?: number;
  /** Counts commands and clicks; absent: there is no limit. */
  limit?: PersonLimit;
  services?: Partial<Omit<RoutingServices, 'app'> & HomeServices<Known>>;
}

/** As `createSlackHarness`, for one test: it is closed after it. */
export async function openSlackHarness(options: SlackHarnessOptions) {
  const harness = await createSlackHarness(options);
  onTestFinished(() => harness.close());
  return harness;
}

/** Slack's edge of the bot with routes of the test, between a real Redis and the stand-in Slack. */
export async function createSlackHarness(options: SlackHarnessOptions) {
  const { logger, lines } = listeningLogger([], options.level);
  const store = await connectThroughProxy(useRedis().url, logger);
  const slack = createSandboxSlack({ ...CREDENTIALS, manifestPath: MANIFEST });
  await slack.listen();
  const shared = {
    slack: createSlackClient(new Secret(CREDENTIALS.botToken), `${slack.url}/api/`, logger),
    redis: store.connection,
    keys: createKeys(freshPrefix()),
    clock: { now: () => Date.now() },
    logger,
    config: { personLimit: options.personLimit ?? 0 },
  };
  const kept = createKept(shared);
  const connection = createSlackConnection(
    { kind: 'http', signingSecret: new Secret(CREDENTIALS.signingSecret), port: 0 },
    { ...shared, identity: { now: () => ({ botId: 'B1', botUserId: 'UBOT', teamId: 'T1' }) } },
  );
  const services = {
    ...shared,
    app: connection.app,
    kept,
    native: createNativeBlocks(shared),
    versions: createHomeVersions(shared),
    audience: createAudiences(
      shared.slack,
      createPeople(shared.slack, systemStopwatch),
      systemStopwatch,
    ),
    authorize: () => Promise.resolve(),
    requireRight: () => Promise.resolve(),
    principal: () => Promise.resolve<Known>({}),
    explain: () => undefined,
    stopping: new AbortController().signal,
    scrub: createScrubber(['top-secret']),
    ...options.services,
  };
  const command: CommandRoute = {
    help: { command: '/charges', summary: 'Sums.', usages: [], examples: ['/charges'] },
    parse: options.parse ?? (() => ({ command: undefined })),
    run: options.answer ?? (() => Promise.reject(new Error('not asked'))),
  };
  connectFeatures({ ...services, ...(options.limit && { limit: options.limit }) }, [
    { commands: [command] },
    options,
  ]);
  await connection.start();
  const requestUrl = `http://127.0.0.1:${connection.port()}/slack/events`;
  slack.setRequestUrl(requestUrl);
  return {
    slackUrl: slack.url,
    /** The address to which Slack sends. */
    requestUrl,
    client: shared.slack,
    versions: services.versions,
    keys: shared.keys,
    kept,
    logger,
    lines,
    redisProxy: store.proxy,
    /** The store is gone from here on, and the bot knows it. */
    async loseStore(): Promise<void> {
      await store.proxy.cut();
      await until('the loss of the store', () => store.connection.status !== 'ready');
    },
    ...visitor(slack.url),
    async close() {
      await connection.stop();
      await store.close();
      await slack.close();
    },
  };
}

/** A person at the stand-in Slack. */
function visitor(url: string) {
  const post = (path: string, body: object) => postTo(url + path, body);
  const get = <T>(path: string): Promise<T> => getFrom(url + path);
  const messages = async (channel = CHANNEL): Promise<Message[]> =>
    (await get<{ messages: Message[] }>(`/_sandbox/messages?channel=${channel}`)).messages;
  /** Ada's home tab and open views. */
  const bootstrap = () =>
    get<{ home: HomeTab | null; views: View[] }>(`/page/bootstrap?user=${ADA}`);
  /** Uses an element of a message or of a view. */
  const act = (container: object, at: object, element: object, state?: Json) =>
    post('/page/action', { user: ADA, container, ...at, element, ...(state && { state }) });
  const pressInView = (id: string, at: object) =>
    act({ type: 'view', view_id: id }, at, { type: 'button' });
  const use = async (message: Message, label: string, element: object): Promise<void> => {
    const { channel, ts } = message;
    await act({ type: 'message', channel, ts }, find(message, label), element);
  };
  const chosen = (value: string) => ({
    type: 'static_select',
    selected_option: { text: { type: 'plain_text', text: value }, value },
  });
  const untilMessage = (what: string, fits: (one: Message) => boolean, channel = CHANNEL) =>
    until(what, async () => (await messages(channel)).findLast(fits));
  const type = (text: string) => post('/page/command', { user: ADA, channel: CHANNEL, text });
  return {
    post,
    bootstrap,
    pressInView,
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
      use(message, action, chosen(value)),
    /** The modal that is open, once it fits. */
    view: (what: string, fits: (view: View, said: string) => boolean): Promise<View> =>
      until(what, async () =>
        (await bootstrap()).views.find((view) => fits(view, JSON.stringify(view.blocks))),
      ),
    /** Chooses an option of a field in an open modal, with the values of the other fields. */
    pick: (view: View, field: string, value: string, state: Json = {}) => {
      const [at, element] = [{ block_id: field, action_id: field }, chosen(value)];
      const filled = { ...state, [field]: { [field]: element } };
      return act({ type: 'view', view_id: view.id }, at, element, filled);
    },
    /** Presses a button in an open modal. */
    pressIn: (view: View, label: string) => pressInView(view.id, find(view, label)),
    submit: (view: View, values: Json) =>
      post('/page/view/submit', { user: ADA, view_id: view.id, values }),
    closeView: (view: View) =>
      post('/page/view/close', { user: ADA, view_id: view.id, clear: true }),
    faults: (...faults: object[]) => post('/_sandbox/faults', { faults }),
    /** Deliveries to the bot, and whether it answered in time. */
    deliveries: async () =>
      (await get<{ deliveries: { name: string; ok: boolean }[] }>('/_sandbox/deliveries'))
        .deliveries,
    requests: async (method: string) =>
      (await get<{ requests: Request[] }>('/_sandbox/requests')).requests.filter(
        (one) => one.method === method,
      ),
  };
}

interface Request {
  method: string;
  args: Json;
  ok: boolean;
  error?: string;
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

export { gate } from '../../support/until.ts';
