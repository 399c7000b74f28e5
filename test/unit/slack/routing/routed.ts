import { Refusal } from '../../../../src/lib/errors.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import { route } from '../../../../src/slack/routing/router.ts';
import type { RoutingServices } from '../../../../src/slack/routing/modal-routes.ts';
import type {
  Answer,
  CommandContext,
  CommandRoute,
  CommandHelp,
  ModalContent,
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

type Handler = (args: object) => Promise<void>;

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

/** A router between a pretended Bolt and pretended answers. */
export function routed(
  run: (words: unknown, context: CommandContext) => Promise<Answer>,
  services: Partial<RoutingServices> = {},
  more: Partial<CommandRoute> = {},
) {
  const handlers = new Map<string, Handler>();
  const written: string[] = [];
  const register = (name: string, handler: Handler): void => void handlers.set(name, handler);
  const reported: (Answer | undefined)[] = [];
  const shown: ModalContent[] = [];
  route(
    {
      audience: readBy(),
      app: {
        command: register,
        event: () => undefined,
        action: (name: string | RegExp, handler: Handler) => register(wordOf(name), handler),
      } as never,
      answers: {
        reply: async (_, work) => {
          reported.push((await work()).answer);
        },
        share: () => Promise.resolve(),
        shown: () => Promise.resolve({ ...done, notes: ['one', 'two'], needs: 'money' }),
      },
      modals: {
        open: () => ({
          view: Promise.resolve({ id: 'V1' }),
          show: async (content) => void shown.push(content),
        }),
        change: () => Promise.resolve(),
        showSecret: () => Promise.resolve(false),
      },
      kept: keptHere(),
      scrub: (text) => text,
      authorize: () => Promise.resolve(),
      requireRight: () => Promise.resolve(),
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
        actions: [
          {
            actionId: 'ship.it',
            run: ({ value }) => Promise.resolve(saying(value ?? '')),
          },
        ],
        modals: [
          {
            actionId: 'look.in',
            title: 'Cargo',
            load: ({ value = '' }) =>
              value === 'nothing'
                ? Promise.reject(new Refusal('There is nothing in it: look elsewhere.'))
                : Promise.resolve({ title: value, blocks: [] }),
          },
        ],
      },
    ],
  );
  const ack = (): Promise<void> => Promise.resolve();
  return {
    log: () => written.join(''),
    async type(text: string): Promise<Answer | undefined> {
      const body = { user_id: 'U1', team_id: 'T1', channel_id: 'C1', response_url: 'u', text };
      await handlers.get('/ship')?.({ ack, body });
      return reported.at(-1);
    },
    async look(value: string): Promise<ModalContent | undefined> {
      await handlers.get('look.in')?.({ ack, body: clickOf({ type: 'button', value }) });
      return shown.at(-1);
    },
    async use(action: object): Promise<Answer | undefined> {
      await handlers.get('ship.it')?.({ ack, body: clickOf(action) });
      return reported.at(-1);
    },
    /** Clicks a button that the router itself listens to. */
    async click(action: string, value: string): Promise<Answer | undefined> {
      await handlers.get(action)?.({ ack, body: clickOf({ type: 'button', value }) });
      return reported.at(-1);
    },
    async open(action: string, value: string): Promise<ModalContent | undefined> {
      await this.click(action, value);
      return shown.at(-1);
    },
    press(value: string): Promise<Answer | undefined> {
      return this.use({ type: 'button', value });
    },
  };
}

/** The action that a pattern is for. */
const wordOf = (name: string | RegExp): string =>
  typeof name === 'string' ? name : (/[\w.\\]+/.exec(name.source)?.[0] ?? '').replaceAll('\\', '');

function clickOf(action: object): object {
  const who = { user: { id: 'U1' }, team: { id: 'T1' } };
  const actions = [{ action_id: 'ship.it#2', ...action }];
  return { type: 'block_actions', ...who, container: { type: 'message' }, actions };
}

export const fails = (error: Error) => async (): Promise<never> => {
  throw error;
};
export const fail = (error: Error): never => {
  throw error;
};
export const shut = { authorize: fails(new Refusal('You have no access: ask an admin.')) };
