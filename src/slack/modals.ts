import { WebAPIPlatformError } from '@slack/web-api';
import type { KnownBlock, ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../lib/logger.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import { discreetTwin } from './client.ts';
import { LIMITS, mrkdwn, section } from './kit/index.ts';
import { plain } from './kit/plain.ts';

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
   * the same time. Someone who closes it before then is left alone. Gives false when Slack did not
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
  disclose(view: OpenView, frame: ModalFrame): Promise<boolean>;
}

/** The view was closed. */
const GONE = new Set(['not_found', 'view_not_found']);

export function createModals(deps: { client: WebClient; scrub: Scrub; logger: Logger }): Modals {
  const { client, scrub, logger } = deps;

  async function begin(triggerId: string, title: string): Promise<OpenView | undefined> {
    const view = viewOf({ title, blocks: [section(mrkdwn`Reading …`)] });
    try {
      const answer = await client.views.open({ trigger_id: triggerId, view });
      return viewIn(answer);
    } catch (error) {
      logger.warn({ err: error }, 'A modal could not be opened');
      return undefined;
    }
  }

  async function update(open: OpenView, frame: ModalFrame): Promise<OpenView | undefined> {
    const view = viewOf(scrubStrings(frame, scrub));
    try {
      return await put(client, open, view).catch((error: unknown) => {
        if (isGone(error)) throw error;
        // Once more, and by id alone. Nobody else changes the modal, and one content follows the
        // other: what is in the way is an own one whose confirmation was lost, or that is older.
        return put(client, { id: open.id }, view);
      });
    } catch (error) {
      if (!isGone(error)) throw error;
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
        // What could not be shown keeps nothing else from being shown.
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
    disclose: discloser(deps),
  };
}

function isGone(error: unknown): boolean {
  return GONE.has(codeOf(error) ?? '');
}

/** Showing the same once more does no harm, and a connection that broke may cost nobody a secret. */
const TRIES = 2;

function discloser({ client, logger }: { client: WebClient; logger: Logger }): Modals['disclose'] {
  const discreet = discreetTwin(client);
  return async ({ id }, frame) => {
    for (let left = TRIES; left > 0; left -= 1) {
      try {
        await put(discreet, { id }, viewOf(frame));
        return true;
      } catch (error) {
        // Of the error nothing but a word: what Slack, or whoever stands between, says may hold the secret.
        const word = wordFor(error);
        logger.warn({ error: word }, 'Slack did not confirm that a secret was shown');
        if (GONE.has(word)) return false;
      }
    }
    return false;
  };
}

/** A short name of an error, out of a few shapes that hold nothing of a request. */
function wordFor(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined) return /^[a-z_]{1,40}$/.test(code) ? code : 'unreadable';
  return error instanceof Error ? error.name : 'unknown';
}

async function put(client: WebClient, { id, hash }: OpenView, view: ModalView): Promise<OpenView> {
  const expected = hash === undefined ? {} : { hash };
  const answer = await client.views.update({ view_id: id, view, ...expected });
  return viewIn(answer) ?? { id };
}

function viewIn(answer: { view?: { id?: string; hash?: string } }): OpenView | undefined {
  const { id, hash } = answer.view ?? {};
  if (id === undefined) return undefined;
  return hash === undefined ? { id } : { id, hash };
}

/** What Slack calls the error; undefined for one that is not Slack's. */
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
