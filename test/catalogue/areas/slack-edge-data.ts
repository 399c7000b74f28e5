import { WebAPIPlatformError } from '@slack/web-api';
import { explainPlatformError, PlatformError } from '../../../src/platform/errors.ts';
import type { Answers } from '../../../src/slack/replies/answers.ts';
import { createListeners, type Click } from '../../../src/slack/routing/clicks.ts';
import type { ModalFrame } from '../../../src/slack/routing/modals.ts';
import { errorBoundary, type ErrorHandling } from '../../../src/slack/replies/reply.ts';
import { button, section } from '../../../src/slack/kit/blocks.ts';
import { selectMenu } from '../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import type { RoutingServices } from '../../../src/slack/routing/windows.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import type { ModalView } from '@slack/types';
import type { Logger } from '../../../src/lib/logger.ts';
import { keptHere } from '../../support/kept.ts';
import { readBy } from '../../support/audience.ts';

export const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
export const QUIET = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as Logger;
export const BOUNDARY = {
  explain: explainPlatformError,
  stopping: new AbortController().signal,
  logger: QUIET,
};
/** The answer to an error of a click or a form: without the help of a command. */
export async function boundary(
  attempt: () => Promise<never>,
  over: Partial<ErrorHandling> = {},
): Promise<Answer> {
  const { answer } = await errorBoundary(
    { ...BOUNDARY, ...over },
    { userId: ADA.userId, what: '/purser' },
    attempt,
  );
  if (answer === undefined) throw new Error('there is no answer');
  return answer;
}
export const scrub = (text: string): string => text;
export const BUSY = new PlatformError('unavailable', 'no answer');

/** An answer with something to click, such as a table with pages. */
export const PAGED: Answer = {
  blocks: [section(mrkdwn`*Workloads* of acme: cart, checkout, orders-db`)],
  controls: [
    selectMenu({
      action: 'sample.org',
      placeholder: 'Org',
      options: ['acme', 'beta'].map((text) => ({ text, value: text })),
      initial: 'acme',
    }),
  ],
  buttons: [button({ action: 'sample.more', text: 'More' })],
  shareable: true,
};

/** A refusal of Slack. */
export function slackSays(error: string, more: object = {}): WebAPIPlatformError {
  return new WebAPIPlatformError({ ok: false, error, ...more });
}

/** A button, or a command. */
export function click(kind: 'button' | 'command' = 'button'): Click {
  const clicked = { messageId: undefined, lasting: true };
  return {
    context: { person: ADA, channelId: 'C0OPS', value: 'acme/shop/cart' },
    triggerId: 'trigger',
    what: 'deployments.details',
    recipient: { userId: ADA.userId, clicked: kind === 'button' ? clicked : undefined },
  };
}

/** Calls of Slack that fail; absent: Slack opens and shows everything. */
interface Slack {
  open?: () => Promise<never>;
  update?: () => Promise<never>;
}

/** A bot whose windows and private answers are looked at. */
export function windows({ open, update }: Slack = {}) {
  const views: ModalView[] = [];
  const reported: Answer[] = [];
  const taken = (no: (() => Promise<never>) | undefined) => (asked: { view: ModalView }) => {
    if (no !== undefined) return no();
    views.push(asked.view);
    return Promise.resolve({ ok: true, view: { id: 'V1', hash: 'h' } });
  };
  const shown = { open: taken(open), update: taken(update) };
  // The client for secrets is made from this one, and reaches no one.
  const slack = { views: shown, token: 'xoxb', slackApiUrl: 'http://127.0.0.1:1/' } as never;
  const handlers = new Map<string, (args: object) => Promise<void>>();
  const on = (kind: string) => (_: unknown, handler: (args: object) => Promise<void>) =>
    void handlers.set(kind, handler);
  const bolt = { action: on('action'), view: on('view'), command: on('command'), event: on('') };
  const answers: Answers = {
    async reply(_, run) {
      const { answer } = await run();
      if (answer !== undefined) reported.push(answer);
    },
    say: async (_, answer) => void reported.push(answer),
    share: () => Promise.resolve(),
    shown: () => Promise.resolve({ blocks: [] }),
  };
  const services: RoutingServices = {
    ...BOUNDARY,
    app: createListeners(bolt as never, async () => true),
    answers,
    slack,
    kept: keptHere(() => false),
    scrub,
    audience: readBy(),
    authorize: () => Promise.resolve(),
    requireRight: () => Promise.resolve(),
    mayGoOn: async () => true,
  };
  return {
    services,
    reported: (): Answer => last(reported),
    shown: (): ModalFrame => frameIn(last(views)),
    /** Hands over a click or a form. */
    give: async (kind: 'action' | 'view' | 'command', body: object): Promise<void> =>
      handlers.get(kind)?.({ ack: () => Promise.resolve(), context: {}, body, ...body }),
  };
}

function frameIn({ title, submit, blocks }: ModalView): ModalFrame {
  return {
    title: title.text,
    blocks: blocks as ModalFrame['blocks'],
    ...(submit === undefined || submit === null ? {} : { submit: submit.text }),
  };
}

/** A click as Slack reports it. */
export function clickBody(action_id: string, more: object = {}): object {
  return {
    type: 'block_actions',
    user: { id: ADA.userId, team_id: ADA.teamId },
    team: { id: ADA.teamId },
    trigger_id: 'trigger',
    channel: { id: 'C0OPS' },
    container: { is_ephemeral: false },
    actions: [{ type: 'button', action_id, value: 'acme/shop/cart' }],
    ...more,
  };
}

export function last<T>(all: readonly T[]): T {
  const one = all.at(-1);
  if (one === undefined) throw new Error('nothing came');
  return one;
}

/** Runs work for which every wait is over at once. */
export async function hurried<T>(work: () => Promise<T>): Promise<T> {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((run: () => void) => setTimeout(run, 0)) as typeof setTimeout;
  try {
    return await work();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

/** Runs work for which the network is a function. */
export async function networked<T>(
  fetched: (body: unknown) => Response,
  work: () => Promise<T>,
): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = (_, init) =>
    Promise.resolve(fetched(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined));
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}
