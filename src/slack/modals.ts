import type { KnownBlock, ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { errorMessage } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import { mrkdwn, section } from './kit/index.ts';
import type { ModalContent } from './routes.ts';

export interface Modals {
  /**
   * Opens a modal at once, because a trigger lives for three seconds, and fills it in when `load`
   * has an answer. Someone who closes it before then is left alone.
   */
  show(triggerId: string, title: string, load: () => Promise<ModalContent>): Promise<void>;
}

export function createModals(deps: { client: WebClient; scrub: Scrub; logger: Logger }): Modals {
  const { client, logger } = deps;
  return {
    async show(triggerId, title, load) {
      const opening = client.views.open({
        trigger_id: triggerId,
        view: viewOf({ title, blocks: [section(mrkdwn`Reading …`)] }),
      });
      // Both at once: the platform need not wait for Slack.
      const [opened, content] = await Promise.allSettled([opening, load()]);
      if (opened.status === 'rejected') {
        logger.warn({ err: opened.reason }, 'A modal could not be opened');
        return;
      }
      if (content.status === 'rejected') throw content.reason;
      const viewId = opened.value.view?.id;
      if (viewId === undefined) return;
      try {
        const view = viewOf(scrubStrings(content.value, deps.scrub));
        await client.views.update({ view_id: viewId, view });
      } catch (error) {
        logger.info({ error: errorMessage(error) }, 'A modal was closed before it was filled in');
      }
    },
  };
}

function viewOf({ title, blocks }: { title: string; blocks: KnownBlock[] }): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: title },
    close: { type: 'plain_text', text: 'Close' },
    blocks,
  };
}
