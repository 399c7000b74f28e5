import { Refusal } from '../../../../src/lib/errors.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import { createListeners } from '../../../../src/slack/routing/clicks.ts';
import { route } from '../../../../src/slack/routing/router.ts';
import type { RoutingServices } from '../../../../src/slack/routing/windows.ts';
import type {
  Answer,
  CommandContext,
  CommandRoute,
  CommandHelp,
} from '../../../../src/slack/routing/routes.ts';
import { section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { spoken } from '../../../support/answer.ts';
import { keptHere } from '../../../support/kept.ts';
import { readBy } from '../../../support/audience.ts';

/** The notification text of an answer. */
export function textOf(answer: Answer | undefined): string | undefined {
  return answer && spoken(answer);
}

const help: CommandHelp = {
  command: '/ship',
  summary: 'Ships.',
  usages: [{ text: '/ship NAME', does: 'ships it' }],
  examples: ['/ship cart'],
};
export const done = saying('done');

export function saying(text: string): Answer {
  return { blocks: [section(mrkdwn`${text}`)] };
}

/** A Bolt that hands over what the test does. */
export function pretendedBolt() {
  const handlers = new Map<string, (args: object) => Promise<void>>();
  const on = (kind: string) => (_: unknown, handler: (args: object) => Promise<void>) =>
    void handlers.set(kind, handler);
  const app = { command: on('command'), action: on('action'), view: on('view'), event: on('') };
  const give = (kind: string, args: object) =>
    handlers.get(kind)?.({ ack: () => Promise.resolve(), ...args });
  return {
    app: app as never,
    type: (text: string, ack: (answer?: object) => Promise<void> = async () => undefined) => {
      const who = { user_id: 'U1', team_id: 'T1', channel_id: 'C1' };
      return give('command', {
        ack,
        command: { command: '/ship', text, response_url: 'u', ...who },
      });
    },
    click: (action: object) => {
      const who = { user: { id: 'U1' }, team: { id: 'T1' } };
      const body = { type: 'block_actions', ...who, container: {}, actions: [action] };
      return give('action', { body, context: {} });
    },
  };
}

/** A router between a pretended Bolt and pretended answers. */
export function routed(
  run: (words: unknown, context: CommandContext) => Promise<Answer>,
  services: Partial<RoutingServices> = {},
  more: Partial<CommandRoute> = {},
) {
  const bolt = pretendedBolt();
  const written: string[] = [];
  const reported: (Answer | undefined)[] = [];
  const shown: string[] = [];
  const show = async ({ view }: { view: object }) => {
    shown.push(JSON.stringify(view));
    return { view: { id: 'V1' } };
  };
  route(
    {
      audience: readBy(),
      app: createListeners(bolt.app, async () => true),
      slack: { views: { open: show, update: show } } as never,
      answers: {
        reply: async (_, work) => void reported.push((await work()).answer),
        say: async (_, answer) => void reported.push(answer),
        share: () => Promise.resolve(),
        shown: () => Promise.resolve({ ...done, notes: ['one', 'two'], needs: 'money' }),
      },
      kept: keptHere(),
      scrub: (text) => text,
      authorize: () => Promise.resolve(),
      requireRight: () => Promise.resolve(),
      mayGoOn: async () => true,
      explain: () => undefined,
      stopping: new AbortController().signal,
      logger: createLogger({
        level: 'info',
        secrets: ['top-secret'],
        destination: { write: (line) => void written.push(line) },
      }),
      ...services,
    },
    [
      {
        commands: [{ help, parse: (words) => ({ command: words }), run, ...more }],
        actions: [{ actionId: 'ship.it', run: async ({ value }) => saying(value ?? '') }],
      },
    ],
  );
  return {
    log: () => written.join(''),
    async type(text: string): Promise<Answer | undefined> {
      await bolt.type(text);
      return reported.at(-1);
    },
    async click(action: string, value: string): Promise<Answer | undefined> {
      await bolt.click({ type: 'button', action_id: action, value });
      return reported.at(-1);
    },
    /** The window that a click opens. */
    async open(action: string): Promise<string | undefined> {
      await bolt.click({ type: 'button', action_id: action, value: 'id' });
      return shown.at(-1);
    },
  };
}

export const fails = (error: Error) => async (): Promise<never> => {
  throw error;
};
export const fail = (error: Error): never => {
  throw error;
};
export const shut = { authorize: fails(new Refusal('You have no access: ask an admin.')) };
