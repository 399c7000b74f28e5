import type { BlockAction } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { scrubStrings, type Scrub } from '../../lib/secret.ts';
import { createUnloggedClient } from '../client.ts';
import { messageIdOf, section, withoutAlerts } from '../kit/blocks.ts';
import { LIMITS, mrkdwn, plain } from '../kit/text.ts';
import type { Clicked, Recipient } from '../replies/answers.ts';
import { modalBlocks } from '../replies/reply.ts';
import type { Listeners } from './listeners.ts';
import type { ActionContext, Answer, Attempt, FormValues, Person } from './routes.ts';

export interface Click {
  context: ActionContext;
  triggerId: string;
  /** Metadata of the form in which it was: another form is pushed onto that one. */
  within?: string;
  origin: Origin;
  /** The id of the button or the menu, or the command. */
  what: string;
}

/** The place of a click, for its answer; or a command that opens a form as a click does. */
export interface Origin {
  responseUrl?: string;
  /** Absent for a command. */
  clicked?: Clicked;
  /** On the home tab, which has to be refreshed after it. */
  home?: true;
  /** The answer may replace the message: only the person who clicked sees it. */
  replaceable: boolean;
}

export function readClick(body: BlockAction): Click {
  const [action] = body.actions;
  const value = valueOf(action);
  const channelId = body.channel?.id;
  const messageId = messageIdOf(action?.block_id);
  const isPrivate: unknown = body.container['is_ephemeral'];
  const lasting = isPrivate === false;
  const isDirect = channelId?.startsWith('D') === true;
  const replaceable = isPrivate === true || (messageId !== undefined && (!lasting || isDirect));
  return {
    context: {
      person: personOf(body),
      channelId,
      value: typeof value === 'string' ? value : undefined,
      answerId: messageId,
    },
    triggerId: body.trigger_id,
    ...(body.view?.type === 'modal' && { within: body.view.private_metadata }),
    what: action === undefined ? '' : action.action_id.replace(/#\d+$/, ''),
    origin: {
      ...(body.response_url === undefined ? {} : { responseUrl: body.response_url }),
      clicked: { messageId, lasting, thread: threadOf(body) },
      ...(body.view?.type === 'home' ? { home: true } : {}),
      replaceable,
    },
  };
}

/** Acknowledges clicks in this place, and passes them on. */
export function onClick(
  { app }: { readonly app: Listeners },
  place: Parameters<Listeners['action']>[0],
  listener: (click: Click, body: BlockAction) => Promise<void>,
): void {
  app.action(place, async ({ ack, body }) => {
    await ack();
    if (body.type === 'block_actions') await listener(readClick(body), body);
  });
}

/** Of the clicked message, if it is in a thread. */
function threadOf({ container, channel }: BlockAction): Clicked['thread'] {
  const threadTs: unknown = container['thread_ts'];
  if (typeof threadTs !== 'string' || channel === undefined) return undefined;
  return { channel: channel.id, threadTs };
}

export function personOf(body: {
  user: { id: string; team_id?: string };
  team: { id: string } | null;
}): Person {
  return { userId: body.user.id, teamId: body.user.team_id ?? body.team?.id ?? '' };
}

export function attemptOf({ context, what }: Click): Attempt {
  return { userId: context.person.userId, what, value: context.value };
}

export function recipientOf({ userId }: Person, origin: Origin, inPlace: boolean): Recipient {
  return {
    userId,
    responseUrl: origin.responseUrl,
    ...(origin.clicked === undefined ? {} : { clicked: origin.clicked }),
    inPlace: inPlace && origin.replaceable,
  };
}

/** An element's value as Slack sends it; every member may be absent. */
type ElementState = Readonly<Record<string, unknown>>;

/**
 * The value of a clicked or filled-in element: typed text, the value of an option, a date, a person; several of them as
 * a list, of files their ids; undefined when empty.
 */
export function valueOf(element: unknown): string | readonly string[] | undefined {
  const state = asObject(element);
  const several = state['selected_options'] ?? state['selected_users'];
  if (Array.isArray(several)) return several.flatMap((one) => textOf(one) ?? []);
  const { files } = state;
  if (Array.isArray(files)) return files.flatMap((file) => textOf(asObject(file)['id']) ?? []);
  const single =
    state['value'] ?? state['selected_option'] ?? state['selected_date'] ?? state['selected_user'];
  return textOf(single);
}

/** By block id. @param values `view.state.values` */
export function formValues(values: unknown): FormValues {
  return Object.fromEntries(
    Object.entries(asObject(values)).map(([blockId, actions]) => [
      blockId,
      valueOf(Object.values(asObject(actions))[0]),
    ]),
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { value: inOption } = asObject(value);
  return typeof inOption === 'string' ? inOption : undefined;
}

function asObject(value: unknown): ElementState {
  return typeof value === 'object' && value !== null ? (value as ElementState) : {};
}

/** With a submit label the modal is a form. */
export interface ModalFrame {
  title: string;
  blocks: KnownBlock[];
  submit?: string | undefined;
  callbackId?: string | undefined;
  /** Comes back with the submission. At most 3,000 characters. */
  metadata?: string | undefined;
}

/** Shows the next content of an open modal, in the order of the calls; does nothing once it is closed. */
export type ShowModal = (frame: ModalFrame) => Promise<void>;

export interface OpenView {
  id: string;
  /** Of the latest content; absent when Slack's answer lacks it. */
  hash?: string;
}

type Trigger = Pick<Click, 'triggerId' | 'within'>;

export interface Modals {
  /**
   * Opens a modal at once, because a trigger lives for three seconds; it can be filled in at the same time. `view`:
   * undefined when Slack did not open it, which is logged.
   */
  open(trigger: Trigger, title: string): { view: Promise<OpenView | undefined>; show: ShowModal };
  /**
   * Replaces the content of an open modal; does nothing once it is closed.
   * @throws the client's errors, after two tries
   */
  change(view: OpenView, frame: ModalFrame): Promise<void>;
  /**
   * Shows a secret: the frame bypasses the scrub, and is logged at no level. False when Slack did not confirm it; only
   * that is logged. Never rejects.
   */
  showSecret(view: OpenView, frame: ModalFrame): Promise<boolean>;
}

const CLOSED = new Set(['not_found', 'view_not_found']);

interface ModalServices {
  slack: WebClient;
  scrub: Scrub;
  logger: Logger;
}

export function createModals(services: ModalServices): Modals {
  const { slack, scrub, logger } = services;

  async function begin(
    { triggerId, within }: Trigger,
    title: string,
  ): Promise<OpenView | undefined> {
    const view = viewOf({ title, blocks: [section(mrkdwn`Reading …`)] });
    try {
      const call = { trigger_id: triggerId, view };
      return viewIn(await (within === undefined ? slack.views.open(call) : slack.views.push(call)));
    } catch (error) {
      logger.warn({ err: error }, 'A modal could not be opened');
      return undefined;
    }
  }

  async function update(open: OpenView, frame: ModalFrame): Promise<OpenView | undefined> {
    const scrubbed = scrubStrings(frame, scrub);
    try {
      return await updateView(slack, open, viewOf(scrubbed)).catch((error: unknown) => {
        if (isClosed(error)) throw error;
        // Again, without the hash. Only the bot changes the modal, one content after the other: a hash that does not
        // match belongs to an update whose confirmation was lost. A Slack without the block "alert" refuses the whole
        // view, so the second one is without it.
        const blocks = withoutAlerts(scrubbed.blocks);
        return updateView(slack, { id: open.id }, viewOf({ ...scrubbed, blocks }));
      });
    } catch (error) {
      if (!isClosed(error)) throw error;
      logger.info({ error: codeOf(error) }, 'A modal was closed before it was filled in');
      return undefined;
    }
  }

  return {
    open(trigger, title) {
      const view = begin(trigger, title);
      let latest = view;
      const show: ShowModal = (frame) => {
        const before = latest;
        const shown = before.then((open) => open && update(open, frame));
        // An update that failed does not stop the next one.
        latest = shown.catch(async () => {
          const open = await before;
          return open && { id: open.id };
        });
        return shown.then(() => undefined);
      };
      return { view, show };
    },
    async change(view, frame) {
      await update(view, frame);
    },
    showSecret: createShowSecret(services),
  };
}

function isClosed(error: unknown): boolean {
  return CLOSED.has(codeOf(error) ?? '');
}

/** Showing the same twice does no harm, and a broken connection must not lose a secret. */
const TRIES = 2;

function createShowSecret({ slack, logger }: ModalServices): Modals['showSecret'] {
  return async ({ id }, frame) => {
    const unlogged = createUnloggedClient(slack);
    for (let left = TRIES; left > 0; left -= 1) {
      try {
        await updateView(unlogged, { id }, viewOf(frame));
        return true;
      } catch (error) {
        // Only a short code is logged: the message of the error may contain the secret.
        const code = safeCode(error);
        logger.warn({ error: code }, 'Slack did not confirm that a secret was shown');
        if (CLOSED.has(code)) return false;
      }
    }
    return false;
  };
}

/** A short code of an error, without any content of the request. */
function safeCode(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined) return /^[a-z_]{1,40}$/.test(code) ? code : 'unreadable';
  return error instanceof Error ? error.name : 'unknown';
}

async function updateView(
  slack: WebClient,
  { id, hash }: OpenView,
  view: ModalView,
): Promise<OpenView> {
  const expected = hash === undefined ? {} : { hash };
  const answer = await slack.views.update({ view_id: id, view, ...expected });
  return viewIn(answer) ?? { id };
}

function viewIn(answer: { view?: { id?: string; hash?: string } }): OpenView | undefined {
  const { id, hash } = answer.view ?? {};
  if (id === undefined) return undefined;
  return hash === undefined ? { id } : { id, hash };
}

/** Slack's code of the error; undefined for other errors. */
function codeOf(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** A modal as Slack takes it, cut at Slack's limits. Pure. */
export function viewOf(frame: ModalFrame): ModalView {
  const { title, blocks, submit, callbackId, metadata } = frame;
  const label = (text: string): ReturnType<typeof plain> => plain(text, LIMITS.modalTitle);
  return {
    type: 'modal',
    title: label(title),
    close: label(submit === undefined ? 'Close' : 'Cancel'),
    blocks: blocks.slice(0, LIMITS.modalBlocks),
    ...(submit === undefined ? {} : { submit: label(submit) }),
    ...(callbackId === undefined ? {} : { callback_id: callbackId }),
    ...(metadata === undefined ? {} : { private_metadata: metadata }),
  };
}

const NOTE = 'form.note';

/** The blocks below a sentence and its buttons; filled-in values stay. */
export function noted(
  { blocks, buttons = [] }: Pick<Answer, 'blocks' | 'buttons'>,
  below: readonly KnownBlock[],
): KnownBlock[] {
  const note = modalBlocks({ blocks, buttons: [...buttons] }).map((block, index) => ({
    ...block,
    block_id: `${NOTE}:${index}`,
  }));
  return [...note, ...withoutNote(below)];
}

export function withoutNote(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.filter(({ block_id: id }) => id?.startsWith(`${NOTE}:`) !== true);
}

export type ShowUpdate = (show: () => Promise<void>) => Promise<void>;

/**
 * Works on the updates of a view at the same time, and shows their results one by one, the newest last: the result of
 * an update is not shown once a newer one has begun.
 */
export function createUpdateQueue(): (
  viewId: string,
  work: (show: ShowUpdate) => Promise<void>,
) => Promise<void> {
  const queues = new Map<string, { newest: symbol; showing: Promise<void> }>();
  return async (viewId, work) => {
    const mine = Symbol(viewId);
    const queue = queues.get(viewId) ?? { newest: mine, showing: Promise.resolve() };
    queue.newest = mine;
    queues.set(viewId, queue);
    try {
      await work((show) => {
        const shown = queue.showing.then(() => (queue.newest === mine ? show() : undefined));
        queue.showing = shown.catch(() => undefined);
        return shown;
      });
    } finally {
      if (queue.newest === mine) queues.delete(viewId);
    }
  };
}
