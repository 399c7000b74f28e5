import type { KnownBlock, ModalView } from '@slack/types';
import { WebAPIPlatformError } from '@slack/web-api';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { scrubStrings } from '../../lib/secret.ts';
import type { Scrub } from '../../lib/secret.ts';
import { createUnloggedClient } from '../connection/client.ts';
import { section } from '../kit/blocks.ts';
import { LIMITS, mrkdwn, plain } from '../kit/text.ts';
import type { Answer } from './routes.ts';

/** What a modal shows; with a submit label it is a form. */
export interface ModalFrame {
  title: string;
  blocks: KnownBlock[];
  submit?: string;
  callbackId?: string;
  /** Comes back with what was filled in. At most 3,000 characters. */
  metadata?: string;
}

/** Shows the next content of an open modal, in the order of the calls; does nothing once it is closed. */
export type ShowModal = (frame: ModalFrame) => Promise<void>;

/** A modal as it is now. */
export interface OpenView {
  id: string;
  /** Of the latest content; unknown when Slack did not say. */
  hash?: string;
}

export interface Modals {
  /**
   * Opens a modal at once, because a trigger lives for three seconds, and lets `fill` fill it in at
   * the same time. When it is closed before then, that is no error. Gives false when Slack did not
   * open it, which is logged. @throws what `fill` throws
   */
  open(
    triggerId: string,
    title: string,
    fill: (show: ShowModal) => Promise<void>,
  ): Promise<boolean>;
  /** Opens a modal that is still to be filled in; undefined when Slack did not, which is logged. */
  begin(triggerId: string, title: string): Promise<OpenView | undefined>;
  /** Shows something else in an open modal; does nothing once it is closed. @throws the client's errors, after two tries */
  change(view: OpenView, frame: ModalFrame): Promise<void>;
  /**
   * Shows a secret: what is in the frame goes past the scrub, and into no log at any level. Gives
   * false when Slack did not confirm it, which is logged as that alone. Never rejects.
   */
  showSecret(view: OpenView, frame: ModalFrame): Promise<boolean>;
}

/** The view was closed. */
const CLOSED = new Set(['not_found', 'view_not_found']);

interface ModalServices {
  slack: WebClient;
  scrub: Scrub;
  logger: Logger;
}

export function createModals(services: ModalServices): Modals {
  const { slack, scrub, logger } = services;

  async function begin(triggerId: string, title: string): Promise<OpenView | undefined> {
    const view = viewOf({ title, blocks: [section(mrkdwn`Reading …`)] });
    try {
      const answer = await slack.views.open({ trigger_id: triggerId, view });
      return viewIn(answer);
    } catch (error) {
      logger.warn({ err: error }, 'A modal could not be opened');
      return undefined;
    }
  }

  async function update(open: OpenView, frame: ModalFrame): Promise<OpenView | undefined> {
    const view = viewOf(scrubStrings(frame, scrub));
    try {
      return await updateView(slack, open, view).catch((error: unknown) => {
        if (isClosed(error)) throw error;
        // Again, without the hash. Only the bot changes the modal, one content after the other: a hash
        // that does not match belongs to an update whose confirmation was lost.
        return updateView(slack, { id: open.id }, view);
      });
    } catch (error) {
      if (!isClosed(error)) throw error;
      logger.info({ error: codeOf(error) }, 'A modal was closed before it was filled in');
      return undefined;
    }
  }

  return {
    begin,
    async open(triggerId, title, fill) {
      const opening = begin(triggerId, title);
      let latest = opening;
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
      await fill(show);
      return (await opening) !== undefined;
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
  const unlogged = createUnloggedClient(slack);
  return async ({ id }, frame) => {
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

/** A short code of an error that holds nothing of the request. */
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

/** Slack's code of the error; undefined for an error that is not Slack's. */
function codeOf(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** A modal as Slack takes it, cut where Slack takes no more. Pure. */
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

/** The blocks with a sentence above them; what was filled in stays. */
export function noted({ blocks }: Answer, below: readonly KnownBlock[]): KnownBlock[] {
  const note = blocks.map((block, index) => ({ ...block, block_id: `${NOTE}:${index}` }));
  return [...note, ...withoutNote(below)];
}

export function withoutNote(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.filter(({ block_id: id }) => id?.startsWith(`${NOTE}:`) !== true);
}

/** Shows something, unless a newer update is under way. */
export type ShowUpdate = (show: () => Promise<void>) => Promise<void>;

/**
 * Works on the updates of a view at the same time, and shows their results one by one, the newest last:
 * the result of an update is not shown once a newer one has begun.
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
