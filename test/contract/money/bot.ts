import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { onTestFinished, vi } from 'vitest';
import { within } from '../../../src/lib/time.ts';
import { botEnvironment } from '../../../src/sandbox/bot.ts';
import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import type { PageEvent, PageMessage } from '../../../src/sandbox/slack/page-protocol.ts';
import { post } from '../../support/http.ts';
import { createHarness } from '../app/harness.ts';
import { freshPrefix } from '../slack/support.ts';

/** The addresses of the platform, and the keys of its orgs. */
export interface Platform {
  readonly url: string;
  readonly billingUrl: string;
  readonly usageUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
}

export type Message = PageMessage;

/** A button, a select or a menu of a message. */
interface Control {
  readonly type: string;
  readonly action_id: string;
  readonly value?: string;
  readonly text?: { readonly text: string };
  readonly options?: readonly Option[];
}

interface Option {
  readonly text: { readonly text: string };
  readonly value: string;
}

export type MoneyBot = Awaited<ReturnType<typeof startMoneyBot>>;

const ADA = 'U0ADA';
const CHANNEL = 'C0BILLING';
/** Until an answer comes: on a busy machine a vast one takes as long as a report may, which is 3 min. */
const PATIENCE_MS = 200_000;

/** The platform at one moment, which lasts: Slack's signatures are of that time, too. */
export async function startPlatformAt(
  moment: string,
  options: Parameters<typeof createSandboxPlatform>[0] = {},
) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(moment) });
  onTestFinished(() => void vi.useRealTimers());
  const platform = createSandboxPlatform(options);
  await platform.listen();
  onTestFinished(() => platform.close());
  return platform;
}

/**
 * The whole bot in this process, between the stand-in of Slack and a platform: every command comes by
 * signed HTTP, and every answer by the response_url. All commands are Ada's, who has every role.
 */
export async function startMoneyBot(platform: Platform, environment: Record<string, string> = {}) {
  const { url: platformUrl, billingUrl, usageUrl, tokens: orgTokens } = platform;
  const places = { platformUrl, billingUrl, usageUrl, orgTokens };
  // Slack and Redis are those of the harness.
  const others = { slackUrl: '', redisUrl: '', port: 0, opsPort: 0 };
  const {
    SLACK_API_URL: _slack,
    REDIS_URL: _redis,
    ...known
  } = botEnvironment({ ...places, ...others });
  const prefix = freshPrefix();
  const harness = await createHarness({ ...known, REDIS_PREFIX: prefix, ...environment });
  onTestFinished(() => harness.close());
  const { slackUrl } = harness;
  const page = await watch(slackUrl);
  const files: PageMessage['files'][number][] = [];
  page.on('event', (event) => event.type === 'message' && files.push(...event.message.files));
  /** Acts, and waits for a private answer that is more than a word in between. */
  const answered = async (types: readonly PageEvent['type'][], act: () => Promise<unknown>) => {
    let hear: (event: PageEvent) => void = () => undefined;
    const answer = new Promise<Message>((resolve, reject) => {
      hear = (event) => {
        if (event.type === 'failure') reject(new Error(event.text));
        if (!types.includes(event.type) || !('message' in event)) return;
        const { message } = event;
        if (message.ephemeral && !message.text.startsWith('Still')) resolve(message);
      };
    });
    page.on('event', hear);
    try {
      const both = Promise.all([answer, act()]);
      const done = await within(both, PATIENCE_MS, undefined);
      if (done === undefined) throw new Error('there was no answer');
      return done[0];
    } finally {
      page.off('event', hear);
    }
  };

  return {
    async ask(text: string): Promise<Message> {
      const once = () => answered(['message'], () => harness.type(ADA, CHANNEL, text));
      try {
        return await once();
      } catch (error) {
        // Bot, Slack and platform share this thread: on a busy machine three seconds are over sometimes, and a
        // person types it again.
        if (!String(error).includes('operation_timeout')) throw error;
        return once();
      }
    },
    /** She presses a button, or chooses from a menu; the private answer that is new, or that was changed. */
    press(message: Message, name: string): Promise<Message> {
      const controls = controlsOf(message);
      const isNamed = ({ text }: Partial<Option>) => text?.text === name;
      const control = controls.find((one) => isNamed(one) || one.options?.some(isNamed) === true);
      if (control === undefined) throw new Error(`there is no button ${name}`);
      const chosen = control.options?.find(isNamed);
      return answered(['message', 'message_changed'], () =>
        post(`${slackUrl}/page/action`, {
          user: ADA,
          container: { type: 'message', channel: CHANNEL, ts: message.ts },
          block_id: message.blocks.find(({ elements }) =>
            (elements as Control[] | undefined)?.includes(control),
          )?.['block_id'],
          action_id: control.action_id,
          element: { type: control.type, ...(chosen && { selected_option: chosen }) },
        }),
      );
    },
    /** The file that came with the last answer to a press. */
    async file(): Promise<{ name: string; text: string }> {
      const { name, url } = files.at(-1)!;
      return { name, text: await (await fetch(`${slackUrl}${url}`)).text() };
    },
    /** Restarts the bot with empty caches. */
    restart: () => harness.restartBot({ REDIS_PREFIX: freshPrefix() }),
    log: harness.lines,
  };
}

/** Everything that Ada's page shows from now on, as it comes. */
async function watch(slackUrl: string) {
  const events = new EventEmitter<{ event: [PageEvent] }>();
  const leaving = new AbortController();
  const page = await fetch(`${slackUrl}/page/events?user=${ADA}`, { signal: leaving.signal });
  onTestFinished(() => leaving.abort());
  const read = async () => {
    for await (const line of createInterface(Readable.fromWeb(page.body as ReadableStream))) {
      if (line.startsWith('data: ')) events.emit('event', JSON.parse(line.slice(6)) as PageEvent);
    }
  };
  // It ends by leaving, and only so.
  read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return events;
}

/** Buttons and menus below an answer, in their order. */
export function controlsOf({ blocks }: Message): Control[] {
  return blocks.flatMap(({ type, elements }) =>
    type === 'actions' ? (elements as Control[]) : [],
  );
}
