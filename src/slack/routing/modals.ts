import type { KnownBlock, ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { scrubStrings } from '../../lib/secret.ts';
import { errorCode } from '../calls.ts';
import { createUnloggedClient } from '../client.ts';
import { section, withoutAlerts } from '../kit/blocks.ts';
import { given, LIMITS, mrkdwn, plain, type NamingScrub } from '../kit/text.ts';
import { modalBlocks } from '../replies/reply.ts';
import type { Click } from './clicks.ts';
import type { Answer } from './routes.ts';

/** With a submit label the modal is a form. */
export interface ModalFrame {
  title: string;
  blocks: KnownBlock[];
  submit?: string | undefined;
  callbackId?: string | undefined;
  /** Comes back with the submission. At most 3,000 characters. */
  metadata?: string | undefined;
}

export interface OpenView {
  id: string;
  /** Of the latest content; absent when Slack's answer lacks it. */
  hash?: string | undefined;
}

export interface ModalServices {
  slack: WebClient;
  scrub: NamingScrub;
  logger: Logger;
}

/**
 * Opens a modal at once, because a trigger lives for three seconds; it can be filled in at the same time. `view`:
 * undefined when Slack did not open it, which is logged. `show` shows the next content, in the order of the calls, and
 * does nothing once the modal is closed.
 */
export function openModal(
  services: ModalServices,
  trigger: Pick<Click, 'triggerId' | 'within'>,
  title: string,
) {
  const view = begin(services, trigger, title);
  let latest = view;
  const show = (frame: ModalFrame): Promise<void> => {
    const before = latest;
    const shown = before.then((open) => open && changeModal(services, open, frame));
    // An update that failed does not stop the next one.
    latest = shown.catch(async () => {
      const open = await before;
      return open && { id: open.id };
    });
    return shown.then(() => undefined);
  };
  return { view, show };
}

async function begin(
  { slack, logger }: ModalServices,
  { triggerId, within }: Pick<Click, 'triggerId' | 'within'>,
  title: string,
): Promise<OpenView | undefined> {
  const view = viewOf({ title, blocks: [section(mrkdwn`Reading …`)] });
  const call = { trigger_id: triggerId, view };
  try {
    return viewIn(await (within === undefined ? slack.views.open(call) : slack.views.push(call)));
  } catch (error) {
    logger.warn({ err: error }, 'A modal could not be opened');
    return undefined;
  }
}

/**
 * Replaces the content of an open modal; undefined once it is closed.
 * @throws the client's errors, after two tries
 */
export async function changeModal(
  { slack, scrub, logger }: ModalServices,
  open: OpenView,
  frame: ModalFrame,
): Promise<OpenView | undefined> {
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
    logger.info({ error: errorCode(error) }, 'A modal was closed before it was filled in');
    return undefined;
  }
}

const CLOSED = new Set(['not_found', 'view_not_found']);

function isClosed(error: unknown): boolean {
  return CLOSED.has(errorCode(error) ?? '');
}

/** Showing the same twice does no harm, and a broken connection must not lose a secret. */
const TRIES = 2;

/**
 * Shows a secret: the frame bypasses the scrub, and is logged at no level. False when Slack did not confirm it; only
 * that is logged. Never rejects.
 */
export async function showSecret(
  { slack, logger }: ModalServices,
  { id }: OpenView,
  frame: ModalFrame,
): Promise<boolean> {
  const unlogged = createUnloggedClient(slack);
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      await updateView(unlogged, { id }, viewOf(frame));
      return true;
    } catch (error) {
      logger.warn({ error: safeCode(error) }, 'Slack did not confirm that a secret was shown');
      if (isClosed(error)) return false;
    }
  }
  return false;
}

/** A short code of an error, without any content of the request: its message may contain the secret. */
function safeCode(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined) return /^[a-z_]{1,40}$/.test(code) ? code : 'unreadable';
  return error instanceof Error ? error.name : 'unknown';
}

async function updateView(
  slack: WebClient,
  { id, hash }: OpenView,
  view: ModalView,
): Promise<OpenView> {
  return viewIn(await slack.views.update({ view_id: id, view, ...given({ hash }) })) ?? { id };
}

function viewIn(answer: { view?: { id?: string; hash?: string } }): OpenView | undefined {
  const { id, hash } = answer.view ?? {};
  return id === undefined ? undefined : { id, hash };
}

/** A modal as Slack takes it, cut at Slack's limits. */
export function viewOf({ title, blocks, submit, callbackId, metadata }: ModalFrame): ModalView {
  const label = (text: string) => plain(text, LIMITS.modalTitle);
  return {
    type: 'modal',
    title: label(title),
    close: label(submit === undefined ? 'Close' : 'Cancel'),
    blocks: blocks.slice(0, LIMITS.modalBlocks),
    ...given({
      submit: submit === undefined ? undefined : label(submit),
      callback_id: callbackId,
      private_metadata: metadata,
    }),
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
export function createUpdateQueue() {
  const queues = new Map<string, { newest: symbol; showing: Promise<void> }>();
  return async (viewId: string, work: (show: ShowUpdate) => Promise<void>): Promise<void> => {
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
